"""The rules of the game: legal drops, wins and draws. They are defined nowhere else in Python."""

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
