"""An explanation step by step: a board, what to look at on it and a sentence. The page and the terminal show the same.

A step says what it says as a kind and facts, so that it is worked out once and told in any language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from connectk.notation.views import SIDE_NAMES, variant_view
from connectk.rules import Cell, Position
from connectk.rules.threats import winning_columns
from connectk.texts import Texts
from connectk.why.checker import MOST_POSITIONS
from connectk.why.explainer import Why
from connectk.why.explanation import Explanation
from connectk.why.files import to_json
from connectk.why.naming import Rule
from connectk.why.telling import ShownPage, checked_pages, known_of, say_known

if TYPE_CHECKING:
    from connectk.why.messages import StepFacts, UnsaidStep, WhyAnswer, WhyFacts, WhyStepView

Pair = tuple[Cell, Cell]


@dataclass(frozen=True, slots=True)
class Step:
    """One board: its discs, and what is drawn over them.

    `played` are drops from here on, in order, the sides taking turns; `pairs` are a cell of the rival's next disc and
    the cell that answers it; `lines` are what the step is about: lines that the rival will not complete, or the one
    that the keeper does; `threats` are the keeper's; `replies` are columns with a page of their own.
    """

    page: int  # from 0
    position: Position
    kind: str
    facts: StepFacts
    played: tuple[Cell, ...] = ()
    pairs: tuple[Pair, ...] = ()
    lines: tuple[tuple[Cell, ...], ...] = ()
    threats: tuple[Cell, ...] = ()
    replies: Mapping[int, int] = field(default_factory=dict)

    def say(self, texts: Texts) -> str:
        return say(self.kind, self.facts, texts)


def steps_of(why: Why) -> tuple[Step, ...]:
    """Of what was found; without an explanation, best play as one step. None of a game that is over."""
    if why.explanation is not None:
        return checked_steps(why.explanation)[1]
    position, line = why.solution.position, why.line
    return () if position.outcome else (Step(0, position, "line", {"line": list(line)}, _cells_of(position, line)),)


def checked_steps(explanation: Explanation, most: int = MOST_POSITIONS) -> tuple[int, tuple[Step, ...]]:
    """How many positions the checker played through, and the steps; what it refuses has none."""
    checked, pages = checked_pages(explanation, most)
    return checked, tuple(step for shown in pages for step in _page_steps(shown))


def _page_steps(shown: ShownPage) -> Iterator[Step]:
    if shown.page.force:
        yield from _force_steps(shown)
        return
    page, here = shown.page, shown.after
    if page.drop is not None:
        yield Step(shown.number, here, "drop", {"column": page.drop})
    if shown.replies:
        yield Step(shown.number, here, "replies", {"columns": sorted(shown.replies)}, replies=shown.replies)
    if page.answers:
        yield from _answer_steps(shown)


def _force_steps(shown: ShownPage) -> Iterator[Step]:
    """One for each drop of the keeper: the threat that it makes, or two of them, and the line at the end."""
    position, line = shown.position, shown.force
    keeper, cells = position.side_to_move, _cells_of(shown.position, shown.force)
    for i, column in enumerate(line):
        position = position.drop(column)
        if i % 2:
            continue
        drop = Step(
            shown.number, shown.position, "win", {"column": column}, cells[: i + 1], lines=position.winning_lines
        )
        if position.outcome is None:
            threats = winning_columns(position, keeper)
            kind = "threat" if len(threats) == 1 else "double"
            facts: StepFacts = {"column": column, "columns": threats}
            at = tuple(Cell(one, position.height_of(one)) for one in threats)
            drop = Step(shown.number, shown.position, kind, facts, cells[: i + 1], threats=at)
        yield drop


def _answer_steps(shown: ShownPage) -> Iterator[Step]:
    """All answers together, then each rule with its cells, then what no rule tells."""
    pairs = tuple((cell, answers[0]) for cell, answers in shown.page.answers.items() if answers)
    threats = tuple(rule.cells[0] for rule in shown.rules if rule.name == "zugzwang")
    yield Step(shown.number, shown.after, "always", {}, pairs=pairs, threats=threats)
    for name in dict.fromkeys(rule.name for rule in shown.rules):
        yield _rule_step(shown, [rule for rule in shown.rules if rule.name == name], pairs)
    if shown.others:
        facts: StepFacts = {"answers": [(cell, list(some)) for cell, some in shown.others.items()]}
        others = tuple((cell, some[0]) for cell, some in shown.others.items() if some)
        yield Step(shown.number, shown.after, "answers", facts, pairs=others)
    if shown.unnamed:
        yield Step(shown.number, shown.after, "rest", {"count": shown.unnamed})


def _rule_step(shown: ShownPage, rules: Sequence[Rule], pairs: tuple[Pair, ...]) -> Step:
    cells = {cell for rule in rules for cell in rule.cells}
    lines = tuple(dict.fromkeys(line for rule in rules for line in rule.lines))
    facts: StepFacts = {"rule": rules[0].name, "cells": [list(rule.cells) for rule in rules], "count": len(lines)}
    own = tuple(pair for pair in pairs if pair[0] in cells and pair[1] in cells)
    threats = tuple(rule.cells[0] for rule in rules) if rules[0].name == "zugzwang" else ()
    return Step(shown.number, shown.after, "rule", facts, pairs=own, lines=lines, threats=threats)


def _cells_of(position: Position, columns: Sequence[int]) -> tuple[Cell, ...]:
    cells = []
    for column in columns:
        cells.append(Cell(column, position.height_of(column)))
        position = position.drop(column)
    return tuple(cells)


def say(kind: str, facts: StepFacts, texts: Texts) -> str:
    """What a step says, counted from 1."""
    if kind == "rule":
        cells = "; ".join(" ".join(_cell(cell, texts) for cell in some) for some in facts["cells"])
        return f"{texts('why.rule.' + facts['rule'])} ({cells}): {texts('why.lines', count=facts['count'])}."
    if kind == "answers":
        return (
            f"{texts('why.step.answers')} {'; '.join(_answer(cell, some, texts) for cell, some in facts['answers'])}."
        )
    if kind == "line" and not facts["line"]:
        return texts("why.none")
    told: dict[str, object] = {**facts}
    if "column" in facts:
        told["column"] = facts["column"] + 1
    if "columns" in facts:
        told |= {"columns": ", ".join(str(one + 1) for one in facts["columns"]), "count": len(facts["columns"])}
    if "line" in facts:
        told["line"] = " ".join(str(one + 1) for one in facts["line"])
    return texts(f"why.{kind}" if kind in ("drop", "rest") else f"why.step.{kind}", **told)


def _answer(cell: Sequence[int], answers: Sequence[Sequence[int]], texts: Texts) -> str:
    where = texts("why.otherwise").join(_cell(answer, texts) for answer in answers)
    return texts("why.answer", cell=_cell(cell, texts), cells=where)


def _cell(cell: Sequence[int], texts: Texts) -> str:
    return texts("why.cell", column=cell[0] + 1, row=cell[1] + 1)


# As JSON, for the page.


def why_facts(why: Why) -> WhyFacts:
    """All of it but the words, which `in_language` adds."""
    if why.explanation is not None:
        return explanation_facts(why.explanation)
    return {
        "variant": variant_view(why.solution.position.variant),
        "known": known_of(why),
        "steps": [_step_facts(step) for step in steps_of(why)],
        "claim": None,
        "kind": None,
        "boards": 0,
        "checked": 0,
        "explanation": None,
    }


def explanation_facts(explanation: Explanation, most: int = MOST_POSITIONS) -> WhyFacts:
    """The same of an explanation from anywhere: the checker plays it through first, and raises if it does not hold."""
    checked, steps = checked_steps(explanation, most)
    written = to_json(explanation)
    return {
        "variant": variant_view(explanation.position.variant),
        "known": None,
        "steps": [_step_facts(step) for step in steps],
        "claim": written["claim"],
        "kind": explanation.kind,
        "checked": checked,
        "explanation": written,
        "boards": len({step.page for step in steps}),
    }


def _step_facts(step: Step) -> UnsaidStep:
    position = step.position
    return {
        "page": step.page,
        "board": [position.letters(column) for column in range(position.variant.width)],
        "side_to_move": SIDE_NAMES[position.side_to_move],
        "last_drop": position.last_drop,
        "kind": step.kind,
        "facts": step.facts,
        "played": list(step.played),
        "pairs": list(step.pairs),
        "lines": [list(line) for line in step.lines],
        "threats": list(step.threats),
        "replies": [{"column": column, "page": page} for column, page in sorted(step.replies.items())],
    }


def in_language(facts: WhyFacts, texts: Texts) -> WhyAnswer:
    """The JSON of an explanation with its words; the one given is left as it is."""
    steps: list[WhyStepView] = [{**step, "words": say(step["kind"], step["facts"], texts)} for step in facts["steps"]]
    return {**facts, "headline": _headline(facts, texts), "steps": steps}


def _headline(facts: WhyFacts, texts: Texts) -> str:
    claim, known = facts["claim"], facts["known"]
    if claim is None:
        assert known is not None  # where nothing is claimed
        return say_known(known, texts)
    counted = texts("why.boards", count=facts["boards"]), texts("why.checked", count=facts["checked"])
    return " ".join((texts(f"why.claim.{claim['side']}.{claim['result']}"), *counted))
