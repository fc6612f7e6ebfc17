"""Swiss rounds: players meet again only if no other pairing exists, and each moves first about half of the time."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field, replace

import pytest

from connectk.arena.swiss import SwissPlayer, order_sides, pair_swiss_round
from connectk.rules import Side

FIRST, SECOND = Side.FIRST, Side.SECOND


@dataclass
class Simulated:
    """A tournament with randomly drawn results, in which a player with a lower number is stronger."""

    players: dict[int, SwissPlayer]
    meetings: Counter[frozenset[int]] = field(default_factory=Counter)

    def round(self, source: random.Random) -> None:
        found = pair_swiss_round(self.players.values())
        assert Counter([*sum(found.pairs, ()), *([found.bye] if found.bye else [])]) == Counter(list(self.players))
        for first, second in found.pairs:
            gained = source.choice((0.0, 0.5, 1.0, float(first < second)))
            self.meetings[frozenset((first, second))] += 1
            self._add(first, second, FIRST, gained)
            self._add(second, first, SECOND, 1 - gained)
        if found.bye:
            rested = self.players[found.bye]
            self.players[found.bye] = replace(rested, points=rested.points + 1, byes=rested.byes + 1)

    def _add(self, one: int, other: int, side: Side, gained: float) -> None:
        before = self.players[one]
        met, sides = (*before.met, other), (*before.sides, side)
        self.players[one] = replace(before, points=before.points + gained, met=met, sides=sides)

    @property
    def rematches(self) -> int:
        return sum(times - 1 for times in self.meetings.values())

    @property
    def largest_difference(self) -> int:
        return max(abs(player.side_difference) for player in self.players.values())

    @property
    def with_one_side_three_times_running(self) -> int:
        triples = [zip(p.sides, p.sides[1:], p.sides[2:], strict=False) for p in self.players.values()]
        return sum(any(len(set(three)) == 1 for three in several) for several in triples)


def tournament(players: int, rounds: int, seed: int) -> Simulated:
    found, source = Simulated({n: SwissPlayer(n) for n in range(1, players + 1)}), random.Random(seed)
    for _ in range(rounds):
        found.round(source)
    return found


@pytest.mark.parametrize("players", [8, 15, 29, 30])
def test_half_as_many_rounds_as_players_need_no_rematch(players: int) -> None:
    """While at most half of the rounds are played, a pairing without rematches exists (Dirac's theorem) and is
    found."""
    for seed in range(3):
        found = tournament(players, players // 2, seed)

        assert found.rematches == 0
        assert found.largest_difference <= 2
        assert max(player.byes for player in found.players.values()) <= 1


@pytest.mark.parametrize("players", [29, 30])
def test_few_have_one_side_three_times_running(players: int) -> None:
    for seed in range(5):
        found = tournament(players, 7, seed)

        assert found.largest_difference <= 2
        assert found.with_one_side_three_times_running <= 6


@pytest.mark.deep
def test_forty_tournaments_of_thirty_players() -> None:
    long, short = ([tournament(30, rounds, seed) for seed in range(40)] for rounds in (15, 7))
    print(f"{sum(t.rematches for t in long)} rematches in 40 tournaments of 15 rounds;")
    print(f"difference of sides at most {max(t.largest_difference for t in long + short)};")
    print(f"in 7 rounds at most {max(t.with_one_side_three_times_running for t in short)} of 30 three times running")

    assert all(found.rematches == 0 for found in long)
    assert all(found.largest_difference <= 2 for found in long + short)
    assert all(found.with_one_side_three_times_running <= 6 for found in short)


def test_only_what_must_be_repeated_is_repeated() -> None:
    """If members 1 and 2 have already met everyone, they meet again, while members 3 and 4 meet for the first time."""
    a, b = SwissPlayer(1, 0, (2, 3, 4)), SwissPlayer(2, 0, (1, 3, 4))
    c, d = SwissPlayer(3, 0, (1, 2)), SwissPlayer(4, 0, (1, 2))

    assert {frozenset(pair) for pair in pair_swiss_round([a, b, c, d]).pairs} == {frozenset((1, 2)), frozenset((3, 4))}


def test_players_with_equal_points_meet() -> None:
    players = [SwissPlayer(number, points) for number, points in enumerate((2, 1, 2, 0, 1, 0), start=1)]

    assert {frozenset(pair) for pair in pair_swiss_round(players).pairs} == {
        frozenset(pair) for pair in ((1, 3), (2, 5), (4, 6))
    }


def test_the_lowest_without_a_bye_rests_and_a_computer_player_before_them() -> None:
    players = [SwissPlayer(1, 2), SwissPlayer(2, 1), SwissPlayer(3, 0, byes=1)]

    assert pair_swiss_round(players).bye == 2
    assert pair_swiss_round([replace(players[0], rests_first=True), *players[1:]]).bye == 1


@pytest.mark.parametrize(
    ("one", "other", "first"),
    [
        ((SECOND,), (FIRST,), 1),
        ((FIRST, SECOND, SECOND), (FIRST, SECOND), 1),
        ((FIRST, SECOND), (SECOND, FIRST), 1),
        ((SECOND, FIRST, FIRST, SECOND), (FIRST, SECOND, FIRST, SECOND), 2),
        ((), (), 1),
    ],
)
def test_the_difference_of_sides_counts_first_and_then_the_last_one(
    one: tuple[Side, ...], other: tuple[Side, ...], first: int
) -> None:
    players = SwissPlayer(1, sides=one), SwissPlayer(2, sides=other)

    assert order_sides(*players)[0].number == order_sides(*players[::-1])[0].number == first


def test_a_large_field_is_paired_too() -> None:
    found = tournament(150, 4, 1)

    assert found.rematches == 0
    assert found.largest_difference <= 2


def test_nobody_to_pair() -> None:
    assert pair_swiss_round([]).pairs == ()
    assert pair_swiss_round([SwissPlayer(1)]).bye == 1
