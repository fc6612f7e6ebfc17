"""Tests the guarantees of every match store, on both databases."""

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from sqlalchemy import MetaData, insert, select
from sqlalchemy.exc import IntegrityError

from connectk.play.events import Dropped, Ended, Joined, RematchMade, Swapped, TakenBack
from connectk.play.match import Match, MatchSetup, Seat, TimeControl
from connectk.play.protocols import Change, NewMatch, RecordedEvent, StoreConflict
from connectk.rules import EndReason, Position, Result, Side, Variant
from connectk.storage.database import migrate_database, open_database
from connectk.storage.store import SqlMatchStore
from connectk.storage.tables import drops, events, matches

pytestmark = pytest.mark.anyio
SETUP = MatchSetup(
    start=Position.from_columns([[Side.FIRST], [Side.SECOND]], Variant(5, 4, 3)),
    first=Seat("Ann", holder="a" * 64),
    second=Seat("level:3", player="level:3"),
    public=True,
    control=TimeControl(60, 1),
    invitation="b" * 64,
    swap=True,
)


@pytest.fixture
async def store(database: str) -> AsyncIterator[SqlMatchStore]:
    store = SqlMatchStore(open_database(database))
    yield store
    await store.close()


def opened(match: Match) -> NewMatch:
    """A stored match with one drop."""
    event = Dropped(Side.FIRST, 2, 1000.0)
    return NewMatch(match, (RecordedEvent(event),), match.after(event))


def new_match(name: str = "1", setup: MatchSetup = SETUP) -> Match:
    return Match.new(name * (32 // len(name)), setup, 1000.0)


async def append(store: SqlMatchStore, match: Match, event, key=None) -> Match:
    after = match.after(event)
    await store.append(Change(match, after, RecordedEvent(event, key)))
    return after


async def test_a_match_comes_back_as_it_was(store):
    """A stored match is read with its set-up, clock, events, keys, and the number of the last event."""

    made = match = new_match()
    await store.create(opened(made))
    match = match.after(Dropped(Side.FIRST, 2, 1000.0))
    match = await append(store, match, Swapped(Side.SECOND, 1001.0))
    match = await append(store, match, Dropped(Side.SECOND, 2, 1001.5, {"score": 0.5, "line": [1]}), "key")
    match = await append(store, match, TakenBack(3, 1002.0))
    match = await append(store, match, Ended(Result(None, EndReason.AGREED), 1003.0))
    match = await append(store, match, RematchMade("f" * 32, 1004.0))

    loaded, recorded = await store.load(made.id)

    assert loaded == made
    for item in recorded:
        loaded = loaded.after(item.event)
    assert loaded == match
    assert [item.key for item in recorded] == [None, None, "key", None, None, None]
    assert await store.events_after(made.id, 3) == recorded[3:]
    assert await store.load("0" * 32) is None


async def test_two_events_cannot_have_one_number(store):
    """If two processes store the same event number, one gets a conflict, and the stored event stays."""

    match = new_match()
    await store.create(NewMatch(match, (), match))
    await append(store, match, Dropped(Side.FIRST, 1, 1.0))
    with pytest.raises(StoreConflict):
        await append(store, match, Dropped(Side.FIRST, 2, 2.0))
    [recorded] = await store.events_after(match.id, 0)
    assert recorded.event.column == 1


async def test_a_conflict_does_not_touch_those_who_are_written_with_it(store):
    """If one of many changes in a transaction has a taken event number, only that change is refused."""

    made = [new_match(f"{n:x}") for n in range(16)]
    await asyncio.gather(*(store.create(NewMatch(match, (), match)) for match in made))
    await append(store, made[7], Dropped(Side.FIRST, 1, 1.0))
    event = Dropped(Side.FIRST, 2, 2.0)
    answers = await asyncio.gather(*(append(store, m, event) for m in made), return_exceptions=True)
    assert [isinstance(answer, StoreConflict) for answer in answers] == [n == 7 for n in range(16)]


async def test_drops_that_are_written_together_are_stored_all_or_none(store):
    """Drops written by one statement are stored all or not at all, because even in autocommit mode it is a
    transaction."""

    made = [new_match(f"{n:x}") for n in range(4)]
    await asyncio.gather(*(store.create(NewMatch(match, (), match)) for match in made))
    await append(store, made[2], Dropped(Side.FIRST, 1, 1.0))
    event = Dropped(Side.FIRST, 2, 2.0)
    with pytest.raises(IntegrityError):
        store._commit([Change(match, match.after(event), RecordedEvent(event)) for match in made])
    assert [len(await store.events_after(match.id, 0)) for match in made] == [0, 0, 1, 0]
    with store.database.connect() as connection:
        assert connection.execute(select(drops.c.match)).scalars().all() == [made[2].id]


@pytest.mark.parametrize("count", [1, 3, 300])
async def test_every_row_of_one_transaction_is_stored(store, count):
    """Rows are written in batches, and for any number of rows each match gets its own event, disc and state."""

    made = [Match.new(f"{n:032x}", SETUP, 1000.0) for n in range(count)]
    await asyncio.gather(*(store.create(NewMatch(match, (), match)) for match in made))
    changes = []
    for n, match in enumerate(made):
        event = Dropped(Side.FIRST, n % 5, 1000.0 + n / 3)
        changes.append(Change(match, match.after(event), RecordedEvent(event, f"key {n}")))
    store._commit(changes)
    with store.database.connect() as connection:
        placed = connection.execute(select(drops.c.match, drops.c.ply, drops.c.column)).all()
        state = connection.execute(select(matches.c.id, matches.c.changed, matches.c.deadline)).all()
    assert sorted(tuple(row) for row in placed) == [(match.id, 2, n % 5) for n, match in enumerate(made)]
    assert sorted(tuple(row) for row in state) == [(c.after.id, c.recorded.event.at, c.after.deadline) for c in changes]
    assert [await store.events_after(match.id, 0) for match in made] == [[change.recorded] for change in changes]


async def test_one_key_makes_one_event(store):
    match = new_match()
    await store.create(NewMatch(match, (), match))
    match = await append(store, match, Dropped(Side.FIRST, 1, 1.0), "same")
    with pytest.raises(StoreConflict):
        await append(store, match, Dropped(Side.SECOND, 2, 2.0), "same")


async def test_two_drops_for_one_ply_cannot_both_exist(store):
    """The database refuses a second drop for a ply from any writer, because the key of a drop is (match, ply)."""

    match = new_match()
    await store.create(NewMatch(match, (), match))
    await append(store, match, Dropped(Side.FIRST, 1, 1.0))
    row = {"match": match.id, "ply": 2, "column": 3, "at": 2.0}
    with pytest.raises(IntegrityError), store.database.begin() as connection:
        connection.execute(insert(drops), row)
    assert [column.name for column in drops.primary_key] == ["match", "ply"]


async def test_drops_are_the_discs_on_the_board(store):
    """The stored drops are the discs on the board, after take-backs too. The events keep the whole history."""

    match = new_match()
    await store.create(NewMatch(match, (), match))
    for column in (0, 1, 2):
        match = await append(store, match, Dropped(match.position.side_to_move, column, 1.0))
    match = await append(store, match, TakenBack(3, 2.0))
    match = await append(store, match, Dropped(match.position.side_to_move, 4, 3.0))
    with store.database.connect() as connection:
        found = connection.execute(select(drops.c.ply, drops.c.column).order_by(drops.c.ply)).all()
        assert [tuple(row) for row in found] == [(2, 0), (3, 4)]
        assert len(connection.execute(select(events)).all()) == 5


async def test_lists_hold_open_matches_the_liveliest_first(store):
    quiet = MatchSetup(SETUP.start, SETUP.first, Seat("Bob"), public=False)
    first, second, private = new_match("1"), new_match("2"), new_match("3", quiet)
    for match in (first, second, private):
        await store.create(NewMatch(match, (), match))
    await append(store, first, Dropped(Side.FIRST, 1, 2000.0))
    assert await store.public_matches(10) == [first.id, second.id]
    assert set(await store.open_matches(0, 9999, 10)) == {first.id, second.id}
    assert await store.open_matches(1500, 9999, 10) == [first.id]
    await append(store, second, Ended(Result(None, EndReason.AGREED), 1.0))
    await append(store, private, Joined(Side.SECOND, "Bob", "c" * 64, 1.0))
    assert await store.public_matches(10) == [first.id]
    assert await store.is_ready()


async def test_a_match_whose_time_is_up_is_found(store):
    """The store finds a match whose deadline has passed. There is no deadline before the first drop and after the
    end."""

    match = new_match(setup=replace(SETUP, second=Seat("Bob", holder="c" * 64)))
    await store.create(NewMatch(match, (), match))
    assert await store.overdue_matches(9999.0, 10) == []
    match = await append(store, match, Dropped(Side.FIRST, 3, 1050.0))
    assert await store.overdue_matches(1110.0, 10) == []
    assert await store.overdue_matches(1110.5, 10) == [match.id]
    await append(store, match, Ended(Result(Side.FIRST, EndReason.TIME), 1111.0))
    assert await store.overdue_matches(9999.0, 10) == []


async def test_old_matches_are_purged_with_all_that_happened_to_them(store):
    """Old matches are purged with all their data, a few at a time. Matches that changed later stay complete."""

    old = [new_match(f"{n:x}") for n in range(5)]
    lively = new_match("f")
    for match in (*old, lively):
        await store.create(opened(match))
    after = lively.after(Dropped(Side.FIRST, 2, 1000.0))
    await append(store, after, Dropped(Side.SECOND, 3, 5000.0))

    assert len(await store.purge(2000.0, 3)) == 3
    assert len(await store.purge(2000.0, 3)) == 2
    assert await store.purge(2000.0, 3) == []

    assert [await store.load(match.id) for match in old] == [None] * 5
    assert len((await store.load(lively.id))[1]) == 2
    with store.database.connect() as connection:
        assert len(connection.execute(select(events)).all()) == len(connection.execute(select(drops)).all()) == 2
    with pytest.raises(StoreConflict):
        await append(store, old[0], Dropped(Side.FIRST, 1, 6000.0))


async def test_migrating_again_changes_nothing(store, database):
    """Migrating a current database again leaves its tables and rows as they are."""
    await store.create(opened(new_match()))
    before = contents_of(database)
    engine = open_database(database)
    migrate_database(engine)
    engine.dispose()
    assert contents_of(database) == before
    assert len(before["matches"][1]) == len(before["events"][1]) == 1


def contents_of(database: str) -> dict[str, tuple[list[str], list[tuple[object, ...]]]]:
    """Every table with its rows and the types of its columns."""
    engine = open_database(database)
    with engine.connect() as connection:
        tables = MetaData()
        tables.reflect(connection)
        found = {
            name: (
                [f"{column.name} {column.type}" for column in table.columns],
                sorted(map(tuple, connection.execute(select(table))), key=str),
            )
            for name, table in tables.tables.items()
        }
    engine.dispose()
    return found


def test_sqlite_commits_are_synced(tmp_path):
    """SQLite uses WAL and the synchronous mode FULL (2), so that commits are on the disk."""
    opened = open_database(f"sqlite:///{tmp_path}/m.db")
    with opened.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
    opened.dispose()


async def test_a_match_that_begins_with_many_moves_is_whole_or_hidden(store, monkeypatch):
    """A match with many opening moves is stored in several transactions. Others write between them, and the match stays
    hidden until the last."""
    monkeypatch.setattr("connectk.storage.store.MOVES_BATCH_SIZE", 3)
    setup = replace(SETUP, start=Position.start(Variant(8, 8, 8)), second=Seat("Bob", holder="c" * 64))
    made = new_match(setup=setup)
    moves = [Dropped(Side(n % 2), n % 8, 1000.0) for n in range(10)]
    seen = []
    submit = store._writer.submit

    async def looking(order, work):
        await submit(order, work)
        seen.append(await store.public_matches(10))

    monkeypatch.setattr(store._writer, "submit", looking)
    await store.create(NewMatch(made, [RecordedEvent(drop) for drop in moves], made.after_all(moves)))

    assert seen == [[], [], [], [made.id]]
    loaded, recorded = await store.load(made.id)
    assert (loaded, [item.event for item in recorded]) == (made, moves)
    with store.database.connect() as connection:
        found = connection.execute(select(drops.c.ply, drops.c.column).order_by(drops.c.ply)).all()
    assert [tuple(row) for row in found] == [(n, n % 8) for n in range(10)]
