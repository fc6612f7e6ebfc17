"""What is legal, what wins and what is a draw: the only place that says so."""

from connectk.rules.game import Game
from connectk.rules.outcome import DRAW, EndReason, Outcome, Result, Side
from connectk.rules.position import Position
from connectk.rules.threats import lines_of
from connectk.rules.variant import CLASSIC, Cell, Variant

__all__ = [
    "CLASSIC",
    "DRAW",
    "Cell",
    "EndReason",
    "Game",
    "Outcome",
    "Position",
    "Result",
    "Side",
    "Variant",
    "lines_of",
]
