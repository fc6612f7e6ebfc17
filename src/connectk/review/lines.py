"""How play should have gone on and how a blunder is met, as drops on a board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from connectk import _native
from connectk.review.review import MoveReview
from connectk.rules import Cell, Position

LONGEST_LINE = _native.LONGEST_SHOWN_LINE  # discs of a line that are told; a digit numbers each


@dataclass(frozen=True, slots=True)
class ShownLine:
    """A line on a board: its title's key, the board at its end, and which of its drops lies where, from 1."""

    title: str
    position: Position
    numbers: Mapping[Cell, int]


def lines_of(move: MoveReview | None) -> list[ShownLine]:
    """The better line and how the move is met; none of a move that was no blunder."""
    if move is None or move.reason is None:
        return []
    told = [
        ("report.better_board", move.position, move.reason.line),
        ("report.met_board", move.after_position, move.reason.refutation),
    ]
    return [ShownLine(title, *play_line(position, line)) for title, position, line in told if line]


def play_line(position: Position, line: Sequence[int]) -> tuple[Position, dict[Cell, int]]:
    """The board after the drops of a line that are told, and where each came to lie, numbered from 1."""
    numbers = {}
    for number, column in enumerate(line[:LONGEST_LINE], start=1):
        numbers[Cell(column, position.height_of(column))] = number
        position = position.drop(column)
    return position, numbers
