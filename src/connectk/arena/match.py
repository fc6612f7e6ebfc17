"""One game between two players, and its record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from connectk.arena.clocks import GRACE_SECONDS, SideClock
from connectk.arena.tournament import Fixture, Key
from connectk.errors import BotForfeit, BotUnusable
from connectk.notation import SavedGame, parse_moves, write_moves, write_saved_game
from connectk.players.player import Player
from connectk.players.registry import is_bot
from connectk.rules import EndReason, Game, Result, Side, Variant

PlayerFactory = Callable[[str, int], Player]  # a name and a seed -> a player ready for a new game
SIDE_OF_WINNER = {"first": Side.FIRST, "second": Side.SECOND, None: None}


@dataclass(frozen=True, slots=True)
class Record:
    """A finished game, as stored in the results file."""

    number: int
    first: str
    second: str
    opening: int
    moves: str  # columns from 1, the opening's included
    winner: str | None
    reason: str
    forfeit: str | None
    seconds: tuple[float, ...]  # for each move after the opening
    started: str

    @classmethod
    def from_json(cls, facts: dict[str, Any]) -> Record:
        return cls(**{**facts, "seconds": tuple(facts["seconds"])})

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def key(self) -> Key:
        return self.first, self.second, self.opening

    @property
    def points_of_first(self) -> float:
        return {"first": 1.0, "second": 0.0, None: 0.5}[self.winner]

    def columns(self, variant: Variant) -> tuple[int, ...]:
        return parse_moves(self.moves, variant)

    def saved_game(self, variant: Variant) -> SavedGame:
        """The game as a saved game."""
        game = Game(variant, self.columns(variant))
        given = len(game.moves) - len(self.seconds)
        return SavedGame(
            game,
            players={Side.FIRST: self.first, Side.SECOND: self.second},
            result=Result(SIDE_OF_WINNER[self.winner], EndReason(self.reason)),
            started=datetime.fromisoformat(self.started),
            seconds=(0.0,) * given + self.seconds,
            given=given,
        )


def play_fixture(fixture: Fixture, seat: PlayerFactory, grace: float = GRACE_SECONDS) -> Record:
    """Play one game. A bot that fails forfeits; other errors propagate. The caller closes the players of `seat`."""
    started = datetime.now(UTC).isoformat(timespec="milliseconds")
    game, seconds = Game(fixture.variant, fixture.moves), []
    try:
        names = (fixture.first, fixture.second)
        players = [seat(name, fixture.seed_of(side)) for name, side in zip(names, Side, strict=True)]
        clocks = [_clock_of(fixture, name, grace) for name in names]
        while game.outcome is None:
            turn = game.position.side_to_move.value
            seconds.append(_move(players[turn], game, clocks[turn]))
    except (BotForfeit, BotUnusable) as forfeit:
        loser = Side.FIRST if forfeit.bot == fixture.first else Side.SECOND
        return _record(fixture, game, Result(loser.other, _reason(forfeit)), str(forfeit), seconds, started)
    return _record(fixture, game, Result.of(game.outcome), None, seconds, started)


def _clock_of(fixture: Fixture, name: str, grace: float) -> SideClock:
    """The clock of a player. A time per move is enforced for bots only: built-in players limit themselves."""
    return SideClock(name, fixture.seconds, fixture.clock, bool(fixture.clock) or is_bot(name), grace)


def _move(player: Player, game: Game, clock: SideClock) -> float:
    """Let the player drop a disc; the seconds that it took."""
    column = player.choose(game.position, clock.start()).column
    seconds = clock.stop()
    game.drop(column)
    return seconds


def _reason(forfeit: BotForfeit | BotUnusable) -> EndReason:
    return EndReason.TIME if isinstance(forfeit, BotForfeit) and forfeit.cause == "late" else EndReason.FORFEIT


def _record(
    fixture: Fixture, game: Game, result: Result, forfeit: str | None, seconds: list[float], started: str
) -> Record:
    return Record(
        number=fixture.number,
        first=fixture.first,
        second=fixture.second,
        opening=fixture.opening,
        moves=write_moves(game.moves, fixture.variant),
        winner=result.winner and str(result.winner),
        reason=result.reason.value,
        forfeit=forfeit,
        seconds=tuple(seconds),
        started=started,
    )


class GameFolder:
    """Saves each game as `0001.json`, in the format of saved games; does nothing if `folder` is None."""

    def __init__(self, folder: Path | None, variant: Variant) -> None:
        self._folder, self._variant = folder, variant

    def save(self, record: Record) -> None:
        if self._folder is None:
            return
        self._folder.mkdir(exist_ok=True)
        file = self._folder / f"{record.number:04}.json"
        part = file.with_suffix(".part")
        part.write_text(write_saved_game(record.saved_game(self._variant)), encoding="utf-8")
        part.replace(file)  # a reader sees the whole game or none
