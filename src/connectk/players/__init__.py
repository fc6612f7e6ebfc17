"""Players: one protocol, and a registry of short names that every command uses."""

from connectk.players.player import Choice, Clock, Player, Thought, start_new_game, why_not
from connectk.players.registry import load_player

__all__ = ["Choice", "Clock", "Player", "Thought", "load_player", "start_new_game", "why_not"]
