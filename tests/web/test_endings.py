"""Tests the end of a game: one large sentence, the accuracy of both players, and buttons for the next game."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.web.conftest import OpenTable
from tests.web.table import Table

# Counts the discs that begin to shine, as the animation may be over before a slow machine looks.
COUNT_SHINES_SCRIPT = """() => {
    window.shone = 0;
    document.addEventListener("animationstart", (event) => { window.shone += event.animationName === "shine"; });
}"""


def ended(me: Table) -> Table:
    """A game that the first player has won with a column of four."""
    me.two_here()
    for count, column in enumerate((1, 2, 1, 2, 1, 2, 1), start=1):
        me.drop(column)
        me.expect_discs(count)
    return me


def buttons(me: Table) -> Locator:
    return me.page.locator("#panel button:visible, #panel a:visible")


def test_what_is_of_no_use_any_more_is_gone(open_table: OpenTable) -> None:
    me = ended(open_table())

    expect(buttons(me)).to_have_text(["Rematch", "Review", "Share", "Undo"])
    expect(me.page.locator("#panel button[disabled]:visible")).to_have_count(0)


def test_how_accurate_both_were_is_said_at_once(open_table: OpenTable) -> None:
    """The accuracies shown at the end of a game equal those of its review."""
    me = ended(open_table())
    shown = me.page.locator(".accuracies dd")
    expect(shown).to_have_text([re.compile(r"^\d+% accurate$")] * 2)
    accuracies = shown.all_inner_texts()

    me.press("Review")

    expect(me.page.locator(".facts dd")).to_have_text(accuracies)


def test_a_game_that_goes_on_has_no_summary(open_table: OpenTable) -> None:
    me = ended(open_table())
    expect(me.page.locator(".accuracies")).to_be_visible()

    me.press("Undo")

    expect(me.page.locator(".accuracies")).to_have_count(0)
    expect(me.button("Hint")).to_be_visible()


def test_whoever_is_beaten_is_followed_by_the_next(open_table: OpenTable) -> None:
    """After a win against one opponent, the next one is offered. Pip drops at random, so a column of four wins sooner
    or later."""
    me = open_table()
    for game in range(20):
        me.visit("#/")
        me.page.get_by_role("radio", name="Pip").check()
        me.drop(game % 7 + 1)
        me.expect_turn("Your turn.")
        me.play_until_over()
        if "You win." in me.headline.inner_text():
            break

    expect(me.page.locator(".summary")).to_contain_text("You have beaten 1 of 10.")
    me.press("Next: Dot")
    expect(me.page.locator("#above")).to_have_text("Dot")
    me.expect_discs(0)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_the_winners_discs_shine_where_motion_is_welcome(open_table: OpenTable, motion: str) -> None:
    me = open_table(reduced_motion=motion)
    me.page.evaluate(COUNT_SHINES_SCRIPT)
    ended(me)
    expect(me.page.locator("connectk-board .shine")).to_have_count(4)
    me.next_frame()

    me.page.wait_for_function("(count) => window.shone === count", arg=4 if motion == "no-preference" else 0)
