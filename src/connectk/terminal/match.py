"""A local game with a player in each seat, and the options for starting one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path

from connectk.errors import ConnectkError, GameAlreadyOver, NothingToRedo, NothingToUndo
from connectk.notation import SavedGame
from connectk.players.registry import BEST_LEVEL, REGISTRY, cannot_play
from connectk.rules import CLASSIC, Game, Position, Side, Variant
from connectk.texts import Texts

PERSON = "person"

Seats = Mapping[Side, str]


def utc_now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


@dataclass
class LocalMatch:
    """A game with a person or a computer player in each seat.

    `seats` maps each side to PERSON or a player's name. The first `given` discs were not chosen by either player.
    `autosave_path` is the file from which the game can be resumed; None before its first move.
    """

    game: Game
    seats: Seats
    started: datetime = field(default_factory=utc_now)
    given: int = 0
    autosave_path: Path | None = None

    @classmethod
    def of(cls, saved: SavedGame) -> LocalMatch:
        """Resume a saved game. An unknown player becomes a person, because a file must not start programs."""
        names = {side: saved.players.get(side, PERSON) for side in Side}
        seats = {side: name if name.partition(":")[0] in REGISTRY else PERSON for side, name in names.items()}
        return cls(saved.game, seats, saved.started or utc_now(), saved.given)

    @property
    def position(self) -> Position:
        return self.game.position

    @property
    def is_over(self) -> bool:
        return self.game.outcome is not None

    @property
    def is_demo(self) -> bool:
        """Whether computers hold both seats."""
        return PERSON not in self.seats.values()

    @property
    def computer_to_move(self) -> str | None:
        """The name of the computer player to move; None if a person is to move or the game is over."""
        seat = self.seats[self.position.side_to_move]
        return None if self.is_over or seat == PERSON else seat

    def undo(self) -> None:
        """Undo back to the latest earlier position in which a person was to move."""
        moments = list(enumerate(self.game.positions))[:-1]
        turns = [ply for ply, position in moments if self._person_moves_at(position)]
        if not turns:
            raise NothingToUndo
        for _ in range(turns[-1], len(self.game.moves)):
            self.game.undo()

    def redo(self) -> None:
        """Redo up to the person's next turn, as far as drops were undone."""
        self.game.redo()
        while not self._person_moves_at(self.position) and not self.is_over:
            try:
                self.game.redo()
            except NothingToRedo:
                return

    def _person_moves_at(self, position: Position) -> bool:
        return self.is_demo or self.seats[position.side_to_move] == PERSON

    @property
    def is_running(self) -> bool:
        """Whether a person's game is in progress."""
        return bool(self.game.moves) and not self.is_over and not self.is_demo

    def replace_player(self, name: str) -> None:
        """Give the seats of a failed player to a person."""
        self.seats = {side: PERSON if seat == name else seat for side, seat in self.seats.items()}

    def rematch(self) -> LocalMatch:
        """A new game with the same seats and start; it reuses the autosave file of this game."""
        return LocalMatch(Game(self.game.start), self.seats, autosave_path=self.autosave_path)

    def swapped(self) -> LocalMatch:
        """A new game from the same start with the seats swapped."""
        return LocalMatch(Game(self.game.start), {side: self.seats[side.other] for side in Side})

    def saved(self) -> SavedGame:
        ended = utc_now() if self.is_over else None
        given = min(self.given, len(self.game.moves))  # some of them may have been undone
        return SavedGame(self.game, dict(self.seats), started=self.started, ended=ended, given=given)


class TooLargeForPlayer(ConnectkError):
    """The player does not support a board of this size."""

    key = "error.TooLargeForPlayer"

    def __init__(self, player: str, variant: Variant) -> None:
        self.player, self.variant = player, variant
        super().__init__(player, variant)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"player": self.player, "variant": self.variant}


LEVELS = range(1, BEST_LEVEL + 1)
NAMED_BOARDS = {  # by text key
    "board.classic": CLASSIC,
    "board.small": Variant(5, 4, 3),
    "board.large": Variant(9, 7, 4),
    "board.five": Variant(9, 7, 5),
}
EMPTY_POSITION = Position.start(CLASSIC)


class Mode(Enum):
    COMPUTER = "computer"
    TWO_PLAYERS = "two"
    DEMO = "demo"


@dataclass(frozen=True, slots=True)
class NewGame:
    """The options of a new game. In a demo both `players` play, otherwise only the first."""

    mode: Mode = Mode.COMPUTER
    computer_starts: bool = False
    players: tuple[str, str] = ("level:5", "level:5")
    start: Position = EMPTY_POSITION

    def match(self) -> LocalMatch:
        """Create the match; raise if the start position is over or a player does not support the board."""
        if self.start.outcome:
            raise GameAlreadyOver(self.start.outcome)
        seats = self._seats()
        for name in set(seats.values()) - {PERSON}:
            if cannot_play(name, self.start.variant):
                raise TooLargeForPlayer(name, self.start.variant)
        return LocalMatch(Game(self.start), seats)

    def _seats(self) -> Seats:
        """The seats by side; the first player listed is the side to move in the start position."""
        starts = self.start.side_to_move
        return dict(zip((starts, starts.other), self._in_order(), strict=True))

    def _in_order(self) -> tuple[str, str]:
        if self.mode is Mode.TWO_PLAYERS:
            return PERSON, PERSON
        if self.mode is Mode.DEMO:
            return self.players
        computer = self.players[0]
        return (computer, PERSON) if self.computer_starts else (PERSON, computer)


def level_name(level: int) -> str:
    return f"level:{level}"
