"""Tests, by the rules alone, that the statements of an explanation are true in every line of play."""

import random
from pathlib import Path

import pytest

from connectk.rules import Cell, Position, Side, Variant
from connectk.texts import load_texts
from connectk.why import Explanation, check, explain
from connectk.why.checker import check_and_record
from connectk.why.coach import coach, describe_coach
from connectk.why.files import parse_explanation
from connectk.why.json_views import steps_for
from connectk.why.steps import shown_pages
from connectk.why.wording import page_sentences
from tests.why.lines_of_play import Statement, is_true, moments, start_of

FORMERLY_FALSE = "24345333544271167577744127213551"  # one column has threats of both sides
EVERY_REPLY_LOSES = "147535314455545267417242"
SHORTER_FORCE = "4146132357112377373"  # a force serves on two boards and ends sooner on the one that is shown
SEVERAL_THREATS = Path(__file__).with_name("several_threats.json")  # one of two threats decides each line
# Steps with an instruction and no statement:
KINDS_WITHOUT_STATEMENTS = {"drop", "replies", "always", "answers", "shared"}


def statements_of(explanation: Explanation) -> list[Statement]:
    pages = shown_pages(check_and_record(explanation))
    steps = [step for shown in pages for step in shown.steps]
    assert all(step.statements or step.kind in KINDS_WITHOUT_STATEMENTS for step in steps)
    assert steps
    sentences = coach(check_and_record(explanation))
    assert 1 <= len(sentences) <= 3
    of_sentences = [statement for sentence in sentences for statement in sentence["statements"]]
    return of_sentences + [statement for step in steps for statement in step.statements]


def hold_to_every_line(explanation: Explanation) -> list[Statement]:
    """Check that each statement is about a board that some line reaches, and is true in all lines from there."""
    reached = {moment.position for moment in moments(explanation)}
    claims = statements_of(explanation)
    for statement in claims:
        assert statement["holds"] == "every_line"
        assert start_of(explanation, statement).position in reached, statement
        assert is_true(explanation, statement), (explanation.position, statement)
    return claims


def played_at_random(number: int, discs: int, variant: Variant) -> Position:
    """A game of random drops, none of which completes a line."""
    dice, position = random.Random(number), Position(variant)
    while position.ply < discs:
        columns = [column for column in position.legal_columns if not position.wins(column)]
        if not columns:
            return played_at_random(number + 1000, discs, variant)
        position = position.drop(dice.choice(columns))
    return position


@pytest.mark.parametrize("side", Side)
@pytest.mark.parametrize("moves", [FORMERLY_FALSE, EVERY_REPLY_LOSES, SHORTER_FORCE, "3344", "5347732264"])
def test_every_statement_is_true_in_every_line(moves, side):
    found = explain(Position.from_moves(moves), side=side, seconds=3).explanation
    assert found is None or hold_to_every_line(found)


@pytest.mark.parametrize("variant", [Variant(), Variant(6, 5, 4), Variant(5, 5, 3), Variant(8, 5, 5)], ids=str)
def test_so_it_is_in_random_games(variant):
    """In random games, all statements are true. The boards are nearly full, so that only few lines are left."""
    kinds = set()
    for number in range(4):
        discs = variant.cells * (65 + 5 * number) // 100
        found = explain(played_at_random(number, discs, variant), seconds=2).explanation
        if found is not None and check(found) < 150:
            kinds |= {statement["kind"] for statement in hold_to_every_line(found)}
    assert kinds


@pytest.mark.deep
def test_so_it_is_in_a_thousand_games():
    held = 0
    for number in range(1000):
        position = played_at_random(number, 16 + number % 21, Variant())
        for side in Side if number % 10 == 0 else [None]:
            found = explain(position, side=side, seconds=2).explanation
            if found is not None:
                held += len(hold_to_every_line(found))
    assert held > 1000


def test_what_is_false_is_noticed():
    """A true statement that is altered to name another cell or the other side is recognized as false."""
    found = explain(Position.from_moves("5347732264")).explanation
    claim = next(one for one in statements_of(found) if one["kind"] == "zugzwang")
    assert is_true(found, claim)
    assert not is_true(found, {**claim, "cells": [(4, 2), (4, 3)]})
    assert not is_true(found, {**claim, "side": "second"})
    kept = next(one for one in statements_of(found) if one["kind"] == "never_all")
    assert not is_true(found, {**kept, "side": "second"})


def test_a_reply_that_loses_at_once_is_told_with_its_refutation():
    (step,) = steps_for(explain(Position.from_moves(EVERY_REPLY_LOSES)))
    assert step.kind == "lost"
    assert [statement["cells"][0][0] for statement in step.statements] == [0, 1, 2, 5, 6]


def test_the_last_disc_of_a_force_is_no_threat():
    """The last drop of a force makes two threats, so neither of the rival's replies is called the only one."""
    fork, win = steps_for(explain(Position.from_moves("3344")))
    assert [one["kind"] for one in fork.statements + win.statements] == ["fork", "completes"]
    assert fork.statements[0]["cells"] == [Cell(0, 0), Cell(4, 0)]


def test_one_board_serves_after_several_replies():
    """Two forces answer six replies. The first serves after four of them."""
    found = explain(Position.from_moves("774277225613256722115"), seconds=20)
    pages = shown_pages(found.found)

    assert [len(page.force) for page in found.explanation.pages] == [0, 3, 2]
    assert [page.steps[0].kind for page in pages] == ["replies", "shared", "shared"]
    assert list(page_sentences(pages[0], load_texts("en")))[:2] == [
        "If the other side drops into column 1, 3, 5 or 7 now: board 2.",
        "If the other side drops into column 4 or 6 now: board 3.",
    ]
    assert next(page_sentences(pages[1], load_texts("en"))).startswith("Other replies lead to this board too")


def test_one_of_several_threats_may_decide():
    """The explanation of 17353764146664: in every line, Yellow drops beneath one of two threats or loses elsewhere."""
    found = check_and_record(parse_explanation(SEVERAL_THREATS.read_text(encoding="utf-8")))
    (several,) = [sentence for sentence in coach(found) if sentence["kind"] == "several"]
    (claim,) = several["statements"]

    assert claim["cells"] == [(1, 2), (1, 3), (4, 1), (4, 2)]
    assert is_true(found.explanation, claim)
    assert not is_true(found.explanation, {**claim, "cells": [(1, 2), (1, 3), (6, 1), (6, 2)]})
    assert describe_coach(several, load_texts("en")) == (
        "Red needs one more disc for a line in column 2, row 4 or column 5, row 3, each above an empty cell. Red may "
        "drop beneath one and so give it up; still, in every line Yellow drops beneath one of them in the end, or has "
        "lost elsewhere before."
    )


EXPECTED_SENTENCES = {
    "5347732264": [
        "Red needs one more disc for a line (row 2): Yellow must block in column 5 now, or loses at once.",
        "The point is column 1, row 2: Red completes a line there, so whoever drops right beneath it gives it away.",
        "The rest of the board has 26 empty cells, an even number, and Red answers 12 of the plan's 16 cells right on "
        "top: once the rest is full it is Yellow's turn, and in every line Yellow drops beneath in the end or has lost "
        "elsewhere before.",
    ],
    "3344": [
        "Yellow drops into column 2: that threatens to win in columns 1 and 5 at once, and only one can be blocked.",
    ],
    EVERY_REPLY_LOSES: [
        "Whatever Yellow drops, Red completes a line at once: after column 1 in column 2; after column 2 in column 3; "
        "after column 3 in column 2; after column 6 in column 2; after column 7 in column 2.",
    ],
}


@pytest.mark.parametrize("moves", EXPECTED_SENTENCES)
def test_a_coach_says_at_most_three_sentences_first(moves):
    found = explain(Position.from_moves(moves), seconds=20).found
    assert [describe_coach(sentence, load_texts("en")) for sentence in coach(found)] == EXPECTED_SENTENCES[moves]


def test_a_coach_shows_the_way_to_a_count():
    """The coach explains a count: after three drops with one safe reply each, the other side must drop beneath a
    threat."""
    sentences = coach(explain(Position.from_moves("234211412672"), seconds=20).found)
    assert [sentence["kind"] for sentence in sentences] == ["sequence", "beneath", "count"]
    assert [column for column, _ in sentences[0]["statements"][0]["cells"]] == [0, 3, 2]
    assert sentences[1]["statements"][0]["cells"] == [(4, 1), (4, 2)]


def test_best_play_is_one_line():
    (step,) = steps_for(explain(Position.from_moves("433"), boards=1, seconds=0.01))
    assert [one["holds"] for one in step.statements] == ["one_line"]
