"""Players: one protocol, and a registry of short names that every command uses."""

from connectk.players.player import Choice, Clock, Player, Thought, begin_game, why_not
from connectk.players.registry import load_player

__all__ = ["Choice", "Clock", "Player", "Thought", "begin_game", "load_player", "why_not"]
