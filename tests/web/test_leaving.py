"""Tests that a person who goes to another screen stays there, even if data for the earlier screen arrives late."""

from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.web.conftest import OpenTable
from tests.web.held import Held
from tests.web.table import Table

SHOWN_DISCS_SCRIPT = "document.querySelector('connectk-board').state.discs.length"
GAMES_SCREEN = "#/games"  # a screen that leaves the board alone
SET_HASH_SCRIPT = "(hash) => { location.hash = hash; }"


def leave(me: Table) -> None:
    me.page.evaluate(SET_HASH_SCRIPT, GAMES_SCREEN)
    expect(me.page.locator("h1")).to_have_text("My games")


def expect_left(me: Table) -> None:
    """Check that the page still shows My games as the person opened it."""
    expect(me.page.locator("h1")).to_have_text("My games")
    expect(me.page).to_have_url(re.compile(f"{GAMES_SCREEN}$"))
    expect(me.page.locator("#panel .headline")).to_have_count(0)


def test_a_game_that_comes_late_is_not_drawn(open_table: OpenTable) -> None:
    """A game that arrives late draws no discs, seats or scores on another screen."""
    me = open_table(GAMES_SCREEN)
    held = Held(me, "**/api/page/game")
    me.page.evaluate(SET_HASH_SCRIPT, "#/game/7x6x4/4453")
    held.wait()
    leave(me)

    held.let_go()

    expect_left(me)
    assert me.page.evaluate(SHOWN_DISCS_SCRIPT) == 0
    expect(me.page.locator("connectk-board .score")).to_have_count(0)


def test_a_try_that_comes_late_does_not_change_the_address(open_table: OpenTable) -> None:
    me = open_table("#/game/7x6x4/4453")
    expect(me.page.get_by_role("heading", name="Review")).to_be_visible()
    held = Held(me, "**/api/page/game")
    me.drop(1)
    held.wait()
    leave(me)

    held.let_go()

    expect_left(me)


def test_back_and_forward_show_what_was_asked_for_last(open_table: OpenTable) -> None:
    """Back and forward show the last requested screen, in whichever order the answers arrive."""
    me = open_table("#/game/7x6x4/4453")
    expect(me.page.get_by_role("heading", name="Review")).to_be_visible()
    for discs, column in enumerate((1, 2), start=5):
        me.drop(column)
        expect(me.page).to_have_url(re.compile(f"{column}$"))
        me.expect_discs(discs)
    held = Held(me, "**/api/page/game")
    for count in (1, 2):
        me.page.go_back() if count == 1 else me.page.go_forward()
        held.wait(count)

    held.let_go(1)
    held.let_go(0)

    assert me.page.evaluate(SHOWN_DISCS_SCRIPT) == 6


def test_lessons_that_come_late_are_not_drawn(open_table: OpenTable) -> None:
    me = open_table(GAMES_SCREEN)
    held = Held(me, "**/lessons.json")
    me.page.evaluate(SET_HASH_SCRIPT, "#/learn")
    held.wait()
    leave(me)

    held.let_go()

    expect_left(me)


def test_a_demo_that_was_left_before_it_began_does_not_begin(open_table: OpenTable) -> None:
    me = open_table("#/watch")
    held = Held(me, "**/api/page/game")
    me.press("Start the demo")
    held.wait()
    leave(me)

    held.let_go()
    me.page.wait_for_timeout(1200)  # a drop would have been shown

    expect_left(me)
    assert me.page.evaluate(SHOWN_DISCS_SCRIPT) == 0


def test_a_hint_that_comes_late_is_not_given_for_another_board(open_table: OpenTable) -> None:
    me = open_table()
    me.two_here()
    held = Held(me, "**/api/page/threats")
    me.press("Hint")
    held.wait()
    me.page.wait_for_timeout(1500)  # what the columns are worth is known by then
    me.drop(4)
    me.expect_discs(1)

    held.let_go()

    expect(me.page.locator("connectk-board .hint-column")).to_have_count(0)


def test_a_match_that_is_made_late_calls_nobody_back(open_table: OpenTable) -> None:
    me = open_table()
    held = Held(me, "**/api/matches")
    me.press("Two at this screen Take turns on one board")
    held.wait()
    leave(me)

    held.let_go()

    expect_left(me)


def test_what_is_pressed_while_the_game_s_screen_is_fetched_is_played(open_table: OpenTable) -> None:
    """A drop pressed while the game's screen is loading is played."""
    me = open_table()
    here = me.page.url
    me.page.goto("about:blank")  # the earlier requests of this page are not held
    held = Held(me, "**/js/match/match-screen.js")
    me.page.goto(here)
    me.page.locator("connectk-board[data-open]").wait_for()
    me.drop(4)
    expect(me.page).to_have_url(re.compile("#/match/"))
    held.wait()
    me.page.wait_for_timeout(100)
    me.drop(5)

    held.let_go()

    me.expect_discs(4)
    mine = me.page.locator('.cell[aria-label^="Column 5,"][aria-label$="You"]')
    expect(mine).to_have_count(1)  # the computer may have been there before


def test_a_file_that_is_read_late_calls_nobody_back(open_table: OpenTable) -> None:
    me = open_table()
    held = Held(me, "**/api/page/read")
    me.drop_file("game.txt", "4453")
    held.wait()
    leave(me)

    held.let_go()

    expect_left(me)


def test_a_link_without_its_picture_is_still_a_link(open_table: OpenTable) -> None:
    me = open_table("#/invite")
    me.expected_complaints.add("ERR_FAILED")
    me.page.route("**/api/page/qr", lambda route: route.abort())
    me.press("Make the link")

    assert me.invitation()
    expect(me.page.locator(".qr")).to_have_count(0)


def test_a_second_click_that_a_busy_page_hears_late_drops_nothing(open_table: OpenTable) -> None:
    """A second click that a busy page receives late drops nothing, because it counts as part of a double click."""
    me = open_table()
    me.two_here()
    box = me.cell(4, 1).bounding_box()
    assert box
    me.page.mouse.click(box["x"] + 10, box["y"] + 10)
    me.expect_discs(1)
    me.page.wait_for_timeout(600)
    me.page.mouse.down(click_count=2)
    me.page.mouse.up(click_count=2)
    me.page.keyboard.press("5")

    me.expect_discs(2)
    expect(me.cell(5, 1)).to_have_attribute("aria-label", re.compile("second player"))
