"""Plays the games of a tournament that are still missing, on several cores."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from itertools import islice

from connectk.arena.match import Record, play_fixture
from connectk.arena.results import ResultsFile
from connectk.arena.sprt import Sprt
from connectk.arena.tournament import Fixture
from connectk.errors import BadTournament
from connectk.watch import POLL_SECONDS, Progress, Stop, Watch

Told = Callable[[Record], object]


def run_tournament(
    results: ResultsFile,
    *,
    jobs: int,
    sprt: Sprt | None = None,
    told: Told | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> None:
    """Play what is missing; each game is in the file before `told` hears of it. Ends early when the test knows.

    `stop` and `progress` are those of `connectk.watch`. A stop leaves games under way unplayed; on one core
    the game under way ends first.
    """
    watch = Watch(stop, progress)
    played = {key: record.number for key, record in results.records.items()}
    missing = results.tournament.fixtures(results.openings, played)
    if _is_clear(results, sprt) or watch.should_stop():
        return
    for record in map(_play, missing) if jobs == 1 else _played(missing, jobs, watch):
        results.append(record)
        if told:
            told(record)
        watch.tell(len(results.records), results.tournament.total)
        if _is_clear(results, sprt) or watch.should_stop():
            return


def _is_clear(results: ResultsFile, sprt: Sprt | None) -> bool:
    return sprt is not None and sprt.judge(results.tournament.players[0], results.records.values()).held is not None


def _played(missing: Iterator[Fixture], jobs: int, watch: Watch) -> Iterator[Record]:
    """Games as they end. Only as many are handed out as there are workers, so that stopping is quick."""
    first = list(islice(missing, jobs))
    if not first:
        return
    pool = ProcessPoolExecutor(min(jobs, len(first)), multiprocessing.get_context("spawn"), _prepare_worker)
    try:
        running = {pool.submit(_play, game) for game in first}
        while running and not watch.should_stop():
            done, running = wait(running, timeout=POLL_SECONDS, return_when=FIRST_COMPLETED)
            running |= {pool.submit(_play, game) for game in islice(missing, len(done))}
            yield from map(Future.result, done)
    except BrokenProcessPool:
        raise BadTournament("A worker was killed; the games so far are kept, and the same command goes on.") from None
    finally:
        _end(pool)


def _end(pool: ProcessPoolExecutor) -> None:
    """Workers in the middle of a game are killed: their game is not in the file and will be played again."""
    workers = list(pool._processes.values())
    for worker in workers:
        worker.kill()
    pool.shutdown(wait=True, cancel_futures=True)


def _prepare_worker() -> None:
    """Leave Ctrl-C to the main process, and end when that is gone, even if it was killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _play(fixture: Fixture) -> Record:
    from connectk.players.registry import load_player

    return play_fixture(fixture, load_player)
