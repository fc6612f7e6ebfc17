"""Tests the guarantees of the store of profiles, seeks and encounters, on both databases."""

import asyncio
import uuid
from collections.abc import AsyncIterator
from dataclasses import replace

import pytest
from sqlalchemy import select

from connectk.glicko import Glicko
from connectk.play.events import Dropped, Ended
from connectk.play.match import Match, MatchSetup, Seat, TimeControl
from connectk.play.protocols import Change, NewMatch, RecordedEvent
from connectk.play.ruling import next_game
from connectk.play.service import _change_of
from connectk.rules import CLASSIC, EndReason, Position, Result, Side
from connectk.storage.database import open_database
from connectk.storage.profiles import MAX_DEVICES
from connectk.storage.store import SqlMatchStore
from connectk.storage.stranger_tables import devices, profiles
from connectk.storage.strangers import SqlStrangerStore
from connectk.strangers.profile import Profile
from connectk.strangers.rating import MAX_PAIR_GAMES_PER_DAY, rating_ceiling
from connectk.strangers.refusals import ProfileNameTaken, WrongTransferCode
from connectk.strangers.seek import Seek, SeekPair
from tests.storage.conftest import database, postgres  # noqa: F401
from tests.strangers.test_pairing import ANN, named

pytestmark = pytest.mark.anyio
NOW = 1000.0


class Stores:
    """The stores of two servers on one database. On SQLite, which has a single server, both are the same store."""

    def __init__(self, url: str) -> None:
        self.matches = SqlMatchStore(open_database(url))
        self.other_matches = SqlMatchStore(open_database(url)) if self.matches.is_shared else self.matches
        self.one, self.other = SqlStrangerStore(self.matches), SqlStrangerStore(self.other_matches)

    async def close(self) -> None:
        for store in {self.matches, self.other_matches}:
            await store.close()


@pytest.fixture
async def stores(database: str) -> AsyncIterator[Stores]:  # noqa: F811
    made = Stores(database)
    yield made
    await made.close()


async def new_profile(stores: Stores, profile_id: str, name: str = "") -> Profile:
    return await stores.one.create_profile(Profile(profile_id, name, created=NOW), f"secret-{profile_id}")


def new_match(first: Seek = ANN, second: Seek | None = None) -> NewMatch:
    other = second or named("2")
    seats = Seat("Ann", holder=first.holder), Seat("Bob", holder=other.holder)
    setup = MatchSetup(Position.start(CLASSIC), *seats, control=TimeControl(180), strangers=True, public=True)
    match = Match.new(uuid.uuid4().hex, setup, NOW)
    return NewMatch(match, (), match)


async def paired(stores: Stores, rated: bool = True, best_of: int = 1) -> Match:
    """A match made from new seeks of Ann and Bob."""
    one, other = (named(uuid.uuid4().hex, profile=who, holder=uuid.uuid4().hex) for who in ("ann", "bob"))
    for seek in (one, other):
        await stores.one.add_seek(seek)
    made = new_match(one, other)
    assert await stores.one.start_pair(SeekPair(one, other, rated, best_of), made)
    return made.match


async def play(stores: Stores, match: Match, winner: Side | None = Side.FIRST, drops: int = 2) -> Match:
    """Play some drops and end the match."""
    for number in range(drops):
        event = Dropped(match.position.side_to_move, 3, NOW + number)
        await stores.matches.append(Change(match, match.after(event), RecordedEvent(event)))
        match = match.after(event)
    event = Ended(Result(winner, EndReason.RESIGNED if winner else EndReason.AGREED), NOW + drops)
    await stores.matches.append(Change(match, match.after(event), RecordedEvent(event)))
    return match.after(event)


async def test_a_profile_is_found_by_its_secret_alone(stores):
    """A profile is found by the hash of its secret. A repeated request makes no second profile."""
    ann = await new_profile(stores, "ann", "Ann")
    assert await stores.one.find_profile("secret-ann") == ann
    assert await stores.one.find_profile("secret-bob") is None
    again = await stores.one.create_profile(Profile("other", "Other"), "secret-ann")
    assert again.id == "ann"


async def test_a_name_belongs_to_one_profile(stores):
    """Names that differ only in case, width or spaces count as one name, which belongs to one profile. Guests have no
    name."""
    await new_profile(stores, "ann", "Ann")
    with pytest.raises(ProfileNameTaken):
        await new_profile(stores, "eve", "ＡＮＮ ")
    await new_profile(stores, "g1")
    await new_profile(stores, "g2")
    with pytest.raises(ProfileNameTaken):
        await stores.one.rename("g1", "a nn")
    await stores.one.rename("ann", "ANN")
    await stores.one.rename("ann", "")
    await stores.one.rename("g1", "Ann")


async def test_a_transfer_code_works_once_and_for_a_while(stores):
    await new_profile(stores, "ann", "Ann")
    await stores.one.add_transfer("ann", "code", NOW, NOW + 600)
    with pytest.raises(WrongTransferCode):
        await stores.one.claim_transfer("other", "phone", NOW)
    assert (await stores.one.claim_transfer("code", "phone", NOW + 1)).id == "ann"
    with pytest.raises(WrongTransferCode):
        await stores.one.claim_transfer("code", "thief", NOW + 2)
    assert [(await stores.one.find_profile(secret)).id for secret in ("phone", "secret-ann")] == ["ann", "ann"]
    await stores.one.add_transfer("ann", "late", NOW, NOW + 600)
    with pytest.raises(WrongTransferCode):
        await stores.one.claim_transfer("late", "thief", NOW + 601)


async def test_of_two_devices_with_one_code_one_gets_the_profile(stores):
    await new_profile(stores, "ann")
    await stores.one.add_transfer("ann", "code", NOW, NOW + 600)
    claims = [stores.one.claim_transfer("code", "phone", NOW), stores.other.claim_transfer("code", "tablet", NOW)]
    answers = await asyncio.gather(*claims, return_exceptions=True)
    assert sorted(type(answer).__name__ for answer in answers) == ["Profile", "WrongTransferCode"]


async def test_a_profile_has_a_few_devices(stores):
    await new_profile(stores, "ann")
    for number in range(MAX_DEVICES + 3):
        await stores.one.add_transfer("ann", f"code{number}", NOW, NOW + 600)
        await stores.one.claim_transfer(f"code{number}", f"device{number}", NOW + number)
    with stores.matches.database.connect() as connection:
        assert len(connection.execute(select(devices)).all()) == MAX_DEVICES
    assert await stores.one.find_profile("secret-ann") is None


async def test_a_deleted_profile_leaves_nothing_of_its_own(stores):
    await new_profile(stores, "ann", "Ann")
    await new_profile(stores, "bob")
    match = await play(stores, await paired(stores))
    await stores.one.remove_profile("ann")
    assert await stores.one.find_profile("secret-ann") is None
    settled = await stores.one.settle(match, NOW)
    assert settled.after is None  # nobody is left to be rated against
    assert (await stores.one.encounter(match.id)).profiles[0] is None


async def test_unused_profiles_are_deleted_and_used_ones_stay(stores):
    await new_profile(stores, "ann", "Ann")
    await new_profile(stores, "bob")
    await new_profile(stores, "idle")
    await new_profile(stores, "cid", "Cid")
    await paired(stores)
    for before, left in ((NOW, {"ann", "bob", "idle", "cid"}), (NOW + 1, {"ann", "bob"})):
        await stores.one.remove_unused(before, 100)
        with stores.matches.database.connect() as connection:
            assert set(connection.execute(select(profiles.c.id)).scalars()) == left


async def test_a_name_that_is_not_used_becomes_free_and_the_rating_stays(stores):
    await new_profile(stores, "ann", "Ann")
    await new_profile(stores, "bob", "Bob")
    await stores.one.settle(await play(stores, await paired(stores)), NOW)
    rated = await stores.one.find_profile("secret-ann")
    await stores.one.note_seen("bob", NOW + 4000)
    assert await stores.one.free_names(NOW + 4000, 100) == 1
    assert await stores.one.find_profile("secret-ann") == replace(rated, name="")
    assert (await new_profile(stores, "cid", "ann")).name == "ann"
    with pytest.raises(ProfileNameTaken):
        await new_profile(stores, "dan", "Bob")


async def test_a_rating_rises_above_the_ceiling_only_with_more_opponents(stores):
    """New profiles at one address count as one opponent, however many there are and however often they lose."""
    await new_profile(stores, "ann")

    async def win_against(puppet: str, address: str, now: float) -> Profile:
        await new_profile(stores, puppet)
        one, other = (
            named(uuid.uuid4().hex, profile=who, holder=uuid.uuid4().hex, address=place)
            for who, place in (("ann", "192.0.2.1"), (puppet, address))
        )
        for seek in (one, other):
            await stores.one.add_seek(seek)
        made = new_match(one, other)
        assert await stores.one.start_pair(SeekPair(one, other, rated=True, best_of=1), made)
        settled = await stores.one.settle(await play(stores, made.match), now)
        assert settled
        assert settled.after
        return await stores.one.find_profile("secret-ann")

    for day in range(10):
        ann = await win_against(f"puppet{day}", "192.0.2.2", NOW + day * 86_401)
    assert (ann.glicko.rating, ann.opponents) == (rating_ceiling(1), 1)
    for puppet in ("carl", "dora"):
        ann = await win_against(puppet, "192.0.2.3", NOW + 10 * 86_401)
    assert (ann.glicko.rating, ann.opponents) == (rating_ceiling(2), 2)
    await stores.one.forget_places(NOW + 40 * 86_400)
    ann = await win_against("emil", "192.0.2.4", NOW + 40 * 86_400)
    assert (ann.glicko.rating, ann.opponents) == (rating_ceiling(2), 2)  # the others are too long ago


async def test_one_of_many_servers_makes_the_match_of_two_seeks(stores):
    """If two servers try at once to pair three seeks with each other, exactly one match is made."""
    for who in ("ann", "bob", "cid"):
        await new_profile(stores, who)
    seeks = [named(who, profile=who, holder=who) for who in ("ann", "bob", "cid")]
    for seek in seeks:
        await stores.one.add_seek(seek)
    ann, bob, cid = seeks
    tries = [SeekPair(*two, True, 1) for two in ((ann, bob), (bob, cid), (cid, ann), (ann, bob))]
    made = [new_match(pair.first, pair.second) for pair in tries]
    started = await asyncio.gather(
        *(
            (stores.one, stores.other)[number % 2].start_pair(pair, match)
            for number, (pair, match) in enumerate(zip(tries, made, strict=True))
        )
    )
    assert sum(started) == 1
    winner = made[started.index(True)].match.id
    found = await stores.other.matches_of_seeks(["ann", "bob", "cid"])
    assert sorted(found.values(), key=str) == sorted([None, winner, winner], key=str)
    assert [match.match.id for match in made if await stores.matches.load(match.match.id)] == [winner]


async def test_a_profile_has_one_open_seek(stores):
    """A profile has one open seek: a later seek replaces it, and a repeated one counts once."""
    await new_profile(stores, "ann")
    first, second = named("1", profile="ann", holder="h1"), named("2", profile="ann", holder="h2")
    await stores.one.add_seek(first)
    assert (await stores.one.add_seek(first)).seek.id == "1"
    await stores.one.add_seek(second)
    assert [seek.id for seek in await stores.other.open_seeks(0.0)] == ["2"]
    await stores.one.keep_seeks(["2"], NOW + 50, 0.0)
    assert await stores.one.open_seeks(NOW + 51) == []  # nobody waits any more
    await stores.one.keep_seeks([], NOW, NOW + 51)
    assert await stores.one.find_seek("2") is None


async def test_a_seek_says_whom_its_owner_does_not_want_to_meet(stores):
    await new_profile(stores, "ann", "Ann")
    await stores.one.set_muted("ann", "bob", True)
    await stores.one.set_muted("ann", "bob", True)
    await stores.one.add_seek(named("1", profile="ann"))
    assert [(seek.name, seek.muted) for seek in await stores.one.open_seeks(0.0)] == [("Ann", frozenset({"bob"}))]
    assert await stores.one.is_muted("ann", "bob")
    assert not await stores.one.is_muted("bob", "ann")
    await stores.one.set_muted("ann", "bob", False)
    assert not await stores.one.is_muted("ann", "bob")


async def test_a_result_is_entered_once_however_often_it_is_tried(stores):
    """If two servers settle the same match several times at once, the ratings change once."""
    await new_profile(stores, "ann")
    await new_profile(stores, "bob")
    match = await play(stores, await paired(stores))
    assert await stores.one.unsettled(10) == [match.id]
    answers = await asyncio.gather(*(store.settle(match, NOW) for store in (stores.one, stores.other) * 3))
    assert sum(answer is not None for answer in answers) == 1
    assert await stores.one.unsettled(10) == []
    players = await stores.one.encounter(match.id)
    ann, bob = players.profiles
    assert (ann.wins, bob.losses, ann.games, bob.games) == (1, 1, 1, 1)
    assert players.encounter.after == (ann.glicko, bob.glicko)
    assert ann.glicko.rating > 1500 > bob.glicko.rating
    assert (ann.balance, bob.balance) == (1, -1)


async def test_the_same_two_are_rated_a_few_times_a_day(stores):
    """Further games of the same two people on one day are settled without changing ratings. A day later, games count
    again."""
    await new_profile(stores, "ann")
    await new_profile(stores, "bob")
    counted = [
        (await stores.one.settle(await play(stores, await paired(stores)), NOW)).after is not None
        for _ in range(MAX_PAIR_GAMES_PER_DAY + 2)
    ]
    assert counted == [True] * MAX_PAIR_GAMES_PER_DAY + [False] * 2
    match = await play(stores, await paired(stores))
    assert (await stores.one.settle(match, NOW + 86_401)).after is not None


async def test_many_profiles_at_two_addresses_are_rated_a_few_times_a_day(stores):
    """The daily limit also applies to new profiles at the same two addresses and to rematches, but not to other
    players."""
    await new_profile(stores, "ann")

    async def game_with(puppet: str, address: str) -> bool:
        await new_profile(stores, puppet)
        one, other = (
            named(uuid.uuid4().hex, profile=who, holder=uuid.uuid4().hex, address=place)
            for who, place in (("ann", "192.0.2.1"), (puppet, address))
        )
        for seek in (one, other):
            await stores.one.add_seek(seek)
        made = new_match(one, other)
        assert await stores.one.start_pair(SeekPair(one, other, rated=True, best_of=1), made)
        over = await play(stores, made.match)
        settled = await stores.one.settle(over, NOW)
        assert settled
        return settled.after is not None

    counted = [await game_with(f"puppet{number}", "192.0.2.2") for number in range(MAX_PAIR_GAMES_PER_DAY + 2)]
    assert counted == [True] * MAX_PAIR_GAMES_PER_DAY + [False] * 2
    assert await game_with("carl", "192.0.2.3")
    await stores.one.forget_places(NOW + 3 * 86_400.0)
    assert await game_with("dora", "192.0.2.2")


async def test_a_game_that_is_not_rated_moves_nothing(stores):
    """Ratings do not change if the game is unrated, if a player never dropped a disc, or if the operator ended it."""
    await new_profile(stores, "ann")
    await new_profile(stores, "bob")
    casual = await play(stores, await paired(stores, rated=False))
    short = await play(stores, await paired(stores), drops=1)
    stopped = await play(stores, await paired(stores))
    await stores.one.make_unrated(stopped.id)
    for match in (casual, short, stopped):
        assert (await stores.one.settle(match, NOW)).after is None
    players = await stores.one.encounter(casual.id)
    assert [profile.glicko for profile in players.profiles] == [Glicko(), Glicko()]


async def test_many_results_of_the_same_people_are_entered_at_once(stores):
    """Servers that settle games of the same players at once do not block each other."""
    people = [f"p{number}" for number in range(4)]
    for who in people:
        await new_profile(stores, who)
    ended = []
    for number in range(12):
        one, other = people[number % 4], people[(number * 3 + 1) % 4]
        if one != other:
            two = [named(uuid.uuid4().hex, profile=who, holder=uuid.uuid4().hex) for who in (one, other)]
            for seek in two:
                await stores.one.add_seek(seek)
            made = new_match(*two)
            await stores.one.start_pair(SeekPair(*two, True, 1), made)
            ended.append(await play(stores, made.match))
    await asyncio.gather(*((stores.one, stores.other)[n % 2].settle(match, NOW) for n, match in enumerate(ended)))
    assert await stores.one.unsettled(100) == []


async def test_a_series_goes_on_with_sides_exchanged_until_it_is_decided(stores):
    await new_profile(stores, "ann")
    await new_profile(stores, "bob")
    match = await paired(stores, best_of=3)
    games = []
    for winner in (Side.FIRST, Side.SECOND):  # Ann both times, as the sides alternate
        over = await play(stores, match, winner)
        settled = await stores.one.settle(over, NOW)
        games.append(settled)
        change = _change_of(over, next_game(over, uuid.uuid4().hex, NOW), None)
        await stores.matches.append(change)
        match = change.rematch.match
    first, second = games
    assert (first.game, first.points_after, first.is_series_over) == (1, (1.0, 0.0), False)
    assert (second.game, second.points_after, second.is_series_over) == (2, (0.0, 2.0), True)
    assert (second.profiles, second.rated, second.best_of) == (("bob", "ann"), True, 3)
    assert await stores.one.due_games(NOW + 60, 10) == []
    third = (await stores.one.encounter(match.id)).encounter  # a rematch after the series: a new one
    assert (third.game, third.points, third.profiles) == (1, (0.0, 0.0), ("ann", "bob"))


async def test_the_next_game_of_a_series_is_due_after_a_pause(stores):
    await new_profile(stores, "ann")
    await new_profile(stores, "bob")
    match = await play(stores, await paired(stores, best_of=5))
    await stores.one.settle(match, NOW)
    assert await stores.other.due_games(NOW + 1, 10) == []
    assert await stores.other.due_games(NOW + 10, 10) == [match.id]
    await stores.one.end_series(match.id)
    assert await stores.other.due_games(NOW + 10, 10) == []


async def test_games_of_strangers_are_listed_before_others(stores):
    """Matches of strangers are listed before others, even if these had a move more recently."""
    await new_profile(stores, "ann")
    await new_profile(stores, "bob")
    match = await paired(stores)
    demo = new_match().match
    later = replace(demo, turn_began=NOW + 500, setup=replace(demo.setup, strangers=False))
    await stores.matches.create(NewMatch(later, (), later))
    assert await stores.matches.public_matches(10) == [match.id, later.id]


async def test_a_second_report_about_a_match_replaces_the_first(stores):
    await new_profile(stores, "ann")
    for reason in ("left", "programs"):
        await stores.one.add_report("ann", "bob", "m", reason, NOW)
    await stores.one.add_report("cid", "bob", "m", "left", NOW)
