"""Players that stay alive from one game to the next."""

from __future__ import annotations

from collections.abc import Callable
from types import TracebackType

from connectk.players.player import Player, begin_game

MOST_KEPT = 8  # a bot is a process or two


class Seats:
    """Makes players when they are first asked for, and has them forget their last game when asked again."""

    def __init__(self, load: Callable[[str, int], Player]) -> None:
        self._load = load
        self._kept: dict[str, Player] = {}  # who played last comes last

    def take(self, name: str, seed: int) -> Player:
        """The player of this name, ready for a new game."""
        player = self._kept.pop(name, None)
        if player is not None:
            self._kept[name] = player
            if begin_game(player, seed):
                return player
            self._let_go(name)
        self._kept[name] = player = self._load(name, seed)
        if len(self._kept) > MOST_KEPT:
            self._let_go(next(iter(self._kept)))
        return player

    def _let_go(self, name: str) -> None:
        self._kept.pop(name).close()

    def __enter__(self) -> Seats:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name in list(self._kept):
            self._let_go(name)
