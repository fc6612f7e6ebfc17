"""Plays many games at the same time in the core, for training and for measurements.

>>> from connectk.arrays import Boards
>>> boards = Boards("7x6x4", 3)
>>> boards.drop([3, 3, 0])
>>> boards.ply.tolist()
[1, 1, 1]
"""

from connectk.arrays.array_types import StepResult
from connectk.arrays.batch_scores import NO_SCORE, best, scores
from connectk.arrays.boards import DRAW, FIRST, OPEN, SECOND, Boards

__all__ = ["DRAW", "FIRST", "NO_SCORE", "OPEN", "SECOND", "Boards", "StepResult", "best", "scores"]
