"""Reads games from the page's requests, and builds the answers that show them."""

from __future__ import annotations

from connectk.notation import parse_moves, parse_start, parse_variant, write_moves, write_start
from connectk.play.refusals import BoardTooLarge, BoardTooWide
from connectk.review.facts import game_facts, threat_facts
from connectk.rules import Game, Position, Variant
from connectk.server.schemas import (
    MAX_SHOWN_SIDE,
    GameOrder,
    ThreatView,
    WholeGameAnswer,
    WrittenGameView,
)


def read_game(order: GameOrder) -> Game:
    """The game, if the rules allow it."""
    variant = check_showable(parse_variant(order.variant))
    return Game(parse_start(order.start, variant), parse_moves(order.moves, variant))


def check_cells(variant: Variant, largest: int) -> None:
    if variant.cells > largest:
        raise BoardTooLarge(largest)


def check_showable(variant: Variant) -> Variant:
    """Returns the variant if the page can show it; else raises `BoardTooWide`."""
    if max(variant.width, variant.height) > MAX_SHOWN_SIDE:
        raise BoardTooWide(MAX_SHOWN_SIDE)
    return variant


def game_view(game: Game) -> WholeGameAnswer:
    """The whole game: its start, then the legal columns and the drop at every ply."""
    return game_facts(game)


def written_game_view(game: Game) -> WrittenGameView:
    """The game in the notation of the page's addresses."""
    moves = write_moves(game.moves, game.variant)
    return {"variant": str(game.variant), "start": write_start(game.start), "moves": moves}


def threat_views(position: Position) -> list[ThreatView]:
    """Every threat of both sides, those that the next disc can reach first; none once the game is over."""
    return threat_facts(position)
