"""Moved: the players live in `connectk.players`. This name goes with the next release."""

import warnings

from connectk.players import Choice, Clock, Player, Thought, load_player

__all__ = ["Choice", "Clock", "Player", "Thought", "load_player"]

warnings.warn("connectk.engine is now connectk.players", DeprecationWarning, stacklevel=2)
