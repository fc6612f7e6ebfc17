"""Thinking beside the person: in a thread of its own, so that the keyboard is never waited for."""

from __future__ import annotations

import threading
from collections.abc import Callable

from connectk.engine import Choice, Clock, Player
from connectk.rules import Position


class Thinking:
    """One choice being made. `tell` is called once, in that thread, with the choice or the error that came instead."""

    def __init__(
        self, player: Player, position: Position, tell: Callable[[Thinking, Choice | Exception], None]
    ) -> None:
        self.position = position
        self._player, self._tell = player, tell
        self._clock = Clock()
        threading.Thread(target=self._think, daemon=True).start()

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
