"""What the rows of the start screen say, and the game that they describe."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from connectk.errors import NotationError
from connectk.rules import CLASSIC, Position, Variant
from connectk.terminal.choices import Choices, Mode, level_name
from connectk.terminal.match import Match
from connectk.terminal.store import open_game

OTHER = "other"
LISTED_PLAYERS = ["random", "greedy", "minimax:5", "mcts:1000", "engine:1000ms", "perfect"]


@dataclass
class Form:
    """Every field as it stands on the screen; OTHER means that the line below says more."""

    mode: str = Mode.COMPUTER.value
    starts: str = "you"
    player: str = level_name(5)
    name: str = ""
    second: str = level_name(5)
    second_name: str = ""
    board: str = str(CLASSIC)
    size: str = ""
    opening: str = ""  # moves, or the name of a saved game's file

    def matters(self) -> dict[str, bool]:
        """Which rows say something in this mode."""
        demo, computer = self.mode == Mode.DEMO.value, self.mode != Mode.TWO_PLAYERS.value
        return {
            "starts": computer and not demo,
            "player": computer,
            "name": computer and self.player == OTHER,
            "second": demo,
            "second_name": demo and self.second == OTHER,
            "board": not self._is_file,
            "size": self.board == OTHER and not self._is_file,
        }

    @property
    def _is_file(self) -> bool:
        return bool(re.search(r"[^\d\s,]", self.opening))

    def players_that_matter(self) -> list[str]:
        matters = self.matters()
        return [name for row, name in zip(("player", "second"), self._players(), strict=True) if matters[row]]

    def _players(self) -> tuple[str, str]:
        first = self.name.strip() if self.player == OTHER else self.player
        second = self.second_name.strip() if self.second == OTHER else self.second
        return first, second

    def start(self) -> Position:
        """The position that the game starts from."""
        return self._opened().position if self._is_file else Position.from_moves(self.opening, self._variant())

    def unreadable(self, error: NotationError) -> tuple[str, str]:
        """The key of what to say about a field that cannot be read, and what stands in it."""
        if self._is_file:
            return "error.not_a_game", self.opening.strip()
        if error.text == self.size and self.board == OTHER:
            return "error.not_a_board", self.size
        return "error.not_moves", self.opening.strip()

    def _variant(self) -> Variant:
        return Variant.parse(self.size if self.board == OTHER else self.board)

    def _opened(self) -> Match:
        return Match.of(open_game(Path(self.opening.strip())))

    def match(self) -> Match:
        """The game chosen; a saved one goes on with its moves, so that they can be taken back and replayed."""
        if not self._is_file:
            return self._choices(self.start()).match()
        match = self._opened()
        if not match.is_over:
            match.seats = self._choices(match.position).match().seats
        return match

    def _choices(self, start: Position) -> Choices:
        return Choices(Mode(self.mode), self.starts == "computer", self._players(), start)
