"""Games that the page asks about, read from its orders and told as it shows them."""

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
    """The variant, if a page can show it."""
    if max(variant.width, variant.height) > MAX_SHOWN_SIDE:
        raise BoardTooWide(MAX_SHOWN_SIDE)
    return variant


def game_view(game: Game) -> WholeGameAnswer:
    """The whole game: the discs that it began with, then what was open and where the disc fell at every ply."""
    return game_facts(game)


def written_game_view(game: Game) -> WrittenGameView:
    """The game as it stands in an address."""
    moves = write_moves(game.moves, game.variant)
    return {"variant": str(game.variant), "start": write_start(game.start), "moves": moves}


def threat_views(position: Position) -> list[ThreatView]:
    """Every threat of both sides; those that the next disc can reach first. None once the game is over."""
    return threat_facts(position)
