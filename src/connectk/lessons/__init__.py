"""A course of lessons. A lesson consists of cards with a short text and a board. Some cards ask for a drop.

The cards are in `lessons.json`, which the page reads too. Their texts are in `texts`: `lesson.fork.1` is the key for
the first card of `fork`. The accepted answers are in the JSON file, and the tests check them with the solver.

>>> from connectk.lessons import lessons
>>> len(lessons())
14
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from connectk.notation.moves import parse_variant
from connectk.notation.start import parse_start
from connectk.puzzles.drop_quality import DropJudgement, DropQuality
from connectk.rules import CLASSIC, Position, Variant

Ask = Literal["best", "keep"]


@dataclass(frozen=True, slots=True)
class Card:
    """A card: a board, and a question if the card asks one.

    `ask` is `best` if only the best drops are right, and `keep` if every drop that keeps the result is right. It is
    None for a card without a question.
    """

    variant: Variant
    start: str
    ask: Ask | None
    answers: tuple[int, ...]  # the columns accepted as the first drop
    to_end: bool  # whether the solver replies and the card asks again until the game is over

    @property
    def position(self) -> Position:
        return parse_start(self.start, self.variant)

    def accepts(self, judgement: DropJudgement) -> bool:
        return judgement.quality is DropQuality.BEST or (self.ask == "keep" and judgement.keeps_result)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A named sequence of cards about one idea."""

    name: str
    cards: tuple[Card, ...]


@cache
def lessons() -> tuple[Lesson, ...]:
    """The whole course in order."""
    from importlib.resources import files

    text = (files(__package__) / "lessons.json").read_text(encoding="utf-8")
    return tuple(Lesson(one["name"], tuple(map(_card, one["cards"]))) for one in json.loads(text))


def _card(facts: dict[str, Any]) -> Card:
    variant = parse_variant(facts["variant"]) if "variant" in facts else CLASSIC
    return Card(variant, facts["start"], facts.get("ask"), tuple(facts.get("answers", ())), facts.get("to_end", False))
