"""Allis's rules are named where they hold, and only there.

`rules.json` has explanations that the checker accepts. In each of them the answers have the shape of a rule, and
there is a group of cells that this rule promises to stop. Where `kept` is true the promise is kept in every position;
where it is not, the rival comes to have them all, for instance because the keeper had to block elsewhere, and the
rule must not be named.
"""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings

from connectk import _native
from connectk.rules import Cell, Position, lines_of
from connectk.solver.bits import bits_of
from connectk.texts import load_texts
from connectk.why import Explanation, Page, check, explain, parse_explanation
from connectk.why.boards import core_page, packed, shown_pages
from connectk.why.checker import RivalDiscs, play_through
from tests.why.test_explainer import open_positions

NAMES = sorted(key.removeprefix("why.rule.") for key in load_texts("en").catalogue if key.startswith("why.rule."))
EXAMPLES = json.loads((Path(__file__).parent / "rules.json").read_text(encoding="utf-8"))


def example(facts: dict) -> tuple[Explanation, Position, frozenset[Cell]]:
    explanation = parse_explanation(json.dumps(facts))
    drop = explanation.pages[0].drop
    after = explanation.position if drop is None else explanation.position.drop(drop)
    return explanation, after, frozenset(Cell(*cell) for cell in facts["group"])


def rules_of(
    after: Position, page: Page, discs: RivalDiscs | None, only: str | None = None
) -> tuple[list[_native.NamedRule], int]:
    """The rival to move; `discs` are what it comes to have."""
    variant = after.variant
    size = variant.width, variant.height, variant.run
    return _native.named_rules(*size, *bits_of(after), core_page(page), packed(discs), only)


def promised(explanation: Explanation, after: Position, name: str, discs: RivalDiscs | None) -> set[frozenset[Cell]]:
    rules, _ = rules_of(after, explanation.pages[0], discs, name)
    return {frozenset(Cell(*cell) for cell in group) for rule in rules for group in rule.groups}


def test_every_rule_has_an_example():
    assert {facts["rule"] for facts in EXAMPLES if facts["kept"]} == set(NAMES)


@pytest.mark.parametrize("facts", EXAMPLES, ids=lambda facts: f"{facts['rule']}-{facts['kept']}")
def test_a_rule_is_named_where_it_keeps_its_promise(facts):
    """The shape is there in both kinds of example; what the rival comes to have tells them apart."""
    explanation, after, group = example(facts)
    assert check(explanation)
    assert group in promised(explanation, after, facts["rule"], None)
    discs = play_through(explanation).rivals[0]
    assert (group in promised(explanation, after, facts["rule"], discs)) == facts["kept"]
    assert discs.ever_all(group) != facts["kept"]


@pytest.mark.parametrize("name", NAMES)
def test_no_rule_without_answers_or_threats(name):
    """On an empty board with nothing to answer no rule has anything to say."""
    assert rules_of(Position(), Page(), None, name) == ([], len(list(lines_of(Position().variant))))


@settings(max_examples=15, deadline=None)
@given(open_positions())
def test_what_is_told_of_a_page_is_true(position):
    """No group of cells that a named rule stops is ever all the rival's, and each of its lines holds such a group."""
    found = explain(position, seconds=3).found
    if found is None:
        return
    for shown in shown_pages(found):
        discs = found.rivals.get(shown.number)
        rules, _ = rules_of(shown.after, shown.page, discs) if discs and shown.page.answers else ([], 0)
        assert not any(discs.ever_all([Cell(*cell) for cell in group]) for rule in rules for group in rule.groups)
        for rule in rules:
            assert all(any(set(group) <= set(line) for group in rule.groups) for line in rule.lines)
        told = [line for step in shown.steps if step.kind == "rule" for line in step.lines]
        assert sorted(map(sorted, told)) == sorted(sorted(line) for rule in rules for line in rule.lines)
