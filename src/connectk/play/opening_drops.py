"""Finds the first drops of a match for the opening explorer. For each drop it tells who made it and how the game ended
for that player."""

from __future__ import annotations

from itertools import takewhile
from typing import NamedTuple

from connectk.notation.start import write_start
from connectk.play.match import Match
from connectk.rules import Position, Side

MAX_EXPLORED_DISCS = 16  # with more discs on the board, a position hardly comes twice
MAX_BOARD_KEY_CHARS = 200


class OpeningDrop(NamedTuple):
    """A drop with the keys of its board and column (see `board_key` and `column_key`). `score` is 1 if the player won
    the match, 0.5 for a draw and 0 for a loss."""

    board: str
    column: int
    by_computer: bool
    score: float


def board_key(position: Position) -> str:
    """The board as a text. A board and its mirror image have the same text."""
    return f"{position.variant} {min(write_start(position), write_start(position.mirrored()))}"


def column_key(position: Position, column: int) -> int:
    """The number of this column on the board of `board_key`, which may be the mirror image of `position`.

    On a symmetric board the number does not change.
    """
    is_mirrored = write_start(position.mirrored()) < write_start(position)
    return position.variant.width - 1 - column if is_mirrored else column


def is_explored(position: Position) -> bool:
    return position.ply < MAX_EXPLORED_DISCS and len(board_key(position)) <= MAX_BOARD_KEY_CHARS


def opening_drops(match: Match) -> list[OpeningDrop]:
    """The first drops of a finished match, without moves that were given when the match was made.

    Discs placed before a choice of sides are left out too, because their player did not know their side yet.
    """
    if match.result is None:
        return []
    given = sum(1 for _ in takewhile(lambda seconds: seconds == 0.0, match.seconds))
    start = match.setup.start.ply
    first = max(start + given, match.choice_ply if match.setup.swap else 0)
    found = []
    for ply in range(first, min(match.ply, MAX_EXPLORED_DISCS)):
        position, side = match.at_ply(ply), match.turn_at(ply)
        if is_explored(position):
            column = column_key(position, match.moves[ply - start])
            is_computer = match.seat(side).player is not None
            found.append(OpeningDrop(board_key(position), column, is_computer, _score(match, side)))
    return found


def _score(match: Match, side: Side) -> float:
    winner = match.result and match.result.winner
    return 0.5 if winner is None else float(winner is side)
