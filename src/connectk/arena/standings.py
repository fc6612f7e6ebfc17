"""The standings of a tournament: points, ratings, draws, forfeits, time and length."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import TYPE_CHECKING

from connectk.arena.match import Record
from connectk.arena.ratings import Rating, rate
from connectk.rules import Side, Variant

if TYPE_CHECKING:
    from connectk.arena.messages import StandingView, TableFacts


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's line in the table. `seconds` is the mean time for a move, `slowest` the longest."""

    name: str
    elo: float
    margin: float
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
    """The table of a tournament, the strongest player first."""

    lines: tuple[Standing, ...]
    crosstable: dict[str, dict[str, tuple[float, int]]]  # points and games of each player against each other
    games: int
    draws: int
    forfeits: tuple[str, ...]  # the reasons, each once
    mean_length: float  # discs, the opening's included

    def to_json(self) -> TableFacts:
        return {
            "lines": [line.to_json() for line in self.lines],
            "crosstable": self.crosstable,
            "games": self.games,
            "draws": self.draws,
            "forfeits": list(self.forfeits),
            "mean_length": self.mean_length,
        }


def standings(players: Sequence[str], variant: Variant, records: Sequence[Record]) -> Standings:
    """The table of the games so far."""
    ratings = sorted(rate(players, records), key=lambda rating: (-round(rating.elo, 6), rating.name))
    lengths = [len(record.columns(variant)) for record in records]
    return Standings(
        lines=tuple(_standing(rating, records, variant) for rating in ratings),
        crosstable=_crosstable([rating.name for rating in ratings], records),
        games=len(records),
        draws=sum(record.winner is None for record in records),
        forfeits=tuple(sorted({record.forfeit for record in records if record.forfeit})),
        mean_length=fmean(lengths) if lengths else 0.0,
    )


def _standing(rating: Rating, records: Iterable[Record], variant: Variant) -> Standing:
    own = [
        (record, _side_of(rating.name, record)) for record in records if rating.name in (record.first, record.second)
    ]
    winners = [record.winner and record.winner == str(side) for record, side in own]
    times = [seconds for record, side in own for seconds in _seconds_of(record, side, variant)]
    wins, draws = winners.count(True), winners.count(None)
    return Standing(
        name=rating.name,
        elo=rating.elo,
        margin=rating.margin,
        games=len(own),
        points=wins + draws / 2,
        wins=wins,
        draws=draws,
        losses=winners.count(False),
        forfeits=sum(record.forfeit is not None and record.winner != str(side) for record, side in own),
        seconds=fmean(times) if times else 0.0,
        slowest=max(times, default=0.0),
    )


def _side_of(name: str, record: Record) -> Side:
    return Side.FIRST if record.first == name else Side.SECOND


def _seconds_of(record: Record, side: Side, variant: Variant) -> tuple[float, ...]:
    """The seconds of this side's moves. Which side moves first after the opening depends on the opening's length."""
    opening = len(record.columns(variant)) - len(record.seconds)
    return record.seconds[(opening + side.value) % 2 :: 2]


def _crosstable(names: list[str], records: Iterable[Record]) -> dict[str, dict[str, tuple[float, int]]]:
    table: dict[str, dict[str, tuple[float, int]]] = {name: {} for name in names}
    for record in records:
        pairs = ((record.first, record.second, record.points_of_first),)
        for one, other, gained in (*pairs, (record.second, record.first, 1 - record.points_of_first)):
            points, games = table[one].get(other, (0.0, 0))
            table[one][other] = (points + gained, games + 1)
    return table


def write_elo(elo: float) -> str:
    """+12, -3 or 0."""
    return f"{elo:+.0f}" if round(elo) else "0"
