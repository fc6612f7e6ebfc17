"""Tests the news that one process sends to the others within a transaction."""

import asyncio

import psycopg
import pytest

from connectk.play.events import Dropped, Ended, Joined
from connectk.play.protocols import MATCH_OVER, Change, NewMatch, News, RecordedEvent
from connectk.play.secrets_and_codes import new_match_id
from connectk.rules import EndReason, Result, Side
from connectk.storage.database import open_database, parse_url, prepare_database
from connectk.storage.feed import PostgresFeed
from connectk.storage.notices import MAX_NOTIFY_BYTES, channel_of, notices_of, read_news
from connectk.storage.store import SqlMatchStore
from tests.storage.test_store import SETUP, new_match

NEW_MATCH = new_match(setup=SETUP)


def change(seq: int, event=None, key: str | None = None) -> Change:
    event = event or Dropped(Side.FIRST, 2, 1000.5)
    before = NEW_MATCH.__class__(**{name: getattr(NEW_MATCH, name) for name in NEW_MATCH.__slots__} | {"seq": seq - 1})
    return Change(before, before.after(event), RecordedEvent(event, key))


def test_events_survive_encoding_as_messages():
    changes = [change(1, key="mine"), change(7, Dropped(Side.FIRST, 1, 2.0, {"score": 0.5, "line": [1]}))]
    [(channel, message)] = notices_of(changes)
    assert channel == channel_of(NEW_MATCH.id) == f"connectk_{NEW_MATCH.id}"
    assert list(read_news(message)) == [News(c.after.id, c.after.seq, c.recorded) for c in changes]


def test_many_events_take_few_messages_and_none_is_too_long():
    """Many events are packed into few messages. None reaches PostgreSQL's limit of 8,000 bytes, even with long
    names."""
    changes = [change(seq, Joined(Side.SECOND, "Ä" * 40, "c" * 64, 1.0)) for seq in range(1, 201)]
    messages = [notice.message for notice in notices_of(changes)]
    assert len(messages) < 20
    assert max(len(message.encode()) for message in messages) <= MAX_NOTIFY_BYTES
    assert [news.seq for message in messages for news in read_news(message)] == list(range(1, 201))


def test_an_event_that_is_too_long_is_sent_by_number():
    [(_, message)] = notices_of([change(3, Dropped(Side.FIRST, 2, 1.0, {"line": [7] * MAX_NOTIFY_BYTES}))])
    assert list(read_news(message)) == [News(NEW_MATCH.id, 3)]


@pytest.mark.anyio
async def test_ephemeral_messages_reach_the_other_processes_the_last_of_each_match(postgres):
    """Of many ephemeral messages sent at once, the last one about each match arrives."""
    database = postgres.create("ephemeral")
    prepare_database(database)

    mine, yours = PostgresFeed(parse_url(database)), PostgresFeed(parse_url(database))
    received_news: dict[str, str] = {}
    mine.on_ephemeral(lambda *_: received_news.update(myself="I hear only the others"))
    yours.on_ephemeral(lambda match_id, _, words: received_news.update({match_id: words}))
    await asyncio.gather(mine.start(), yours.start())
    await asyncio.gather(*(feed.listen(f"{n:032x}") for n in range(2000) for feed in (mine, yours)))
    for words in ('{"first": 1}', '{"first": 2}'):
        for n in range(2000):
            mine.send_ephemeral(f"{n:032x}", words)
    async with asyncio.timeout(30):
        while len(received_news) < 2000:
            await asyncio.sleep(0.01)
    assert set(received_news.values()) == {'{"first": 2}'}
    await asyncio.gather(mine.close(), yours.close())


@pytest.mark.anyio
async def test_a_process_hears_of_the_matches_that_it_listens_to(postgres):
    """All processes hear that a match is over or deleted. Its other events reach only processes where somebody plays or
    watches."""
    database = postgres.create("routed")
    prepare_database(database)
    store = SqlMatchStore(open_database(database))
    here, there = PostgresFeed(parse_url(database)), PostgresFeed(parse_url(database))
    received_news = {here: [], there: []}
    for feed in (here, there):
        feed.subscribe(received_news[feed].append)
    await asyncio.gather(here.start(), there.start())
    matches = [await new_stored_match(store) for _ in range(3)]
    listened, other, unheard = (made.match for made in matches)

    await here.listen(listened.id)
    await here.listen(listened.id)
    await there.listen(other.id)
    here.unlisten(listened.id)  # one of two
    there.unlisten(other.id)
    changes = [next_change(match, Dropped(Side.FIRST, 2, 1000.5)) for match in (listened, other, unheard)]
    await asyncio.gather(*map(store.append, changes))
    await store.append(next_change(changes[0].after, Ended(Result(Side.FIRST, EndReason.RESIGNED), 1001.0)))
    while not all(news[-1:] == [News(listened.id, MATCH_OVER)] for news in received_news.values()):
        await asyncio.sleep(0.01)

    names = {feed: [(news.name, news.seq) for news in received_news[feed] if news.name] for feed in received_news}
    assert names[here] == [(listened.id, 1), (listened.id, 2), (listened.id, MATCH_OVER)]
    assert names[there][-1:] == [(listened.id, MATCH_OVER)]
    assert {name for name, _ in names[there]} <= {listened.id, other.id}
    assert (unheard.id, 1) not in names[there]
    await asyncio.gather(here.close(), there.close(), store.close())


@pytest.mark.anyio
async def test_what_is_stored_after_listening_is_heard(postgres):
    """A drop stored just after the feed starts to listen is always heard, here for a hundred matches amid other
    news."""
    database = postgres.create("in-time")
    prepare_database(database)
    store = SqlMatchStore(open_database(database))
    feed = PostgresFeed(parse_url(database))
    received_news: set[str] = set()
    feed.subscribe(lambda news: received_news.add(news.name) if news.recorded else None)
    await feed.start()
    matches = [(await new_stored_match(store)).match for _ in range(100)]

    async def play(match):
        await feed.listen(match.id)
        await store.append(next_change(match, Dropped(Side.FIRST, 2, 1000.5)))

    await asyncio.gather(*map(play, matches))
    async with asyncio.timeout(30):
        while received_news != {match.id for match in matches}:
            await asyncio.sleep(0.01)
    await asyncio.gather(feed.close(), store.close())


@pytest.mark.anyio
async def test_a_feed_listens_again_after_its_connection_was_lost(postgres):
    """After its connection was lost, the feed listens to its matches again. A new request to listen does not wait for
    it."""
    database = postgres.create("again")
    prepare_database(database)
    store = SqlMatchStore(open_database(database))
    feed = PostgresFeed(parse_url(database))
    received_news: list[News] = []
    feed.subscribe(received_news.append)
    await feed.start()
    first, second = [(await new_stored_match(store)).match for _ in range(2)]
    await feed.listen(first.id)
    with psycopg.connect(postgres.url("again"), autocommit=True) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'")
    async with asyncio.timeout(30):
        await feed.listen(second.id)
        while received_news.count(News(None)) < 2:
            await asyncio.sleep(0.01)
        await asyncio.gather(*(store.append(next_change(m, Dropped(Side.FIRST, 2, 1000.5))) for m in (first, second)))
        while {news.name for news in received_news if news.recorded} != {first.id, second.id}:
            await asyncio.sleep(0.01)
    await asyncio.gather(feed.close(), store.close())


async def new_stored_match(store: SqlMatchStore) -> NewMatch:
    match = new_match(new_match_id(), setup=SETUP)
    made = NewMatch(match, (), match)
    await store.create(made)
    return made


def next_change(match, event) -> Change:
    return Change(match, match.after(event), RecordedEvent(event))


@pytest.mark.anyio
async def test_a_listener_that_fails_does_not_end_the_listening(postgres, monkeypatch):
    """If a listener raises an error, it is reported, and after a pause subscribers are told to check for missed
    events."""
    monkeypatch.setattr("connectk.storage.feed.FIRST_RETRY_SECONDS", 0.0)
    received_news, failures, received = asyncio.Event(), [], []

    def listener(news):
        received.append(news)
        if len(received) == 1:
            raise ValueError("a message that makes no sense")
        received_news.set()

    feed = PostgresFeed(parse_url(postgres.create("failing")), failures.append)
    feed.subscribe(listener)
    async with asyncio.timeout(30):
        await feed.start()
        await received_news.wait()
    await feed.close()
    assert [type(error) for error in failures] == [ValueError]
    assert received == [News(None), News(None)]


@pytest.mark.anyio
async def test_sending_does_not_block_while_the_database_is_unreachable(monkeypatch):
    """While the database is unreachable, sending does not block, and the feed waits between its attempts."""
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
