"""Why a move was a blunder, and what was better: the threat that decided it, in a sentence. The core finds it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from connectk.rules import Cell
from connectk.texts import Texts, load_texts

if TYPE_CHECKING:
    from connectk.review.messages import ReasonFacts

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
