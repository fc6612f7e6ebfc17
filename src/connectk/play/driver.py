"""Makes the changes to a match that no client requests. For example, a computer player drops a disc, a clock runs out,
or an offer expires."""

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
    """A computer player's choice: the column, the player's report about it, and the seconds that the player took."""

    column: int | None  # None if it swaps sides instead
    thought: dict[str, Any] | None = None
    took: float | None = None


Turn = tuple[Position, int]  # the position, and how often the seats were exchanged, after which another player acts


def _turn_of(match: Match) -> Turn:
    return match.position, match.exchanges


class Timer(Protocol):
    def cancel(self) -> object: ...


Later = Callable[..., Timer]  # takes seconds, a callback and its arguments; starts a timer
Think = Callable[[Match, str], Awaitable[Move]]  # takes the match and the name of the player to move
DEADLINE_MARGIN_SECONDS = 0.02  # after a deadline, so that the clock has surely run out
OFFER_SECONDS = 65.0  # a little longer than a page waits before it withdraws its own offer and says why
FIRST_RETRY_SECONDS, MAX_RETRY_SECONDS = 0.2, 5.0
MAX_THINK_ATTEMPTS = 3


class MatchDriver:
    """Drives the matches that this process changes, and takes over matches whose process has died."""

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
        self._thinking: dict[str, tuple[Turn, asyncio.Task[None]]] = {}
        self._timers: dict[str, Timer] = {}
        self._offer_timers: dict[str, Timer] = {}
        self._timeouts_in_progress: set[str] = set()  # by match id
        self._tasks = BackgroundTasks()
        service.subscribe(self._on_news)

    def _on_news(self, news: MatchNews) -> None:
        if news.is_own and news.match:
            self.attend(news.match)

    def attend(self, match: Match) -> None:
        """Start the computer player if it is to move. Start the timers of the clock and of an open offer."""
        self._attend_player(match)
        self._attend_clock(match)
        self._attend_offer(match)

    async def adopt_orphans(self, since: float, until: float, limit: int = 1000) -> None:
        """Drive open matches that no process drives. Such matches exist after the server has restarted or one of its
        processes has died."""
        for match_id in await self._service.store.open_matches(since, until, limit):
            if match_id not in self._thinking and match_id not in self._timers:
                with suppress(Refusal):  # skip a match that cannot be read
                    self.attend(await self._service.get(match_id))

    async def adopt_overdue(self, before: float, limit: int = 1000) -> None:
        """End matches whose clock has run out but whose server process has died."""
        for match_id in await self._service.store.overdue_matches(before, limit):
            if match_id not in self._timers:
                self._on_deadline(match_id)

    async def close(self) -> None:
        for timer in (*self._timers.values(), *self._offer_timers.values()):
            timer.cancel()
        await self._tasks.close()

    def _attend_player(self, match: Match) -> None:
        player = match.seat(match.turn).player if match.is_running else None
        turn, task = self._thinking.get(match.id, (None, None))
        if task and turn != _turn_of(match):
            del self._thinking[match.id]
            task.cancel()
        if player and match.id not in self._thinking:
            started = self._tasks.spawn(self._play(match, player))
            self._thinking[match.id] = _turn_of(match), started
            started.add_done_callback(lambda done: self._forget(match.id, done))

    def _forget(self, match_id: str, task: asyncio.Task[None]) -> None:
        if self._thinking.get(match_id, (None, None))[1] is task:
            del self._thinking[match_id]

    async def _play(self, match: Match, player: str) -> None:
        """Let the computer player choose, and drop a disc or swap. If the board has changed in the meantime, the choice
        is refused and forgotten."""
        side = match.turn
        try:
            move = await self._think_with_retry(match, player)
            if move.column is None:
                await self._store_with_retry(self._service.swap, match.id, frozenset({side}))
                return
            facts = {"seen": match.position, "thought": move.thought, "took": move.took}
            await self._store_with_retry(self._service.drop, match.id, side, move.column, match.ply, **facts)
        except (ThinkingFailed, Timeout) as error:
            await self._give_up(match, error)
        except Refusal:
            pass
        except Exception as error:
            await self._give_up(match, error)

    async def _think_with_retry(self, match: Match, player: str) -> Move:
        """Let the player choose. If the workers are busy, ask again until one is free. After a failure, try a few more
        times."""
        again = retrying(
            ThinkingFailed, Timeout, first_seconds=0, max_seconds=0, stop=stop_after_attempt(MAX_THINK_ATTEMPTS)
        )
        move: Move = await again(self._retrying(Busy), self._think, match, player)
        return move

    async def _store_with_retry(self, act: Callable[..., Awaitable[object]], *arguments: Any, **facts: Any) -> None:
        """Repeat a change until it is stored, because without it the match would never continue."""
        await self._retrying(NotStored, Busy)(act, *arguments, **facts)

    def _retrying(self, *errors: type[Exception]) -> AsyncRetrying:
        seconds = {"first_seconds": FIRST_RETRY_SECONDS, "max_seconds": MAX_RETRY_SECONDS}
        return retrying(*errors, **seconds, sleep=self._sleep)

    async def _give_up(self, match: Match, error: Exception) -> None:
        """End the match as lost for a computer player that cannot choose, so that its opponent does not wait
        forever."""
        self._on_failure(match, error)
        with suppress(ConnectkError):
            await self._store_with_retry(self._service.forfeit, match.id, match.turn)

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

    def _attend_offer(self, match: Match) -> None:
        timer = self._offer_timers.pop(match.id, None)
        if timer:
            timer.cancel()
        if match.offer:
            self._offer_timers[match.id] = self._later(OFFER_SECONDS, self._on_unanswered, match.id, match.seq)

    def _on_unanswered(self, match_id: str, made_at_seq: int) -> None:
        self._offer_timers.pop(match_id, None)
        self._tasks.spawn(self._expire_offer(match_id, made_at_seq))

    async def _expire_offer(self, match_id: str, made_at_seq: int) -> None:
        with suppress(Refusal):  # it was answered meanwhile
            await self._store_with_retry(self._service.expire_offer, match_id, made_at_seq)
