"""Tests the match service without a network or database: which requests it accepts, what it stores, and whom it
notifies."""

import asyncio
import json

import pytest

from connectk.errors import ColumnFull
from connectk.play.audiences import Audiences, Subscriber
from connectk.play.driver import MatchDriver, Move
from connectk.play.events import MATCH_EVENT_NAMES, Dropped, event_from, facts_of
from connectk.play.match import MatchSetup, Seat, TimeControl
from connectk.play.protocols import LocalFeed, News, RecordedEvent
from connectk.play.refusals import (
    Busy,
    KeyReused,
    MatchOver,
    MatchStillOpen,
    NotStored,
    NotYourTurn,
    StalePly,
    ThinkingFailed,
)
from connectk.play.service import MatchService
from connectk.rules import EndReason, Position, Side
from tests.play.memory import MemoryStore, RemoteFeed, until

pytestmark = pytest.mark.anyio
BOTH_SIDES = {Side.FIRST, Side.SECOND}
TWO_PEOPLE = MatchSetup(Position.start(), Seat("Ann"), Seat("Bob"))
AGAINST_COMPUTER = MatchSetup(Position.start(), Seat("Ann"), Seat("C", player="random"))


def record_news(service: MatchService) -> list[tuple[int, int]]:
    """Records the number of each published event together with the number of events stored at that moment."""
    received_news: list[tuple[int, int]] = []
    service.subscribe(lambda news: received_news.append((news.seq, len(service.store.events[news.name]))))
    return received_news


async def test_subscribers_are_notified_only_after_the_event_is_stored():
    service = MatchService(MemoryStore(), LocalFeed())
    received_news = record_news(service)
    match = (await service.create(TWO_PEOPLE, mine=BOTH_SIDES)).match
    for ply in range(5):
        await service.drop(match.id, Side(ply % 2), ply, ply)
    with pytest.raises(NotYourTurn):
        await service.drop(match.id, Side.FIRST, 0, 5)
    assert received_news == [(seq, seq) for seq in range(6)]


async def test_a_conflict_with_another_process_is_retried():
    """After a conflict with another process, the service reads the match again and decides by the new state."""
    store = MemoryStore()
    service = MatchService(store, LocalFeed())
    match = (await service.create(TWO_PEOPLE, mine=BOTH_SIDES)).match
    store.events[match.id].append(RecordedEvent(Dropped(Side.FIRST, 3, 1.0)))
    with pytest.raises(StalePly):
        await service.drop(match.id, Side.FIRST, 2, 0)
    receipt = await service.drop(match.id, Side.SECOND, 3, 1)
    assert receipt.match.moves == (3, 3)


class ReplyLost(MemoryStore):
    """A store that loses the first answer to each write after the commit. The writer tries again and finds its event
    number taken."""

    is_shared = True
    meanwhile = None  # the match that a reader brings up to date in between

    async def append(self, change):
        event = change.recorded.event
        stored = event_from(MATCH_EVENT_NAMES[type(event)], event.at, json.loads(json.dumps(facts_of(event))))
        self.events[change.after.id].append(RecordedEvent(stored, change.recorded.key))
        if change.rematch:
            await self.create(change.rematch)
        if self.meanwhile:
            await self.meanwhile(change.after.id)
        await super().append(change)


@pytest.mark.parametrize("key", [None, "k"])
@pytest.mark.parametrize("is_seen", [True, False])
async def test_a_drop_whose_commit_answer_was_lost_is_recognized_as_own(key, is_seen):
    """A drop is recognized as this process's own although the answer to its commit was lost.

    This also holds if a reader finds the drop in the store first, or if its thought has tuples, which become lists in
    the store.
    """
    store = ReplyLost()
    service = MatchService(store, LocalFeed())
    match = (await service.create(TWO_PEOPLE, mine=BOTH_SIDES)).match
    store.meanwhile = service.get if is_seen else None
    logged = []
    service.subscribe(lambda news: logged.append((news.seq, news.is_own)))
    receipt = await service.drop(match.id, Side.FIRST, 3, 0, key=key, thought={"line": (3, 4)})
    assert (receipt.seq, receipt.match.moves, logged) == (1, (3,), [(1, True)])


async def test_a_drop_completes_after_its_caller_was_cancelled():
    """If the caller of a drop is cancelled, the drop is still stored and published."""
    store = MemoryStore()
    service = MatchService(store, LocalFeed())
    match = (await service.create(TWO_PEOPLE, mine=BOTH_SIDES)).match
    received_news, gate = record_news(service), Gate(store)
    asking = asyncio.ensure_future(service.drop(match.id, Side.FIRST, 3, 0))
    await gate.reached.wait()
    asking.cancel()
    gate.opened.set()
    assert (await until(service, match.id, lambda match: match.seq)).moves == (3,)
    assert received_news == [(1, 1)]


class Gate:
    """A store in which every write waits until the test lets it pass."""

    def __init__(self, store: MemoryStore) -> None:
        self.reached, self.opened = asyncio.Event(), asyncio.Event()
        self._create, self._append = store.create, store.append
        store.create, store.append = self.create, self.append

    async def create(self, made):
        await self._wait()
        await self._create(made)

    async def append(self, change):
        await self._wait()
        await self._append(change)

    async def _wait(self):
        self.reached.set()
        await self.opened.wait()


@pytest.mark.parametrize("what", ["create", "drop"])
async def test_shutdown_waits_for_pending_writes(what):
    """The shutdown waits for writes in progress, so that every stored change is published and logged."""
    store = MemoryStore()
    service = MatchService(store, LocalFeed())
    match = (await service.create(TWO_PEOPLE, mine=BOTH_SIDES)).match
    received_news = record_news(service)
    gate = Gate(store)
    work = service.create(TWO_PEOPLE, mine=BOTH_SIDES) if what == "create" else service.drop(match.id, Side.FIRST, 3, 0)
    asking = asyncio.ensure_future(work)
    await gate.reached.wait()
    asking.cancel()
    await asyncio.wait([asking])
    stopping = asyncio.ensure_future(service.finish())
    await asyncio.wait([stopping], timeout=0)
    assert not stopping.done()
    assert received_news == []
    gate.opened.set()
    await stopping
    assert len(received_news) == 1
    assert sum(map(len, store.events.values())) + len(store.matches) == 2


async def test_shutdown_without_pending_writes_is_immediate():
    """A shutdown without writes in progress returns before any other task gets a turn."""
    with pytest.raises(StopIteration):
        MatchService(MemoryStore(), LocalFeed()).finish().send(None)


async def test_a_repeated_drop_is_played_once(monkeypatch):
    """A drop that a client repeats is played once, at whatever moment the repetition arrives."""
    service = MatchService(MemoryStore(), LocalFeed())
    audiences = Audiences(service, lambda step: str(step.match.position))
    match = (await service.create(TWO_PEOPLE, mine=BOTH_SIDES)).match
    await audiences.enter(match.id, Subscriber(frozenset()), 0)
    played, drop = [], Position.drop
    monkeypatch.setattr(Position, "drop", lambda position, column: played.append(column) or drop(position, column))
    await service.drop(match.id, Side.FIRST, 3, 0)
    assert played == [3]
    with pytest.raises(StalePly):
        await service.drop(match.id, Side.FIRST, 3, 0)
    assert played == [3]


async def test_the_rules_refuse_a_full_column():
    service = MatchService(MemoryStore(), LocalFeed())
    match = (await service.create(TWO_PEOPLE, [0] * 6, mine=BOTH_SIDES)).match
    with pytest.raises(ColumnFull):
        await service.drop(match.id, Side.FIRST, 0, 6)
    assert (await service.get(match.id)).seq == 6


async def test_concurrent_reads_share_one_read_that_starts_after_them():
    """Concurrent readers of a match share one read of the store, but only a read that starts after their requests."""
    store = MemoryStore()
    store.is_shared = True
    theirs, ours = MatchService(store, LocalFeed()), MatchService(store, LocalFeed())
    match = (await theirs.create(TWO_PEOPLE, mine=BOTH_SIDES)).match
    await ours.get(match.id)
    read, looks, first = store.events_after, [], asyncio.Event()

    async def events_after(*arguments):
        looks.append(found := await read(*arguments))
        await first.wait()
        return found

    store.events_after = events_after
    early = [asyncio.ensure_future(ours.get(match.id)) for _ in range(30)]
    while not looks:
        await asyncio.sleep(0)
    await theirs.drop(match.id, Side.FIRST, 3, 0)
    late = [asyncio.ensure_future(ours.get(match.id)) for _ in range(30)]
    await asyncio.sleep(0)
    first.set()
    await asyncio.gather(*early)
    assert {found.seq for found in await asyncio.gather(*late)} == {1}
    assert len(looks) == 2


async def test_an_event_in_the_news_is_published_without_a_read():
    """An event that arrives with another process's news is published without reading the store, and only once."""
    store, feed = MemoryStore(), RemoteFeed()
    store.is_shared = True
    theirs, ours = MatchService(store, LocalFeed()), MatchService(store, feed)
    audiences = Audiences(ours, lambda step: str(step.match.seq))
    match = (await theirs.create(TWO_PEOPLE, mine=BOTH_SIDES)).match
    subscriber = Subscriber(frozenset())
    await audiences.enter(match.id, subscriber, 0)
    await theirs.drop(match.id, Side.FIRST, 3, 0)
    store.events_after = None  # no read is necessary
    received = []
    ours.subscribe(lambda news: received.append((news.seq, news.match and news.match.moves, news.is_own)))
    for _ in range(2):
        feed.publish(News(match.id, 1, store.events[match.id][0]))
    assert list(subscriber.queue) == ["1"]
    assert received == [(1, (3,), False), (1, None, False)]


async def test_an_own_event_whose_news_arrive_first_is_published_once_as_own():
    """If a process hears of its own event before the commit is confirmed, it publishes the event once and as its own.

    PostgreSQL may notify the listening connection first.
    """
    store, feed = MemoryStore(), RemoteFeed()
    service = MatchService(store, feed)
    match = (await service.create(TWO_PEOPLE, mine=BOTH_SIDES)).match
    append, received = store.append, []

    async def append_and_tell(change):
        await append(change)
        feed.publish(News(match.id, change.after.seq, change.recorded))

    store.append = append_and_tell
    service.subscribe(lambda news: received.append((news.seq, news.is_own)))
    await service.drop(match.id, Side.FIRST, 3, 0)
    assert received == [(1, True)]


async def test_an_event_read_from_the_store_is_published():
    """A new event that a read finds is published at once, and not again when its news arrives."""
    store, feed = MemoryStore(), RemoteFeed()
    store.is_shared = True
    theirs, ours = MatchService(store, LocalFeed()), MatchService(store, feed)
    match = (await theirs.create(TWO_PEOPLE, mine=BOTH_SIDES)).match
    await ours.get(match.id)
    received = []
    ours.subscribe(lambda news: received.append((news.seq, news.event and news.event.column)))
    await theirs.drop(match.id, Side.FIRST, 3, 0)
    await ours.get(match.id)
    assert received == [(1, 3)]


async def test_a_rematch_that_conflicts_creates_no_match():
    """If two processes create a rematch at the same moment, there is one new match, and both processes know it."""
    store = MemoryStore()
    ours, theirs = MatchService(store, LocalFeed()), MatchService(store, LocalFeed())
    match = (await ours.create(TWO_PEOPLE, mine=BOTH_SIDES)).match
    await ours.resign(match.id, BOTH_SIDES)
    await theirs.get(match.id)
    first, second = await asyncio.gather(ours.rematch(match.id, BOTH_SIDES), theirs.rematch(match.id, BOTH_SIDES))
    assert first.match.next_match == second.match.next_match
    assert set(store.matches) == {match.id, first.match.next_match}
    assert (await ours.get(first.match.next_match)).setup.previous == match.id


async def test_a_rematch_whose_commit_answer_was_lost_is_published_once():
    """A rematch whose commit was not confirmed is published once; otherwise a computer player that moves first would
    not start."""
    service = MatchService(ReplyLost(), LocalFeed())
    match = (await service.create(TWO_PEOPLE, mine=BOTH_SIDES)).match
    await service.resign(match.id, BOTH_SIDES)
    received = []
    service.subscribe(lambda news: received.append((news.name, news.seq)))
    made = (await service.rematch(match.id, BOTH_SIDES)).match
    assert received == [(made.next_match, 0), (match.id, made.seq)]


async def test_a_key_belongs_to_one_drop():
    """A repeated drop gets the same answer again. A drop with a used key but another column or ply is refused."""
    service = MatchService(MemoryStore(), LocalFeed())
    match = (await service.create(TWO_PEOPLE, mine=BOTH_SIDES)).match
    receipt = await service.drop(match.id, Side.FIRST, 3, 0, key="k")
    await service.drop(match.id, Side.SECOND, 3, 1)
    assert (await service.drop(match.id, Side.FIRST, 3, 0, key="k")).seq == receipt.seq
    for column, ply in ((2, 0), (3, 2)):
        with pytest.raises(KeyReused):
            await service.drop(match.id, Side.FIRST, column, ply, key="k")
    assert (await service.get(match.id)).moves == (3, 3)


async def test_the_same_join_twice_at_once_takes_one_seat():
    """If both seats are free, a client that repeats its join with the same secret gets only one of them."""
    service = MatchService(MemoryStore(), LocalFeed())
    made = await service.create(TWO_PEOPLE)
    entries = await asyncio.gather(*(service.join(made.match.id, made.invitation, "Bob", "s" * 32) for _ in range(5)))
    assert {entry.sides for entry in entries} == {frozenset({Side.FIRST})}
    assert (await service.get(made.match.id)).is_waiting


def assert_growing_delays(rests: list[float], count: int) -> None:
    """Check the number of delays, and that each lies in its range. The ranges grow."""
    assert len(rests) == count
    assert all(0.1 <= rest <= min(5.0, 0.2 * 2**n) for n, rest in enumerate(rests))


class DrivenMatches:
    """A service with a computer player whose choices the test supplies. Delays take no time, and the test fires the
    timers."""

    def __init__(self, think=None) -> None:
        self.service = MatchService(MemoryStore(), LocalFeed(), now=lambda: self.now)
        self.now, self.failures, self.rests, self.timers = 1000.0, [], [], []
        self.driver = MatchDriver(
            self.service, think, lambda match, error: self.failures.append(error), self._sleep, self._later
        )

    async def _sleep(self, seconds):
        self.rests.append(seconds)
        await asyncio.sleep(0)

    def _later(self, seconds, call, *arguments):
        self.timers.append((self.now + seconds, call, arguments))
        return self

    def cancel(self):
        """Does nothing, so that a cancelled timer may still fire. That must do no harm."""

    def ring(self):
        self.now, call, arguments = self.timers.pop()
        call(*arguments)

    async def begin(self, setup=AGAINST_COMPUTER):
        """A match in which the person has dropped the first disc."""
        match = (await self.service.create(setup, mine={Side.FIRST})).match
        await self.service.drop(match.id, Side.FIRST, 3, 0)
        return match.id

    async def until(self, match_id, condition):
        return await until(self.service, match_id, condition)


async def test_a_computer_player_drops_through_the_service():
    async def think(match, player):
        return Move(match.position.legal_columns[0], {"score": 1})

    driven = DrivenMatches(think)
    match = await driven.until(await driven.begin(), lambda match: match.ply == 2)
    assert match.moves == (3, 0)
    await driven.driver.close()


async def test_a_choice_for_an_outdated_board_is_not_played():
    """If a person takes a move back while the computer thinks, the computer stops and begins again with the new
    board."""
    seen, thinking, go = [], asyncio.Event(), asyncio.Event()

    async def think(match, player):
        seen.append(match.position)
        thinking.set()
        await go.wait()
        return Move(6)

    driven = DrivenMatches(think)
    match_id = await driven.begin()
    await thinking.wait()
    await driven.service.take_back(match_id, {Side.FIRST})
    await driven.service.drop(match_id, Side.FIRST, 2, 0)
    go.set()
    assert (await driven.until(match_id, lambda match: match.ply == 2)).moves == (2, 6)
    assert [position.last_drop.column for position in seen] == [3, 2]
    await driven.driver.close()


@pytest.mark.parametrize("column", [99, None])
async def test_a_player_that_fails_forfeits(column):
    async def think(match, player):
        if column is None:
            raise ValueError("no idea")
        return Move(column)

    driven = DrivenMatches(think)
    match = await driven.until(await driven.begin(), lambda match: match.result)
    assert (match.result.winner, match.result.reason) == (Side.FIRST, EndReason.FORFEIT)
    assert len(driven.failures) == 1
    await driven.driver.close()


@pytest.mark.parametrize(("failures", "moves"), [(2, (3, 0)), (3, (3,))])
async def test_a_worker_that_dies_is_retried_a_few_times(failures, moves):
    """If its worker process crashes, a computer player gets another try, because it may not be at fault. After three
    crashes it loses, so that the match ends."""
    tries = []

    async def think(match, player):
        tries.append(player)
        if len(tries) <= failures:
            raise ThinkingFailed
        return Move(0)

    driven = DrivenMatches(think)
    match = await driven.until(await driven.begin(), lambda match: match.result or match.ply == 2)
    assert match.moves == moves
    assert (match.result is None) == (failures == 2)
    await driven.driver.close()


async def test_a_player_retries_while_all_workers_are_busy():
    """While all workers are busy, a computer player asks again after growing delays."""
    tries = []

    async def think(match, player):
        tries.append(player)
        if len(tries) < 4:
            raise Busy
        return Move(0)

    driven = DrivenMatches(think)
    match = await driven.until(await driven.begin(), lambda match: match.ply == 2)
    assert match.moves == (3, 0)
    assert_growing_delays(driven.rests, 3)
    await driven.driver.close()


def refuse(store, refusals):
    """Make the store fail with these errors, one after the other. Then it works again."""
    append = store.append

    async def refusing(change):
        if refusals:
            raise refusals.pop(0)
        await append(change)

    store.append = refusing


async def test_a_computer_players_drop_is_retried_until_stored():
    """A computer's drop that cannot be stored is repeated until it is, without thinking again or starting a second
    attempt."""
    thoughts = []

    async def think(match, player):
        thoughts.append(player)
        refuse(driven.service.store, [NotStored(), Busy(), NotStored()])
        return Move(0)

    driven = DrivenMatches(think)
    match_id = await driven.begin()
    while not driven.rests:
        await asyncio.sleep(0)
    driven.driver.attend(await driven.service.get(match_id))
    match = await driven.until(match_id, lambda match: match.ply == 2)
    assert (match.moves, thoughts) == ((3, 0), ["random"])
    assert_growing_delays(driven.rests, 3)
    await driven.driver.close()


async def test_a_forfeit_is_retried_until_stored():
    async def think(match, player):
        refuse(driven.service.store, [NotStored(), NotStored()])
        raise ValueError("no idea")

    driven = DrivenMatches(think)
    match = await driven.until(await driven.begin(), lambda match: match.result)
    assert match.result.reason == EndReason.FORFEIT
    assert_growing_delays(driven.rests, 2)
    await driven.driver.close()


async def test_calling_time_is_retried_with_backoff():
    """If the end of a match on time cannot be stored, it is tried again after growing delays."""
    driven = DrivenMatches()
    clocked = MatchSetup(Position.start(), Seat("Ann"), Seat("Bob"), control=TimeControl(60))
    match = (await driven.service.create(clocked, mine=BOTH_SIDES)).match
    await driven.service.drop(match.id, Side.FIRST, 3, 0)
    refuse(driven.service.store, [NotStored() for _ in range(7)])
    driven.ring()
    driven.driver._on_deadline(match.id)  # a second call at the same deadline changes nothing
    match = await driven.until(match.id, lambda match: match.result)
    assert match.result.reason == EndReason.TIME
    assert_growing_delays(driven.rests, 7)
    await driven.driver.close()


async def test_a_clock_runs_out_by_itself():
    driven = DrivenMatches()
    clocked = MatchSetup(Position.start(), Seat("Ann"), Seat("Bob"), control=TimeControl(60))
    match = (await driven.service.create(clocked, mine=BOTH_SIDES)).match
    await driven.service.drop(match.id, Side.FIRST, 3, 0)
    driven.ring()
    match = await driven.until(match.id, lambda match: match.result)
    assert (match.result.winner, match.result.reason) == (Side.FIRST, EndReason.TIME)
    assert 60 <= driven.now - 1000 < 61
    await driven.driver.close()


@pytest.mark.parametrize("offer", ["offer_draw", "take_back", "rematch"])
async def test_an_offer_that_nobody_answers_expires(offer):
    """An unanswered offer expires after about a minute, even if the client that made it has left."""
    driven = DrivenMatches()
    made = await driven.service.create(MatchSetup(Position.start(), Seat("Ann"), Seat("")), mine={Side.FIRST})
    await driven.service.join(made.match.id, made.invitation, "Bob")
    await driven.service.drop(made.match.id, Side.FIRST, 3, 0)
    if offer == "rematch":
        await driven.service.resign(made.match.id, {Side.SECOND})
    offered = await getattr(driven.service, offer)(made.match.id, {Side.FIRST})
    assert offered.match.offer.side is Side.FIRST
    driven.ring()
    match = await driven.until(made.match.id, lambda match: not match.offer)
    assert (match.seq, match.next_match) == (offered.seq + 1, None)
    assert 60 < driven.now - 1000 < 70
    await driven.driver.close()


async def test_an_offer_made_again_has_its_own_time():
    driven = DrivenMatches()
    made = await driven.service.create(MatchSetup(Position.start(), Seat("Ann"), Seat("")), mine={Side.FIRST})
    await driven.service.join(made.match.id, made.invitation, "Bob")
    await driven.service.offer_draw(made.match.id, {Side.FIRST})
    await driven.service.decline(made.match.id, {Side.SECOND})
    again = await driven.service.offer_draw(made.match.id, {Side.FIRST})
    driven.timers.pop()
    driven.ring()
    await driven.driver._tasks.finish()
    assert (await driven.service.get(made.match.id)).seq == again.seq
    await driven.driver.close()


async def test_a_drop_before_the_deadline_counts_even_if_stored_later():
    """A drop that arrives before the deadline counts, even if it must wait for another write until after the
    deadline."""
    driven = DrivenMatches()
    clocked = MatchSetup(Position.start(), Seat("Ann"), Seat("Bob"), control=TimeControl(60))
    match = (await driven.service.create(clocked, mine=BOTH_SIDES)).match
    await driven.service.drop(match.id, Side.FIRST, 3, 0)
    async with (await driven.service.live.find(match.id)).lock:
        driven.now += 59.9
        drop = asyncio.ensure_future(driven.service.drop(match.id, Side.SECOND, 3, 1))
        await asyncio.sleep(0)
        driven.now += 1
        flag = asyncio.ensure_future(driven.service.call_time(match.id))
        await asyncio.sleep(0)
    assert (await drop).match.left(Side.SECOND, driven.now) == pytest.approx(0.1)
    with pytest.raises(MatchStillOpen):
        await flag
    driven.now += 60
    with pytest.raises(MatchOver):
        await driven.service.drop(match.id, Side.FIRST, 3, 2)
    assert (await driven.service.get(match.id)).result.reason is EndReason.TIME
    await driven.driver.close()


async def test_waiting_for_a_worker_is_not_charged_to_the_clock():
    """A computer player's clock loses only the seconds that the player thinks, not those that it waits for a worker."""

    async def think(match, player):
        driven.now += 90
        assert match.deadline is None
        return Move(0, took=2.0)

    driven = DrivenMatches(think)
    setup = MatchSetup(Position.start(), Seat("Ann"), Seat("C", player="random"), control=TimeControl(60))
    match = await driven.until(await driven.begin(setup), lambda match: match.ply == 2)
    assert (match.left(Side.FIRST, driven.now), match.left(Side.SECOND, driven.now)) == (60, 58)
    assert match.result is None
    await driven.driver.close()


@pytest.mark.parametrize(("says", "charged"), [(None, 10.0), (9.8, 9.8), (2.0, 9.5), (0.0, 9.5), (99.0, 10.0)])
async def test_network_delay_is_credited_up_to_a_limit(says, charged):
    """If the page shows a turn for less time than the server measures, the difference is credited, up to half a
    second."""
    driven = DrivenMatches()
    clocked = MatchSetup(Position.start(), Seat("Ann"), Seat("Bob"), control=TimeControl(60))
    match = (await driven.service.create(clocked, mine=BOTH_SIDES)).match
    await driven.service.drop(match.id, Side.FIRST, 3, 0)
    driven.now += 10
    receipt = await driven.service.drop(match.id, Side.SECOND, 3, 1, took=says)
    assert receipt.match.left(Side.SECOND, driven.now) == pytest.approx(60 - charged)
    await driven.driver.close()
