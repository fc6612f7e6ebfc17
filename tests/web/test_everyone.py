"""Tests that the page works for everyone: with a keyboard, a screen reader, any language, a small screen, both themes,
without motion, and without a connection."""

from __future__ import annotations

import re
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Route, expect

from connectk.texts import load_texts
from tests.web.conftest import OpenTable
from tests.web.serving import Server
from tests.web.table import OFFLINE_ERRORS

SCREENS = ["", "#/games", "#/invite", "#/game/7x6x4/4444453323351", "#/editor", "#/watch", "#/arena"]
SCREENS += ["#/learn", "#/learn/2", "#/puzzle", "#/rooms", "#/somebody"]
# Which properties of a disc were ever animated, however short it was.
ANIMATED_SCRIPT = """() => {
    const animate = Element.prototype.animate;
    window.animated = new Set();
    Element.prototype.animate = function (frames, options) {
        for (const name of ["opacity", "transform"]) if (name in frames[0]) window.animated.add(name);
        return animate.call(this, frames, options);
    };
}"""
# Presses the keys without a pause, as a quick person on a quick machine does.
KEYS_SCRIPT = """(keys) => {
    for (const key of keys)
        document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
}"""
SCROLL_SCRIPT = "document.documentElement.scrollWidth - document.body.clientWidth"


def test_keyboard_only_from_home_to_the_end(open_table: OpenTable) -> None:
    """With the keyboard alone, Tab leads to the board, arrows and Enter or digits drop, letters undo and redo, and ?
    opens help."""
    me = open_table()
    me.page.keyboard.press("Tab")
    me.page.keyboard.press("Enter")  # the skip link
    expect(me.page.locator(".cell:focus")).to_have_attribute("aria-label", "Column 4, row 1: empty")
    me.page.keyboard.press("ArrowRight")
    me.page.keyboard.press("Enter")
    me.expect_discs(2)
    expect(me.cell(5, 1)).to_have_attribute("aria-label", "Column 5, row 1: You")
    me.expect_turn("Your turn.")
    me.page.keyboard.press("u")
    me.expect_discs(0)
    me.page.keyboard.press("r")
    me.expect_discs(2)
    me.page.keyboard.press("1")
    me.expect_discs(4)

    me.page.keyboard.press("?")

    expect(me.page.get_by_role("dialog")).to_contain_text("How to play")
    me.escape()


def test_the_board_is_a_grid_with_one_tab_stop(open_table: OpenTable) -> None:
    me = open_table()
    expect(me.page.get_by_role("grid")).to_have_accessible_name("The board")
    expect(me.page.get_by_role("row")).to_have_count(6)
    expect(me.page.get_by_role("gridcell")).to_have_count(42)
    assert me.page.locator(".cell[tabindex='0']").count() == 1


def test_a_wide_board_takes_columns_of_two_digits(open_table: OpenTable) -> None:
    me = open_table("#/game/12x6x4/-")
    me.cell(1, 1).focus()

    me.page.evaluate(KEYS_SCRIPT, ["1", "1", "Enter"])

    expect(me.cell(11, 1)).to_have_attribute("aria-label", "Column 11, row 1: first player")


def test_each_move_is_said(open_table: OpenTable) -> None:
    me = open_table()
    me.drop(4)
    expect(me.live).to_have_text(re.compile(r"Pip dropped in column \d, row \d\."))


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_serious(open_table: OpenTable, theme: str) -> None:
    """No screen breaks a rule of axe."""
    me = open_table(color_scheme=theme, bypass_csp=True)
    for path in SCREENS:
        me.visit(path or "#/")
        found: dict[str, Any] = Axe().run(me.page).response
        assert [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in found["violations"]] == [], path


def test_axe_finds_nothing_in_a_match_and_the_help(open_table: OpenTable) -> None:
    me = open_table(bypass_csp=True)
    me.drop(4)
    me.expect_discs(2)
    me.press("Help")
    expect(me.page.get_by_role("dialog")).to_be_visible()
    found: dict[str, Any] = Axe().run(me.page).response
    assert [rule["id"] for rule in found["violations"]] == []


@pytest.mark.parametrize(("code", "word", "turn"), [("en", "Play", "Your turn."), ("fi", "Pelaa", "Sinun vuorosi."),
                                                    ("sv", "Spela", "Din tur.")])  # fmt: skip
def test_every_language_is_spoken_everywhere(open_table: OpenTable, code: str, word: str, turn: str) -> None:
    """No screen shows the key of a text instead of the text, in any language."""
    me = open_table()
    me.page.locator("#language").select_option(code)
    expect(me.page.locator("html")).to_have_attribute("lang", code)
    expect(me.page.locator(".nav a").first).to_have_text(word)
    for path in SCREENS:
        me.visit(path or "#/")
        assert not re.findall(r"\b[a-z]+\.[a-z_]+\b", me.page.locator("main").inner_text())
    me.visit("#/")
    me.page.locator(".cell").nth(38).click()
    me.expect_turn(turn)


def test_the_browser_s_language_is_met(open_table: OpenTable) -> None:
    me = open_table(locale="fi-FI")
    expect(me.page.get_by_role("heading", level=1)).to_have_text("Neljän suora")


@pytest.mark.parametrize("size", [(320, 568), (390, 844), (640, 400)], ids=["320px", "phone", "200% zoom"])
def test_small_screens_need_no_sideways_scrolling(open_table: OpenTable, size: tuple[int, int]) -> None:
    """Small screens need no sideways scrolling, such as 640 by 400, which is 1280 by 800 at 200% zoom."""
    me = open_table(viewport={"width": size[0], "height": size[1]}, has_touch=True)
    for path in SCREENS:
        me.visit(path or "#/")
        assert me.page.evaluate(SCROLL_SCRIPT) <= 0, path


def test_a_board_screen_fills_the_window_and_no_more(open_table: OpenTable) -> None:
    """On a screen with a board, the header, board and footer fill the window without scrolling."""
    me = open_table()
    expect(me.button("Close connectk")).to_be_visible()
    for path in ("#/", "#/editor", "#/review"):
        me.visit(path)
        assert me.page.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0, path


def test_the_board_stays_in_sight_beside_a_long_review(open_table: OpenTable) -> None:
    me = open_table("#/game/7x6x4/4444453323351", viewport={"width": 1280, "height": 600})
    expect(me.page.locator("#turning")).to_be_visible()

    me.page.get_by_text("Share and save").scroll_into_view_if_needed()

    assert me.page.evaluate("scrollY") > 100
    expect(me.board).to_be_in_viewport(ratio=0.95)


def test_help_begins_at_its_beginning_on_a_small_screen(open_table: OpenTable) -> None:
    me = open_table(viewport={"width": 320, "height": 568})
    me.press("Help")
    expect(me.page.get_by_role("heading", name="How to play")).to_be_in_viewport()


def test_a_tap_plays_on_a_phone(open_table: OpenTable) -> None:
    me = open_table(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    me.cell(3, 1).tap()
    me.expect_discs(2)


def test_without_motion_a_disc_only_fades_in(open_table: OpenTable) -> None:
    for motion, changes in (("reduce", "opacity"), ("no-preference", "transform")):
        me = open_table(reduced_motion=motion)
        me.page.evaluate(ANIMATED_SCRIPT)
        me.two_here()
        me.drop(1)
        me.expect_discs(1)
        assert me.page.evaluate("[...window.animated]") == [changes]


@pytest.mark.parametrize(("screen", "words"), [("#/", "texts/en.json"), ("#/rooms", "texts/rooms/en.json")])
def test_the_language_chosen_last_is_spoken_however_late_the_other_comes(
    open_table: OpenTable, screen: str, words: str
) -> None:
    me = open_table(screen, locale="sv")
    late: list[Route] = []
    me.page.route(f"**/{words}", lambda route: late.append(route))
    me.page.locator("#language").select_option("en")
    while not late:
        me.page.wait_for_timeout(20)
    me.page.locator("#language").select_option("fi")
    me.page.wait_for_timeout(500)  # in which Finnish comes, where it does not wait
    late[0].continue_()

    expect(me.page.locator("html")).to_have_attribute("lang", "fi")
    heading = load_texts("fi")("home.title" if screen == "#/" else "room.title")
    expect(me.page.get_by_role("heading", level=1)).to_have_text(heading)
    me.page.wait_for_timeout(300)
    expect(me.page.get_by_role("heading", level=1)).to_have_text(heading)


def test_the_page_goes_on_without_the_server_and_says_so(open_table: OpenTable) -> None:
    """When the server is gone, the page says so, and a game can be begun and finished with the core in the page."""
    me = open_table(service_workers="allow")
    me.expected_complaints |= {"ERR_INTERNET_DISCONNECTED", "ERR_FAILED"}
    me.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    me.page.context.set_offline(True)
    me.page.reload()

    expect(me.page.get_by_role("alert")).to_contain_text("The server does not answer. You can go on by yourself")
    me.page.locator("connectk-board[data-open]").wait_for()
    me.drop(4)
    me.expect_discs(2)
    me.play_until_over()

    me.page.context.set_offline(False)
    made: list[str] = []
    me.page.on("request", lambda asked: made.append(asked.url) if asked.method == "POST" else None)
    me.visit("#/")
    me.page.locator("connectk-board[data-open]").wait_for()
    me.drop(4)
    me.expect_discs(2)
    assert len([url for url in made if url.endswith("/api/matches")]) == 1  # a server that answers is asked


def test_it_can_be_installed(open_table: OpenTable, server: Server) -> None:
    me = open_table()
    manifest = me.page.evaluate("fetch(document.querySelector('[rel=manifest]').href).then((a) => a.json())")
    assert manifest["display"] == "standalone"
    for icon in manifest["icons"]:
        assert me.page.request.get(server.url + icon["src"]).ok


def test_a_server_started_here_is_closed_from_the_page(open_table: OpenTable, own_server: Server) -> None:
    me = open_table(url=own_server.url)
    me.expected_complaints |= OFFLINE_ERRORS

    me.sure("Close connectk")

    expect(me.page.get_by_role("heading", level=1)).to_have_text("connectk is closed.")
    assert own_server.process is not None
    own_server.process.wait(timeout=60)
