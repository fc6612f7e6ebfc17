"""Tests the counts of the opening explorer on both databases."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from functools import partial

import pytest
from sqlalchemy import select

from connectk import Position
from connectk.play.events import Dropped, Ended
from connectk.play.match import Match, MatchSetup, Seat
from connectk.play.opening_drops import MAX_EXPLORED_DISCS, opening_drops
from connectk.rules import CLASSIC, EndReason, Result, Side, Variant
from connectk.server.openings import OpeningCounter
from connectk.storage.openings import counted_matches
from connectk.storage.store import delete_old
from tests.storage.conftest import database, postgres  # noqa: F401
from tests.strangers.test_stored_strangers import NOW, Stores, paired, play

pytestmark = pytest.mark.anyio
PERSON, LEVEL = Seat("Ann", holder="ann"), Seat("", player="level:3")


def match_of(moves: str, second: Seat = LEVEL, given: int = 0, **setup: object) -> Match:
    """A match with these moves, won by the first player."""
    facts = MatchSetup(Position.start(CLASSIC), PERSON, second, **setup)  # type: ignore[arg-type]
    match = Match.new(uuid.uuid4().hex, facts, 0.0)
    for number, letter in enumerate(moves):
        at = float(max(0, number + 1 - given))
        match = match.after(Dropped(match.turn, int(letter) - 1, at))
    return match.after(Ended(Result(Side.FIRST, EndReason.RESIGNED), 50.0))


def drops_of(match: Match) -> list[tuple[str, int, bool, float]]:
    return [tuple(drop) for drop in opening_drops(match)]  # type: ignore[misc]


async def test_each_drop_counts_for_whoever_made_it():
    assert drops_of(match_of("12")) == [("7x6x4 ", 0, False, 1.0), ("7x6x4 1x", 1, True, 0.0)]


async def test_mirror_images_are_one_board():
    """Mirror images count as one board. The empty board is its own mirror image, so its columns keep their numbers."""
    (_, left), (_, right) = drops_of(match_of("12")), drops_of(match_of("76"))
    assert left == right
    assert drops_of(match_of("7"))[0][1] == 6


async def test_moves_that_nobody_chose_do_not_count():
    assert len(drops_of(match_of("4455", given=3))) == 1
    assert drops_of(match_of("4", swap=True)) == []  # placed for either side
    assert len(drops_of(match_of("44", swap=True))) == 1


async def test_an_open_match_and_late_drops_do_not_count():
    open_match = Match.new("0" * 32, MatchSetup(Position.start(CLASSIC), PERSON, LEVEL), 0.0)
    assert opening_drops(open_match.after(Dropped(Side.FIRST, 3, 1.0))) == []
    assert len(drops_of(match_of("111111222222333333"))) == MAX_EXPLORED_DISCS


@pytest.fixture
async def stores(database: str) -> AsyncIterator[Stores]:  # noqa: F811
    made = Stores(database)
    yield made
    await made.close()


async def test_a_match_counts_once_whoever_counts_it(stores):
    """If two servers count the same match at the same time, and later once more, it counts once."""
    for winner in (Side.FIRST, Side.SECOND, None):
        await play(stores, await paired(stores), winner, drops=3)
    counters = [OpeningCounter(store) for store in {stores.matches, stores.other_matches}]
    for _ in range(2):
        await asyncio.gather(*(counter.count_some() for counter in counters))
    start = await counters[0].explore(Position.from_moves("4"))
    everyone = {"wins": 1, "draws": 1, "losses": 1}
    nobody = {"wins": 0, "draws": 0, "losses": 0}
    assert start == {"columns": [{"column": 3, "people": everyone, "computers": nobody}]}
    assert (await counters[0].explore(Position.from_moves("44")))["columns"][0]["people"] == everyone
    assert (await counters[0].explore(Position.from_moves("444")))["columns"] == []
    assert (await counters[0].explore(Position.start(Variant(6, 5, 4))))["columns"] == []


async def test_an_open_match_is_not_counted_until_it_is_over(stores):
    match = await paired(stores)
    counter = OpeningCounter(stores.matches)
    await counter.count_some()
    assert (await counter.explore(Position.from_moves("4")))["columns"] == []
    await play(stores, match)
    await counter.count_some()
    assert (await counter.explore(Position.from_moves("4")))["columns"][0]["people"]["losses"] == 1


async def test_old_counts_are_deleted_with_old_matches(stores):
    await play(stores, await paired(stores))
    counter = OpeningCounter(stores.matches)
    await counter.count_some()
    await stores.matches.transact(partial(delete_old, before=NOW * 2, limit=10))
    assert (await counter.explore(Position.from_moves("4")))["columns"] == []
    with stores.matches.database.connect() as connection:
        assert connection.execute(select(counted_matches)).all() == []
