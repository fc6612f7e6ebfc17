"""Drives matches that proceed without requests: computer players drop, clocks run out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, NamedTuple, Protocol

from tenacity import AsyncRetrying, stop_after_attempt

from connectk.aio import BackgroundTasks, retrying
from connectk.errors import ConnectkError
from connectk.play.match import Match
from connectk.play.refusals import Busy, NotStored, Refusal, ThinkingFailed, Timeout
from connectk.play.service import MatchNews, MatchService
from connectk.rules import Position


class Move(NamedTuple):
    """A computer player's column, its thought, and its thinking time in seconds."""

    column: int
    thought: dict[str, Any] | None = None
    took: float | None = None


class Timer(Protocol):
    def cancel(self) -> object: ...


Later = Callable[..., Timer]  # seconds, a callback, and its arguments
Think = Callable[[Match, str], Awaitable[Move]]  # the match, and the name of the player to move
DEADLINE_MARGIN_SECONDS = 0.02  # after a deadline, so that the clock has surely run out
FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS = 0.2, 5.0
MAX_FAILURES = 3


class MatchDriver:
    """Drives every match that this process has changed, and adopts those of a process that has died."""

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
        self._timeouts_in_progress: set[str] = set()  # by match id
        self._tasks = BackgroundTasks()
        service.subscribe(self._on_news)

    def _on_news(self, news: MatchNews) -> None:
        if news.is_own and news.match:
            self.attend(news.match)

    def attend(self, match: Match) -> None:
        """Start the computer player and the clock's timer that this match now needs."""
        self._attend_player(match)
        self._attend_clock(match)

    async def adopt_orphans(self, since: float, until: float, limit: int = 1000) -> None:
        """Drive open matches that no process drives: after a start, or after another process has died."""
        for match_id in await self._service.store.open_matches(since, until, limit):
            if match_id not in self._thinking and match_id not in self._timers:
                with suppress(Refusal):  # skip a match that cannot be read
                    self.attend(await self._service.get(match_id))

    async def adopt_overdue(self, before: float, limit: int = 1000) -> None:
        """Call time in matches whose driving process has died."""
        for match_id in await self._service.store.overdue_matches(before, limit):
            if match_id not in self._timers:
                self._on_deadline(match_id)

    async def close(self) -> None:
        for timer in self._timers.values():
            timer.cancel()
        await self._tasks.close()

    def _attend_player(self, match: Match) -> None:
        player = match.seat(match.position.side_to_move).player if match.is_running else None
        position, task = self._thinking.get(match.id, (None, None))
        if task and position != match.position:
            del self._thinking[match.id]
            task.cancel()
        if player and match.id not in self._thinking:
            started = self._tasks.spawn(self._play(match, player))
            self._thinking[match.id] = match.position, started
            started.add_done_callback(lambda done: self._forget(match.id, done))

    def _forget(self, match_id: str, task: asyncio.Task[None]) -> None:
        if self._thinking.get(match_id, (None, None))[1] is task:
            del self._thinking[match_id]

    async def _play(self, match: Match, player: str) -> None:
        """Choose a column and drop; if the board has changed meanwhile, the drop is refused as stale."""
        side = match.position.side_to_move
        try:
            move = await self._think_with_retry(match, player)
            facts = {"seen": match.position, "thought": move.thought, "took": move.took}
            await self._store_with_retry(self._service.drop, match.id, side, move.column, match.ply, **facts)
        except (ThinkingFailed, Timeout) as error:
            await self._give_up(match, error)
        except Refusal:
            pass
        except Exception as error:
            await self._give_up(match, error)

    async def _think_with_retry(self, match: Match, player: str) -> Move:
        """Retry while the workers are busy, and after a few failures."""
        again = retrying(ThinkingFailed, Timeout, first_seconds=0, max_seconds=0, stop=stop_after_attempt(MAX_FAILURES))
        move: Move = await again(self._retrying(Busy), self._think, match, player)
        return move

    async def _store_with_retry(self, act: Callable[..., Awaitable[object]], *arguments: Any, **facts: Any) -> None:
        """Retry until the change is stored: otherwise the match would stand still."""
        await self._retrying(NotStored, Busy)(act, *arguments, **facts)

    def _retrying(self, *errors: type[Exception]) -> AsyncRetrying:
        seconds = {"first_seconds": FIRST_RETRY_SECONDS, "max_seconds": MAX_RETRY_SECONDS}
        return retrying(*errors, **seconds, sleep=self._sleep)

    async def _give_up(self, match: Match, error: Exception) -> None:
        """Forfeit for a player that cannot choose, so that the opponent does not wait forever."""
        self._on_failure(match, error)
        with suppress(ConnectkError):
            await self._store_with_retry(self._service.forfeit, match.id, match.position.side_to_move)

    def _attend_clock(self, match: Match) -> None:
        timer = self._timers.pop(match.id, None)
        if timer:
            timer.cancel()
        if match.deadline is not None:
            delay = max(0.0, match.deadline - self._service.now()) + DEADLINE_MARGIN_SECONDS
            self._timers[match.id] = self._later(delay, self._on_deadline, match.id)

    def _on_deadline(self, match_id: str) -> None:
        self._timers.pop(match_id, None)
        if match_id not in self._timeouts_in_progress:
            self._timeouts_in_progress.add(match_id)
            self._tasks.spawn(self._call_time(match_id))

    async def _call_time(self, match_id: str) -> None:
        try:
            await self._store_with_retry(self._service.call_time, match_id)
        except Refusal:  # the time is not up yet
            with suppress(Refusal):
                self._attend_clock(await self._service.get(match_id))
        finally:
            self._timeouts_in_progress.discard(match_id)
