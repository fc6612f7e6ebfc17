"""Tests that the checker accepts an explanation exactly if it is true."""

import threading
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectk.errors import ExplanationRefused, SearchStopped
from connectk.notation import parse_diagram
from connectk.rules import Cell, Position, Side, Variant, all_lines
from connectk.rules.threats import winning_columns
from connectk.texts import LANGUAGES, load_texts
from connectk.why import Claim, Explanation, Page, Promise, check, explain
from tests.strategies import games, variants
from tests.why.plain import holds

FIRST_WINS, SECOND_HOLDS = Claim(Side.FIRST, Promise.WINS), Claim(Side.SECOND, Promise.HOLDS)
OPEN_THREE = """
    . . . . . . .
    . . o o . . .
    . . x x . . .
"""


def fault_of(explanation: Explanation, **limits: int) -> str:
    with pytest.raises(ExplanationRefused) as refusal:
        check(explanation, **limits)
    return refusal.value.fault


def is_accepted(explanation: Explanation) -> bool:
    try:
        return check(explanation) >= 0
    except ExplanationRefused:
        return False


def follow_up(variant: Variant) -> dict[Cell, tuple[Cell, ...]]:
    """A table that answers every disc in an odd row with the cell above it."""
    rows = range(0, variant.height - 1, 2)
    return {Cell(c, row): (Cell(c, row + 1),) for c in range(variant.width) for row in rows}


def test_following_holds_where_no_row_is_long_enough():
    """On a board of width three, the second player never loses by always dropping on top of the last disc.

    The check then visits 27 positions, because each of the three columns has zero, one or two full pairs of cells.
    """
    variant = Variant(3, 4, 4)
    assert check(Explanation(Position(variant), SECOND_HOLDS, (Page(answers=follow_up(variant)),))) == 3**3


def test_a_check_can_be_stopped():
    """A check can be stopped in the middle of a page, here one with 27 positions."""
    variant = Variant(3, 4, 4)
    explanation = Explanation(Position(variant), SECOND_HOLDS, (Page(answers=follow_up(variant)),))
    asked = []
    with pytest.raises(SearchStopped):
        check(explanation, stop=lambda: asked.append(None) or len(asked) > 10)
    assert len(asked) == 11
    reports = []
    assert check(explanation, stop=threading.Event(), progress=reports.append) == 3**3
    assert [(report.done, report.total) for report in reports] == [(1, 1)]


def test_a_line_of_the_rival_is_shown():
    """If the rival completes a line, the explanation is refused and the refusal contains the drops."""
    position = parse_diagram("""
        . . o o . . .
        . x x x o . .
    """)
    with pytest.raises(ExplanationRefused) as refusal:
        check(Explanation(position, SECOND_HOLDS, (Page(answers=follow_up(Variant())),)))
    assert (refusal.value.fault, refusal.value.line) == ("rival_wins", (0,))


def test_a_force_ends_in_two_threats():
    """A force may end in two threats: here a third disc in the lowest row is open on both sides."""
    position = parse_diagram(OPEN_THREE)
    assert is_accepted(Explanation(position, FIRST_WINS, (Page(force=(4,)),)))


def test_two_threats_need_no_answers():
    """A page may consist of a drop that makes two threats, because any reply leaves one of them."""
    assert is_accepted(Explanation(parse_diagram(OPEN_THREE), FIRST_WINS, (Page(drop=4),)))


@pytest.mark.parametrize(
    ("page", "fault"),
    [
        (Page(force=(6,)), "not_forced"),
        (Page(force=(7,)), "bad_drop"),
        (Page(drop=-1), "bad_drop"),
        (Page(answers={}), "turn"),
        (Page(drop=0), "no_answer"),
    ],
)
def test_what_is_wrong_is_named(page, fault):
    assert fault_of(Explanation(parse_diagram(OPEN_THREE), FIRST_WINS, (page,))) == fault


def test_a_force_that_stops_too_soon_is_refused():
    """A force that ends with a single threat is refused, because the rival can block it."""
    position = parse_diagram("o x x . . . o\no x x . . . o")
    assert fault_of(Explanation(position, FIRST_WINS, (Page(force=(3,)),))) == "no_end"


def test_no_more_is_accepted_than_holds():
    """An explanation that holds a draw is not accepted as a proof of a win."""
    variant = Variant(3, 4, 4)
    page = Page(answers=follow_up(variant))
    assert fault_of(Explanation(Position(variant), Claim(Side.SECOND, Promise.WINS), (page,))) == "only_draw"


def test_a_page_that_is_not_there_is_refused():
    variant = Variant(3, 4, 4)
    page = Page(answers=follow_up(variant), replies={0: 1})
    assert fault_of(Explanation(Position(variant), SECOND_HOLDS, (page,))) == "no_page"
    assert fault_of(Explanation(Position(variant), SECOND_HOLDS, ())) == "no_page"


def test_a_missing_answer_is_refused():
    variant = Variant(3, 4, 4)
    answers = follow_up(variant)
    del answers[Cell(1, 2)]
    assert fault_of(Explanation(Position(variant), SECOND_HOLDS, (Page(answers=answers),))) == "no_answer"


def test_a_game_that_is_over_needs_no_explanation():
    position = Position.from_moves("1122334")
    assert fault_of(Explanation(position, FIRST_WINS, (Page(force=(0,)),))) == "over"


def test_a_force_that_only_fills_the_board_is_refused():
    """A force that only fills the board is refused, because nobody has won."""
    position = Position.from_columns(
        [[Side.FIRST, Side.SECOND], [Side.SECOND, Side.FIRST], [Side.FIRST, None]], Variant(3, 2, 3)
    )
    claim = Claim(position.side_to_move, Promise.WINS)
    assert not winning_columns(position, position.side_to_move)
    assert fault_of(Explanation(position, claim, (Page(force=(2,)),))) == "only_draw"


def test_an_endless_explanation_is_given_up():
    """The checker visits at most the allowed number of positions, even if a stranger's file has more."""
    variant = Variant(3, 6, 4)
    page = Page(answers=follow_up(variant))
    assert fault_of(Explanation(Position(variant), SECOND_HOLDS, (page,)), max_positions=10) == "too_large"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refusal_says_where_it_fails(language):
    refusal = ExplanationRefused("rival_wins", (0, 3))
    assert "1,4" in refusal.localize(load_texts(language))


@given(games(variants(7)))
def test_lines_of_a_board_are_what_wins(game):
    """A game is won exactly when one side has all cells of some line."""
    position = game.position
    owners = [{position.disc_at(*cell) for cell in line} for line in all_lines(position.variant)]
    assert (position.outcome is not None and position.outcome.winner is not None) == any(
        owner in ({Side.FIRST}, {Side.SECOND}) for owner in owners
    )


@st.composite
def late_explanations(draw: st.DrawFn) -> Explanation:
    """An explanation of a position on a small board, or a table that answers each disc with the cell above it."""
    variant = draw(st.sampled_from([Variant(4, 4, 3), Variant(4, 4, 4), Variant(5, 4, 4), Variant(5, 3, 3)]))
    discs = draw(st.integers(2, variant.cells - 3))
    position = Position(variant)
    for choice in draw(st.lists(st.integers(0, 99), min_size=discs, max_size=discs)):
        columns = [c for c in position.legal_columns if not position.wins(c)]
        if not columns:
            break
        position = position.drop(columns[choice % len(columns)])
    found = explain(position, boards=8, seconds=5).explanation if position.outcome is None else None
    return found or Explanation(position, SECOND_HOLDS, (Page(answers=follow_up(variant)),))


@settings(max_examples=25, deadline=None)
@given(late_explanations(), st.data())
def test_the_checker_agrees_with_a_plain_walk_on_anything_altered(explanation, data):
    """The checker accepts an altered explanation exactly if it is still true. A drop, an answer or the claim is
    changed."""
    assert is_accepted(explanation) == holds(explanation)
    altered = data.draw(alterations(explanation))
    assert is_accepted(altered) == holds(altered)


@st.composite
def alterations(draw: st.DrawFn, explanation: Explanation) -> Explanation:
    number = draw(st.integers(0, len(explanation.pages) - 1))
    page, width = explanation.pages[number], explanation.position.variant.width
    columns = st.integers(0, width - 1)
    cells = st.builds(Cell, columns, st.integers(0, explanation.position.variant.height - 1))
    claim = explanation.claim
    match draw(st.sampled_from(["drop", "force", "lose", "exchange", "replies", "claim"])):
        case "drop":
            page = replace(page, drop=draw(st.none() | columns))
        case "force":
            page = replace(page, force=(*page.force[: draw(st.integers(0, 3))], draw(columns)))
        case "lose":
            kept = {cell: some for cell, some in page.answers.items() if draw(st.booleans())}
            page = replace(page, answers=kept)
        case "exchange":
            page = replace(page, answers={**page.answers, draw(cells): (draw(cells),)})
        case "replies":
            page = replace(page, replies={draw(columns): draw(st.integers(-1, len(explanation.pages)))})
        case "claim":
            claim = Claim(draw(st.sampled_from(Side)), draw(st.sampled_from(Promise)))
    pages = (*explanation.pages[:number], page, *explanation.pages[number + 1 :])
    return replace(explanation, claim=claim, pages=pages)
