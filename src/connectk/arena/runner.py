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
from connectk.arena.player_pool import PlayerPool
from connectk.arena.results import ResultsFile
from connectk.arena.sprt import Sprt
from connectk.arena.tournament import Fixture
from connectk.cluster import Pool, Task
from connectk.cluster.pool import WORKER_CONTEXT, init_worker
from connectk.errors import PoolLost
from connectk.players.bots import BotOptions
from connectk.players.registry import load_player
from connectk.watch import POLL_SECONDS, Progress, Stop, Watch

OnGame = Callable[[Record], object]
Batch = list[Record]
BATCH_SECONDS = 0.05  # about how long a worker plays one batch
MAX_BATCH_GAMES = 64
CLUSTER_BATCH_SECONDS, MAX_CLUSTER_BATCH_GAMES = 2.0, 4096  # larger on a cluster, where a batch costs more to send
BOT_OPTIONS = BotOptions()


def run_tournament(
    results: ResultsFile,
    *,
    jobs: int,
    sprt: Sprt | None = None,
    on_game: OnGame | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
    bots: BotOptions = BOT_OPTIONS,
    pool: Pool | None = None,
) -> None:
    """Play the missing games. Each is in the file before `on_game` is called; ends early when the SPRT has a result.

    `stop` and `progress` are those of `connectk.watch`. A stop abandons running games; with one job the running game
    is finished first. With a `pool`, its workers play and `jobs` is ignored.
    """
    watch = Watch(stop, progress)
    numbers = {key: record.number for key, record in results.records.items()}
    missing = results.tournament.fixtures(results.openings, numbers)
    if _is_decided(results, sprt) or watch.should_stop():
        return
    if pool is not None:
        played = _play_on_cluster(missing, pool, bots, watch, str(results.path))
    else:
        played = _play_locally(missing, bots) if jobs == 1 else _play_in_processes(missing, jobs, bots, watch)
    with closing(played) as batches:
        for batch in batches:
            before = len(results.records)
            results.append(*batch)
            for done, record in enumerate(batch, start=before + 1):
                if on_game:
                    on_game(record)
                watch.report(done, results.tournament.total)
            if _is_decided(results, sprt) or watch.should_stop():
                return


def _is_decided(results: ResultsFile, sprt: Sprt | None) -> bool:
    return sprt is not None and sprt.judge(results.tournament.players[0], results.records.values()).held is not None


def _play_locally(missing: Iterator[Fixture], bots: BotOptions) -> Generator[Batch, None, None]:
    size = _BatchSize()
    with PlayerPool(partial(load_player, bots=bots)) as players:
        play = partial(play_fixture, seat=players.take, grace=bots.limits.grace)
        while games := list(islice(missing, size.games)):
            batch, seconds = _play_all(games, play)
            size.learn(len(batch), seconds)
            yield batch


def _play_all(fixtures: list[Fixture], play: Callable[[Fixture], Record]) -> tuple[Batch, float]:
    started = time.monotonic()
    return [play(fixture) for fixture in fixtures], time.monotonic() - started


class _BatchSize:
    """How many games a batch has: enough to keep overhead low, few enough to stop quickly."""

    def __init__(self, seconds: float = BATCH_SECONDS, max_games: int = MAX_BATCH_GAMES) -> None:
        self.games, self._seconds, self._max_games = 1, seconds, max_games

    def learn(self, games: int, seconds: float) -> None:
        fitting = round(games * self._seconds / max(seconds, 1e-6))
        self.games = max(1, min(fitting, 2 * self.games, self._max_games))


def _play_in_processes(
    missing: Iterator[Fixture], jobs: int, bots: BotOptions, watch: Watch
) -> Generator[Batch, None, None]:
    """Yields games as they end. Each worker holds one batch, with none queued, so that stopping is quick."""
    first = [[game] for game in islice(missing, jobs)]
    if not first:
        return
    pool = ProcessPoolExecutor(min(jobs, len(first)), WORKER_CONTEXT, _prepare_worker, (bots,))
    size = _BatchSize()
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
        _kill_workers(pool)


def _play_on_cluster(
    missing: Iterator[Fixture], pool: Pool, bots: BotOptions, watch: Watch, place: str
) -> Generator[Batch, None, None]:
    """Yields games as they end on the workers of a pool."""
    size = _BatchSize(CLUSTER_BATCH_SECONDS, MAX_CLUSTER_BATCH_GAMES)

    def tasks() -> Iterator[Task]:
        while games := list(islice(missing, size.games)):
            yield Task(play_batch, (games, bots))

    try:
        for _, (batch, seconds) in pool.run(tasks(), watch):
            size.learn(len(batch), seconds)
            yield batch
    except PoolLost as lost:
        lost.place = place
        raise


_worker = threading.local()


def play_batch(fixtures: list[Fixture], bots: BotOptions) -> tuple[Batch, float]:
    """Runs in a worker, whose players stay alive from one batch to the next."""
    if getattr(_worker, "bots", None) != bots:
        _worker.bots, _worker.players = bots, PlayerPool(partial(load_player, bots=bots))
    return _play_all(fixtures, partial(play_fixture, seat=_worker.players.take, grace=bots.limits.grace))


def _kill_workers(pool: ProcessPoolExecutor) -> None:
    """Kill workers in the middle of a game too: it is not in the file, so the next run plays it again."""
    workers = list(pool._processes.values())
    for worker in workers:
        worker.kill()
    pool.shutdown(wait=True, cancel_futures=True)


_play_one: Callable[[Fixture], Record]  # set in each worker process; its bots end with the process


def _prepare_worker(bots: BotOptions) -> None:
    """Set up `_play_one` and the signals of a worker process."""
    global _play_one
    _play_one = partial(play_fixture, seat=PlayerPool(partial(load_player, bots=bots)).take, grace=bots.limits.grace)
    init_worker()


def _play(fixtures: list[Fixture]) -> tuple[Batch, float]:
    return _play_all(fixtures, _play_one)
