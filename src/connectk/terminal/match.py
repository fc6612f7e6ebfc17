"""A game with someone in each seat: a person at this keyboard, or a player from the registry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime

from connectk.players.registry import REGISTRY
from connectk.errors import NothingToRedo, NothingToUndo
from connectk.notation import SavedGame
from connectk.rules import Game, Position, Side

PERSON = "person"

Seats = Mapping[Side, str]


def now() -> datetime:
    return datetime.now(UTC).replace(microsecond=0)


@dataclass
class Match:
    """`seats` holds PERSON or a player's name for each side."""

    game: Game
    seats: Seats
    started: datetime = field(default_factory=now)

    @classmethod
    def of(cls, saved: SavedGame) -> Match:
        """A saved game taken up again. Whoever is no player of ours is a person: a file must not start programs."""
        names = {side: saved.players.get(side, PERSON) for side in Side}
        seats = {side: name if name.partition(":")[0] in REGISTRY else PERSON for side, name in names.items()}
        return cls(saved.game, seats, saved.started or now())

    @property
    def position(self) -> Position:
        return self.game.position

    @property
    def is_over(self) -> bool:
        return self.game.result is not None

    @property
    def is_demo(self) -> bool:
        """Whether nobody at this keyboard plays."""
        return PERSON not in self.seats.values()

    @property
    def computer_to_move(self) -> str | None:
        """The player from the registry whose turn it is; None when it is a person's, or nobody's."""
        seat = self.seats[self.position.side_to_move]
        return None if self.is_over or seat == PERSON else seat

    def undo(self) -> None:
        """Back to the latest earlier moment at which a person was to move."""
        moments = list(enumerate(self.game.positions))[:-1]
        turns = [ply for ply, position in moments if self._stops_at(position)]
        if not turns:
            raise NothingToUndo
        for _ in range(turns[-1], len(self.game.moves)):
            self.game.undo()

    def redo(self) -> None:
        """Forward to a person's next turn, as far as moves were taken back."""
        self.game.redo()
        while not self._stops_at(self.position) and not self.is_over:
            try:
                self.game.redo()
            except NothingToRedo:
                return

    def _stops_at(self, position: Position) -> bool:
        return self.is_demo or self.seats[position.side_to_move] == PERSON

    def give_seat(self, name: str) -> None:
        """A person takes over from a player that cannot go on."""
        self.seats = {side: PERSON if seat == name else seat for side, seat in self.seats.items()}

    def again(self) -> Match:
        """The same players from the same start."""
        return Match(Game(self.game.start), self.seats)

    def swapped(self) -> Match:
        """The same start, with the players in each other's seats."""
        return Match(Game(self.game.start), {side: self.seats[side.other] for side in Side})

    def saved(self) -> SavedGame:
        ended = now() if self.is_over else None
        return SavedGame(self.game, dict(self.seats), started=self.started, ended=ended)
