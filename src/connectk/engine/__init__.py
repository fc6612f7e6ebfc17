"""Players: one protocol, and a registry of short names that every command uses."""

from connectk.engine.player import Choice, Clock, Player, Thought
from connectk.engine.registry import load_player

__all__ = ["Choice", "Clock", "Player", "Thought", "load_player"]
