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

from connectk.rules import Cell, Position, Side, lines_of
from connectk.why import Explanation, Page, check, explain, parse_explanation
from connectk.why.checker import play_through
from connectk.why.naming import NAMES, Taken, rules_of
from connectk.why.telling import shown_pages
from tests.why.test_explainer import open_positions

EXAMPLES = json.loads((Path(__file__).parent / "rules.json").read_text(encoding="utf-8"))


def example(facts: dict) -> tuple[Explanation, Position, frozenset[Cell]]:
    explanation = parse_explanation(json.dumps(facts))
    drop = explanation.pages[0].drop
    after = explanation.position if drop is None else explanation.position.drop(drop)
    return explanation, after, frozenset(Cell(*cell) for cell in facts["group"])


def promised(explanation: Explanation, after: Position, name: str, taken: Taken) -> set[frozenset[Cell]]:
    rules, _ = rules_of(after, explanation.pages[0], explanation.claim.keeper, taken, only=name)
    return {group for rule in rules for group in rule.groups}


def test_every_rule_has_an_example():
    assert {facts["rule"] for facts in EXAMPLES if facts["kept"]} == set(NAMES)


@pytest.mark.parametrize("facts", EXAMPLES, ids=lambda facts: f"{facts['rule']}-{facts['kept']}")
def test_a_rule_is_named_where_it_keeps_its_promise(facts):
    """The shape is there in both kinds of example; what the rival comes to have tells them apart."""
    explanation, after, group = example(facts)
    assert check(explanation)
    assert group in promised(explanation, after, facts["rule"], lambda cells: False)
    taken = play_through(explanation)[1][0].ever_all
    assert (group in promised(explanation, after, facts["rule"], taken)) == facts["kept"]
    assert taken(group) != facts["kept"]


@pytest.mark.parametrize("name", NAMES)
def test_no_rule_without_answers_or_threats(name):
    """On an empty board with nothing to answer no rule has anything to say."""
    assert rules_of(Position(), Page(), Side.SECOND, only=name) == ([], list(lines_of(Position().variant)))


@settings(max_examples=15, deadline=None)
@given(open_positions())
def test_what_is_told_of_a_page_is_true(position):
    """No group of cells that a named rule stops is ever all the rival's, and each of its lines holds such a group."""
    explanation = explain(position, seconds=3).explanation
    if explanation is None:
        return
    pages = play_through(explanation)[1]
    for shown in shown_pages(explanation):
        for rule in shown.rules:
            assert not any(pages[shown.number].ever_all(group) for group in rule.groups)
            assert all(any(group <= set(line) for group in rule.groups) for line in rule.lines)
