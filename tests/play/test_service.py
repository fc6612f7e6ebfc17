"""The one door: what it lets through, what it stores, whom it tells, without any network or database."""

import asyncio
import json

import pytest

from connectk.errors import ColumnFull
from connectk.play.audiences import Audiences, Subscriber
from connectk.play.driver import MatchDriver, Move
from connectk.play.events import NAMES, Dropped, event_from, facts_of
from connectk.play.match import Seat, Setup, TimeControl
from connectk.play.protocols import LocalFeed, News, Recorded
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
BOTH = {Side.FIRST, Side.SECOND}
PEOPLE = Setup(Position.start(), Seat("Ann"), Seat("Bob"))
COMPUTER = Setup(Position.start(), Seat("Ann"), Seat("C", player="random"))


def record_news(service: MatchService) -> list[tuple[int, int]]:
    """Records the number of each published event, and how many were stored then."""
    heard: list[tuple[int, int]] = []
    service.subscribe(lambda news: heard.append((news.seq, len(service.store.events[news.name]))))
    return heard


async def test_subscribers_are_notified_only_after_the_event_is_stored():
    service = MatchService(MemoryStore(), LocalFeed())
    heard = record_news(service)
    match = (await service.create(PEOPLE, mine=BOTH)).match
    for ply in range(5):
        await service.drop(match.id, Side(ply % 2), ply, ply)
    with pytest.raises(NotYourTurn):
        await service.drop(match.id, Side.FIRST, 0, 5)
    assert heard == [(seq, seq) for seq in range(6)]


async def test_a_conflict_with_another_process_is_retried():
    """The door looks again, and answers for the match as it is now."""
    store = MemoryStore()
    service = MatchService(store, LocalFeed())
    match = (await service.create(PEOPLE, mine=BOTH)).match
    store.events[match.id].append(Recorded(Dropped(Side.FIRST, 3, 1.0)))
    with pytest.raises(StalePly):
        await service.drop(match.id, Side.FIRST, 2, 0)
    receipt = await service.drop(match.id, Side.SECOND, 3, 1)
    assert receipt.match.moves == (3, 3)


class ReplyLost(MemoryStore):
    """The first answer to each append is lost after the commit: the writer tries again, and the number is taken."""

    is_shared = True
    meanwhile = None  # the match that a reader brings up to date in between

    async def append(self, change):
        event = change.recorded.event
        stored = event_from(NAMES[type(event)], event.at, json.loads(json.dumps(facts_of(event))))
        self.events[change.after.id].append(Recorded(stored, change.recorded.key))
        if change.rematch:
            await self.create(change.rematch)
        if self.meanwhile:
            await self.meanwhile(change.after.id)
        await super().append(change)


@pytest.mark.parametrize("key", [None, "k"])
@pytest.mark.parametrize("is_seen", [True, False])
async def test_a_drop_whose_commit_answer_was_lost_is_recognized_as_own(key, is_seen):
    """Also when a reader has found it in the store before us, and with a thought, whose tuples are lists there."""
    store = ReplyLost()
    service = MatchService(store, LocalFeed())
    match = (await service.create(PEOPLE, mine=BOTH)).match
    store.meanwhile = service.get if is_seen else None
    logged = []
    service.subscribe(lambda news: logged.append((news.seq, news.is_own)))
    receipt = await service.drop(match.id, Side.FIRST, 3, 0, key=key, thought={"line": (3, 4)})
    assert (receipt.seq, receipt.match.moves, logged) == (1, (3,), [(1, True)])


async def test_a_drop_completes_after_its_caller_was_cancelled():
    """Cancelled half-way: it is still stored and published, never one without the other."""
    store = MemoryStore()
    service = MatchService(store, LocalFeed())
    match = (await service.create(PEOPLE, mine=BOTH)).match
    heard, gate = record_news(service), Gate(store)
    asking = asyncio.ensure_future(service.drop(match.id, Side.FIRST, 3, 0))
    await gate.reached.wait()
    asking.cancel()
    gate.opened.set()
    assert (await until(service, match.id, lambda match: match.seq)).moves == (3,)
    assert heard == [(1, 1)]


class Gate:
    """A slow store: every write waits at the gate."""

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
    """The signal comes at once and ends all who asked: what is stored is told and logged, and nothing else is."""
    store = MemoryStore()
    service = MatchService(store, LocalFeed())
    match = (await service.create(PEOPLE, mine=BOTH)).match
    heard = record_news(service)
    gate = Gate(store)
    work = service.create(PEOPLE, mine=BOTH) if what == "create" else service.drop(match.id, Side.FIRST, 3, 0)
    asking = asyncio.ensure_future(work)
    await gate.reached.wait()
    asking.cancel()
    await asyncio.wait([asking])
    stopping = asyncio.ensure_future(service.finish())
    await asyncio.wait([stopping], timeout=0)
    assert not stopping.done()
    assert heard == []
    gate.opened.set()
    await stopping
    assert len(heard) == 1
    assert sum(map(len, store.events.values())) + len(store.matches) == 2


async def test_shutdown_without_pending_writes_is_immediate():
    """It ends without giving the loop a turn."""
    with pytest.raises(StopIteration):
        MatchService(MemoryStore(), LocalFeed()).finish().send(None)


async def test_a_repeated_drop_is_played_once(monkeypatch):
    """On its way through the door, the store and those who are told."""
    service = MatchService(MemoryStore(), LocalFeed())
    audiences = Audiences(service, lambda step: str(step.match.position))
    match = (await service.create(PEOPLE, mine=BOTH)).match
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
    match = (await service.create(PEOPLE, [0] * 6, mine=BOTH)).match
    with pytest.raises(ColumnFull):
        await service.drop(match.id, Side.FIRST, 0, 6)
    assert (await service.get(match.id)).seq == 6


async def test_concurrent_reads_share_one_read_that_starts_after_them():
    """Sixty sockets on one match were sixty reads, for which everyone's drops waited."""
    store = MemoryStore()
    store.is_shared = True
    theirs, ours = MatchService(store, LocalFeed()), MatchService(store, LocalFeed())
    match = (await theirs.create(PEOPLE, mine=BOTH)).match
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
    """Of another process's event; the second time it is known already."""
    store, feed = MemoryStore(), RemoteFeed()
    store.is_shared = True
    theirs, ours = MatchService(store, LocalFeed()), MatchService(store, feed)
    audiences = Audiences(ours, lambda step: str(step.match.seq))
    match = (await theirs.create(PEOPLE, mine=BOTH)).match
    subscriber = Subscriber(frozenset())
    await audiences.enter(match.id, subscriber, 0)
    await theirs.drop(match.id, Side.FIRST, 3, 0)
    store.events_after = None  # nobody need read
    told = []
    ours.subscribe(lambda news: told.append((news.seq, news.match and news.match.moves, news.is_own)))
    for _ in range(2):
        feed.publish(News(match.id, 1, store.events[match.id][0]))
    assert list(subscriber.queue) == ["1"]
    assert told == [(1, (3,), False), (1, None, False)]


async def test_an_own_event_whose_news_arrive_first_is_published_once_as_own():
    """PostgreSQL tells the listening connection before the writer has heard of its own commit."""
    store, feed = MemoryStore(), RemoteFeed()
    service = MatchService(store, feed)
    match = (await service.create(PEOPLE, mine=BOTH)).match
    append, told = store.append, []

    async def append_and_tell(change):
        await append(change)
        feed.publish(News(match.id, change.after.seq, change.recorded))

    store.append = append_and_tell
    service.subscribe(lambda news: told.append((news.seq, news.is_own)))
    await service.drop(match.id, Side.FIRST, 3, 0)
    assert told == [(1, True)]


async def test_an_event_read_from_the_store_is_published():
    """Whoever reads it first: those who are connected hear of it then, and not once more with the news."""
    store, feed = MemoryStore(), RemoteFeed()
    store.is_shared = True
    theirs, ours = MatchService(store, LocalFeed()), MatchService(store, feed)
    match = (await theirs.create(PEOPLE, mine=BOTH)).match
    await ours.get(match.id)
    told = []
    ours.subscribe(lambda news: told.append((news.seq, news.event and news.event.column)))
    await theirs.drop(match.id, Side.FIRST, 3, 0)
    await ours.get(match.id)
    assert told == [(1, 3)]


async def test_a_rematch_that_conflicts_creates_no_match():
    """Two processes begin it at the same moment: one new match, known to both."""
    store = MemoryStore()
    ours, theirs = MatchService(store, LocalFeed()), MatchService(store, LocalFeed())
    match = (await ours.create(PEOPLE, mine=BOTH)).match
    await ours.resign(match.id, BOTH)
    await theirs.get(match.id)
    first, second = await asyncio.gather(ours.rematch(match.id, BOTH), theirs.rematch(match.id, BOTH))
    assert first.match.next_match == second.match.next_match
    assert set(store.matches) == {match.id, first.match.next_match}
    assert (await ours.get(first.match.next_match)).setup.previous == match.id


async def test_a_rematch_whose_commit_answer_was_lost_is_published_once():
    """So that a computer which begins it is asked."""
    service = MatchService(ReplyLost(), LocalFeed())
    match = (await service.create(PEOPLE, mine=BOTH)).match
    await service.resign(match.id, BOTH)
    told = []
    service.subscribe(lambda news: told.append((news.name, news.seq)))
    made = (await service.rematch(match.id, BOTH)).match
    assert told == [(made.next_match, 0), (match.id, made.seq)]


async def test_a_key_belongs_to_one_drop():
    """The same drop again is answered again; another column or another ply is another drop."""
    service = MatchService(MemoryStore(), LocalFeed())
    match = (await service.create(PEOPLE, mine=BOTH)).match
    receipt = await service.drop(match.id, Side.FIRST, 3, 0, key="k")
    await service.drop(match.id, Side.SECOND, 3, 1)
    assert (await service.drop(match.id, Side.FIRST, 3, 0, key="k")).seq == receipt.seq
    for column, ply in ((2, 0), (3, 2)):
        with pytest.raises(KeyReused):
            await service.drop(match.id, Side.FIRST, column, ply, key="k")
    assert (await service.get(match.id)).moves == (3, 3)


async def test_the_same_join_twice_at_once_takes_one_seat():
    """Both seats are free: whoever brings a secret gets one of them, however often and however fast it asks."""
    service = MatchService(MemoryStore(), LocalFeed())
    made = await service.create(PEOPLE)
    entries = await asyncio.gather(*(service.join(made.match.id, made.invitation, "Bob", "s" * 32) for _ in range(5)))
    assert {entry.sides for entry in entries} == {frozenset({Side.FIRST})}
    assert (await service.get(made.match.id)).is_waiting


def assert_growing_delays(rests: list[float], count: int) -> None:
    """So many rests, each at random from a range that grows."""
    assert len(rests) == count
    assert all(0.1 <= rest <= min(5.0, 0.2 * 2**n) for n, rest in enumerate(rests))


class DrivenMatches:
    """A service whose computer player thinks like this; it never rests, and its timers ring when told to."""

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
        """A timer that is cancelled may still ring here; that must be harmless."""

    def ring(self):
        self.now, call, arguments = self.timers.pop()
        call(*arguments)

    async def begin(self, setup=COMPUTER):
        """A match in which the person has dropped."""
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
    """Taken back and played differently while it thinks: the thought is stopped and a new one begins."""
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
    """A crash is not the player's fault at first; after three the match must not hang."""
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
    """A little longer each time."""
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
    """What is not created the store refuses, with these in turn; then it works again."""
    append = store.append

    async def refusing(change):
        if refusals:
            raise refusals.pop(0)
        await append(change)

    store.append = refusing


async def test_a_computer_players_drop_is_retried_until_stored():
    """Nobody else would wake it. It does not think again, and whoever comes to look meanwhile starts no second one."""
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
    """A little longer each time: a full disk refuses at once."""
    driven = DrivenMatches()
    clocked = Setup(Position.start(), Seat("Ann"), Seat("Bob"), control=TimeControl(60))
    match = (await driven.service.create(clocked, mine=BOTH)).match
    refuse(driven.service.store, [NotStored() for _ in range(7)])
    driven.ring()
    driven.driver._on_deadline(match.id)  # another one who finds that it is over changes nothing
    match = await driven.until(match.id, lambda match: match.result)
    assert match.result.reason == EndReason.TIME
    assert_growing_delays(driven.rests, 7)
    await driven.driver.close()


async def test_a_clock_runs_out_by_itself():
    driven = DrivenMatches()
    clocked = Setup(Position.start(), Seat("Ann"), Seat("Bob"), control=TimeControl(60))
    match = (await driven.service.create(clocked, mine=BOTH)).match
    driven.ring()
    match = await driven.until(match.id, lambda match: match.result)
    assert (match.result.winner, match.result.reason) == (Side.SECOND, EndReason.TIME)
    assert 60 <= driven.now - 1000 < 61
    await driven.driver.close()


async def test_a_drop_before_the_deadline_counts_even_if_stored_later():
    """It came a tenth of a second before the flag, and what was stored before it took a second."""
    driven = DrivenMatches()
    clocked = Setup(Position.start(), Seat("Ann"), Seat("Bob"), control=TimeControl(60))
    match = (await driven.service.create(clocked, mine=BOTH)).match
    async with (await driven.service.live.find(match.id)).lock:
        driven.now += 59.9
        drop = asyncio.ensure_future(driven.service.drop(match.id, Side.FIRST, 3, 0))
        await asyncio.sleep(0)
        driven.now += 1
        flag = asyncio.ensure_future(driven.service.call_time(match.id))
        await asyncio.sleep(0)
    assert (await drop).match.left(Side.FIRST, driven.now) == pytest.approx(0.1)
    with pytest.raises(MatchStillOpen):
        await flag
    driven.now += 60
    with pytest.raises(MatchOver):
        await driven.service.drop(match.id, Side.SECOND, 3, 1)
    assert (await driven.service.get(match.id)).result.reason is EndReason.TIME
    await driven.driver.close()


async def test_waiting_for_a_worker_is_not_charged_to_the_clock():
    """The computer thought for two of the ninety seconds: these its clock is charged, and it cannot lose by waiting."""

    async def think(match, player):
        driven.now += 90
        assert match.deadline is None
        return Move(0, took=2.0)

    driven = DrivenMatches(think)
    setup = Setup(Position.start(), Seat("Ann"), Seat("C", player="random"), control=TimeControl(60))
    match = await driven.until(await driven.begin(setup), lambda match: match.ply == 2)
    assert (match.left(Side.FIRST, driven.now), match.left(Side.SECOND, driven.now)) == (60, 58)
    assert match.result is None
    await driven.driver.close()


@pytest.mark.parametrize(("says", "charged"), [(None, 10.0), (9.8, 9.8), (2.0, 9.5), (0.0, 9.5), (99.0, 10.0)])
async def test_network_delay_is_credited_up_to_a_limit(says, charged):
    """A person's page says how long it had the turn; at most half a second is believed."""
    driven = DrivenMatches()
    clocked = Setup(Position.start(), Seat("Ann"), Seat("Bob"), control=TimeControl(60))
    match = (await driven.service.create(clocked, mine=BOTH)).match
    driven.now += 10
    receipt = await driven.service.drop(match.id, Side.FIRST, 3, 0, took=says)
    assert receipt.match.left(Side.FIRST, driven.now) == pytest.approx(60 - charged)
    await driven.driver.close()
