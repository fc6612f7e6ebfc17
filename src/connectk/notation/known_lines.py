"""Openings that have a name among players.

James D. Allen names openings after the discs in the centre column and in the column beside it ("Expert Play in
Connect-Four", 1990, tromp.github.io/c4.html: the 3-4 and the 5-4 opening). The film "I Solved Connect 4" of 2swap
(2026) explains the 6-1 in the same way, and names the centre column and the candlesticks.
"""

from __future__ import annotations

from connectk.notation.named_starts import NAMED_STARTS
from connectk.rules import Position

# The towers beside the centre column are called candlesticks, in whatever order their discs are dropped.
KNOWN_LINES = {
    "centre": Position.from_moves("4"),
    "centre_column": Position.from_moves("44444"),
    "three_four": Position.from_moves("4443333"),
    "five_four": Position.from_moves("444445555"),
    "six_one": Position.from_moves("4444445"),
    "candlesticks": Position.from_moves("4444466662222"),
    "five_in_a_row": NAMED_STARTS["five-in-a-row"].position,
}
