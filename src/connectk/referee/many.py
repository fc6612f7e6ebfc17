"""Moved: `judge_many` and `find_game_files` are in `connectk.referee`. This name goes with the next release."""

import warnings

from connectk.referee import find_game_files, judge_many

__all__ = ["find_game_files", "judge_many"]

warnings.warn("connectk.referee.many is now connectk.referee", DeprecationWarning, stacklevel=2)
