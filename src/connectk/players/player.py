"""The interface of players. A player gets a position and a clock, and answers with a column."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from connectk.errors import BadTimeLimit, ConnectkError, GameAlreadyOver, UnsupportedVariant
from connectk.rules import Position, Variant

if TYPE_CHECKING:
    from connectk.watch import Stop  # this module loads the core, which a bot's process does not need

EXPECTED_MOVES_LEFT = 20  # the remaining time of a game is divided by this


@dataclass(frozen=True, slots=True)
class Thought:
    """A player's report about its choice. `score` is for the side to move, in a unit that each player chooses
    itself."""

    score: float | None = None
    line: tuple[int, ...] = ()
    depth: int | None = None
    nodes: int | None = None
    proven: bool = False


@dataclass(frozen=True, slots=True)
class Choice:
    """The column into which a player drops its disc, and what the player reports about this choice."""

    column: int
    thought: Thought = Thought()


@dataclass(slots=True, init=False)
class Clock:
    """The time for one choice. The clock starts when it is created. There is no time limit if `seconds` is None.

    The argument `stop` is a `Stop` of `connectk.watch`; the attribute `stop` is always an event. If `increment` is
    given, `seconds` is the time for the rest of the game, and each disc adds `increment` seconds.
    """

    seconds: float | None
    stop: threading.Event
    started: float
    increment: float | None

    def __init__(
        self,
        seconds: float | None = None,
        stop: Stop | None = None,
        started: float | None = None,
        increment: float | None = None,
    ) -> None:
        if seconds is not None and not seconds > 0:
            raise BadTimeLimit(seconds)
        self.seconds, self.increment = seconds, increment
        self.stop = _event_of(stop)
        self.started = time.monotonic() if started is None else started

    @property
    def left(self) -> float | None:
        """The seconds that are left; None if there is no limit."""
        return None if self.seconds is None else self.seconds - (time.monotonic() - self.started)

    @property
    def share(self) -> float | None:
        """The seconds to spend on this choice: all that are left, or a part of them if the clock is for a whole
        game."""
        if self.left is None or self.increment is None:
            return self.left
        return min(self.left, self.left / EXPECTED_MOVES_LEFT + self.increment)

    @property
    def is_up(self) -> bool:
        """Whether the time is over or a stop was requested."""
        return self.stop.is_set() or (self.left is not None and self.left <= 0)


def _event_of(stop: Stop | None) -> threading.Event:
    if stop is None:
        return threading.Event()
    return stop if isinstance(stop, threading.Event) else _PolledEvent(stop)


class _PolledEvent(threading.Event):
    """An event that is also set once `stop` returns true."""

    def __init__(self, stop: Stop) -> None:
        super().__init__()
        self._ask = stop if callable(stop) else stop.is_set

    def is_set(self) -> bool:
        return super().is_set() or self._ask()


class Player(Protocol):
    """The interface of a player. `name` is its name in the registry, such as "minimax:5".

    A player may keep state from one choice to the next. It may have two more methods. `new_game(seed)` resets the
    player for another game. `cannot_play(variant)` returns the reason why the player cannot play on a board, as a
    sentence or an error; None if it can.
    """

    @property
    def name(self) -> str: ...

    def choose(self, position: Position, clock: Clock) -> Choice:
        """The choice of a legal column in an open position."""
        ...

    def close(self) -> None:
        """Release the player's resources, such as a process."""
        ...


def require_open(position: Position) -> None:
    """Raise `GameAlreadyOver` if the game is over."""
    if position.outcome is not None:
        raise GameAlreadyOver(position.outcome)


def start_new_game(player: Player, seed: int | None = None) -> bool:
    """Prepare a player for a new game. Returns False if the player has no method `new_game`; the caller must then
    create a new player."""
    new_game = getattr(player, "new_game", None)
    if new_game is not None:
        new_game(seed)
    return new_game is not None


def why_not(player: Player, variant: Variant) -> str | None:
    """A sentence that says why a player cannot play on a board; None if it can."""
    reason = refusal_on(player, variant)
    return None if reason is None else str(reason)


def refusal_on(player: Player, variant: Variant) -> ConnectkError | str | None:
    """The reason why a player cannot play on a board, as the player returns it; None if it can play. A reason that is
    an error can be translated."""
    cannot_play = getattr(player, "cannot_play", None)
    reason: ConnectkError | str | None = cannot_play(variant) if cannot_play is not None else None
    return reason


def require_able(player: Player, variant: Variant) -> None:
    """Raise `UnsupportedVariant` if a player cannot play on this board."""
    if reason := refusal_on(player, variant):
        raise UnsupportedVariant(variant, "error.UnsupportedVariant.player", player=player.name, reason=reason)
