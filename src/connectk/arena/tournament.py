"""The games of a tournament: the pairs of players, their openings and their sides."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from pathlib import Path
from typing import Any

from connectk.arena.clocks import GameClock
from connectk.arena.openings import BALANCED_OPENINGS, GENERATED_OPENINGS
from connectk.errors import BadTimeLimit, BadTournament
from connectk.notation.files import read_bytes
from connectk.notation.named_starts import is_named_start
from connectk.players.versions import version_of
from connectk.rules import CLASSIC, Side, Variant

Key = tuple[str, str, int]  # first, second, opening
PLAYERS_IN_A_BLOCK = 8  # each worker keeps at least two blocks of players alive


@dataclass(frozen=True, slots=True)
class Fixture:
    """One game that is to be played. `number` is its permanent number, counted from 1. `key` identifies the game."""

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
    swap: bool = False

    @property
    def swap_ply(self) -> int:
        """The number of discs on the board when a player may take over the other side. This is the first turn of the
        second side after the opening."""
        return len(self.moves) + (len(self.moves) + 1) % 2

    @property
    def key(self) -> Key:
        return self.first, self.second, self.opening

    def seed_of(self, side: Side) -> int:
        """The seed of one side of this game. Each side of each game has its own seed, which does not depend on the
        order of play."""
        text = f"{self.seed} {self.first} {self.second} {self.opening} {side}"
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")


@dataclass(frozen=True, slots=True)
class Tournament:
    """All settings that determine the games.

    `games` is the number of games for each pair of players. The time is `seconds` for each move, or `clock` for a whole
    game. `openings` is `balanced`, `fair`, `empty`, the name of a start or a file. Each opening is played from both
    sides. If `swap` is true, it is played once, and the second player may take over the first disc.
    """

    players: tuple[str, ...]
    variant: Variant = CLASSIC
    games: int = 100
    seconds: float | None = None
    seed: int = 1
    gauntlet: bool = False
    clock: GameClock | None = None
    openings: str = BALANCED_OPENINGS
    swap: bool = False

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
        """All pairs of players. In a gauntlet, only the pairs of the first player with each of the others."""
        if self.gauntlet:
            return [(self.players[0], other) for other in self.players[1:]]
        return list(combinations(self.players, 2))

    @property
    def total(self) -> int:
        """The number of games of the whole tournament."""
        return len(self.pairs) * self.games

    @property
    def openings_needed(self) -> int:
        return self.games if self.swap else (self.games + 1) // 2

    def fixtures(
        self, openings: Sequence[tuple[int, ...]], played: Mapping[Key, int] | None = None
    ) -> Iterator[Fixture]:
        """The games that are not in `played` yet. They get numbers that are still free.

        All pairs play an opening from both sides before the next opening begins. The results are therefore fair even if
        the tournament is interrupted.
        """
        played = played or {}
        taken = set(played.values())
        free = (number for number in count(1) if number not in taken)
        for opening, pair, first, second in self._seatings():
            if (first, second, opening) not in played:
                board = (self.variant, opening, openings[opening], self.seconds, self.seed, self.clock, self.swap)
                yield Fixture(next(free), pair, first, second, *board)

    def _seatings(self) -> Iterator[tuple[int, int, str, str]]:
        """All games, each as its opening, its pair, and its first and second player. Pairs of the same few players
        follow one after the other, so that bots need not be started again."""
        places = {name: place // PLAYERS_IN_A_BLOCK for place, name in enumerate(self.players)}
        pairs = sorted(enumerate(self.pairs), key=lambda pair: [places[name] for name in pair[1]])
        for opening in range(self.openings_needed):
            for pair, (one, other) in pairs:
                if self.swap:
                    yield opening, pair, *((one, other) if opening % 2 == 0 else (other, one))
                    continue
                yield opening, pair, one, other
                if 2 * opening + 1 < self.games:
                    yield opening, pair, other, one

    def identity(self) -> dict[str, Any]:
        """The facts that identify this tournament. They include the versions of bots and evaluations."""
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
            **({"swap": True} if self.swap else {}),
        }

    def _openings_from(self) -> str:
        is_known = self.openings in GENERATED_OPENINGS or is_named_start(self.openings)
        return self.openings if is_known else _digest(Path(self.openings))


def _digest(path: Path) -> str:
    return hashlib.sha256(read_bytes(path)).hexdigest()[:16]
