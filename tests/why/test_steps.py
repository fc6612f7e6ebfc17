"""Steps tell the same as the explanation, and nothing that the checker refuses."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings

from connectk.notation.start import parse_start
from connectk.rules import Cell, Position, Side, Variant
from connectk.texts import LANGUAGES, load_texts
from connectk.why import Claim, Explanation, Page, Promise, explain
from connectk.why.boards import Step, shown_pages
from connectk.why.checker import play_through
from connectk.why.pictures import draw_explanation
from connectk.why.steps import in_language, steps_of, why_facts
from connectk.why.telling import drawn
from tests.why.test_explainer import open_positions

WON = "4444443265353"


def test_a_force_has_a_step_for_each_drop_of_the_keeper():
    """Two open discs become three; then there are two ways to win."""
    found = explain(Position.from_moves("3344"))
    double, win = steps_of(found)
    assert (double.kind, double.facts) == ("double", {"column": 1, "columns": [0, 4]})
    assert double.threats == (Cell(0, 0), Cell(4, 0))
    assert (win.kind, win.played) == ("win", (Cell(1, 0), Cell(0, 0), Cell(4, 0)))
    assert win.lines == ((Cell(1, 0), Cell(2, 0), Cell(3, 0), Cell(4, 0)),)


def test_every_answer_of_a_strategy_is_drawn():
    found = explain(Position.from_moves(WON))
    always = next(step for step in steps_of(found) if step.kind == "always")
    page = found.explanation.pages[always.page]
    assert dict(always.pairs) == {cell: answers[0] for cell, answers in page.answers.items()}


def test_a_tree_names_the_board_of_each_reply():
    """Every page but the first is announced by a step before it is shown."""
    found = explain(Position(Variant(4, 4, 4)), side=Side.SECOND, boards=30, seconds=60)
    assert found.explanation.kind == "tree"
    steps = steps_of(found)
    announced = {page for step in steps for page in step.replies.values()}
    assert announced == {step.page for step in steps} - {0}


def steps_in(explanation: Explanation) -> list[Step]:
    return [step for shown in shown_pages(play_through(explanation)) for step in shown.steps]


def test_what_play_never_gets_to_is_not_shown():
    """A stranger's file may name replies that cannot be dropped, boards that are not there and empty answers."""
    explanation = explain(Position.from_moves(WON)).explanation
    page = explanation.pages[0]
    answers = {**page.answers, Cell(3, 5): ()}
    odd = Explanation(explanation.position, explanation.claim, (replace(page, answers=answers, replies={3: 9, 40: 7}),))
    assert steps_in(odd)[0].kind == "always"
    force = Explanation(Position.from_moves("3344"), explanation.claim, (Page(drop=40, force=(1, 4), replies={2: 5}),))
    assert [step.kind for step in steps_in(force)] == ["double", "win"]
    found = play_through(odd)
    assert draw_explanation(found, load_texts("en"))
    assert all(drawn(shown) for shown in shown_pages(found))


def test_a_force_is_told_to_its_win_whatever_a_file_says_after_it():
    """After two threats at once the checker reads no further, and a drop that cannot be made may follow."""
    position = Position.from_moves("3344")
    force = Explanation(position, Claim(Side.FIRST, Promise.WINS), (Page(force=(1, 40)),))
    assert [step.kind for step in steps_in(force)] == ["double", "win"]


def test_a_board_where_every_reply_loses_at_once_is_one_board():
    """Nothing needs to be done there, so no step tells of it."""
    position = parse_start("1xoxoo.2xxo.4xoxxo.5xoxx.6oo", Variant(6, 5, 4))
    facts = why_facts(explain(position))
    assert (facts["boards"], facts["steps"]) == (1, [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_best_play_stands_in_where_nothing_was_found(language):
    found = explain(Position(), boards=1, seconds=0.01)
    told = in_language(why_facts(found), load_texts(language))
    assert told["claim"] is None
    assert told["steps"][0]["words"].count(" 4") >= 1 or not found.line
    assert told["headline"]


@settings(max_examples=6, deadline=None)
@given(open_positions())
def test_the_facts_are_json_and_every_word_can_be_said(position):
    """In every language, without a fact left out; and each step's cells are on the board."""
    facts = json.loads(json.dumps(why_facts(explain(position, seconds=0.5))))
    for language in LANGUAGES:
        told = in_language(facts, load_texts(language))
        assert all(step["words"] and "{" not in step["words"] for step in told["steps"])
    for step in facts["steps"]:
        cells = [*step["played"], *step["threats"], *(cell for pair in step["pairs"] for cell in pair)]
        variant = position.variant
        assert all(0 <= column < variant.width and 0 <= row < variant.height for column, row in cells)
        assert all(step["board"][column][row:] == "" for column, row in step["played"])
