"""Puzzles: positions in which one drop is better than all others, with the reason why.

>>> from connectk.puzzles import shipped
>>> len(shipped())
2000
"""

from connectk.puzzles.collection import boards, of_day, shipped
from connectk.puzzles.files import parse_puzzles, write_puzzles
from connectk.puzzles.making import PuzzleRecipe, make_puzzles
from connectk.puzzles.puzzle import Aim, Puzzle, Theme

__all__ = [
    "Aim",
    "Puzzle",
    "PuzzleRecipe",
    "Theme",
    "boards",
    "make_puzzles",
    "of_day",
    "parse_puzzles",
    "shipped",
    "write_puzzles",
]
