"""Tests how a game begins on the page: fair starts, named starts, and the sentence about the beginning afterwards."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.conftest import OpenTable
from tests.web.table import Table
from tests.web.test_friends import begun as begun_by_friends


def begun(open_table: OpenTable, beginning: str) -> Table:
    table = open_table()
    table.more()
    table.page.get_by_label("Beginning").select_option(beginning)
    return table


def test_two_at_one_screen_begin_from_a_proven_draw(open_table: OpenTable) -> None:
    table = begun(open_table, "fair")
    expect(table.page.get_by_text("perfect play is proven to be a draw")).to_be_visible()
    table.two_here()
    table.expect_discs(3)


def test_a_handicap_says_what_it_is_worth(open_table: OpenTable) -> None:
    """A handicap says its result and the levels for which it is even. Its board is fixed, and the second player drops
    first."""
    table = begun(open_table, "handicap-2")
    expect(table.page.get_by_text("With perfect play who starts wins with disc 35.")).to_be_visible()
    expect(table.page.get_by_text("Pip with the discs against")).to_be_visible()
    expect(table.page.get_by_label("Board", exact=True)).to_have_count(0)
    table.two_here()
    table.expect_discs(3)


def test_five_in_a_row(open_table: OpenTable) -> None:
    table = begun(open_table, "five-in-a-row")
    table.two_here()
    table.expect_discs(12)


def test_after_the_game_its_beginning_is_told_and_a_fair_start_is_offered(open_table: OpenTable) -> None:
    """After a game with a winning first disc, the page says so and offers a start that is a draw."""
    table = open_table()
    table.two_here()
    for column in (4, 1, 4, 1, 4, 1, 4):
        table.drop(column)
    summary = table.page.locator(".summary")
    expect(summary).to_contain_text("First player wins with perfect play after the first disc.")
    summary.get_by_role("button", name="Play from a fair start").click()
    table.expect_discs(3)


def test_two_friends_agree_on_a_fair_start(open_table: OpenTable) -> None:
    """After a game on a server both read how it began. Ann asks for a fair start and Bob agrees."""
    ann, bob, _ = begun_by_friends(open_table)
    for table, column in ((bob, 1), (ann, 4), (bob, 1), (ann, 4), (bob, 1), (ann, 4)):
        table.expect_turn("Your turn.")
        table.drop(column)
    expect(ann.page.locator(".summary")).to_contain_text("You win with perfect play after the first disc.")
    expect(bob.page.locator(".summary")).to_contain_text("Ann wins with perfect play after the first disc.")
    ann.page.locator(".summary").get_by_role("button", name="Play from a fair start").click()
    expect(bob.page.locator("#panel").get_by_text("Ann wants a rematch from a fair start.")).to_be_visible()
    bob.press("Yes")
    for table in (ann, bob):
        table.expect_discs(3)
    ann.expect_turn("Your turn.")
    bob.expect_turn("Ann to move.")


BEGINNING_SCRIPT = """async ([kind, score]) => {
    const { startText } = await import("./js/match/fairness.js");
    const seats = { first: { kind: "person" }, second: { kind: "person", name: "Ann" } };
    const moves = ["first", "second"].map((side) => ({ side, worth_before: { kind, score } }));
    return startText({ loadedView: { seats }, sides: ["second"] }, moves);
}"""


@pytest.mark.parametrize(
    ("kind", "score", "words"),
    [
        ("wins", None, "Ann wins with perfect play after the first disc."),
        ("about", 0.3, "Ann seemed to be ahead after the first disc. That is an estimate."),
        ("about", -0.3, "First player seemed to be ahead after the first disc. That is an estimate."),
        ("about", 0.01, "The game seemed even after the first disc. That is an estimate."),
    ],
)
def test_the_beginning_is_told_in_words(open_table: OpenTable, kind: str, score: float | None, words: str) -> None:
    """The sentence about the beginning of the game calls the person at this page 'you'."""
    me = open_table()
    elsewhere = BEGINNING_SCRIPT.replace('sides: ["second"]', "sides: []")

    assert me.page.evaluate(elsewhere, [kind, score]) == words
    assert me.page.evaluate(BEGINNING_SCRIPT, [kind, score]) == words.replace("Ann wins", "You win").replace(
        "Ann", "You"
    )


@pytest.mark.parametrize(
    ("first", "verdict"), [(4, "The other side was the better one."), (1, "The better side was chosen.")]
)
def test_the_choice_of_a_side_is_judged_after_the_game(open_table: OpenTable, first: int, verdict: str) -> None:
    """The choice to keep a side is judged: it is wrong against a first disc in the middle, and right against one at the
    edge."""
    table = begun(open_table, "swap")
    table.two_here()
    for column in (first, 2, first, 2, first, 2, first):
        table.drop(column)
    expect(table.page.locator(".summary")).to_contain_text(verdict)
