"""A game on this computer, with a player in each seat, and the options for starting one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path

from connectk.errors import ConnectkError, GameAlreadyOver, NothingToRedo, NothingToUndo
from connectk.notation import SavedGame
from connectk.play.refusals import NoSwap
from connectk.players.registry import BEST_LEVEL, PLAYER_REGISTRY, cannot_play
from connectk.players.swapping import SwapTurn
from connectk.rules import CLASSIC, Game, Position, Side, Variant

PERSON_SEAT = "person"

Seats = Mapping[Side, str]


def utc_now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


@dataclass
class LocalMatch:
    """A game on this computer, with a person or a computer player in each seat.

    `seats` has PERSON or the name of a player for each side. `given` is the number of first discs that neither player
    has chosen. `autosave_path` is the file from which the game can be resumed; it is None before the first move."""

    game: Game
    seats: Seats
    started: datetime = field(default_factory=utc_now)
    given: int = 0
    autosave_path: Path | None = None
    took_over: bool | None = None  # whether the first disc was taken over; None without the swap rule

    @classmethod
    def of(cls, saved: SavedGame) -> LocalMatch:
        """Resume a saved game. An unknown player becomes a person, because a file must not start programs."""
        names = {side: saved.players.get(side, PERSON_SEAT) for side in Side}
        seats = {
            side: name if name.partition(":")[0] in PLAYER_REGISTRY else PERSON_SEAT for side, name in names.items()
        }
        return cls(saved.game, seats, saved.started or utc_now(), saved.given, took_over=saved.swapped)

    @property
    def position(self) -> Position:
        return self.game.position

    @property
    def is_over(self) -> bool:
        return self.game.outcome is not None

    @property
    def is_demo(self) -> bool:
        """Whether a computer player has each of the two seats."""
        return PERSON_SEAT not in self.seats.values()

    @property
    def computer_to_move(self) -> str | None:
        """The name of the computer player whose turn it is; None if it is a person's turn or the game is over."""
        seat = self.seats[self.position.side_to_move]
        return None if self.is_over or seat == PERSON_SEAT else seat

    @property
    def swap_ply(self) -> int:
        """The number of discs on the board when the second side moves for the first time."""
        return self.game.start.ply + (self.game.start.side_to_move is Side.FIRST)

    @property
    def can_swap(self) -> bool:
        """Whether the player to move may take over the other side."""
        return self.took_over is False and not self.is_over and self.position.ply == self.swap_ply

    @property
    def swap_turn(self) -> SwapTurn:
        """The computer player's options in this turn under the swap rule."""
        if self.can_swap:
            return SwapTurn.CHOICE
        is_first_disc = self.took_over is False and self.position.ply + 1 == self.swap_ply
        return SwapTurn.FIRST_DISC if is_first_disc else SwapTurn.NONE

    def swap_sides(self) -> None:
        """Let the player to move take over the other side. This cannot be undone."""
        if not self.can_swap:
            raise NoSwap
        self.seats = {side: self.seats[side.other] for side in Side}
        self.took_over = True
        self.game = Game(self.game.start, self.game.moves)  # removes the undone moves, so that redo is impossible

    def undo(self) -> None:
        """Take discs back until it is the person's turn again. In a demo, or if two people play, take one disc back."""
        moments = list(enumerate(self.game.positions))[:-1]
        first = self.swap_ply - self.game.start.ply if self.took_over else 0
        turns = [ply for ply, position in moments if ply >= first and self._person_moves_at(position)]
        if not turns:
            raise NothingToUndo
        for _ in range(turns[-1], len(self.game.moves)):
            self.game.undo()

    def redo(self) -> None:
        """Drop undone discs again until it is the person's turn."""
        self.game.redo()
        while not self._person_moves_at(self.position) and not self.is_over:
            try:
                self.game.redo()
            except NothingToRedo:
                return

    def _person_moves_at(self, position: Position) -> bool:
        return self.is_demo or self.seats[position.side_to_move] == PERSON_SEAT

    @property
    def is_running(self) -> bool:
        """Whether a game in which a person plays has begun and is not over."""
        return bool(self.game.moves) and not self.is_over and not self.is_demo

    def replace_player(self, name: str) -> None:
        """Replace a computer player that has failed by a person."""
        self.seats = {side: PERSON_SEAT if seat == name else seat for side, seat in self.seats.items()}

    def rematch(self) -> LocalMatch:
        """A new game with the same players and the same start. It replaces this game in the autosave file."""
        seats = {side: self.seats[side.other] for side in Side} if self.took_over else self.seats
        return LocalMatch(Game(self.game.start), seats, autosave_path=self.autosave_path, took_over=self._new_swap)

    def swapped(self) -> LocalMatch:
        """A new game from the same start with the seats swapped."""
        seats = self.seats if self.took_over else {side: self.seats[side.other] for side in Side}
        return LocalMatch(Game(self.game.start), seats, took_over=self._new_swap)

    @property
    def _new_swap(self) -> bool | None:
        """The value of `took_over` for a new game with the same rule."""
        return None if self.took_over is None else False

    def saved(self) -> SavedGame:
        ended = utc_now() if self.is_over else None
        given = min(self.given, len(self.game.moves))  # some of the given moves may have been undone
        return SavedGame(
            self.game, dict(self.seats), started=self.started, ended=ended, given=given, swapped=self.took_over
        )


@dataclass(eq=False)
class TooLargeForPlayer(ConnectkError):
    """The player does not support a board of this size."""

    key = "error.TooLargeForPlayer"
    player: str
    variant: Variant


LEVEL_NUMBERS = range(1, BEST_LEVEL + 1)
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
    """The options of a new game. In a demo both of `players` play. Against a person only the first of them plays."""

    mode: Mode = Mode.COMPUTER
    computer_starts: bool = False
    players: tuple[str, str] = ("level:5", "level:5")
    start: Position = EMPTY_POSITION
    swap: bool = False

    def match(self) -> LocalMatch:
        """Start the game. Raises an error if the start is already decided, or if a player cannot play on this board."""
        if self.start.outcome:
            raise GameAlreadyOver(self.start.outcome)
        seats = self._seats()
        for name in set(seats.values()) - {PERSON_SEAT}:
            if cannot_play(name, self.start.variant):
                raise TooLargeForPlayer(name, self.start.variant)
        return LocalMatch(Game(self.start), seats, took_over=False if self.swap else None)

    def _seats(self) -> Seats:
        """The player of each side. The first name in the list plays the side that moves first."""
        starts = self.start.side_to_move
        return dict(zip((starts, starts.other), self._in_order(), strict=True))

    def _in_order(self) -> tuple[str, str]:
        if self.mode is Mode.TWO_PLAYERS:
            return PERSON_SEAT, PERSON_SEAT
        if self.mode is Mode.DEMO:
            return self.players
        computer = self.players[0]
        return (computer, PERSON_SEAT) if self.computer_starts else (PERSON_SEAT, computer)


def level_name(level: int) -> str:
    return f"level:{level}"
