"""Plays the games of a tournament that have not been played yet, on several cores."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from functools import partial
from itertools import islice

from connectk.arena.match import GameRecord, play_fixture
from connectk.arena.player_pool import MAX_POOLED_PLAYERS, PlayerPool
from connectk.arena.results import ResultsFile
from connectk.arena.sprt import Sprt
from connectk.arena.tournament import Fixture
from connectk.cluster import Pool, Task
from connectk.cluster.pool import WORKER_CONTEXT, init_worker
from connectk.errors import PoolLost
from connectk.players.bots import BotOptions
from connectk.players.registry import load_player
from connectk.watch import STOP_POLL_INTERVAL_SECONDS, Progress, Stop, Watch

OnGame = Callable[[GameRecord], object]
Batch = list[GameRecord]
TARGET_BATCH_SECONDS = 0.05  # about how long a worker plays one batch
MAX_BATCH_GAMES = 64
MAX_SPRT_BATCH_GAMES = 8  # small, so that a test stops soon after it is decided
CLUSTER_BATCH_SECONDS, MAX_CLUSTER_BATCH_GAMES = 2.0, 4096  # larger, because sending a batch to a cluster takes time
DEFAULT_BOT_OPTIONS = BotOptions()


def run_tournament(
    results: ResultsFile,
    *,
    jobs: int,
    sprt: Sprt | None = None,
    on_game: OnGame | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
    bots: BotOptions = DEFAULT_BOT_OPTIONS,
    pool: Pool | None = None,
) -> None:
    """Play the missing games. If `sprt` is given, stop as soon as this test has a result. Each game is saved before
    `on_game` is called.

    `stop` and `progress` are described in `connectk.watch`. A stop abandons the running games. If `jobs` is 1, the
    running games are finished first. If `pool` is given, the workers of the pool play, and `jobs` has no effect.
    """
    watch = Watch(stop, progress)
    numbers = {key: record.number for key, record in results.records.items()}
    missing = results.tournament.fixtures(results.openings, numbers)
    if _is_decided(results, sprt) or watch.should_stop():
        return
    if pool is not None:
        played = _play_on_cluster(missing, pool, bots, watch, str(results.path))
    else:
        size = _BatchSize(max_games=MAX_SPRT_BATCH_GAMES if sprt else MAX_BATCH_GAMES)
        local = jobs == 1
        played = _play_locally(missing, bots, size) if local else _play_in_processes(missing, jobs, bots, watch, size)
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
    return (
        sprt is not None
        and sprt.judge(
            results.tournament.players[0], results.records.values(), results.tournament.swap
        ).accepted_hypothesis
        is not None
    )


def _play_locally(missing: Iterator[Fixture], bots: BotOptions, size: _BatchSize) -> Generator[Batch, None, None]:
    with PlayerPool(partial(load_player, bots=bots)) as players:
        play = partial(play_fixture, seat=players.take, grace=bots.limits.grace)
        while games := list(islice(missing, size.games)):
            batch, seconds = _play_all(games, play)
            size.learn(len(batch), seconds)
            yield batch


def _play_all(fixtures: list[Fixture], play: Callable[[Fixture], GameRecord]) -> tuple[Batch, float]:
    started = time.monotonic()
    return [play(fixture) for fixture in fixtures], time.monotonic() - started


class _BatchSize:
    """Adapts the number of games in a batch: large enough for a low overhead, and small enough to end soon after a
    stop."""

    def __init__(self, seconds: float = TARGET_BATCH_SECONDS, max_games: int = MAX_BATCH_GAMES) -> None:
        self.games, self._seconds, self._max_games = 1, seconds, max_games

    def learn(self, games: int, seconds: float) -> None:
        fitting = round(games * self._seconds / max(seconds, 1e-6))
        self.games = max(1, min(fitting, 2 * self.games, self._max_games))


def _play_in_processes(
    missing: Iterator[Fixture], jobs: int, bots: BotOptions, watch: Watch, size: _BatchSize
) -> Generator[Batch, None, None]:
    """Yields batches of games as they end. Each worker has one batch and no further batches wait in a queue, so that a
    stop takes effect quickly."""
    first = [[game] for game in islice(missing, jobs)]
    if not first:
        return
    pool = ProcessPoolExecutor(min(jobs, len(first)), WORKER_CONTEXT, _prepare_worker, (bots, jobs))
    try:
        running = {pool.submit(_play, games) for games in first}
        while running and not watch.should_stop():
            done, running = wait(running, timeout=STOP_POLL_INTERVAL_SECONDS, return_when=FIRST_COMPLETED)
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
    """Yields batches of games that the workers of a pool play, each batch as it ends."""
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
    """Runs in a worker: plays games. The players stay alive until the next batch of this worker."""
    if getattr(_worker, "bots", None) != bots:
        _worker.bots, _worker.players = bots, PlayerPool(partial(load_player, bots=bots), MAX_POOLED_PLAYERS)
    return _play_all(fixtures, partial(play_fixture, seat=_worker.players.take, grace=bots.limits.grace))


def _kill_workers(pool: ProcessPoolExecutor) -> None:
    """Kill the workers, even in the middle of a game. Unfinished games are not in the file, so the next run plays them
    again."""
    workers = list(pool._processes.values())
    for worker in workers:
        worker.kill()
    pool.shutdown(wait=True, cancel_futures=True)


_play_one: Callable[[Fixture], GameRecord]  # set in each worker process; the worker's bots end with it


def _prepare_worker(bots: BotOptions, workers: int) -> None:
    """Set up the global `_play_one` and the signals in a worker process."""
    global _play_one
    players = PlayerPool(partial(load_player, bots=bots), workers)
    _play_one = partial(play_fixture, seat=players.take, grace=bots.limits.grace)
    init_worker()


def _play(fixtures: list[Fixture]) -> tuple[Batch, float]:
    return _play_all(fixtures, _play_one)
