"""Tests that elements which a person may press stay in place, even if others load late or a sentence is long."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Playwright, expect

from tests.web.conftest import DEFAULT_CONTEXT, DESKTOP, OpenTable, open_browser
from tests.web.held import Held
from tests.web.serving import Server
from tests.web.table import Table
from tests.web.test_rooms import made, named

PHONE = {"width": 390, "height": 844}
CONTROLS_SELECTOR = "a, button, input, select, summary, .graph, connectk-board"
PLACES_SCRIPT = """([among, pressed]) => [...document.querySelectorAll(`${among} :is(${pressed})`)]
    .filter((one) => one.checkVisibility() && !one.closest("#turning"))
    .map((one) => { const { x, y, width } = one.getBoundingClientRect(); return [one.localName, x, y, width]; })"""


def places(me: Table, among: str = "main") -> list[list[str | float]]:
    found: list[list[str | float]] = me.page.evaluate(PLACES_SCRIPT, [among, CONTROLS_SELECTOR])
    assert found
    return found


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_when_a_review_comes(open_table: OpenTable, viewport: dict[str, int]) -> None:
    """When a review arrives, buttons, the focus and the scrolled list of moves stay in place."""
    me = open_table(viewport=viewport)
    held = Held(me, "**/api/review")
    me.visit("#/game/7x6x4/4444453323351")
    moves = me.page.locator(".moves")
    moves.evaluate("(list) => { list.style.maxHeight = '3rem'; }")  # as with a long game
    held.wait()
    moves.get_by_role("button").nth(12).focus()
    moves.evaluate("(list) => { list.scrollTop = 7; }")
    before = places(me)

    held.let_go()

    expect(me.page.locator("#turning")).to_be_visible()
    assert places(me) == before
    expect(moves.get_by_role("button").nth(12)).to_be_focused()
    expect(moves.get_by_role("button").nth(11)).to_have_accessible_name(re.compile("Missed block"))


def test_when_a_page_grows_beyond_the_window(playwright_here: Playwright, server: Server) -> None:
    """When a page grows beyond the window and gets a scrollbar, buttons stay in place."""
    with open_browser(playwright_here, ignore_default_args=["--hide-scrollbars"]) as browser:
        page = browser.new_page(**DEFAULT_CONTEXT)
        page.goto(server.url)
        page.locator("connectk-board[data-open]").wait_for()
        place = page.locator("connectk-board").bounding_box()

        page.evaluate("document.body.style.minHeight = '300vh'")

        assert page.evaluate("innerWidth - document.documentElement.clientWidth") > 0
        assert page.locator("connectk-board").bounding_box() == place


def test_when_the_list_of_moves_grows(open_table: OpenTable) -> None:
    me = open_table()
    me.two_here()
    me.drop(1)
    me.expect_discs(1)
    before = places(me)

    for count, column in enumerate((1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2), start=2):
        me.drop(column)
        me.expect_discs(count)

    assert places(me) == before


def test_when_a_match_ends_with_a_long_sentence(open_table: OpenTable) -> None:
    """When a match ends with a long sentence, no button moves; otherwise a person about to press Hint could press
    Rematch."""
    me = open_table()
    me.two_here()
    me.drop(1)
    me.expect_discs(1)
    before = places(me, ".controls")

    me.sure("Resign")

    expect(me.button("Rematch")).to_be_visible()
    expect(me.headline).to_have_text("First player wins. Second player resigned.")
    assert places(me, ".controls") == before


def test_when_the_live_matches_come(open_table: OpenTable) -> None:
    me = open_table()
    held = Held(me, "**/api/matches")
    me.visit("#/watch")
    held.wait()
    before = places(me)

    held.let_go()

    expect(me.page.locator(".matches li")).not_to_have_count(0)
    assert places(me)[: len(before)] == before


def test_when_a_puzzle_says_what_a_drop_does(open_table: OpenTable) -> None:
    me = open_table("#/puzzle")
    status = me.page.locator("#learn-status")
    before = places(me)

    me.press("Hint")

    expect(status).not_to_be_empty()
    assert places(me) == before


def test_when_the_lesson_answers(open_table: OpenTable) -> None:
    me = open_table()
    status = me.second_card(4, 4)
    before = places(me)

    me.press("Hint")

    expect(status).not_to_be_empty()
    assert places(me) == before


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_when_an_explanation_comes_and_goes_on(open_table: OpenTable, viewport: dict[str, int]) -> None:
    """While an explanation loads and is stepped through, its buttons stay in place, and so does Close beside a
    board."""
    me = open_table(viewport=viewport)
    held = Held(me, "**/api/why")
    me.visit("#/why/7x6x4/4444443265353")
    held.wait()
    close = places(me, ".why-head")

    held.let_go()

    counter = me.page.locator(".why-side .number")
    me.page.locator(".why-prove").click()
    expect(counter).to_have_text("1 / 6")
    assert me.page.locator("dialog.why").evaluate("(one) => one.scrollHeight - one.clientHeight") == 0
    before = places(me, ".why-side .steps")
    assert places(me, ".why-head") == close or viewport == PHONE  # on this screen the board is above
    for step in range(2, 7):
        me.press("The next step")
        expect(counter).to_have_text(f"{step} / 6")
        assert places(me, ".why-side .steps") == before


def test_when_somebody_challenges(open_table: OpenTable) -> None:
    """When a challenge arrives, the list of names does not move, so that nobody presses another name."""
    _, code = made(open_table, "Challenges")
    ann, bob = named(open_table, code, "Ann"), named(open_table, code, "Bob")
    expect(ann.page.locator(".room-columns")).to_contain_text("Bob here")
    before = places(ann, ".room-columns")

    bob.press("Challenge Ann")

    expect(ann.page.get_by_text("Bob wants to play you.")).to_be_visible()
    assert places(ann, ".room-columns") == before
