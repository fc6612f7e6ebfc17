"""What one process tells the others with a transaction."""

import asyncio

import psycopg
import pytest

from connectk.play.events import Dropped, Joined
from connectk.play.protocols import Change, News, Recorded
from connectk.rules import Side
from connectk.storage.database import parse_url, prepare
from connectk.storage.feed import MAX_NOTIFY_BYTES, PostgresFeed, messages_of, read_message
from tests.storage.test_store import SETUP, new_match

BEGAN = new_match(setup=SETUP)


def change(seq: int, event=None, key: str | None = None) -> Change:
    event = event or Dropped(Side.FIRST, 2, 1000.5)
    before = BEGAN.__class__(**{name: getattr(BEGAN, name) for name in BEGAN.__slots__} | {"seq": seq - 1})
    return Change(before, before.after(event), Recorded(event, key))


def test_events_survive_encoding_as_messages():
    changes = [change(1, key="mine"), change(7, Dropped(Side.FIRST, 1, 2.0, {"score": 0.5, "line": [1]}))]
    [message] = messages_of(changes)
    assert list(read_message(message)) == [News(c.after.id, c.after.seq, c.recorded) for c in changes]


def test_many_events_take_few_messages_and_none_is_too_long():
    """PostgreSQL refuses 8,000 bytes; a name may be written in any letters."""
    changes = [change(seq, Joined(Side.SECOND, "Ä" * 40, "c" * 64, 1.0)) for seq in range(1, 201)]
    messages = messages_of(changes)
    assert len(messages) < 20
    assert max(len(message.encode()) for message in messages) <= MAX_NOTIFY_BYTES
    assert [news.seq for message in messages for news in read_message(message)] == list(range(1, 201))


def test_an_event_that_is_too_long_is_sent_by_number():
    [message] = messages_of([change(3, Dropped(Side.FIRST, 2, 1.0, {"line": [7] * MAX_NOTIFY_BYTES}))])
    assert list(read_message(message)) == [News(BEGAN.id, 3)]


@pytest.mark.anyio
async def test_ephemeral_messages_reach_the_other_processes_the_last_of_each_match(postgres):
    """However many there are at once."""
    database = postgres.create("ephemeral")
    prepare(database)

    mine, yours = PostgresFeed(parse_url(database)), PostgresFeed(parse_url(database))
    heard: dict[str, str] = {}
    mine.on_ephemeral(lambda *_: heard.update(myself="I hear only the others"))
    yours.on_ephemeral(lambda match_id, _, words: heard.update({match_id: words}))
    await asyncio.gather(mine.start(), yours.start())
    for words in ('{"first": 1}', '{"first": 2}'):
        for n in range(2000):
            mine.send_ephemeral(f"{n:032x}", words)
    async with asyncio.timeout(30):
        while len(heard) < 2000:
            await asyncio.sleep(0.01)
    assert set(heard.values()) == {'{"first": 2}'}
    await asyncio.gather(mine.close(), yours.close())


@pytest.mark.anyio
async def test_a_listener_that_fails_does_not_end_the_listening(postgres, monkeypatch):
    """It is reported, and after a rest everyone is told to look for what they missed."""
    monkeypatch.setattr("connectk.storage.feed.FIRST_RETRY_SECONDS", 0.0)
    heard, failures, told = asyncio.Event(), [], []

    def listener(news):
        told.append(news)
        if len(told) == 1:
            raise ValueError("a message that makes no sense")
        heard.set()

    feed = PostgresFeed(parse_url(postgres.create("failing")), failures.append)
    feed.subscribe(listener)
    async with asyncio.timeout(30):
        await feed.start()
        await heard.wait()
    await feed.close()
    assert [type(error) for error in failures] == [ValueError]
    assert told == [News(None), News(None)]


@pytest.mark.anyio
async def test_sending_does_not_block_while_the_database_is_unreachable(monkeypatch):
    """A connection that is refused at once was tried again at once, and the loop served nobody any more."""
    tries = []

    async def refuse(*_: object, **__: object) -> None:
        tries.append(1)
        raise psycopg.OperationalError

    monkeypatch.setattr(psycopg.AsyncConnection, "connect", refuse)
    feed = PostgresFeed(parse_url("postgresql:///away"))
    feed.send_ephemeral("match", "hello")
    starting = asyncio.ensure_future(feed.start())
    await asyncio.sleep(0.01)
    assert len(tries) == 2  # one to listen, one to send
    starting.cancel()
    await feed.close()
