"""Shows the better line and the refutation of a flawed move as boards with numbered discs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from connectk import _native
from connectk.review.review import MoveReview
from connectk.rules import Cell, Position

MAX_SHOWN_LINE_DISCS = _native.MAX_SHOWN_LINE_DISCS  # discs are numbered with a single digit


@dataclass(frozen=True, slots=True)
class VariationBoard:
    """A line of play drawn on a board: the text key of its title, the final position, and the number of each numbered
    disc."""

    title: str
    position: Position
    numbers: Mapping[Cell, int]


def variation_boards(move: MoveReview | None) -> list[VariationBoard]:
    """The boards of the better line and of the refutation of a flawed move. Empty for any other move."""
    if move is None:
        return []
    lines = [
        ("report.better_board", move.position, move.better_line),
        ("report.met_board", move.after_position, move.refutation),
    ]
    return [VariationBoard(title, *play_numbered(position, line)) for title, position, line in lines if line]


def play_numbered(position: Position, line: Sequence[int]) -> tuple[Position, dict[Cell, int]]:
    """Play the first drops of a line. Returns the last position, and the number of the drop in each cell."""
    numbers = {}
    for number, column in enumerate(line[:MAX_SHOWN_LINE_DISCS], start=1):
        numbers[Cell(column, position.height_of(column))] = number
        position = position.drop(column)
    return position, numbers
