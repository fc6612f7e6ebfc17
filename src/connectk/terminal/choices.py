"""What can be chosen before a game: on the start screen, by plain questions, or as options of the command."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from connectk.errors import GameAlreadyOver
from connectk.rules import CLASSIC, Game, Position, Variant
from connectk.terminal.match import PERSON, Match, Seats

LEVELS = range(1, 11)
NAMED_BOARDS = {  # by the key of their texts
    "board.classic": CLASSIC,
    "board.small": Variant(5, 4, 3),
    "board.large": Variant(9, 7, 4),
    "board.five": Variant(9, 7, 5),
}
EMPTY = Position.start(CLASSIC)


class Mode(Enum):
    COMPUTER = "computer"
    TWO_PLAYERS = "two"
    DEMO = "demo"


@dataclass(frozen=True, slots=True)
class Choices:
    """`players` are the computer's: the first of them plays alone, or starts a demo against the second."""

    mode: Mode = Mode.COMPUTER
    computer_starts: bool = False
    players: tuple[str, str] = ("level:5", "level:5")
    start: Position = EMPTY

    def match(self) -> Match:
        """The game that was chosen, ready for its first move."""
        if self.start.outcome:
            raise GameAlreadyOver(self.start.outcome)
        return Match(Game(self.start), self._seats())

    def _seats(self) -> Seats:
        """Who starts makes the next move, whichever side that is in the position given."""
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
