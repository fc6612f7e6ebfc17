"""Compares ratings and their intervals with the true strengths of simulated players."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, islice

import pytest

from connectk.arena import GameRecord, rate
from connectk.arena.ratings import expected_score
from connectk.arena.swiss import SwissPlayer, pair_swiss_round
from connectk.rules import Side

USUAL_DEVIATION = 200.0  # the standard deviation of the true ratings that is assumed before any game
OTHER_DEVIATIONS = (100.0, 400.0)
DRAW_SHARES = (0.05, 0.3, 0.6)  # between equal players
MAX_SIMULATED_GAMES = 300_000
MIN_GAMES_OF_EACH = 20  # so many games of each player show how far apart players are
MIN_SWISS_ROUNDS = 9
ROUND_ROBINS = {(players, games) for players in (3, 4, 6, 12, 30, 40) for games in (1, 2, 5, 20, 100)}
SWISS_TOURNAMENTS = {(8, 3), (12, 4), (12, 7), (30, 5), (30, 9), (30, 15), (40, 5), (40, 10)}


@dataclass
class Field:
    """Players with known true strengths, and the games that they play."""

    source: random.Random
    players: int
    draws: float
    deviation: float = USUAL_DEVIATION

    def __post_init__(self) -> None:
        strengths = [self.source.gauss(0, self.deviation) for _ in range(self.players)]
        mean = sum(strengths) / self.players
        self.truth = {f"player{i}": strength - mean for i, strength in enumerate(strengths)}
        self.records: list[GameRecord] = []
        self.points = dict.fromkeys(self.truth, 0.0)

    def play(self, one: str, other: str) -> None:
        """A game whose result is drawn by the logistic curve. Draws replace wins and losses in equal parts."""
        win = expected_score(self.truth[one] - self.truth[other])
        drawn, luck = self.draws * 2 * min(win, 1 - win), self.source.random()
        winner = None if luck < drawn else "first" if luck < drawn / 2 + win else "second"
        record = GameRecord(1, one, other, 0, "4", winner, "line", None, (), "2026-11-15T12:00:00+00:00")
        self.records.append(record)
        self.points[one] += record.points_of_first
        self.points[other] += 1 - record.points_of_first

    def round_robin(self, games: int) -> None:
        for one, other in combinations(self.truth, 2):
            for _ in range(games):
                self.play(one, other)

    def swiss(self, rounds: int) -> None:
        names = list(self.truth)
        for _ in range(rounds):
            found = pair_swiss_round(self.player(number) for number in range(self.players))
            for first, second in found.pairs:
                self.play(names[first], names[second])

    def player(self, number: int) -> SwissPlayer:
        names = list(self.truth)
        name = names[number]
        own = [game for game in self.records if name in (game.first, game.second)]
        met = tuple(names.index(game.second if game.first == name else game.first) for game in own)
        sides = tuple(Side.FIRST if game.first == name else Side.SECOND for game in own)
        return SwissPlayer(number, self.points[name], met, sides)


def simulated(
    players: int, draws: float, *, games: int = 0, rounds: int = 0, deviation: float = USUAL_DEVIATION, seed: int = 5
) -> Iterator[Field]:
    source = random.Random(f"{seed} {players} {games} {rounds} {draws} {deviation}")
    while True:
        field = Field(source, players, draws, deviation)
        field.round_robin(games)
        field.swiss(rounds)
        yield field


def measured(fields: Iterator[Field], tournaments: int) -> tuple[float, float]:
    """The rated differences divided by the true differences, and the share of intervals that contain the true
    rating."""
    held, together, alone = [], 0.0, 0.0
    for field in islice(fields, tournaments):
        for rating in rate(list(field.truth), field.records):
            truth = field.truth[rating.name]
            held.append(abs(rating.elo - truth) <= rating.margin)
            together += rating.elo * truth
            alone += truth**2
    return together / alone, sum(held) / len(held)


def check(fields: Iterator[Field], tournaments: int) -> None:
    share, coverage = measured(fields, tournaments)
    print(f"{share:.2f} of the truth, {coverage:.1%} within ± 95%")

    assert 0.85 <= share <= 1.15
    assert 0.90 <= coverage <= 0.98


@pytest.mark.parametrize(
    ("players", "games", "draws", "tournaments"),
    [(3, 1, 0.3, 400), (3, 2, 0.05, 400), (4, 40, 0.6, 60), (12, 2, 0.3, 60), (30, 1, 0.05, 12)],
)
def test_ratings_and_intervals_are_true_where_everyone_meets(
    players: int, games: int, draws: float, tournaments: int
) -> None:
    check(simulated(players, draws, games=games), tournaments)


@pytest.mark.parametrize(("players", "rounds", "draws"), [(30, 5, 0.05), (40, 5, 0.3)])
def test_ratings_and_intervals_are_true_in_a_swiss_tournament(players: int, rounds: int, draws: float) -> None:
    check(simulated(players, draws, rounds=rounds), 24)


@pytest.mark.parametrize("deviation", OTHER_DEVIATIONS)
def test_games_show_how_far_apart_the_players_are(deviation: float) -> None:
    check(simulated(12, 0.3, games=5, deviation=deviation), 40)


def test_a_weak_class_is_rated_on_the_scale_of_fixed_players() -> None:
    """Ten pupils are on average 400 Elo weaker than three players whose ratings are fixed. All are rated truly."""
    source, held, together, alone = random.Random(5), [], 0.0, 0.0
    fixed = {f"player{number}": elo for number, elo in zip(range(10, 13), (-200.0, 0.0, 200.0), strict=True)}
    for _ in range(30):
        field = Field(source, 13, 0.2)
        field.truth = {name: fixed.get(name, truth - 400) for name, truth in field.truth.items()}
        for name in list(field.truth)[:10]:
            for _ in range(20):
                field.play(name, source.choice([other for other in field.truth if other != name]))
        for rating in rate(list(field.truth), field.records, fixed)[:10]:
            truth = field.truth[rating.name]
            held.append(abs(rating.elo - truth) <= rating.margin)
            together += rating.elo * truth
            alone += truth**2

    assert 0.85 <= together / alone <= 1.15
    assert 0.90 <= sum(held) / len(held) <= 0.98


@pytest.mark.deep
@pytest.mark.parametrize("draws", DRAW_SHARES)
@pytest.mark.parametrize(("players", "games"), sorted(ROUND_ROBINS))
def test_all_sizes_of_a_tournament_where_everyone_meets(players: int, games: int, draws: float) -> None:
    enough = (players - 1) * games >= MIN_GAMES_OF_EACH
    for deviation in (USUAL_DEVIATION, *(OTHER_DEVIATIONS if enough else ())):
        check(simulated(players, draws, games=games, deviation=deviation), affordable_tournaments(players, games, 3000))


def affordable_tournaments(players: int, games: int, ratings: int) -> int:
    """The number of tournaments to simulate for this many ratings. It is lower if they would have too many games."""
    return max(10, min(ratings // players, MAX_SIMULATED_GAMES // (games * players * (players - 1) // 2)))


@pytest.mark.deep
@pytest.mark.parametrize("draws", DRAW_SHARES)
@pytest.mark.parametrize(("players", "rounds"), sorted(SWISS_TOURNAMENTS))
def test_all_sizes_of_a_swiss_tournament(players: int, rounds: int, draws: float) -> None:
    enough = rounds >= MIN_SWISS_ROUNDS
    for deviation in (USUAL_DEVIATION, *((max(OTHER_DEVIATIONS),) if enough else ())):
        check(simulated(players, draws, rounds=rounds, deviation=deviation), 3000 // players)
