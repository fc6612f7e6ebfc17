"""Tests that the writer thread survives callbacks that raise an error."""

import asyncio

import pytest

from connectk.storage.writer import GroupWriter

pytestmark = pytest.mark.anyio


def fail(*_: object) -> None:
    raise ZeroDivisionError


def nothing(*_: object) -> None:
    pass


def write(writer: GroupWriter) -> asyncio.Future[None]:
    return asyncio.wait_for(writer.submit("match", "work"), 60)


async def test_a_commit_succeeds_even_if_its_callback_raises():
    writer = GroupWriter(nothing, on_commit=fail, on_failure=nothing)
    await write(writer)
    assert writer.failed_at is None
    writer.close()


async def test_a_failure_callback_that_raises_does_not_end_the_writer():
    writer = GroupWriter(fail, on_commit=nothing, on_failure=fail)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            await write(writer)
    writer.close()


@pytest.mark.parametrize("commit", [nothing, fail])
async def test_a_writer_is_busy_until_everybody_has_an_answer(commit):
    writer = GroupWriter(commit, on_commit=nothing, on_failure=nothing)
    assert not writer.is_busy
    answers = asyncio.ensure_future(asyncio.gather(write(writer), write(writer), return_exceptions=True))
    while not writer.is_busy and not answers.done():
        await asyncio.sleep(0)
    assert writer.is_busy != answers.done()
    await answers
    assert not writer.is_busy
    writer.close()


async def test_a_loop_that_closes_just_now_does_not_end_the_writer(monkeypatch):
    """The writer thread survives an event loop that closes just before the writer calls it."""
    writer = GroupWriter(nothing, on_commit=nothing, on_failure=nothing)
    loop, tried = asyncio.get_running_loop(), asyncio.Event()
    tell = loop.call_soon_threadsafe

    def closed(*_: object) -> None:
        tell(tried.set)
        raise RuntimeError("Event loop is closed")

    with monkeypatch.context() as patched:
        patched.setattr(loop, "call_soon_threadsafe", closed)
        asking = asyncio.ensure_future(writer.submit("match", "work"))
        await asyncio.wait_for(tried.wait(), 60)
    asking.cancel()
    await write(writer)
    writer.close()
