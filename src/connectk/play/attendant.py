"""Looks after matches that go on by themselves: computer players drop through the same door, clocks run out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from connectk.errors import ConnectkError
from connectk.play.match import Match
from connectk.play.refusals import Busy, NotStored, Refusal, ThinkingFailed, Timeout
from connectk.play.service import MatchService
from connectk.rules import Position


class Move(NamedTuple):
    """A computer player's column, what it thought, and for how many seconds."""

    column: int
    thought: dict[str, Any] | None = None
    took: float | None = None


class Timer(Protocol):
    def cancel(self) -> object: ...


Later = Callable[..., Timer]  # seconds, what to call then, and with what
Think = Callable[[Match, str], Awaitable[Move]]  # the match, and the player whose turn it is
SLACK = 0.02  # seconds after a deadline, so that the clock is surely over when it is read
FIRST_REST, LONGEST_REST = 0.2, 5.0
MOST_FAILURES = 3


class PlayerFailed(Exception):
    """A computer player that has no answer, however often it is asked."""


class Attendant:
    """Told of every change that this process made; looks at the others from time to time."""

    def __init__(
        self,
        service: MatchService,
        think: Think,
        on_failure: Callable[[Match, BaseException], None],
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        later: Later | None = None,
    ) -> None:
        self._service, self._think, self._on_failure = service, think, on_failure
        self._sleep, self._later = sleep, later or asyncio.get_running_loop().call_later
        self._thinking: dict[str, tuple[Position, asyncio.Task[None]]] = {}
        self._timers: dict[str, Timer] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        service.on_change.append(lambda match, _: self.attend(match))

    def attend(self, match: Match) -> None:
        """Make sure that someone thinks, and that the clock is watched, as this match now needs."""
        self._attend_player(match)
        self._attend_clock(match)

    async def look_around(self, since: float, until: float, limit: int = 1000) -> None:
        """Take up open matches that nobody attends: after a start, or after another process has died."""
        for match_id in await self._service.store.open_matches(since, until, limit):
            if match_id not in self._thinking and match_id not in self._timers:
                with suppress(Refusal):  # one that cannot be read must not keep the others waiting
                    self.attend(await self._service.get(match_id))

    async def look_at_clocks(self, before: float, limit: int = 1000) -> None:
        """Call time where the process that watched the clock has died."""
        for match_id in await self._service.store.overdue_matches(before, limit):
            if match_id not in self._timers:
                self._ring(match_id)

    async def close(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        tasks = [task for _, task in self._thinking.values()] + list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _attend_player(self, match: Match) -> None:
        player = match.seat(match.position.side_to_move).player if match.is_running else None
        position, task = self._thinking.get(match.id, (None, None))
        if task and position != match.position:
            del self._thinking[match.id]
            task.cancel()
        if player and match.id not in self._thinking:
            started = asyncio.ensure_future(self._play(match, player))
            self._thinking[match.id] = match.position, started
            started.add_done_callback(lambda done: self._forget(match.id, done))

    def _forget(self, match_id: str, task: asyncio.Task[None]) -> None:
        if self._thinking.get(match_id, (None, None))[1] is task:
            del self._thinking[match_id]

    async def _play(self, match: Match, player: str) -> None:
        """Think, then drop like anyone else; when the board has changed meanwhile, the drop is refused as stale."""
        side = match.position.side_to_move
        try:
            move = await self._patiently(match, player)
            await self._until_stored(
                lambda: self._service.drop(
                    match.id, side, move.column, match.ply, seen=match.position, thought=move.thought, took=move.took
                )
            )
        except Refusal:
            pass
        except Exception as error:
            self._on_failure(match, error)
            await self._give_up(match)

    async def _patiently(self, match: Match, player: str) -> Move:
        """A person may be told to come back later; a computer player waits its turn, and may fail a few times."""
        rest, failures = FIRST_REST, 0
        while True:
            try:
                return await self._think(match, player)
            except Busy:
                await self._sleep(rest)
                rest = min(rest * 2, LONGEST_REST)
            except (ThinkingFailed, Timeout) as error:
                failures += 1
                if failures == MOST_FAILURES:
                    raise PlayerFailed from error

    async def _until_stored(self, act: Callable[[], Awaitable[object]]) -> None:
        """Again while it cannot be kept: nobody else would do it, and the match would stand still."""
        rest = FIRST_REST
        while True:
            try:
                await act()
                return
            except (NotStored, Busy):
                await self._sleep(rest)
                rest = min(rest * 2, LONGEST_REST)

    async def _give_up(self, match: Match) -> None:
        """A player that cannot choose forfeits, so that nobody waits for ever."""
        try:
            await self._until_stored(lambda: self._service.forfeit(match.id, match.position.side_to_move))
        except ConnectkError:
            return

    def _attend_clock(self, match: Match) -> None:
        timer = self._timers.pop(match.id, None)
        if timer:
            timer.cancel()
        if match.deadline is not None:
            delay = max(0.0, match.deadline - self._service.now()) + SLACK
            self._timers[match.id] = self._later(delay, self._ring, match.id)

    def _ring(self, match_id: str, rest: float = FIRST_REST) -> None:
        self._timers.pop(match_id, None)
        task = asyncio.ensure_future(self._call_time(match_id, rest))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _call_time(self, match_id: str, rest: float) -> None:
        try:
            await self._service.call_time(match_id)
        except (NotStored, Busy):
            if match_id not in self._timers:
                self._timers[match_id] = self._later(rest, self._ring, match_id, min(rest * 2, LONGEST_REST))
        except Refusal:
            with suppress(Refusal):
                self._attend_clock(await self._service.get(match_id))
