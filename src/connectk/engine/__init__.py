"""Players: one protocol, and a registry of short names that every command uses."""

from connectk.engine.player import Choice, Clock, Player, Thought

__all__ = ["Choice", "Clock", "Player", "Thought"]
