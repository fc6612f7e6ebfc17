"""Plays the games of a tournament that are still missing, on several cores."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from functools import partial
from itertools import islice

from connectk.arena.match import Record, play_fixture
from connectk.arena.results import ResultsFile
from connectk.arena.seats import Seats
from connectk.arena.sprt import Sprt
from connectk.arena.tournament import Fixture
from connectk.cluster import Pool, Task
from connectk.cluster.pool import WORKERS, live_with_parent
from connectk.errors import PoolLost
from connectk.players.bots import BotOptions
from connectk.players.registry import load_player
from connectk.watch import POLL_SECONDS, Progress, Stop, Watch

Told = Callable[[Record], object]
Batch = list[Record]
BATCH_SECONDS = 0.05  # a worker is handed about so much work at a time
MOST_GAMES = 64  # in a batch
AFAR_SECONDS, MOST_AFAR = 2.0, 4096  # the same on a cluster, where the way is longer
BOT_OPTIONS = BotOptions()


def run_tournament(
    results: ResultsFile,
    *,
    jobs: int,
    sprt: Sprt | None = None,
    told: Told | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
    bots: BotOptions = BOT_OPTIONS,
    pool: Pool | None = None,
) -> None:
    """Play what is missing; each game is in the file before `told` hears of it. Ends early when the test knows.

    `stop` and `progress` are those of `connectk.watch`. A stop leaves games under way unplayed; on one core
    the game under way ends first. The workers of a `pool` play instead of `jobs` here.
    """
    watch = Watch(stop, progress)
    numbers = {key: record.number for key, record in results.records.items()}
    missing = results.tournament.fixtures(results.openings, numbers)
    if _is_clear(results, sprt) or watch.should_stop():
        return
    if pool is not None:
        played = _played_afar(missing, pool, bots, watch, str(results.path))
    else:
        played = _played_here(missing, bots) if jobs == 1 else _played(missing, jobs, bots, watch)
    with closing(played) as batches:
        for batch in batches:
            before = len(results.records)
            results.append(*batch)
            for done, record in enumerate(batch, start=before + 1):
                if told:
                    told(record)
                watch.tell(done, results.tournament.total)
            if _is_clear(results, sprt) or watch.should_stop():
                return


def _is_clear(results: ResultsFile, sprt: Sprt | None) -> bool:
    return sprt is not None and sprt.judge(results.tournament.players[0], results.records.values()).held is not None


def _played_here(missing: Iterator[Fixture], bots: BotOptions) -> Generator[Batch, None, None]:
    size = _Size()
    with Seats(partial(load_player, bots=bots)) as seats:
        play = partial(play_fixture, seat=seats.take, grace=bots.limits.grace)
        while games := list(islice(missing, size.games)):
            batch, seconds = _play_all(games, play)
            size.learn(len(batch), seconds)
            yield batch


def _play_all(fixtures: list[Fixture], play: Callable[[Fixture], Record]) -> tuple[Batch, float]:
    started = time.monotonic()
    return [play(fixture) for fixture in fixtures], time.monotonic() - started


class _Size:
    """How many games a batch has, so that handing it over costs little and stopping is quick all the same."""

    def __init__(self, seconds: float = BATCH_SECONDS, most: int = MOST_GAMES) -> None:
        self.games, self._seconds, self._most = 1, seconds, most

    def learn(self, games: int, seconds: float) -> None:
        fitting = round(games * self._seconds / max(seconds, 1e-6))
        self.games = max(1, min(fitting, 2 * self.games, self._most))


def _played(missing: Iterator[Fixture], jobs: int, bots: BotOptions, watch: Watch) -> Generator[Batch, None, None]:
    """Games as they end. Only as many batches are handed out as there are workers, so that stopping is quick."""
    first = [[game] for game in islice(missing, jobs)]
    if not first:
        return
    pool = ProcessPoolExecutor(min(jobs, len(first)), WORKERS, _prepare_worker, (bots,))
    size = _Size()
    try:
        running = {pool.submit(_play, games) for games in first}
        while running and not watch.should_stop():
            done, running = wait(running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
            for batch, seconds in map(Future.result, done):
                size.learn(len(batch), seconds)
                games = list(islice(missing, size.games))
                running |= {pool.submit(_play, games)} if games else set()
                yield batch
    except BrokenProcessPool:
        raise PoolLost("") from None
    finally:
        _end(pool)


def _played_afar(
    missing: Iterator[Fixture], pool: Pool, bots: BotOptions, watch: Watch, place: str
) -> Generator[Batch, None, None]:
    """Games as they end on the workers of a pool."""
    size = _Size(AFAR_SECONDS, MOST_AFAR)

    def tasks() -> Iterator[Task]:
        while games := list(islice(missing, size.games)):
            yield Task(play_afar, (games, bots))

    try:
        for _, (batch, seconds) in pool.run(tasks(), watch):
            size.learn(len(batch), seconds)
            yield batch
    except PoolLost as lost:
        lost.place = place
        raise


_mine = threading.local()


def play_afar(fixtures: list[Fixture], bots: BotOptions) -> tuple[Batch, float]:
    """Of a worker: its players stay alive from one batch to the next."""
    if getattr(_mine, "bots", None) != bots:
        _mine.bots, _mine.seats = bots, Seats(partial(load_player, bots=bots))
    return _play_all(fixtures, partial(play_fixture, seat=_mine.seats.take, grace=bots.limits.grace))


def _end(pool: ProcessPoolExecutor) -> None:
    """Workers in the middle of a game are killed: their game is not in the file and will be played again."""
    workers = list(pool._processes.values())
    for worker in workers:
        worker.kill()
    pool.shutdown(wait=True, cancel_futures=True)


_play_one: Callable[[Fixture], Record]  # in a worker, until it is killed; its bots end with it


def _prepare_worker(bots: BotOptions) -> None:
    """Leave Ctrl-C to the main process, and end when that is gone, even if it was killed."""
    global _play_one
    _play_one = partial(play_fixture, seat=Seats(partial(load_player, bots=bots)).take, grace=bots.limits.grace)
    live_with_parent()


def _play(fixtures: list[Fixture]) -> tuple[Batch, float]:
    return _play_all(fixtures, _play_one)
