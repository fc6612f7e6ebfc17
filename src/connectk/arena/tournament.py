"""The pairings of a tournament: players, openings and sides."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from pathlib import Path
from typing import Any

from connectk.arena.clocks import GameClock
from connectk.arena.openings import BALANCED_OPENINGS, EMPTY_OPENING
from connectk.errors import BadTimeLimit, BadTournament
from connectk.notation.files import read_bytes
from connectk.players.versions import version_of
from connectk.rules import CLASSIC, Side, Variant

Key = tuple[str, str, int]  # first, second, opening


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game to be played. `number` is its permanent number from 1; `key` identifies it."""

    number: int
    pair: int
    first: str
    second: str
    variant: Variant
    opening: int
    moves: tuple[int, ...]
    seconds: float | None
    seed: int
    clock: GameClock | None = None

    @property
    def key(self) -> Key:
        return self.first, self.second, self.opening

    def seed_of(self, side: Side) -> int:
        """A distinct seed for each side of each game, independent of the order of play."""
        text = f"{self.seed} {self.first} {self.second} {self.opening} {side}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


@dataclass(frozen=True, slots=True)
class Tournament:
    """Everything that determines the games: `games` for each pair of players, `seconds` for each move or a `clock` for
    each game, and `openings`, which are `balanced`, `empty` or a file."""

    players: tuple[str, ...]
    variant: Variant = CLASSIC
    games: int = 100
    seconds: float | None = None
    seed: int = 1
    gauntlet: bool = False
    clock: GameClock | None = None
    openings: str = BALANCED_OPENINGS

    def __post_init__(self) -> None:
        twice = {name for name in self.players if self.players.count(name) > 1}
        if len(self.players) < 2:
            raise BadTournament("error.BadTournament.few")
        if twice:
            raise BadTournament("error.BadTournament.twice", name=min(twice))
        if self.games < 1:
            raise BadTournament("error.BadTournament.no_games")
        if self.seconds is not None and self.seconds <= 0:
            raise BadTimeLimit(self.seconds)
        if self.seconds is not None and self.clock is not None:
            raise BadTournament("error.BadTournament.two_times")

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """All pairs of players, or in a gauntlet the first player with each other."""
        if self.gauntlet:
            return [(self.players[0], other) for other in self.players[1:]]
        return list(combinations(self.players, 2))

    @property
    def total(self) -> int:
        """How many games there are in all."""
        return len(self.pairs) * self.games

    @property
    def openings_needed(self) -> int:
        return (self.games + 1) // 2

    def fixtures(
        self, openings: Sequence[tuple[int, ...]], played: Mapping[Key, int] | None = None
    ) -> Iterator[Fixture]:
        """The games that are not `played` yet, with the free numbers. Each opening is played by all pairs with both
        sides before the next one, so that an interrupted tournament is still fair."""
        played = played or {}
        taken = set(played.values())
        free = (number for number in count(1) if number not in taken)
        for opening, pair, first, second in self._seatings():
            if (first, second, opening) not in played:
                board = (self.variant, opening, openings[opening], self.seconds, self.seed, self.clock)
                yield Fixture(next(free), pair, first, second, *board)

    def _seatings(self) -> Iterator[tuple[int, int, str, str]]:
        for opening in range(self.openings_needed):
            for pair, (one, other) in enumerate(self.pairs):
                yield opening, pair, one, other
                if 2 * opening + 1 < self.games:
                    yield opening, pair, other, one

    def identity(self) -> dict[str, Any]:
        """The facts that identify this tournament, with the versions of bots and evaluations."""
        return {
            "players": list(self.players),
            "bots": {name: version for name in self.players if (version := version_of(name))},
            "variant": str(self.variant),
            "games": self.games,
            "seconds": self.seconds,
            "seed": self.seed,
            "gauntlet": self.gauntlet,
            "clock": self.clock and str(self.clock),
            "openings_from": self._openings_from(),
        }

    def _openings_from(self) -> str:
        return self.openings if self.openings in (BALANCED_OPENINGS, EMPTY_OPENING) else _digest(Path(self.openings))


def _digest(path: Path) -> str:
    return hashlib.sha256(read_bytes(path)).hexdigest()[:16]
