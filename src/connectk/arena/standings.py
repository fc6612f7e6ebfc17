"""The standings of a tournament, with the points, ratings, draws, forfeits and times of the players and the length of
the games."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from connectk.arena.match import GameRecord
from connectk.arena.ratings import Rating, different_games, groups_of, rate
from connectk.players.faults import Fault, count_faults
from connectk.rules import Side, Variant

if TYPE_CHECKING:
    from connectk.arena.messages import StandingView, TableFacts


@dataclass(frozen=True, slots=True)
class Standing:
    """One line of the table, for one player. A player without games has no rating.

    `seconds` is the mean time for a move, and `slowest` is the longest time.
    """

    name: str
    elo: float | None
    margin: float | None
    games: int
    points: float
    wins: int
    draws: int
    losses: int
    forfeits: int
    seconds: float
    slowest: float

    def to_json(self) -> StandingView:
        return {
            "name": self.name,
            "elo": self.elo,
            "margin": self.margin,
            "games": self.games,
            "points": self.points,
            "wins": self.wins,
            "draws": self.draws,
            "losses": self.losses,
            "forfeits": self.forfeits,
            "seconds": self.seconds,
            "slowest": self.slowest,
        }


@dataclass(frozen=True, slots=True)
class Standings:
    """The table of a tournament. Players who are connected by games form a group. The table lists one group after the
    other, and each group begins with its strongest player."""

    lines: tuple[Standing, ...]
    groups: tuple[tuple[str, ...], ...]  # players whose ratings have a common scale, the strongest first
    crosstable: dict[str, dict[str, tuple[float, int]]]  # points and games of each player against each other
    games: int
    different_games: int  # the games without repetitions of earlier games; ratings count only these
    draws: int
    forfeits: tuple[Fault, ...]
    mean_length: float  # in discs, with those of the opening

    def to_json(self) -> TableFacts:
        return {
            "lines": [line.to_json() for line in self.lines],
            "crosstable": self.crosstable,
            "groups": [list(group) for group in self.groups],
            "games": self.games,
            "different_games": self.different_games,
            "draws": self.draws,
            "forfeits": [{"reason": fault.reason, "games": fault.times} for fault in self.forfeits],
            "mean_length": self.mean_length,
        }


def standings(players: Sequence[str], variant: Variant, records: Sequence[GameRecord]) -> Standings:
    """The table after the games in `records`."""
    different = different_games(records)
    rated = {rating.name: rating for rating in rate(players, different)}
    groups = sorted(
        (_ranked(rated[name] for name in group) for group in groups_of(players, different)), key=_least_known
    )
    lengths = [len(record.columns(variant)) for record in records]
    return Standings(
        lines=tuple(_standing(rating, records, variant) for group in groups for rating in group),
        groups=tuple(tuple(rating.name for rating in group) for group in groups if len(group) > 1),
        crosstable=_crosstable([rating.name for group in groups for rating in group], records),
        games=len(records),
        different_games=len(different),
        draws=sum(record.winner is None for record in records),
        forfeits=count_faults(record.forfeit for record in records if record.forfeit),
        mean_length=fmean(lengths) if lengths else 0.0,
    )


def _ranked(ratings: Iterable[Rating]) -> list[Rating]:
    return sorted(ratings, key=lambda rating: (-round(rating.elo, 6), rating.name))


def _least_known(group: Sequence[Rating]) -> tuple[bool, int]:
    """The sort key of a group of players. Larger groups come first, and players without games come last."""
    return math.isinf(group[0].margin), -len(group)


def _standing(rating: Rating, records: Iterable[GameRecord], variant: Variant) -> Standing:
    own = [
        (record, _side_of(rating.name, record)) for record in records if rating.name in (record.first, record.second)
    ]
    winners = [record.winner and record.winner == str(side) for record, side in own]
    times = [seconds for record, side in own for seconds in _seconds_of(record, side, variant)]
    wins, draws = winners.count(True), winners.count(None)
    return Standing(
        name=rating.name,
        elo=rating.elo if own else None,
        margin=rating.margin if own else None,
        games=len(own),
        points=wins + draws / 2,
        wins=wins,
        draws=draws,
        losses=winners.count(False),
        forfeits=sum(record.forfeit is not None and record.winner != str(side) for record, side in own),
        seconds=fmean(times) if times else 0.0,
        slowest=max(times, default=0.0),
    )


def _side_of(name: str, record: GameRecord) -> Side:
    return Side.FIRST if record.first == name else Side.SECOND


def _seconds_of(record: GameRecord, side: Side, variant: Variant) -> tuple[float, ...]:
    """The seconds of each move of the player who began on this side.

    The length of the opening decides which side moves first. After a swap, which comes after at most one move, the
    player has the other side.
    """
    opening = len(record.columns(variant)) - len(record.seconds)
    plies = range(opening, opening + len(record.seconds))
    swap_ply = opening + (opening + 1) % 2 if record.swapped else math.inf
    moves = zip(plies, record.seconds, strict=True)
    return tuple(seconds for ply, seconds in moves if (ply % 2 == side.value) != (ply >= swap_ply))


def _crosstable(names: list[str], records: Iterable[GameRecord]) -> dict[str, dict[str, tuple[float, int]]]:
    table: dict[str, dict[str, tuple[float, int]]] = {name: {} for name in names}
    for record in records:
        pairs = ((record.first, record.second, record.points_of_first),)
        for one, other, gained in (*pairs, (record.second, record.first, 1 - record.points_of_first)):
            points, games = table[one].get(other, (0.0, 0))
            table[one][other] = (points + gained, games + 1)
    return table


def format_elo(elo: float | None) -> str:
    """A rating as text, such as +12, -3 or 0. A question mark if the rating is unknown."""
    if elo is None:
        return "?"
    return f"{elo:+.0f}" if round(elo) else "0"


def format_margin(margin: float | None) -> str:
    return "?" if margin is None else f"{margin:.0f}"
