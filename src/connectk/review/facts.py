"""A game and its threats as the page shows them, for JSON: every open column and every line worked out by the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectk.notation import write_moves
from connectk.notation.start import write_start
from connectk.notation.views import SIDE_NAMES, moment_view, result_view, variant_view
from connectk.rules import Game, Position, Result, Side
from connectk.rules.threats import line_through, threats

if TYPE_CHECKING:
    from connectk.review.messages import GameMomentView, ThreatView, WholeGameAnswer


def game_facts(game: Game) -> WholeGameAnswer:
    """The whole game: the discs that it began with, then what was open and where the disc fell at every ply."""
    return {
        "variant": variant_view(game.variant),
        "start": write_start(game.start),
        "moves": write_moves(game.moves, game.variant),
        "columns": list(game.moves),
        "positions": [_moment(position) for position in game.positions],
    }


def _moment(position: Position) -> GameMomentView:
    result = Result.of(position.outcome) if position.outcome else None
    return {**moment_view(position), "result": result_view(result)}


def threat_facts(position: Position) -> list[ThreatView]:
    """Every cell that would win, those within reach first; none once the game is over."""
    if position.outcome is not None:
        return []
    found: list[ThreatView] = [
        {
            "column": cell.column,
            "row": cell.row,
            "side": SIDE_NAMES[side],
            "line": list(line_through(position, cell, side)),
            "now": cell.row == position.height_of(cell.column),
        }
        for side in Side
        for cell in sorted(threats(position, side))
    ]
    return sorted(found, key=lambda threat: not threat["now"])
