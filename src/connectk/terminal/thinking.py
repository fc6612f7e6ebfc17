"""Thinking beside the person: in a thread of its own, so that the keyboard is never waited for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from connectk.players import Choice, Clock, Player
from connectk.players.registry import load_player
from connectk.errors import ConnectkError
from connectk.rules import Position
from connectk.terminal.beside import work_beside


class Thinking:
    """One choice being made. `tell` is called once, in that thread, with the choice or the error that came instead."""

    def __init__(
        self, player: Player, position: Position, tell: Callable[[Thinking, Choice | Exception], None]
    ) -> None:
        self.position = position
        self._player, self._tell = player, tell
        self._clock = Clock()
        work_beside(self._think)

    def _think(self) -> None:
        answer: Choice | Exception
        try:
            answer = self._player.choose(self.position, self._clock)
        except Exception as error:
            answer = error
        if not self._clock.stop.is_set():
            self._tell(self, answer)

    def stop(self) -> None:
        """Nobody waits for the answer any more."""
        self._clock.stop.set()


class Computers:
    """The players from the registry that sit at one table, of whom at most one thinks."""

    def __init__(self, tell: Callable[[Thinking, Choice | Exception], None]) -> None:
        self._tell = tell
        self._players: dict[str, Player] = {}
        self._thinking: Thinking | None = None

    def think(self, name: str, position: Position) -> None:
        """Let this player choose; a player that cannot be had tells so like one that fails."""
        self.stop()
        try:
            if name not in self._players:
                self._players[name] = load_player(name)
            self._thinking = Thinking(self._players[name], position, self._tell)
        except ConnectkError as error:
            self._thinking = Thinking(_Absent(error), position, self._tell)

    def awaits(self, thinking: Thinking) -> bool:
        """Whether this is the choice that is still wanted."""
        return thinking is self._thinking

    def stop(self) -> None:
        if self._thinking:
            self._thinking.stop()
        self._thinking = None

    def close(self) -> None:
        self.stop()
        for player in self._players.values():
            player.close()


@dataclass(frozen=True)
class _Absent:
    """Sits where a player could not be loaded, and says why when asked."""

    error: ConnectkError
    name: str = "absent"

    def choose(self, position: Position, clock: Clock) -> Choice:
        raise self.error

    def close(self) -> None:
        """There is nothing to give back."""
