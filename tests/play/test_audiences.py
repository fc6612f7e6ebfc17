"""Everyone who joins an audience gets every event once and in order, whatever happens at the same moment."""

import asyncio
import json
import random

import pytest
from cachetools import TTLCache

from connectk.play.audiences import MAX_QUEUED_PER_SUBSCRIBER, Audience, AudiencePresence, Audiences, Subscriber
from connectk.play.presence import PRESENCE_EXPIRY_SECONDS
from connectk.play.protocols import LocalFeed, News
from connectk.play.service import MatchService
from connectk.rules import Position, Side, Variant
from tests.play.memory import MemoryStore, RemoteFeed
from tests.play.test_service import BOTH_SIDES, TWO_PEOPLE

pytestmark = pytest.mark.anyio


class SlowStore(MemoryStore):
    """A store that answers after short delays of varying length, as if several processes shared it."""

    is_shared = True

    async def events_after(self, match_id, seq, limit=None):
        found = await super().events_after(match_id, seq, limit)
        await asyncio.sleep(random.uniform(0, 0.002))
        return found

    async def load(self, match_id, limit=None):
        found = await super().load(match_id, limit)
        await asyncio.sleep(random.uniform(0, 0.002))
        return found


async def test_a_subscriber_who_joins_mid_game_gets_every_event():
    service = MatchService(SlowStore(), LocalFeed())
    audiences = Audiences(service, lambda step: str(step.match.seq))
    setup = TWO_PEOPLE.__class__(Position.start(Variant(10, 10, 10)), TWO_PEOPLE.first, TWO_PEOPLE.second)
    match = (await service.create(setup, mine=BOTH_SIDES)).match

    async def play():
        for ply in range(60):
            await service.drop(match.id, Side(ply % 2), ply % 10, ply)

    async def visit(start):
        """Join, receive some events, leave, and come back with the number of the last event, many times."""
        received, seq = [], start
        while seq < 60:
            subscriber = Subscriber(frozenset())
            await audiences.enter(match.id, subscriber, seq)
            for _ in range(random.randint(1, 9)):
                if seq < 60:
                    seq = int(await asyncio.wait_for(subscriber.get(), 60))
                    received.append(seq)
            audiences.leave(match.id, subscriber)
        assert received == list(range(start + 1, 61))

    await asyncio.gather(play(), *(visit(0) for _ in range(8)))
    assert len(audiences) == 0
    assert audiences.open_audiences() == []


async def test_an_event_that_comes_with_the_news_is_not_read_from_the_store():
    """One process stores an event and sends it with its news. The other process publishes it without reading the
    store."""

    class Unread(MemoryStore):
        is_shared = True
        reads = 0

        async def events_after(self, match_id, seq, limit=None):
            self.reads += 1
            return await super().events_after(match_id, seq, limit)

    store, feed = Unread(), RemoteFeed()
    ours, theirs = MatchService(store, feed), MatchService(store, LocalFeed())
    audiences = Audiences(ours, lambda step: f"{step.match.seq} {step.match.moves}")
    match = (await theirs.create(TWO_PEOPLE, mine=BOTH_SIDES)).match
    subscriber = Subscriber(frozenset())
    await audiences.enter(match.id, subscriber, 0)
    store.reads = 0

    for ply in (0, 1, 2, 3):
        await theirs.drop(match.id, Side(ply % 2), ply, ply)
    first, second, _, fourth = store.events[match.id]
    for seq, recorded in ((1, first), (2, second), (2, second)):
        feed.publish(News(match.id, seq, recorded))
    assert list(subscriber.queue) == ["1 (0,)", "2 (0, 1)"]
    assert store.reads == 0
    feed.publish(News(match.id, 4, fourth))  # the third event was missed, so a read is necessary
    await subscriber.get(), await subscriber.get()
    assert [await subscriber.get(), await subscriber.get()] == ["3 (0, 1, 2)", "4 (0, 1, 2, 3)"]
    assert store.reads == 1


async def test_local_presence_is_announced_even_while_remote_presence_is_pending(monkeypatch):
    """A change of presence in this process is announced, even if an announcement of another process's change is already
    due."""

    feed = RemoteFeed()
    audiences = Audiences(MatchService(MemoryStore(), feed), str)
    presence = AudiencePresence(audiences, feed, str)
    audience = audiences._audiences["m"] = Audience(0)
    calls = []
    monkeypatch.setattr(asyncio.get_running_loop(), "call_later", lambda _, call, *rest: calls.append((call, rest)))
    nobody = '{"first": 0, "second": 0, "watching": %d}'
    presence._on_message("m", "other", nobody % 0)
    for call, rest in calls[:]:
        call(*rest)
    feed.sent.clear()
    calls.clear()
    presence._on_message("m", "other", nobody % 1)
    audience.subscribers.add(Subscriber(frozenset({Side.FIRST})))
    audiences.on_presence("m")
    [(call, rest)] = calls
    call(*rest)
    assert feed.sent == ['{"first": 1, "second": 0, "watching": 0}']


@pytest.mark.parametrize(("spectators", "seconds"), [(1, 0.2), (40, 0.2), (5000, 5.0)])
async def test_a_large_audience_is_told_less_often_who_is_there(spectators, seconds, monkeypatch):
    """A large audience gets fewer announcements of who is present, because each costs one message per spectator."""
    audiences = Audiences(MatchService(MemoryStore(), feed := RemoteFeed()), str)
    presence = AudiencePresence(audiences, feed, str)
    audience = Audience(0, {Subscriber(frozenset()) for _ in range(spectators)})
    audiences._audiences["m"] = audience
    monkeypatch.setattr(Audience, "count", None)
    delays = []
    monkeypatch.setattr(asyncio.get_running_loop(), "call_later", lambda delay, *_: delays.append(delay))
    for _ in range(3):
        presence.changed("m")
    assert delays == [seconds]


async def test_presence_of_a_silent_process_expires_and_an_empty_one_is_announced(monkeypatch):
    """A report from another process expires after a while. When its last client leaves, this process reports at
    once."""
    now, feed = [0.0], RemoteFeed()
    monkeypatch.setattr("connectk.play.presence.TTLCache", lambda most, ttl: TTLCache(most, ttl, lambda: now[0]))
    audiences = Audiences(MatchService(MemoryStore(), feed), str)
    presence = AudiencePresence(audiences, feed, str)
    audience = audiences._audiences["m"] = Audience(0, {subscriber := Subscriber(frozenset())})
    audiences._count = 1
    presence._on_message("m", "other", '{"first": 0, "second": 0, "watching": 7}')
    now[0] = PRESENCE_EXPIRY_SECONDS - 1
    assert [said["watching"] for said in presence.remote("m")] == [7]
    now[0] = PRESENCE_EXPIRY_SECONDS + 1
    assert presence.remote("m") == []
    presence.heartbeat(["m"])
    audiences.leave("m", subscriber)
    assert [json.loads(text)["watching"] for text in feed.sent] == [1, 0]
    assert not audience.subscribers


async def test_a_subscriber_queue_is_bounded():
    given_up = []
    subscriber = Subscriber(frozenset(), on_slow=lambda: given_up.append(True))
    for number in range(MAX_QUEUED_PER_SUBSCRIBER + 1):
        subscriber.put(str(number))
    assert (len(subscriber.queue), given_up) == (MAX_QUEUED_PER_SUBSCRIBER, [True])
    assert await subscriber.get() is None


async def test_messages_are_sent_at_once_if_possible_and_stay_in_order():
    sent, can_send = [], True
    subscriber = Subscriber(frozenset(), send_now=lambda message: can_send and not sent.append(message))
    subscriber.put("1")
    can_send = False
    subscriber.put("2")
    can_send = True
    subscriber.put("3")
    assert (sent, list(subscriber.queue)) == (["1"], ["2", "3"])
    assert [await subscriber.get(), await subscriber.get()] == ["2", "3"]
    subscriber.put("4")
    assert sent == ["1", "4"]
