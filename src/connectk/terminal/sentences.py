"""Sentences about a match, in characters that the terminal can show."""

from __future__ import annotations

from collections.abc import Mapping

from connectk.errors import ConnectkError
from connectk.rules import Position, Side
from connectk.system import can_encode
from connectk.terminal.match import PERSON, LocalMatch
from connectk.terminal.store import Autosave
from connectk.texts import Texts

Discs = Mapping[Side, str]

ROUND_DISCS: Discs = {Side.FIRST: "○", Side.SECOND: "●"}
LETTER_DISCS: Discs = {Side.FIRST: "x", Side.SECOND: "o"}

ASCII_SIGNS = str.maketrans("○●·▀│▸▾─╭╮╰╯┄–‹›←→↑↓\u00a0", "xo.-|>v-....--<><>^v ")
ASCII_LETTERS = str.maketrans("åäöÅÄÖé", "aaoAAOe")


def is_ascii_only(encoding: str | None, wanted: bool = False) -> bool:
    """Whether to use only ASCII characters: on request, or if the encoding lacks others."""
    return wanted or not can_encode("○▟", encoding)


def discs_for(ascii_only: bool) -> Discs:
    return LETTER_DISCS if ascii_only else ROUND_DISCS


def printable_texts(texts: Texts, encoding: str | None, ascii_only: bool) -> Texts:
    """Return the texts with characters replaced that the terminal cannot show."""
    if not can_encode("åäö", encoding):
        return texts.translated({**ASCII_SIGNS, **ASCII_LETTERS})
    return texts.translated(ASCII_SIGNS) if ascii_only else texts


class Sentences:
    """Describes a match. A single person is "you"; two are the first and the second player."""

    def __init__(self, texts: Texts, discs: Discs) -> None:
        self.texts, self.discs = texts, discs

    def name(self, match: LocalMatch, side: Side) -> str:
        """The player's name and disc: Computer, level 5 (●)."""
        return f"{self.seat(match, side)} ({self.discs[side]})"

    def seat(self, match: LocalMatch, side: Side) -> str:
        seat = match.seats[side]
        if seat != PERSON:
            return self.player(seat)
        if is_only_person(match, side):
            return self.texts("name.you")
        return self.texts("name.first" if side is Side.FIRST else "name.second")

    def player(self, name: str) -> str:
        """The display name of a computer player: level:5 is the computer at level 5."""
        kind, _, level = name.partition(":")
        return self.texts("name.level", level=level) if kind == "level" else name

    def autosave(self, autosave: Autosave) -> str:
        """Describe an autosave in one line; a damaged one by its file."""
        when = f"{autosave.modified_at:%Y-%m-%d %H:%M}"
        try:
            match = autosave.open()
        except ConnectkError:
            return self.texts("kept.damaged", file=autosave.path, when=when)
        first, second = (self.name(match, side) for side in Side)
        moves = self.texts("panel.moves", count=len(match.game.moves))
        return self.texts("kept.game", first=first, second=second, variant=match.game.variant, moves=moves, when=when)

    def turn(self, match: LocalMatch) -> str:
        """Whose turn it is, or the result."""
        if match.is_over:
            return self.result(match)
        side = match.position.side_to_move
        if is_only_person(match, side):
            return self.texts("turn.you", disc=self.discs[side])
        return self.texts("turn.other", name=self.name(match, side))

    def result(self, match: LocalMatch) -> str:
        outcome = match.game.outcome
        if outcome is None or outcome.winner is None:
            return self.texts("result.draw")
        if is_only_person(match, outcome.winner):
            return self.texts("result.you")
        return self.texts("result.other", name=self.name(match, outcome.winner))

    def winning_line(self, position: Position) -> str:
        """The cells of the winning line, for screen readers."""
        cells = [f"{cell.column + 1}-{cell.row + 1}" for cell in position.winning_cells]
        return self.texts("result.line", cells=", ".join(cells))

    def move(self, match: LocalMatch, ply: int) -> str:
        """The drop that led to the ply-th position."""
        position = match.game.positions[ply]
        side, cell = position.side_to_move.other, position.last_drop
        assert cell is not None, "a position that a drop made has a last drop"
        where = {"column": cell.column + 1, "row": cell.row + 1}
        if is_only_person(match, side):
            return self.texts("move.you", **where)
        return self.texts("move.other", name=self.name(match, side), **where)


def is_only_person(match: LocalMatch, side: Side) -> bool:
    return match.seats[side] == PERSON != match.seats[side.other]
