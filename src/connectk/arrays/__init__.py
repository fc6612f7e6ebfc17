"""Many games side by side in the core, for those who train and measure.

>>> from connectk.arrays import Boards
>>> boards = Boards("7x6x4", 3)
>>> boards.drop([3, 3, 0])
>>> boards.ply.tolist()
[1, 1, 1]
"""

from connectk.arrays.boards import DRAW, FIRST, OPEN, SECOND, Boards
from connectk.arrays.solving import NO_SCORE, best, scores

__all__ = ["DRAW", "FIRST", "NO_SCORE", "OPEN", "SECOND", "Boards", "best", "scores"]
