"""A course of ten lessons: cards with a few words and a board, some of which ask for a drop.

The cards are in `lessons.json`, which the page reads too; their words are in `texts`, as `lesson.fork.1`
for the first card of `fork`. What a card takes for right is written there and held to the solver by the tests.

>>> from connectk.lessons import lessons
>>> len(lessons())
10
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from connectk.notation.moves import parse_variant
from connectk.notation.start import parse_start
from connectk.puzzles.tries import Judgement, Kind
from connectk.rules import CLASSIC, Position, Variant

Ask = Literal["best", "keep"]


@dataclass(frozen=True, slots=True)
class Card:
    """A board. One that asks wants the `best` drop, or one that does `keep` the result; then maybe all to the end."""

    variant: Variant
    start: str
    ask: Ask | None
    answers: tuple[int, ...]  # to the first question
    to_end: bool  # the board answers, and asks again until the game is over

    @property
    def position(self) -> Position:
        return parse_start(self.start, self.variant)

    def accepts(self, judgement: Judgement) -> bool:
        return judgement.kind is Kind.BEST or (self.ask == "keep" and judgement.keeps_result)


@dataclass(frozen=True, slots=True)
class Lesson:
    """One thing to learn."""

    name: str
    cards: tuple[Card, ...]


@cache
def lessons() -> tuple[Lesson, ...]:
    """The whole course, in its order."""
    from importlib.resources import files

    text = (files(__package__) / "lessons.json").read_text(encoding="utf-8")
    return tuple(Lesson(one["name"], tuple(map(_card, one["cards"]))) for one in json.loads(text))


def _card(facts: dict[str, Any]) -> Card:
    variant = parse_variant(facts["variant"]) if "variant" in facts else CLASSIC
    return Card(variant, facts["start"], facts.get("ask"), tuple(facts.get("answers", ())), facts.get("to_end", False))
