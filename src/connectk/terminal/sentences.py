"""Writes sentences about a match, with characters that the terminal can show."""

from __future__ import annotations

from collections.abc import Mapping

from connectk.errors import ConnectkError
from connectk.rules import Position, Side
from connectk.settings import UserSettings
from connectk.terminal.match import PERSON_SEAT, LocalMatch
from connectk.terminal.store import Autosave
from connectk.texts import Texts, load_texts
from connectk.texts.signs import printable_texts
from connectk.why.wording import naming_players

Discs = Mapping[Side, str]

ROUND_DISCS: Discs = {Side.FIRST: "○", Side.SECOND: "●"}
LETTER_DISCS: Discs = {Side.FIRST: "x", Side.SECOND: "o"}


def terminal_texts(settings: UserSettings, encoding: str | None, language: str = "") -> Texts:
    """The texts in the given language, by default that of the settings. They use only characters that this terminal can
    show."""
    texts = printable_texts(load_texts(language or settings.language), encoding, settings.ascii)
    return naming_players(texts, spoken=not settings.board)


def discs_for(ascii_only: bool) -> Discs:
    return LETTER_DISCS if ascii_only else ROUND_DISCS


class Sentences:
    """Writes sentences about a match. A single person is called "you"; two people are called the first and the second
    player.

    If `spoken` is set, for a screen reader, names have no disc beside them."""

    def __init__(self, texts: Texts, discs: Discs, spoken: bool = False) -> None:
        self.texts, self.discs, self._spoken = texts, discs, spoken

    def name(self, match: LocalMatch, side: Side) -> str:
        """The name of a player with the sign of their discs, such as `Computer, level 5 (●)`."""
        seat = self.seat(match, side)
        return seat if self._spoken else f"{seat} ({self.discs[side]})"

    def seat(self, match: LocalMatch, side: Side) -> str:
        seat = match.seats[side]
        if seat != PERSON_SEAT:
            return self.player(seat)
        if is_only_person(match, side):
            return self.texts("name.you")
        return self.texts("name.first" if side is Side.FIRST else "name.second")

    def player(self, name: str) -> str:
        """The display name of a computer player: `level:5` becomes `Computer, level 5`."""
        kind, _, level = name.partition(":")
        return self.texts("name.level", level=level) if kind == "level" else name

    def autosave(self, autosave: Autosave) -> str:
        """One line about an autosave: its players, its board and its time. A damaged autosave is described by its file
        name."""
        when = f"{autosave.modified_at:%Y-%m-%d %H:%M}"
        try:
            match = autosave.open()
        except ConnectkError:
            return self.texts("kept.damaged", file=autosave.path, when=when)
        first, second = (self.name(match, side) for side in Side)
        moves = self.texts("panel.moves", count=len(match.game.moves))
        return self.texts("kept.game", first=first, second=second, variant=match.game.variant, moves=moves, when=when)

    def turn(self, match: LocalMatch) -> str:
        """A sentence about whose turn it is, or about how the game ended."""
        if match.is_over:
            return self.result(match)
        side = match.position.side_to_move
        if is_only_person(match, side):
            return self.own_turn(side)
        return self.texts("turn.other", name=self.name(match, side))

    def own_turn(self, side: Side) -> str:
        """A sentence that tells the user that it is their turn and which side they play."""
        return self.texts("spoken.turn") if self._spoken else self.texts("turn.you", disc=self.discs[side])

    def result(self, match: LocalMatch) -> str:
        outcome = match.game.outcome
        if outcome is None or outcome.winner is None:
            return self.texts("result.draw")
        if is_only_person(match, outcome.winner):
            return self.texts("result.you")
        return self.texts("result.other", name=self.name(match, outcome.winner))

    def winning_line(self, position: Position) -> str:
        return describe_winning_line(position, self.texts)

    def seats(self, match: LocalMatch) -> str:
        """A sentence that says who is the first and who is the second player, as reviews and explanations call them.
        Empty if the players have no other names."""
        if all(seat == PERSON_SEAT for seat in match.seats.values()):
            return ""
        return self.texts("spoken.seats", **{str(side): self.name(match, side) for side in Side})

    def disc(self, match: LocalMatch, ply: int) -> str:
        """One drop of the game in a few words, such as `You, column 4, row 1`."""
        position = match.game.positions[ply]
        cell = position.last_drop
        assert cell is not None, "a position that a drop made has a last drop"
        name = self.seat(match, position.side_to_move.other)
        return self.texts("spoken.disc", name=name, column=cell.column + 1, row=cell.row + 1)

    def move(self, match: LocalMatch, ply: int) -> str:
        """A sentence about one drop of the game. `ply` is the number of the drop, counted from 1."""
        position = match.game.positions[ply]
        side, cell = position.side_to_move.other, position.last_drop
        assert cell is not None, "a position that a drop made has a last drop"
        where = {"column": cell.column + 1, "row": cell.row + 1}
        if is_only_person(match, side):
            return self.texts("move.you", **where)
        return self.texts("move.other", name=self.name(match, side), **where)


def describe_winning_line(position: Position, texts: Texts) -> str:
    """A sentence that names the cells of the winning line, for example for a screen reader."""
    cells = [texts("coach.cell", column=cell.column + 1, row=cell.row + 1) for cell in sorted(position.winning_cells)]
    return texts("result.line", cells="; ".join(cells))


def is_only_person(match: LocalMatch, side: Side) -> bool:
    return match.seats[side] == PERSON_SEAT != match.seats[side.other]
