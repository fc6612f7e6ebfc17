"""Tests properties of the pairing that hold for any seeks."""

from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from connectk.glicko import Glicko
from connectk.play.match import TimeControl
from connectk.strangers.seek import MAX_POOL_SEEKS, Seek, can_meet, needs_level, pair_of, pairs_of

BLITZ, RAPID = TimeControl(60), TimeControl(180, 2)
ANN = Seek(
    id="ann",
    profile="ann",
    name="Ann",
    holder="h-ann",
    device="d-ann",
    address="192.0.2.1",
    variant="7x6x4",
    control=RAPID,
    rated=True,
    public=True,
    best_of=3,
    takes_level=True,
    glicko=Glicko(1500),
    balance=0,
    created=10.0,
)


def named(name: str, **changes: object) -> Seek:
    own = {"id": name, "profile": name, "device": f"d-{name}", "address": f"192.0.2.{name}", **changes}
    return replace(ANN, **own)


people = st.integers(0, 9).map(str)
seeks = st.builds(
    lambda number, profile, device, address, variant, control, swap_discs, rating, created, listed, muted: named(
        number,
        profile=profile,
        device=device,
        address=address,
        variant=variant,
        control=control,
        swap_discs=swap_discs,
        glicko=Glicko(rating),
        created=created,
        listed=listed,
        muted=muted,
    ),
    st.uuids().map(str),
    people,
    people,
    people,
    st.sampled_from(["7x6x4", "5x4x3"]),
    st.sampled_from([BLITZ, RAPID]),
    st.sampled_from([0, 0, 1, 3]),
    st.floats(0, 3000),
    st.floats(0, 100),
    st.booleans(),
    st.frozensets(people, max_size=3),
)
lobbies = st.lists(seeks, max_size=40, unique_by=lambda seek: seek.id)


@given(lobbies)
def test_each_seek_is_paired_once_and_only_with_one_that_it_may_meet(lobby):
    paired = [seek for pair in pairs_of(lobby) for seek in (pair.first, pair.second)]
    assert len({seek.id for seek in paired}) == len(paired)
    assert all(can_meet(pair.first, pair.second) and can_meet(pair.second, pair.first) for pair in pairs_of(lobby))
    assert all(seek.listed for seek in paired)


@given(lobbies)
def test_no_two_who_may_meet_are_left_waiting(lobby):
    paired = {seek.id for pair in pairs_of(lobby) for seek in (pair.first, pair.second)}
    left = [seek for seek in lobby if seek.listed and seek.id not in paired]
    assert not [(one, other) for one in left for other in left if one is not other and can_meet(one, other)]


@given(lobbies, st.randoms())
def test_the_order_in_which_seeks_are_read_changes_nothing(lobby, chance):
    shuffled = list(lobby)
    chance.shuffle(shuffled)
    assert set(pairs_of(shuffled)) == set(pairs_of(lobby))


@given(lobbies)
def test_whoever_has_waited_longest_gets_the_closest_rating(lobby):
    """The person who has waited longest gets the opponent with the closest rating, preferably from another address."""
    first = min((s for s in lobby if s.listed), key=lambda seek: (seek.created, seek.id), default=None)
    others = [other for other in lobby if other.listed and first and other is not first and can_meet(first, other)]
    if not others:
        return
    pair = next(pair for pair in pairs_of(lobby) if first in (pair.first, pair.second))
    mate = pair.second if pair.first is first else pair.first

    def distance(other: Seek) -> tuple[bool, float]:
        return other.address == first.address, abs(other.glicko.rating - first.glicko.rating)

    away = [other for other in others if other.address != first.address and distance(other)[1] < 1000]
    if away:
        assert distance(mate)[1] <= min(distance(other)[1] for other in away)


def test_nobody_is_paired_with_themselves():
    """Two seeks are not paired if they share a profile or a device, or if one player has muted the other."""
    bob = named("2")
    assert can_meet(ANN, bob)
    assert not can_meet(ANN, replace(bob, profile="ann"))
    assert not can_meet(ANN, replace(bob, device="d-ann"))
    assert not can_meet(ANN, replace(bob, muted=frozenset({"ann"})))
    assert not can_meet(replace(ANN, muted=frozenset({"2"})), bob)
    assert not can_meet(ANN, replace(bob, control=BLITZ))


def test_a_match_is_rated_if_both_want_that_and_the_server_can_tell_them_apart():
    bob = named("2")
    assert pair_of(ANN, bob).rated
    assert not pair_of(ANN, replace(bob, rated=False)).rated
    assert not pair_of(ANN, replace(bob, address=ANN.address)).rated
    assert pair_of(ANN, replace(bob, address=ANN.address), same_address_rated=True).rated
    assert not pair_of(ANN, replace(bob, glicko=Glicko(2100))).rated  # the result would say too little
    home, other_room, elsewhere = (
        replace(bob, address=f"2001:db8:{network}::") for network in ("7:1", "7:fff2", "8:1")
    )
    assert not pair_of(replace(ANN, address=home.address), other_room).rated  # one person may own the whole site
    assert pair_of(replace(ANN, address=home.address), elsewhere).rated


def test_opponents_are_told_apart_by_their_addresses():
    """A new profile at the same address is not a new opponent, except in a school, where all have the same address."""
    bob, carl = named("2"), named("3")
    moved, renewed = replace(bob, address="192.0.2.9"), replace(bob, profile="other")

    def met_by_ann(other):
        pair = pair_of(ANN, other)
        return pair.opponents[0 if pair.first is ANN else 1]

    assert met_by_ann(renewed) == met_by_ann(bob)
    assert len({met_by_ann(bob), met_by_ann(carl), met_by_ann(moved)}) == 3
    classmates = [replace(one, address=ANN.address) for one in (bob, carl)]
    assert len({met_by_ann(one) for one in classmates}) == 2
    assert pair_of(bob, ANN).opponents != pair_of(carl, ANN).opponents  # whom they met is not told by the hash


def test_a_pair_plays_the_shorter_series_and_is_public_if_both_are():
    assert pair_of(ANN, named("2", best_of=5)).best_of == 3
    assert pair_of(ANN, named("2", best_of=1)).best_of == 1
    assert pair_of(ANN, named("2")).public
    assert not pair_of(ANN, named("2", public=False)).public


def test_whoever_has_begun_less_often_begins():
    assert pair_of(ANN, named("2", balance=-1)).first.id == "2"
    assert pair_of(named("2", balance=1), ANN).first.id == "ann"


def test_a_level_steps_in_before_twenty_seconds_have_passed():
    assert not needs_level(ANN, ANN.created + 15)
    assert needs_level(ANN, ANN.created + 19)
    assert not needs_level(replace(ANN, takes_level=False), ANN.created + 1000)


def test_a_crowd_at_one_address_is_compared_in_parts():
    """Of many seeks at one address, the oldest are compared first, so a flood costs only as much as the limit
    allows."""
    crowd = [named(str(number), device="one", created=float(number)) for number in range(3 * MAX_POOL_SEEKS)]
    assert pairs_of(crowd) == []


def test_many_seeks_of_few_addresses_keep_nobody_else_waiting():
    """If seeks of a few addresses fill the pool and cannot be paired with each other, later people are still
    compared."""
    crowd = [
        named(
            str(number), device="one", address=f"198.51.100.{number % 4}", created=float(number), muted={"ann", "bob"}
        )
        for number in range(2 * MAX_POOL_SEEKS)
    ]
    late = [named("ann", created=1000.0), named("bob", created=1001.0)]
    assert [{pair.first.id, pair.second.id} for pair in pairs_of(crowd + late)] == [{"ann", "bob"}]
