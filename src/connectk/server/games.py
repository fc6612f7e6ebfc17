"""Reads games from the page's requests, and builds the answers that contain games."""

from __future__ import annotations

from connectk.notation import parse_moves, parse_start, parse_variant, write_moves, write_start
from connectk.play.refusals import BoardTooLarge, BoardTooWide
from connectk.review.game_json import game_to_json, threats_to_json
from connectk.rules import Game, Position, Variant
from connectk.server.schemas import (
    MAX_SHOWN_SIDE,
    GameRequest,
    ThreatView,
    WholeGameAnswer,
    WrittenGameView,
)


def read_game(body: GameRequest) -> Game:
    """The game in a request. Raises if the rules do not allow it, or if its board is too large for the page."""
    variant = check_showable(parse_variant(body.variant))
    return Game(parse_start(body.start, variant), parse_moves(body.moves, variant))


def check_cells(variant: Variant, max_cells: int) -> None:
    if variant.cells > max_cells:
        raise BoardTooLarge(max_cells)


def check_showable(variant: Variant) -> Variant:
    """Returns the variant. Raises `BoardTooWide` if its board is too large for the page."""
    if max(variant.width, variant.height) > MAX_SHOWN_SIDE:
        raise BoardTooWide(MAX_SHOWN_SIDE)
    return variant


def game_view(game: Game) -> WholeGameAnswer:
    """The whole game: its start, and then, for every ply, the legal columns and the drop."""
    return game_to_json(game)


def written_game_view(game: Game) -> WrittenGameView:
    """The game as texts, in the notation of the page's addresses."""
    moves = write_moves(game.moves, game.variant)
    return {"variant": str(game.variant), "start": write_start(game.start), "moves": moves}


def threat_views(position: Position) -> list[ThreatView]:
    """The threats of both sides. Threats that the next disc can reach come first. A finished game has none."""
    return threats_to_json(position)
