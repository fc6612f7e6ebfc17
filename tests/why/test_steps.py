"""Tests that the steps show the facts of the explanation, and nothing that the checker refuses."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings

from connectk.notation.start import parse_start
from connectk.rules import Cell, Position, Side, Variant
from connectk.texts import LANGUAGES, load_texts
from connectk.why import Claim, Explanation, Page, Promise, explain
from connectk.why.checker import check_and_record
from connectk.why.json_views import localize_why, steps_for, why_to_json
from connectk.why.pictures import draw_explanation
from connectk.why.steps import Step, shown_pages
from connectk.why.wording import drawn
from tests.why.test_explainer import open_positions

WON_POSITION = "4444443265353"


def test_a_force_has_a_step_for_each_drop_of_the_keeper():
    """A force has a step for each drop of the keeper: here the third disc in a row, and then the two ways to win."""
    found = explain(Position.from_moves("3344"))
    double, win = steps_for(found)
    assert (double.kind, double.facts) == ("double", {"column": 1, "columns": [0, 4]})
    assert double.threats == (Cell(0, 0), Cell(4, 0))
    assert (win.kind, win.played) == ("win", (Cell(1, 0), Cell(0, 0), Cell(4, 0)))
    assert win.lines == ((Cell(1, 0), Cell(2, 0), Cell(3, 0), Cell(4, 0)),)


def test_every_answer_of_a_strategy_is_drawn():
    found = explain(Position.from_moves(WON_POSITION))
    always = next(step for step in steps_for(found) if step.kind == "always")
    page = found.explanation.pages[always.page]
    assert dict(always.pairs) == {cell: answers[0] for cell, answers in page.answers.items()}


def test_a_tree_names_the_board_of_each_reply():
    """In a tree, a step announces each page after the first."""
    found = explain(Position(Variant(4, 4, 4)), side=Side.SECOND, boards=30, seconds=60)
    assert found.explanation.kind == "tree"
    steps = steps_for(found)
    announced = {page for step in steps for page in step.replies.values()}
    assert announced == {step.page for step in steps} - {0}


def steps_in(explanation: Explanation) -> list[Step]:
    return [step for shown in shown_pages(check_and_record(explanation)) for step in shown.steps]


def test_what_play_never_gets_to_is_not_shown():
    """Pages that play cannot reach are not shown, even if a stranger's file has them."""
    explanation = explain(Position.from_moves(WON_POSITION)).explanation
    page = explanation.pages[0]
    answers = {**page.answers, Cell(3, 5): ()}
    odd = Explanation(explanation.position, explanation.claim, (replace(page, answers=answers, replies={3: 9, 40: 7}),))
    assert steps_in(odd)[0].kind == "always"
    force = Explanation(Position.from_moves("3344"), explanation.claim, (Page(drop=40, force=(1, 4), replies={2: 5}),))
    assert [step.kind for step in steps_in(force)] == ["double", "win"]
    found = check_and_record(odd)
    assert draw_explanation(found, load_texts("en"))
    assert all(drawn(shown) for shown in shown_pages(found))


def test_a_force_is_told_to_its_win_whatever_a_file_says_after_it():
    """A force is shown up to its win, even if an impossible drop follows in the file."""
    position = Position.from_moves("3344")
    force = Explanation(position, Claim(Side.FIRST, Promise.WINS), (Page(force=(1, 40)),))
    assert [step.kind for step in steps_in(force)] == ["double", "win"]


def test_a_board_where_every_reply_loses_at_once_is_one_board():
    """If the keeper wins after any reply, the only step shows where."""
    position = parse_start("1xoxoo.2xxo.4xoxxo.5xoxx.6oo", Variant(6, 5, 4))
    facts = why_to_json(explain(position))
    assert (facts["boards"], [step["kind"] for step in facts["steps"]]) == (1, ["lost"])


@pytest.mark.parametrize("language", LANGUAGES)
def test_best_play_stands_in_where_nothing_was_found(language):
    found = explain(Position.from_moves("433"), boards=1, seconds=0.01)
    localized = localize_why(why_to_json(found), load_texts(language))
    assert localized["claim"] is None
    assert localized["steps"][0]["words"].count(" 3") >= 1 or not found.line
    assert localized["headline"]


@settings(max_examples=6, deadline=None)
@given(open_positions())
def test_the_facts_are_json_and_every_word_can_be_said(position):
    """The facts of steps are JSON, each sentence exists in every language with its facts, and all cells are on the
    board."""
    facts = json.loads(json.dumps(why_to_json(explain(position, seconds=0.5))))
    for language in LANGUAGES:
        localized = localize_why(facts, load_texts(language))
        assert all(step["words"] and "{" not in step["words"] for step in localized["steps"])
    for step in facts["steps"]:
        cells = [*step["played"], *step["threats"], *(cell for pair in step["pairs"] for cell in pair)]
        variant = position.variant
        assert all(0 <= column < variant.width and 0 <= row < variant.height for column, row in cells)
        assert all(step["board"][column][row:] == "" for column, row in step["played"])
