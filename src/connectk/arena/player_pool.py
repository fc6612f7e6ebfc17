"""A pool of players that are reused from one game to the next."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

from connectk.players.player import Player, start_new_game

MAX_POOLED_PLAYERS = 96  # in all workers of a tournament together; a bot has two processes of about 15 MB each
MIN_POOLED_PLAYERS = 16  # in each worker, however many workers there are


class PlayerPool:
    """Creates players on demand and prepares them for each new game. If there are too many, the least recently used one
    is closed."""

    def __init__(self, load: Callable[[str, int], Player], workers: int = 1) -> None:
        self._load = load
        self._max_players = max(MIN_POOLED_PLAYERS, MAX_POOLED_PLAYERS // workers)
        self._players: dict[str, Player] = {}  # the most recently used last

    def take(self, name: str, seed: int) -> Player:
        """The player of this name, ready for a new game."""
        player = self._players.pop(name, None)
        if player is not None:
            self._players[name] = player
            if start_new_game(player, seed):
                return player
            self._evict(name)
        self._players[name] = player = self._load(name, seed)
        if len(self._players) > self._max_players:
            self._evict(next(iter(self._players)))
        return player

    def _evict(self, name: str) -> None:
        self._players.pop(name).close()

    def __enter__(self) -> PlayerPool:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name in list(self._players):
            self._evict(name)
