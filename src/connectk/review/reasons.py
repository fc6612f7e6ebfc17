"""Why a move was a blunder, and what was better: the threat that decided it, in a sentence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from connectk.notation.views import SIDE_NAMES
from connectk.players.drops import centre_first
from connectk.review.judging import Judged
from connectk.rules import Cell, Position
from connectk.rules.threats import makes_fork, threats, winning_columns
from connectk.texts import Texts, load_texts

if TYPE_CHECKING:
    from connectk.review.messages import ReasonFacts

BestLine = Callable[[Position], tuple[int, ...]]

THREATS = ("lasting_threat", "coming_threat", "open_play")  # each one missed, or allowed


@dataclass(frozen=True, slots=True)
class Reason:
    """What kind of reason it is and its facts, for a program; `say` puts it into words.

    `cells` are those to look at, `line` is how play should have gone on, and `refutation` how the move is met. Columns
    and rows count from 0.
    """

    kind: str
    facts: ReasonFacts
    cells: tuple[Cell, ...] = ()
    line: tuple[int, ...] = ()
    refutation: tuple[int, ...] = ()

    @property
    def text(self) -> str:
        """In English."""
        return self.say(load_texts("en"))

    def say(self, texts: Texts) -> str:
        """One sentence in a player's language."""
        words = _words(self.facts, texts)
        whose, _, threat = self.kind.partition("_")
        if threat not in THREATS:
            return texts(f"reason.{self.kind}", **words)
        said = texts(f"reason.{whose}_threat", **words, threat=texts(f"reason.{threat}", **words))
        return f"{said} {texts('reason.' + self.facts['why'], **words)}" if "why" in self.facts else said


def _words(facts: ReasonFacts, texts: Texts) -> dict[str, object]:
    """The facts as a person reads them: counted from 1, in the case that the language asks for."""
    words: dict[str, object] = {**facts}
    if "column" in facts:
        words["column"] = facts["column"] + 1
    if "threat_column" in facts:
        words["threat_column"] = facts["threat_column"] + 1
    if "columns" in facts:
        count, columns = len(facts["columns"]), _listed(facts["columns"], texts)
        words |= {"count": count, "columns": columns, "where": texts("reason.where", count=count, columns=columns)}
    if "row" in facts:
        words["row"] = facts["row"] + 1
        words["parity"] = texts("reason.odd" if facts["row"] % 2 == 0 else "reason.even")
    if "winner" in facts:
        words["winner"] = texts(f"reason.side.{facts['winner']}")
        words["winner_s"] = texts(f"reason.side_s.{facts['winner']}")
    if "loser" in facts:
        words["loser"] = texts(f"reason.side.{facts['loser']}")
    return words


def _listed(columns: Sequence[int], texts: Texts) -> str:
    """3; 3 and 5; 2, 3 and 5."""
    *most, last = [str(column + 1) for column in columns]
    return texts("reason.and", most=", ".join(most), last=last) if most else last


def reason_of(position: Position, played: int, judged: Judged, best_line: BestLine) -> Reason:
    """The plainest reason there is: a missed win, a win allowed, two threats at once, or a threat that lasts."""
    after, column = position.drop(played), judged.best_columns[0]
    better = (column, *(best_line(position.drop(column)) if judged.exact else ()))
    refutation = best_line(after) if judged.exact else ()
    found = (
        _missed_win(position)
        or _allowed_win(position, played)
        or _allowed_fork(position, played)
        or _missed_fork(position, judged)
        or _sooner_threat(position, played, better, refutation)
        or Reason("score_prefers" if judged.exact else "engine_prefers", {"columns": list(judged.best_columns)})
    )
    return replace(found, line=found.line or better, refutation=refutation or found.refutation)


def _missed_win(position: Position) -> Reason | None:
    columns = winning_columns(position, position.side_to_move)
    facts: ReasonFacts = {"columns": columns, "run": position.variant.run}
    return Reason("missed_win", facts, _tops(position, columns), line=(columns[0],)) if columns else None


def _allowed_win(position: Position, played: int) -> Reason | None:
    after = position.drop(played)
    columns = winning_columns(after, after.side_to_move)
    facts: ReasonFacts = {"columns": columns, "winner": SIDE_NAMES[after.side_to_move], "run": position.variant.run}
    kind = "allowed_win_on_top" if played in columns else "allowed_win"
    return Reason(kind, facts, _tops(after, columns), refutation=(columns[0],)) if columns else None


def _tops(position: Position, columns: list[int]) -> tuple[Cell, ...]:
    return tuple(Cell(column, position.height_of(column)) for column in columns)


def _missed_fork(position: Position, judged: Judged) -> Reason | None:
    column = next((column for column in judged.best_columns if makes_fork(position, column)), None)
    return None if column is None else _fork("missed_fork", position, column)


def _allowed_fork(position: Position, played: int) -> Reason | None:
    after = position.drop(played)
    column = next((column for column in centre_first(after) if makes_fork(after, column)), None)
    return None if column is None else _fork("allowed_fork", after, column)


def _fork(kind: str, position: Position, column: int) -> Reason:
    """Two threats, playable ones first; one may lie on top of the other."""
    after, side = position.drop(column), position.side_to_move
    cells = sorted(threats(after, side), key=lambda cell: (cell.row - after.height_of(cell.column), cell))
    two = tuple(cell for cell in cells if cell.row - after.height_of(cell.column) <= 1)[:2]
    return Reason(kind, {"column": column, "columns": sorted({c for c, _ in two}), "winner": SIDE_NAMES[side]}, two)


def _sooner_threat(
    position: Position, played: int, better: tuple[int, ...], refutation: tuple[int, ...]
) -> Reason | None:
    """The win that was there or the loss that followed, whichever is seen sooner, followed to its end."""
    after = position.drop(played)
    lines = [("missed", position, better), ("allowed", after, refutation)]
    lines.sort(key=lambda told: len(told[2]))
    found = (_threat(*told) for told in lines if _ends_with_win_of(told[1], told[2]))
    return next((reason for reason in found if reason), None)


def _ends_with_win_of(position: Position, line: tuple[int, ...]) -> bool:
    """Whether the side to move wins with the last disc of the line."""
    return len(line) % 2 == 1 and _deciding_cell(position, line) is not None


def _threat(whose: str, position: Position, line: tuple[int, ...]) -> Reason | None:
    """A threat that is there already, one that will be, or a line made in open play; the winner is to move."""
    cell, winner = _deciding_cell(position, line), position.side_to_move
    if cell is None:
        return None
    beneath = len(line) > 1 and line[-2] == cell.column  # the loser's last disc had to go beneath the threat
    kind = "lasting_threat" if cell in threats(position, winner) else "coming_threat"
    facts: ReasonFacts = {"column": line[0], "threat_column": cell.column, "row": cell.row}
    facts |= {"run": position.variant.run, "move": position.ply + len(line) - beneath}
    facts |= {"winner": SIDE_NAMES[winner], "loser": SIDE_NAMES[winner.other]}
    if not beneath:
        return Reason(f"{whose}_open_play", facts, (cell,))
    return Reason(f"{whose}_{kind}", facts | _why_beneath(position, line, cell), (cell,))


def _why_beneath(position: Position, line: tuple[int, ...], cell: Cell) -> ReasonFacts:
    """Why the loser has to drop beneath the threat: the other cells run out on the loser's turn, since they are an even
    number and the winner is to move; or what is left loses as well."""
    for column in line[:-2]:
        position = position.drop(column)
    if position.legal_columns == (cell.column,):
        return {"why": "parity", "cells_left": len(line) - 1}
    return {"why": "squeezed"}


def _deciding_cell(position: Position, line: tuple[int, ...]) -> Cell | None:
    """Where the winning disc falls when the line is played out; None when it ends in no win."""
    for column in line:
        position = position.drop(column)
    won = position.outcome is not None and position.outcome.winner is not None
    return position.last_drop if won else None
