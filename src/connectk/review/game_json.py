"""Converts a game and its threats to JSON for the web page. It uses only the rules, and no solver."""

from __future__ import annotations

from typing import TYPE_CHECKING

from connectk.notation import write_moves
from connectk.notation.start import write_start
from connectk.notation.views import SIDE_NAMES, moment_view, result_view, variant_view
from connectk.rules import Game, Position, Result, Side
from connectk.rules.threats import line_through, threats

if TYPE_CHECKING:
    from connectk.review.messages import GameMomentView, ThreatView, WholeGameAnswer


def game_to_json(game: Game) -> WholeGameAnswer:
    """The whole game as JSON: its start and, for every ply, the open columns and the cell of the last disc."""
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


def threats_to_json(position: Position) -> list[ThreatView]:
    """Every empty cell where a side would complete a line. Playable cells come first. The list is empty once the game
    is over."""
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
