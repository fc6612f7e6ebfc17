"""One position is solved by several workers. Whatever happens to them, the score is right."""

import json
import os
import random
import signal
import threading
from contextlib import suppress

import pytest

from connectk import Position, Variant, solve
from connectk.cluster import open_pool
from connectk.errors import PoisonTask, PoolLost
from connectk.solver import split_search
from connectk.solver.checkpoint import Checkpoint
from connectk.solver.split_search import SplitSearch, key_of
from tests.solver.test_core import EMPTY_BOARDS, random_position
from tests.terminal.command import run_in_process


@pytest.fixture
def small_tasks(monkeypatch):
    """Tasks of so few nodes that small boards are split into many."""
    monkeypatch.setattr(split_search, "FIRST_TASK_NODES", 1500)
    monkeypatch.setattr(split_search, "MIN_TASK_NODES", 1500)
    monkeypatch.setattr(split_search, "MAX_TASK_NODES", 1500)


@pytest.mark.parametrize("goal", ["score", "result"])
@pytest.mark.parametrize("variant", [Variant(5, 5, 4), Variant(6, 4, 4), Variant(5, 4, 3), Variant(7, 6, 5)], ids=str)
def test_a_split_search_finds_what_one_search_finds(variant, goal, small_tasks):
    dice = random.Random(variant.cells)
    positions = [random_position(dice, variant, max(0, variant.cells - cells)) for cells in (24, 20, 16)]
    with open_pool(jobs=1) as pool:
        for position in positions:
            search = SplitSearch(position, pool, goal=goal, table_mb=1)
            found = search.solve()
            assert found.exact
            assert found.lower == solve(position, goal=goal, book=False).lower, position


def test_bounds_are_true_at_every_moment(small_tasks):
    position = random_position(random.Random(5), Variant(6, 6, 4), 9)
    score = solve(position, book=False).score
    columns = [solve(position.drop(column), book=False).score for column in position.legal_columns]
    seen = []
    with open_pool(jobs=1) as pool:
        found = SplitSearch(position, pool, table_mb=1, progress=seen.append).solve()
    assert (found.lower, found.upper) == (score, score)
    assert [status.tasks for status in seen] == list(range(1, len(seen) + 1))
    assert len(seen) > 10
    for status in seen:
        assert status.lower <= score <= status.upper
        known = [bounds for bounds in status.columns if bounds]
        assert all(low <= -after <= high for (low, high), after in zip(known, columns, strict=True))


def test_transpositions_and_mirror_images_are_one_node(small_tasks):
    """The empty 4x4 board has 3 different positions after one disc and its mirror image, and fewer than 2 * 4 after two
    discs."""
    position = Position.start(Variant(4, 4, 4))
    with open_pool(jobs=1) as pool:
        search = SplitSearch(position, pool, table_mb=1)
        search.solve()
    after = {key_of(position.drop(column)) for column in range(4)}
    assert len(after) == 2
    two = [position.drop(a).drop(b) for a in range(4) for b in range(4)]
    assert len({key_of(one) for one in two}) == 8 < len(two)
    assert {key_of(one) for one in two} & search._nodes.keys()


def test_a_stopped_split_search_continues(tmp_path, small_tasks, monkeypatch):
    """The workers are new in each run. Together the runs need about as many tasks as one run, and each run begins with
    all bounds that were known, and with some of the saved positions for its workers."""
    monkeypatch.setattr(split_search, "SHARED_POSITIONS", 30)
    position = Position.start(Variant(5, 5, 4))
    with open_pool(jobs=1) as pool:
        split_search._worker.key = None
        alone = SplitSearch(position, pool, table_mb=1)
        assert alone.solve().lower == 0
        total, runs, known = 0, 0, (-100, 100)
        while known != (0, 0):
            split_search._worker.key = None
            checkpoint = Checkpoint(tmp_path / "search", position)
            seen = []
            search = SplitSearch(position, pool, table_mb=1, checkpoint=checkpoint, progress=seen.append)
            start = search.status()
            assert known[0] <= start.lower <= start.upper <= known[1]
            found = search.solve(stop=lambda seen=seen: len(seen) >= alone._tasks // 4)
            known = found.lower, found.upper
            total, runs = total + len(seen), runs + 1
            checkpoint.close()
    assert runs > 1
    assert total < 3 * alone._tasks


@pytest.mark.parametrize("place", ["", "search"])
def test_a_lost_pool_says_what_is_kept(tmp_path, place, small_tasks):
    position = Position.start(Variant(5, 5, 4))
    checkpoint = Checkpoint(tmp_path / place, position) if place else None
    with open_pool(jobs=1) as pool:
        pool.submit = lambda task: (_ for _ in ()).throw(PoisonTask())
        with pytest.raises(PoolLost) as error:
            SplitSearch(position, pool, table_mb=1, checkpoint=checkpoint).solve()
    assert ("kept in" in str(error.value)) == bool(place)
    if checkpoint:
        checkpoint.close()


def test_the_command_solves_one_position_on_a_cluster(tmp_path):
    """`local:1` is a cluster of one worker. Positions that a moment solves need no cluster."""
    pytest.importorskip("distributed")
    done = run_in_process(
        "--json", "solve", "--variant", "6x5x4", "--cluster", "local:1", "--checkpoint", str(tmp_path / "search")
    )
    facts = json.loads(done.stdout)
    assert (done.returncode, facts["score"], facts["bounds"]) == (0, 0, [0, 0])
    assert max(lower for lower, _ in facts["column_bounds"]) == 0
    easy = run_in_process("--json", "solve", "4455", "--cluster", "nowhere")
    assert json.loads(easy.stdout)["score"] == 18


class Killer(threading.Thread):
    """Kills a worker of a local cluster once some tasks are done, then workers at random moments until it has killed
    enough or is told to end."""

    def __init__(self, pool, seed: int, pause: float, enough: int) -> None:
        super().__init__(daemon=True)
        self._pool, self._dice, self._pause, self._enough = pool, random.Random(seed), pause, enough
        self._begun, self._ended = threading.Event(), threading.Event()
        self.deaths = 0

    def on_progress(self, status) -> None:
        if status.tasks >= 3:
            self._begun.set()

    def run(self) -> None:
        self._begun.wait()
        pause = 0.01
        while self.deaths < self._enough and not self._ended.wait(pause):
            nannies = list(self._pool._client.cluster.workers.values())
            pids = [nanny.pid for nanny in nannies if nanny.process and nanny.process.status.name == "running"]
            pids = [pid for pid in pids if pid is not None]  # a worker that is being started has none
            if pids:
                pause = self._dice.uniform(0, self._pause)
                with suppress(ProcessLookupError):
                    os.kill(self._dice.choice(pids), signal.SIGKILL)
                    self.deaths += 1

    def end(self) -> int:
        self._ended.set()
        self._begun.set()
        self.join()
        return self.deaths


def solve_with_kills(pool, position: Position, seed: int, pause: float, enough: int) -> tuple[int, int]:
    killer = Killer(pool, seed, pause, enough)
    killer.start()
    try:
        found = SplitSearch(position, pool, table_mb=1, progress=killer.on_progress).solve()
    finally:
        deaths = killer.end()
    assert found.exact
    return found.lower, deaths


def test_killed_workers_change_no_score(small_tasks, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("connectk.cluster.pool.MAX_TASK_ATTEMPTS", 1000)
    position = Position.start(Variant(5, 6, 4))
    with open_pool("local:2") as pool:
        score, deaths = solve_with_kills(pool, position, seed=1, pause=0.5, enough=2)
    assert score == 0
    assert deaths > 0


@pytest.mark.deep
@pytest.mark.timeout(3600)
def test_a_hundred_kills_change_no_score(small_tasks, monkeypatch):
    pytest.importorskip("distributed")
    monkeypatch.setattr("connectk.cluster.pool.MAX_TASK_ATTEMPTS", 1000)
    boards = ["5x5x4", "6x4x4", "6x5x4", "5x6x4"]
    deaths = run = 0
    with open_pool("local:2") as pool:
        while deaths < 100:
            board = boards[run % len(boards)]
            score, more = solve_with_kills(pool, Position.start(Variant.parse(board)), seed=run, pause=2.0, enough=5)
            assert score == expected_score(board), board
            deaths, run = deaths + more, run + 1


def expected_score(board: str) -> int:
    variant, fact = Variant.parse(board), EMPTY_BOARDS[board]
    sign = {"first": 1, "second": -1, "draw": 0}[fact["value"]]
    return sign * ((variant.cells + 2 - fact["last_ply"]) // 2)
