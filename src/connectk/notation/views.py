"""Converts positions, results, variants and player names to JSON messages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from connectk.rules import Position, Result, Side, Variant

if TYPE_CHECKING:
    from connectk.notation.messages import MomentView, ResultView, SideName, VariantView

SIDE_NAMES: Mapping[Side, SideName] = {Side.FIRST: "first", Side.SECOND: "second"}


def moment_view(position: Position) -> MomentView:
    """A position as JSON, without its discs."""
    return {
        "ply": position.ply,
        "side_to_move": None if position.outcome else SIDE_NAMES[position.side_to_move],
        "legal_columns": list(position.legal_columns),
        "winning_lines": [list(line) for line in position.winning_lines],
        "last_drop": position.last_drop,
    }


def result_view(result: Result | None) -> ResultView | None:
    """A result as JSON."""
    if result is None:
        return None
    winner = SIDE_NAMES[result.winner] if result.winner else None
    return {"winner": winner, "reason": result.reason.value}


def variant_view(variant: Variant) -> VariantView:
    """A variant as JSON."""
    return {"width": variant.width, "height": variant.height, "run": variant.run}


def players_view(players: Mapping[Side, str]) -> dict[SideName, str]:
    """The players' names as JSON, by side."""
    return {SIDE_NAMES[side]: name for side, name in players.items()}
