"""Runs work on a Dask cluster in which workers or the scheduler die. Each result is still made exactly once."""

import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import CancelledError
from contextlib import suppress
from functools import partial

import pytest

pytest.importorskip("distributed")


from distributed.comm import CommClosedError

from connectk import Variant, solve_many
from connectk.arena import ResultsFile, Tournament, run_tournament
from connectk.cluster import PartsFolder, open_pool, run_job
from connectk.cluster.dask import DaskPool, _ClientExecutor
from connectk.cluster.files import Folder
from connectk.dataset import Recipe, make_dataset
from connectk.errors import BadCluster, MissingExtra, PoisonTask, PoolLost
from connectk.solver.batch_solver import question_of
from connectk.solver.book.build import build
from connectk.solver.distributed import DistributedSolver
from connectk.watch import Watch
from tests.cluster.jobs import CrashingNumbers, Numbers, numbers_in

PLAN_FILE = {"job": "numbers"}


@pytest.fixture(scope="module")
def pool():
    """Two workers for all tests of this file, because workers take long to start."""
    with open_pool("local:2") as pool:
        yield pool


def workers_of(pool: DaskPool) -> list[int]:
    """The process numbers of the workers that have finished starting."""
    nannies = pool._client.cluster.workers.values()
    return [nanny.pid for nanny in nannies if nanny.process and nanny.process.status.name == "running"]


def run(pool, folder, sources):
    with PartsFolder(Folder(str(folder)), PLAN_FILE) as parts:
        run_job(pool, sources, parts)
        return numbers_in(parts.contents(len(sources)))


def test_every_unit_is_done_once(pool, tmp_path):
    assert run(pool, tmp_path, [Numbers(500), Numbers(3)]) == [*range(500), *range(3)]


def test_a_task_is_retried_when_its_worker_dies(pool, tmp_path):
    """A task that kills its worker is run again by another worker."""
    job = CrashingNumbers(100, mark=str(tmp_path / "mark"), victim=50)
    assert run(pool, tmp_path / "parts", [job]) == list(range(100))
    assert (tmp_path / "mark").exists()


def test_a_result_that_is_lost_with_its_worker_is_made_again(pool, tmp_path, monkeypatch):
    """If a worker dies between the end of a task and the fetch of its result, the task is run again."""
    fetch, lost = _ClientExecutor._result, []

    async def forgetful(executor, task):
        result = await fetch(executor, task)
        if len(lost) < 2:
            lost.append(task)
            raise CancelledError
        return result

    monkeypatch.setattr(_ClientExecutor, "_result", forgetful)
    assert run(pool, tmp_path, [Numbers(100)]) == list(range(100))
    assert len(lost) == 2


def test_a_task_that_kills_every_worker_is_given_up(pool, tmp_path, monkeypatch):
    """A task that kills every worker ends the job with a sentence. The finished parts are kept for the next run."""
    job = CrashingNumbers(
        30, mark=str(tmp_path / "no" / "mark"), victim=20
    )  # the job cannot write the mark, so it kills every worker
    monkeypatch.setattr("connectk.cluster.pool.MAX_TASK_ATTEMPTS", 1)
    with pytest.raises(PoisonTask, match="more memory"):
        run(pool, tmp_path / "parts", [job])
    assert run(pool, tmp_path / "parts", [Numbers(30)]) == list(range(30))


class Killer:
    """Kills workers at one or two random moments of a job. The cluster replaces them, which takes most of these tests'
    time."""

    def __init__(self, pool: DaskPool, rng: random.Random, units: int) -> None:
        self._pool, self._rng, self.deaths = pool, rng, 0
        self._due = sorted(rng.randrange(units) for _ in range(rng.choice([1, 1, 2])))
        self._timers: list[threading.Timer] = []

    def on_report(self, report) -> None:
        while self._due and report.done >= self._due[0]:
            self._due.pop(0)
            self._timers.append(threading.Timer(self._rng.uniform(0, 0.05), self._kill))
            self._timers[-1].start()

    def _kill(self) -> None:
        if pids := workers_of(self._pool):
            with suppress(ProcessLookupError):  # it was killed before, and is being started again
                os.kill(self._rng.choice(pids), signal.SIGKILL)
                self.deaths += 1

    def wait(self) -> None:
        for timer in self._timers:
            timer.join()


def run_with_killer(pool, folder, seed: int) -> tuple[list[int], int]:
    killer = Killer(pool, random.Random(seed), units=120)
    with PartsFolder(Folder(str(folder)), PLAN_FILE) as parts:
        run_job(pool, [Numbers(120, seconds=0.004)], parts, progress=killer.on_report)
        killer.wait()
        return numbers_in(parts.contents(1)), killer.deaths


def test_workers_killed_at_random(pool, tmp_path):
    """If workers are killed at random, each result is still made exactly once. This test makes a few runs, the next one
    a hundred."""
    killed = 0
    for seed in range(2):
        found, deaths = run_with_killer(pool, tmp_path / str(seed), seed)
        killed += deaths
        assert found == list(range(120)), seed
    assert killed > 0


@pytest.mark.deep
@pytest.mark.timeout(3600)
def test_workers_killed_at_random_during_a_hundred_runs(pool, tmp_path):
    killed = 0
    for seed in range(100):
        found, deaths = run_with_killer(pool, tmp_path / str(seed), 1000 + seed)
        killed += deaths
        assert found == list(range(120)), seed
    assert killed > 50  # some timers find no worker that works


def test_questions_are_answered_in_order(pool):
    """Answers come in the order of the questions, although tasks end in any order and questions may arrive slowly."""
    moves = ["44", "4455", "", "1212", "445", "333333"] * 20
    asked = [question for text in moves for question in (question_of(text), None)]
    scores = [found.lower for found in DistributedSolver(pool, "score").answers(iter(asked), Watch())]
    assert scores == [found.lower for found in solve_many(moves)]


def test_a_book_is_the_same_by_threads_and_by_workers(pool, tmp_path):
    board = Variant(5, 4, 4)
    build(board, 6, tmp_path / "here.book", jobs=1, table_mb=1)
    build(board, 6, tmp_path / "there.book", jobs=1, table_mb=1, pool=pool)
    assert (tmp_path / "here.book").read_bytes() == (tmp_path / "there.book").read_bytes()


def test_a_tournament_is_the_same_locally_and_on_a_cluster(pool, tmp_path):
    """Players without a clock play the same games locally and on a cluster."""
    tournament = Tournament(("random", "greedy", "level:1"), Variant(5, 4, 4), games=6)
    games = {}
    for name, workers in (("here", None), ("there", pool)):
        with ResultsFile(tmp_path / name, tournament) as file:
            run_tournament(file, jobs=1, pool=workers)
            games[name] = {key: (record.moves, record.winner) for key, record in file.records.items()}
    assert games["here"] == games["there"]
    assert len(games["here"]) == tournament.total


def test_a_dataset_is_the_same_locally_and_on_a_cluster(pool, tmp_path):
    recipe = Recipe(Variant(5, 4, 4), positions=60, seed=5)
    with open_pool(jobs=1) as alone:
        make_dataset(recipe, str(tmp_path / "here"), alone)
    make_dataset(recipe, str(tmp_path / "there"), pool)
    for name in ("SHA256SUMS", "dataset.json", "data/train-00000.parquet"):
        assert (tmp_path / "here" / name).read_bytes() == (tmp_path / "there" / name).read_bytes()


def test_a_path_that_workers_do_not_see_is_refused(pool, tmp_path):
    pool.require_visible(str(tmp_path))
    pool.require_visible("s3://bucket/games.jsonl")
    with pytest.raises(BadCluster, match="do not see"):
        pool.require_visible(str(tmp_path / "nowhere"))


@pytest.mark.parametrize("address", ["local", "local:0", "local:x", "head:8786"])
def test_an_address_that_is_none_is_refused(address):
    with pytest.raises(BadCluster, match="no cluster"), open_pool(address):
        pass


def test_an_unreachable_scheduler_is_reported(monkeypatch):
    monkeypatch.setattr("connectk.cluster.dask.SCHEDULER_TIMEOUT_SECONDS", 1)
    with pytest.raises(BadCluster, match="No scheduler answers"), open_pool("tcp://127.0.0.1:9"):
        pass


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingExtra, match=re.escape("connectk[cluster]")), open_pool("local:2"):
        pass


SCHEDULER = """
import asyncio
from distributed import Nanny, Scheduler, Worker

async def serve():
    async with Scheduler(host="127.0.0.1", port=0, dashboard_address=None) as scheduler:
        async with Worker(scheduler.address, nthreads=1, dashboard_address=None):
            print(scheduler.address, flush=True)
            await scheduler.finished()

asyncio.run(serve())
"""


def test_a_connection_that_is_closed_is_a_lost_scheduler_before_the_client_knows(pool):
    assert pool._client.status == "running"
    assert isinstance(pool.pool_lost(CommClosedError()), PoolLost)
    assert pool.pool_lost(ValueError()) is None


def start_scheduler() -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen([sys.executable, "-c", SCHEDULER], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, process.stdout.readline().strip()


def test_a_lost_scheduler_is_one_sentence_and_the_same_work_goes_on(tmp_path):
    """If the scheduler is killed, the command prints one sentence. A local run then continues from the finished
    parts."""
    process, address = start_scheduler()

    def on_report(report):
        if report.done > 20:
            process.kill()

    try:
        with open_pool(address) as pool, PartsFolder(Folder(str(tmp_path)), PLAN_FILE) as parts:
            work = partial(run_job, pool, [Numbers(3000, seconds=0.002)], parts, progress=on_report)
            with pytest.raises(PoolLost, match=r"is gone\. What was done is kept in"):
                work()
    finally:
        process.kill()
        process.wait()
    with PartsFolder(Folder(str(tmp_path)), PLAN_FILE) as parts, open_pool(jobs=1) as here:
        before = set(parts.chunks(0))
        run_job(here, [Numbers(3000)], parts)
        assert numbers_in(parts.contents(1)) == list(range(3000))
        assert before
        assert before <= set(parts.chunks(0))


def test_the_command_says_one_sentence_when_its_scheduler_is_gone(tmp_path):
    """If the scheduler dies, the command prints one sentence and nothing from Dask's log."""
    process, address = start_scheduler()
    out = tmp_path / "set"
    words = ["dataset", "--variant", "6x5x4", "--positions", "20000", "--out", str(out), "--cluster", address]
    try:
        with subprocess.Popen([sys.executable, "-m", "connectk", *words], stderr=subprocess.PIPE, text=True) as command:
            while command.poll() is None and not list(out.glob("*.parts/0*.part")):
                time.sleep(0.05)
            process.kill()
            assert command.stderr is not None
            said = command.stderr.read()
    finally:
        process.kill()
        process.wait()
    assert command.returncode == 2
    assert len(said.splitlines()) == 1, said
    assert f"The scheduler at {address} is gone" in said


def test_a_cluster_with_another_connectk_is_refused(monkeypatch, pool):
    monkeypatch.setattr("connectk.cluster.dask.__version__", "9.9.9")
    with pytest.raises(BadCluster, match=r"9\.9\.9"), open_pool(pool._client.scheduler.address):
        pass


def test_ctrl_c_is_one_sentence(tmp_path):
    """Ctrl-C on a cluster prints one sentence: it reaches the workers too, but they ignore it."""
    out = tmp_path / "set"
    words = ["dataset", "--positions", "1000000", "--mix", "random=1", "--out", str(out), "--cluster", "local:1"]
    command = [sys.executable, "-m", "connectk", *words]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        while not list(out.glob("*.parts/*.part")):
            assert process.poll() is None
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)
        _, stopped_message = process.communicate(timeout=60)
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    assert (process.returncode, stopped_message) == (
        130,
        f"Stopped. What was done is kept in {out}; the same command goes on.\n",
    )
