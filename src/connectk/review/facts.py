"""A game and its threats as the page shows them, for JSON: every open column and every line worked out by the rules."""

from __future__ import annotations

from typing import Any

from connectk.notation import write_moves
from connectk.notation.start import write_start
from connectk.rules import Game, Position, Result, Side
from connectk.rules.threats import line_through, threats


def game_facts(game: Game) -> dict[str, Any]:
    """The whole game: the discs that it began with, then what was open and where the disc fell at every ply."""
    variant = game.variant
    return {
        "variant": {"width": variant.width, "height": variant.height, "run": variant.run},
        "start": write_start(game.start),
        "moves": write_moves(game.moves, variant),
        "columns": list(game.moves),
        "positions": [_moment(position) for position in game.positions],
    }


def _moment(position: Position) -> dict[str, Any]:
    result = Result.of(position.outcome) if position.outcome else None
    return {
        "ply": position.ply,
        "side_to_move": None if position.outcome else str(position.side_to_move),
        "legal_columns": list(position.legal_columns),
        "last_drop": position.last_drop,
        "winning_lines": [list(line) for line in position.winning_lines],
        "result": result and {"winner": result.winner and str(result.winner), "reason": result.reason.value},
    }


def threat_facts(position: Position) -> list[dict[str, Any]]:
    """Every cell that would win, those within reach first; none once the game is over."""
    if position.outcome is not None:
        return []
    found = [
        {
            "column": cell.column,
            "row": cell.row,
            "side": str(side),
            "line": list(line_through(position, cell, side)),
            "now": cell.row == position.height_of(cell.column),
        }
        for side in Side
        for cell in sorted(threats(position, side))
    ]
    return sorted(found, key=lambda threat: not threat["now"])
