"""The rules of the game: legal drops, wins and draws. No other Python code defines these rules."""

from connectk.rules.game import Game
from connectk.rules.outcome import DRAW, EndReason, Outcome, Result, Side
from connectk.rules.position import Position
from connectk.rules.sampling import all_positions, random_position
from connectk.rules.threats import all_lines
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
    "all_lines",
    "all_positions",
    "random_position",
]
