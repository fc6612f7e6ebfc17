"""One game between two players, and its record."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from connectk.arena.clocks import CLOCK_GRACE_SECONDS, SideClock
from connectk.arena.tournament import Fixture, Key
from connectk.errors import BotForfeit, BotUnusable
from connectk.files import write_file
from connectk.notation import SavedGame, parse_moves, write_moves, write_saved_game
from connectk.players.player import Player
from connectk.players.registry import is_bot
from connectk.players.swapping import first_disc, takes_over
from connectk.rules import EndReason, Game, Result, Side, Variant

PlayerFactory = Callable[[str, int], Player]  # a name and a seed -> a player ready for a new game
SIDE_BY_WINNER_NAME = {"first": Side.FIRST, "second": Side.SECOND, None: None}


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A finished game, as stored in the results file.

    `first` and `second` are the players who began on these sides, and `winner` names one of them. After a swap, each
    player has the other side.
    """

    number: int
    first: str
    second: str
    opening: int
    moves: str  # columns counted from 1, with those of the opening
    winner: str | None
    reason: str
    forfeit: str | None
    seconds: tuple[float, ...]  # for each move after the opening
    started: str
    swapped: bool = False

    @classmethod
    def from_json(cls, facts: dict[str, Any]) -> GameRecord:
        return cls(**{**facts, "seconds": tuple(facts["seconds"])})

    def to_json(self) -> dict[str, Any]:
        facts = asdict(self)
        return facts if self.swapped else {name: facts[name] for name in facts if name != "swapped"}

    @property
    def key(self) -> Key:
        return self.first, self.second, self.opening

    @property
    def points_of_first(self) -> float:
        return {"first": 1.0, "second": 0.0, None: 0.5}[self.winner]

    @property
    def winning_side(self) -> Side | None:
        """The side whose discs have won; None after a draw."""
        seat = SIDE_BY_WINNER_NAME[self.winner]
        return seat.other if seat and self.swapped else seat

    def columns(self, variant: Variant) -> tuple[int, ...]:
        return parse_moves(self.moves, variant)

    def saved_game(self, variant: Variant) -> SavedGame:
        """The game in the form of a saved game."""
        game = Game(variant, self.columns(variant))
        given = len(game.moves) - len(self.seconds)
        names = (self.second, self.first) if self.swapped else (self.first, self.second)
        return SavedGame(
            game,
            players=dict(zip(Side, names, strict=True)),
            result=Result(self.winning_side, EndReason(self.reason)),
            swapped=self.swapped or None,  # a game without a swap does not tell whether there was the rule
            started=datetime.fromisoformat(self.started),
            seconds=(0.0,) * given + self.seconds,
            given=given,
        )


def play_fixture(fixture: Fixture, seat: PlayerFactory, grace: float = CLOCK_GRACE_SECONDS) -> GameRecord:
    """Play one game. A bot that fails forfeits the game; any other error is raised.

    `seat` returns a player for a name and a seed. The caller must close these players.
    """
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    play = _Play(fixture, Game(fixture.variant, fixture.moves))
    try:
        play.to_the_end(seat, grace)
    except (BotForfeit, BotUnusable) as forfeit:
        loser = Side.FIRST if forfeit.bot == fixture.first else Side.SECOND
        return play.record(Result(loser.other, _reason(forfeit)), str(forfeit), started)
    assert play.game.outcome
    result = Result.of(play.game.outcome)
    winner = result.winner.other if result.winner and play.swapped else result.winner
    return play.record(Result(winner, result.reason), None, started)


@dataclass(slots=True)
class _Play:
    """A running game: the game itself, the seconds of each move after the opening, and whether the players have swapped
    sides."""

    fixture: Fixture
    game: Game
    seconds: list[float] = field(default_factory=list)
    swapped: bool = False

    def to_the_end(self, seat: PlayerFactory, grace: float) -> None:
        names = (self.fixture.first, self.fixture.second)
        dice = [random.Random(self.fixture.seed_of(side)) for side in Side]
        players = [seat(name, self.fixture.seed_of(side)) for name, side in zip(names, Side, strict=True)]
        clocks = [_clock_of(self.fixture, name, grace) for name in names]
        while self.game.outcome is None:
            turn = self.game.position.side_to_move.value ^ self.swapped
            if self._may_swap and _swaps(players[turn], self.game, clocks[turn], dice[turn]):
                self.swapped = True
                continue
            column = self._fair_column(players[turn], dice[turn])
            self.seconds.append(_move(players[turn], self.game, clocks[turn], column))

    @property
    def _may_swap(self) -> bool:
        return self.fixture.swap and not self.swapped and len(self.game.moves) == self.fixture.swap_ply

    def _fair_column(self, player: Player, dice: random.Random) -> int | None:
        """A fair column for the first disc. None unless a built-in player drops it and the opponent may then swap
        sides."""
        is_first_disc = self.fixture.swap and len(self.game.moves) + 1 == self.fixture.swap_ply
        return first_disc(player, self.game.position, dice) if is_first_disc else None

    def record(self, result: Result, forfeit: str | None, started: str) -> GameRecord:
        fixture = self.fixture
        return GameRecord(
            number=fixture.number,
            first=fixture.first,
            second=fixture.second,
            opening=fixture.opening,
            moves=write_moves(self.game.moves, fixture.variant),
            winner=result.winner and str(result.winner),
            reason=result.reason.value,
            forfeit=forfeit,
            seconds=tuple(self.seconds),
            started=started,
            swapped=self.swapped,
        )


def _clock_of(fixture: Fixture, name: str, grace: float) -> SideClock:
    """The clock of a player. A limit for each move is enforced only for bots, because built-in players keep to it
    themselves."""
    return SideClock(name, fixture.seconds, fixture.clock, bool(fixture.clock) or is_bot(name), grace)


def _swaps(player: Player, game: Game, clock: SideClock, dice: random.Random) -> bool:
    """Ask the player to move whether it takes over the other side. Its clock runs meanwhile."""
    answer = takes_over(player, game.position, clock.start(), dice)
    clock.stop()
    return answer


def _move(player: Player, game: Game, clock: SideClock, column: int | None = None) -> float:
    """Let the player drop a disc, and return the seconds that this took. If `column` is given, the disc goes into this
    column."""
    time_left = clock.start()
    column = player.choose(game.position, time_left).column if column is None else column
    seconds = clock.stop()
    game.drop(column)
    return seconds


def _reason(forfeit: BotForfeit | BotUnusable) -> EndReason:
    return EndReason.TIME if isinstance(forfeit, BotForfeit) and forfeit.cause == "late" else EndReason.FORFEIT


class GameFolder:
    """Saves each game in a file such as `0001.json`, in the format of saved games. Does nothing if `folder` is None."""

    def __init__(self, folder: Path | None, variant: Variant) -> None:
        self._folder, self._variant = folder, variant

    def save(self, record: GameRecord) -> None:
        if self._folder is None:
            return
        self._folder.mkdir(exist_ok=True)
        file = self._folder / f"{record.number:04}.json"
        write_file(file, write_saved_game(record.saved_game(self._variant)))
