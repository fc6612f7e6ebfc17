"""Tests the worker processes: clients take fair turns, jobs have time limits, and no job runs for a client that has
left."""

import asyncio
import os
import signal
import threading

import pytest

from connectk.play.refusals import Busy, PlayerNotAllowed, ThinkingFailed, Timeout
from connectk.players import Choice
from connectk.rules import Position, Variant
from connectk.thinking import jobs
from connectk.thinking.pool import ThinkingPool
from connectk.thinking.process import ThinkingProcess
from connectk.thinking.queue import FairQueue, Requester

pytestmark = pytest.mark.anyio
UNSOLVABLE_POSITION = Position.start(Variant(9, 9, 5))
ANN, BOB = Requester("ann", "ann"), Requester("bob", "bob")


async def order_of(clients: list[tuple[str, Requester, float]]) -> str:
    """Let all these requests wait for a running job. Returns their names in the order in which they are then served."""
    queue, order = FairQueue(1), []

    async def work(name: str, requester: Requester, seconds: float) -> None:
        async with queue.slot(requester, seconds):
            order.append(name)
            queue._charge(requester, seconds)  # as if the job had taken this long

    async with queue.slot(Requester("someone", "else")):
        waiting = [asyncio.ensure_future(work(*one)) for one in clients]
        while queue.waiting < len(clients):
            await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    return "".join(order)


async def test_slots_alternate_between_clients():
    """If one client asks five times, other clients are served before all five are answered."""
    clients = {name: Requester(name, name) for name in "abc"}
    order = await order_of([(name, clients[name], 1.0) for name in "aaaaabbc"])
    assert (sorted(order[:3]), order[:5].count("b"), order[5:]) == (["a", "b", "c"], 2, "aaa")


async def test_many_matches_of_one_address_share_its_usage():
    """Forty matches of one address get no more than the single match of another."""
    many = [("a", Requester("ann", f"match {n}"), 1.0) for n in range(40)]
    assert (await order_of([*many, ("b", BOB, 1.0)])).index("b") <= 1


async def test_matches_of_one_address_alternate():
    """Matches that share an address, such as those of a class, take turns."""
    greedy = [("g", Requester("class", "greedy"), 1.0) for _ in range(8)]
    assert (await order_of([*greedy, ("m", Requester("class", "modest"), 1.0)])).index("m") <= 1


async def test_short_jobs_run_before_long_ones_and_demos_last():
    demos = [("d", Requester("eve", f"demo {n}", demo=True), 0.1) for n in range(20)]
    long, short = ("l", Requester("ann", "long"), 5.0), ("s", Requester("bob", "short"), 0.01)
    assert (await order_of([*demos, long, short]))[:3] == "sld"


async def test_a_full_queue_refuses_and_a_cancelled_request_takes_no_slot():
    queue = FairQueue(1, max_per_client=2, max_waiting_per_address=3)
    async with queue.slot(ANN):
        waiting = [asyncio.ensure_future(queue._acquire(ANN, 1.0)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await queue._acquire(ANN, 1.0)
        waiting.append(asyncio.ensure_future(queue._acquire(Requester("ann", "other match"), 1.0)))
        await asyncio.sleep(0)
        with pytest.raises(Busy):
            await queue._acquire(Requester("ann", "third match"), 1.0)
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        assert queue.waiting == 0
    async with queue.slot(BOB):
        pass


async def test_a_slot_released_during_a_cancellation_is_not_lost():
    """A slot that becomes free while a waiting request is being cancelled goes to another request."""
    queue = FairQueue(1)
    async with queue.slot(ANN):
        leaving = asyncio.ensure_future(queue._acquire(ANN, 1.0))
        await asyncio.sleep(0)
        leaving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await leaving
    async with asyncio.timeout(60), queue.slot(BOB):
        assert queue.waiting == 0


class SlowToStop(ThinkingProcess):
    """A thinking process that works until `release` is set and ignores a stop."""

    def __init__(self) -> None:
        super().__init__()
        self.started, self.release = threading.Event(), threading.Event()

    def run_job(self, job, arguments, seconds):
        self.started.set()
        self.release.wait(30)


async def test_a_busy_process_is_not_reused_after_repeated_cancellation():
    """After repeated cancellation, a busy process is not given to another client, which could get the wrong answer."""
    process = SlowToStop()
    pool = ThinkingPool(1, make=lambda: process)
    asking = asyncio.ensure_future(pool.think(ANN, "score", (), 30.0))
    await asyncio.to_thread(process.started.wait, 30)
    for _ in range(3):
        asking.cancel()
        await asyncio.sleep(0.01)
    assert not asking.done()
    assert not pool._idle
    process.release.set()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert pool._idle == [process]
    pool.close()


@pytest.fixture(scope="module")
def worker_pool():
    made = ThinkingPool(1)
    yield made
    made.close()


async def test_an_answer_comes_from_another_process(worker_pool):
    answer = await worker_pool.think(ANN, "score", (Position.start(),), 30.0)
    assert answer.value["scores"] == [-2, -1, 0, 1, 0, -1, -2]
    assert answer.seconds > 0


async def test_cancelling_the_caller_stops_the_job(worker_pool):
    """Cancelling the caller stops its job of an hour, and the process is free again."""
    await worker_pool.think(ANN, "score", (Position.start(),), 30.0)
    process = worker_pool._all[0]._process.pid
    asking = asyncio.ensure_future(worker_pool.think(ANN, "score", (UNSOLVABLE_POSITION,), 3600.0))
    while worker_pool._idle:
        await asyncio.sleep(0)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking
    assert (await worker_pool.think(BOB, "score", (Position.start(),), 30.0)).value["exact"]
    assert worker_pool._all[0]._process.pid == process


async def test_a_failed_job_raises_and_the_next_one_runs(worker_pool):
    with pytest.raises(KeyError):
        await worker_pool.think(ANN, "fly", (), 5.0)
    worker_pool._all[0]._start()
    worker_pool._all[0]._process.kill()
    worker_pool._all[0]._process.join()
    assert (await worker_pool.think(ANN, "score", (Position.start(),), 30.0)).value["exact"]


async def test_a_worker_that_does_not_answer_is_killed(worker_pool, monkeypatch):
    monkeypatch.setattr("connectk.thinking.process.STOP_GRACE_SECONDS", -29.9)
    with pytest.raises((Timeout, ThinkingFailed)):
        await worker_pool.think(ANN, "score", (UNSOLVABLE_POSITION,), 30.0)
    monkeypatch.undo()
    assert (await worker_pool.think(ANN, "score", (Position.start(),), 30.0)).value["exact"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_starting_worker_ignores_the_servers_signals(number):
    """A worker that is just starting ignores Ctrl-C, so that no traceback appears on the user's terminal."""
    process = ThinkingProcess()
    try:
        pipe = process._launch()
        os.kill(process._process.pid, number)
        assert pipe.recv() == "ready"
    finally:
        process.end()


@pytest.mark.parametrize("started", [False, True])
async def test_closing_a_pool_during_a_job_releases_everything_once(started):
    """If one thread closes a process while another waits for it, the pipe is closed only once. A second close could hit
    a new file with the same number."""
    for _ in range(6):
        pool = ThinkingPool(1)
        if started:
            await pool.think(ANN, "warm_up", (), 30.0)
        asking = asyncio.ensure_future(pool.think(ANN, "score", (UNSOLVABLE_POSITION,), 3600.0))
        while pool._idle:
            await asyncio.sleep(0)
        asking.cancel()
        await asyncio.sleep(0.02)
        pool.close()
        with pytest.raises(asyncio.CancelledError):
            await asking


async def test_a_player_stays_cached_in_one_process():
    """Of two idle processes, a match gets the one that has its player in the cache."""
    pool = ThinkingPool(2)
    try:
        used = []
        for match in ("one", "two", "one", "two", "one"):
            await pool.think(Requester("ann", match), "choose", ("random", Position.start(), match), 5.0)
            used.append(pool._last_process[match])
        assert used[0] is used[2] is used[4]
        assert used[1] is used[3]
    finally:
        pool.close()


@pytest.fixture
def built(monkeypatch):
    """The names of the players that were loaded, which are stand-ins here. `closed` counts the closed ones."""
    names = Built()

    class Someone:
        def __init__(self, name):
            names.append(name)

        def choose(self, position, clock):
            assert len(names) - names.closed <= jobs.MAX_CACHED_PLAYERS + jobs.MAX_HEAVY_PLAYERS
            return Choice(0)

        def close(self):
            names.closed += 1

    monkeypatch.setattr(jobs, "load_player", Someone)
    monkeypatch.setattr(jobs, "check_player", lambda name: name)
    monkeypatch.setattr(jobs, "_players", jobs.PlayerCache(jobs.MAX_CACHED_PLAYERS))
    monkeypatch.setattr(jobs, "_heavy_players", jobs.PlayerCache(jobs.MAX_HEAVY_PLAYERS))
    return names


class Built(list):
    closed = 0


@pytest.mark.parametrize("players", [("level:3", "level:5"), ("level:3", "level:3"), ("engine:1s", "level:10")])
def test_both_players_of_a_demo_stay_cached_beside_another_match(built, players):
    """A process keeps both players of a demo cached, even while it works for another match."""
    position = Position.start()
    for column in (0, 0, 1, 1, 2, 2):
        for match in ("one", "two"):
            jobs.choose(players[position.ply % 2], position, match, seconds=1, stop=None)
        position = position.drop(column)
    large = players[1] == "level:10"
    assert len(built) == (2 if large else 4)
    assert not built.closed


@pytest.mark.parametrize(("name", "most"), [("random", jobs.MAX_CACHED_PLAYERS), ("engine", jobs.MAX_HEAVY_PLAYERS)])
def test_evicted_players_are_closed(built, name, most):
    """A player that is evicted from the cache is closed, even while another player thinks."""
    for size in range(20):
        jobs.choose(name, Position.start(Variant(7 + size, 6, 4)), f"match {size}", seconds=1, stop=None)
    assert len(built) - built.closed == most


@pytest.mark.parametrize("name", ["./evil.sh", "evil.py", "minimax:5,evil.py:f", "engine:1s,threads=64"])
def test_a_worker_only_loads_players_that_the_server_offers(name):
    """A worker refuses players that the server does not offer, for example from a changed backup."""
    with pytest.raises(PlayerNotAllowed):
        jobs.choose(name, Position.start(), seconds=1, stop=None)
