"""Openings that have a name among players."""

from __future__ import annotations

from connectk.notation.named_starts import NAMED_STARTS
from connectk.rules import Position

# The towers beside the centre column are called candlesticks, in whatever order their discs are dropped.
KNOWN_LINES = {
    "centre": Position.from_moves("4"),
    "centre_column": Position.from_moves("44444"),
    "candlesticks": Position.from_moves("4444466662222"),
    "five_in_a_row": NAMED_STARTS["five-in-a-row"].position,
}
