"""Puzzles. A puzzle is a position in which one drop is better than every other drop, with the reason for this.

>>> from connectk.puzzles import shipped_puzzles
>>> len(shipped_puzzles())
1850
"""

from connectk.puzzles.collection import puzzle_boards, puzzle_of_day, shipped_puzzles
from connectk.puzzles.files import parse_puzzles, write_puzzles
from connectk.puzzles.making import PuzzleRecipe, make_puzzles
from connectk.puzzles.puzzle import Aim, Puzzle, Theme

__all__ = [
    "Aim",
    "Puzzle",
    "PuzzleRecipe",
    "Theme",
    "make_puzzles",
    "parse_puzzles",
    "puzzle_boards",
    "puzzle_of_day",
    "shipped_puzzles",
    "write_puzzles",
]
