"""Players. All have the same interface, and a registry gives each a short name that every command uses."""

from connectk.players.player import Choice, Clock, Player, Thought, start_new_game, why_not
from connectk.players.registry import load_player

__all__ = ["Choice", "Clock", "Player", "Thought", "load_player", "start_new_game", "why_not"]
