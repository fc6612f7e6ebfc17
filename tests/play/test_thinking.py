"""Turns are fair, time is bounded, and who leaves is not waited for."""

import asyncio
import time

import pytest

from connectk.play.jobs import JOBS
from connectk.play.refusals import Busy, ThinkingFailed, Timeout
from connectk.play.thinking import FairTurns, ThinkingPool
from connectk.rules import Position, Variant

HARD = Position.start(Variant(9, 9, 5))


def test_turns_go_round_among_those_who_ask():
    """One who asks five times does not keep the others waiting for all five."""

    async def use():
        turns, order = FairTurns(1), []

        async def work(asker):
            async with turns.turn(asker):
                order.append(asker)
                await asyncio.sleep(0)

        await asyncio.gather(*(work(asker) for asker in "aaaaabbc"))
        assert "".join(order) == "aabcabaa"

    asyncio.run(use())


def test_one_who_asks_too_much_is_told_to_wait_and_one_who_leaves_takes_no_turn():
    async def use():
        turns = FairTurns(1, most_each=2)
        async with turns.turn("a"):
            waiting = [asyncio.ensure_future(turns._wait("a")) for _ in range(2)]
            await asyncio.sleep(0)
            with pytest.raises(Busy):
                await turns._wait("a")
            for task in waiting:
                task.cancel()
            await asyncio.gather(*waiting, return_exceptions=True)
            assert turns.waiting == 0
        async with turns.turn("b"):
            pass

    asyncio.run(use())


@pytest.fixture(scope="module")
def thinkers():
    made = ThinkingPool(1)
    yield made
    made.close()


def test_an_answer_comes_from_another_process(thinkers):
    answer = asyncio.run(thinkers.think("a", "score", (Position.start(),), 30.0))
    assert answer["scores"] == (-2, -1, 0, 1, 0, -1, -2)


def test_who_leaves_stops_the_thinking(thinkers):
    """The thinker is free again at once."""

    async def use():
        asking = asyncio.ensure_future(thinkers.think("a", "score", (HARD,), 60.0))
        await asyncio.sleep(0.3)
        asking.cancel()
        began = time.monotonic()
        with pytest.raises(asyncio.CancelledError):
            await asking
        assert (await thinkers.think("b", "score", (Position.start(),), 30.0))["exact"]
        assert time.monotonic() - began < 15

    asyncio.run(use())


def test_a_job_that_fails_says_so_and_the_next_one_works(thinkers):
    async def use():
        with pytest.raises(KeyError):
            await thinkers.think("a", "fly", (), 5.0)
        thinkers._all[0]._start()
        thinkers._all[0]._process.kill()
        thinkers._all[0]._process.join()
        assert (await thinkers.think("a", "score", (Position.start(),), 30.0))["exact"]

    asyncio.run(use())


def test_a_thinker_that_does_not_answer_is_ended(thinkers, monkeypatch):
    monkeypatch.setattr("connectk.play.thinking.GRACE", -0.9)
    with pytest.raises((Timeout, ThinkingFailed)):
        asyncio.run(thinkers.think("a", "score", (HARD,), 1.0))
    monkeypatch.undo()
    assert asyncio.run(thinkers.think("a", "score", (Position.start(),), 30.0))["exact"]
    assert set(JOBS) == {"choose", "score", "review"}
