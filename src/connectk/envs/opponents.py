"""Opponents for many games at once. A player of the core plays on all boards at once; any other player plays on one
board after the other."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

from connectk.arrays import Boards
from connectk.arrays.boards import PLAYER_NUMBERS
from connectk.players import Clock, Player, load_player, start_new_game
from connectk.players.evaluations import NAMED_EVALUATIONS
from connectk.players.registry import BEST_LEVEL, PLAYER_REGISTRY
from connectk.rules import CLASSIC, Variant

Opponent = Callable[[Boards, int], Any]  # (boards where it is to move, seed) -> one column per board


def opponent_named(name: str, variant: Variant = CLASSIC) -> Opponent:
    """The opponent with this name. If the core has this player, it plays on all boards at once."""
    if name.strip() == "random":
        return lambda boards, seed: boards.random_columns(seed)
    player = load_player(name, seed=0)  # also refuses a wrong name
    core = core_opponent(name, variant)
    if core is None:
        return PlayerOpponent(name, player)
    player.close()
    return core


def core_opponent(name: str, variant: Variant) -> Opponent | None:
    """The opponent with this name, or None if the core cannot play it on all boards at once. The name must be valid."""
    kind, _, parameter = (part.strip() for part in name.partition(":"))
    text, _, evaluation = (part.strip() for part in parameter.partition(","))
    if kind not in PLAYER_NUMBERS or (kind == "level" and int(text) == BEST_LEVEL):
        return None
    if evaluation and evaluation not in NAMED_EVALUATIONS:
        return None
    if not Boards(variant, 0).has_players(kind):
        return None
    number, judge = int(text or PLAYER_REGISTRY[kind].default), evaluation or "combined"
    return lambda boards, seed: boards.choose(kind, number, evaluation=judge, seed=seed)


class PlayerOpponent:
    """Any player as an opponent. It is asked for one board after the other."""

    def __init__(self, name: str, player: Player | None = None) -> None:
        self._name, self._player = name, player or load_player(name, seed=0)

    def __call__(self, boards: Boards, seed: int) -> Any:
        if not start_new_game(self._player, seed):
            self._player.close()
            self._player = load_player(self._name, seed)
        return array("q", [self._player.choose(position, Clock()).column for position in boards])

    def close(self) -> None:
        """Release the player."""
        self._player.close()
