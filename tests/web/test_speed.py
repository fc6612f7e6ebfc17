"""Tests that the page is fast: it loads little data, nothing jumps, a disc appears in the next frame, and large boards
are smooth."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.web.conftest import OpenTable
from tests.web.held import Held

MAX_FIRST_LOAD_BYTES = 100 * 1024
COUNT_SHIFTS_SCRIPT = """
window.shift = 0;
new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shift += entry.value; })
    .observe({ type: "layout-shift", buffered: true });
"""
UNEXPECTED_SHIFTS_SCRIPT = """
window.shift = 0;
new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
"""
FETCHED_BYTES_SCRIPT = """() => {
    const [{ startTime: playable }] = performance.getEntriesByName("playable");
    const files = performance.getEntriesByType("resource").filter((one) => one.startTime <= playable);
    return [location.href.split("#")[0], ...files.map((one) => one.name)];
}"""
ONE_FRAME_SCRIPT = """() => new Promise((resolve) => {
    const board = document.querySelector("connectk-board");
    const count = () => board.querySelectorAll(".disc.first:not(.ghost)").length; // the answer may be quick, too
    const before = count();
    board.querySelector('.cell[aria-label^="Column 1, row 1:"]').dispatchEvent(
        new MouseEvent("click", { bubbles: true, clientX: 0, clientY: 0 }));
    requestAnimationFrame(() => resolve(count() - before));
})"""
FALL_SCRIPT = """async () => {
    const board = document.querySelector("connectk-board");
    board.place(7, "first");
    const touched = [];
    const watch = new MutationObserver((changes) => touched.push(...changes.map((change) => change.type)));
    watch.observe(board, { subtree: true, childList: true, attributes: true });
    const falling = document.getAnimations().filter((one) => one.effect.target.matches(".disc"));
    const frames = falling.flatMap((one) => one.effect.getKeyframes()).flatMap((frame) => Object.keys(frame));
    await Promise.all(falling.map((one) => one.finished));
    const changed = frames.filter((name) => !["offset", "computedOffset", "easing", "composite"].includes(name));
    return { falling: falling.length, changed: [...new Set(changed)], touched };
}"""


def test_the_first_playable_board_is_light(open_table: OpenTable) -> None:
    """The compressed size of all files that are requested until a disc can be dropped is below a limit."""
    me = open_table("#/")
    names: dict[str, str] = {}
    sizes: dict[str, int] = {}
    cdp = me.page.context.new_cdp_session(me.page)
    cdp.send("Network.enable")
    cdp.send("Network.setCacheDisabled", {"cacheDisabled": True})
    cdp.on("Network.requestWillBeSent", lambda facts: names.update({facts["requestId"]: facts["request"]["url"]}))

    def finished(facts: dict[str, Any]) -> None:
        if facts["requestId"] in names:  # or it was asked for before we listened
            sizes[names[facts["requestId"]]] = facts["encodedDataLength"]

    cdp.on("Network.loadingFinished", finished)
    me.page.reload()
    me.page.locator("connectk-board[data-open]").wait_for()
    while not any(name.endswith("/js/match/match-screen.js") for name in sizes):  # it comes when the page is idle
        me.page.wait_for_timeout(20)
    # Of this page, not of the one before.
    me.page.wait_for_function("() => performance.getEntriesByName('playable').length")
    first = me.page.evaluate(FETCHED_BYTES_SCRIPT)

    assert first
    assert any(name.endswith("/js/match/match-screen.js") for name in sizes.keys() - first)
    assert 20_000 < sum(sizes.get(name, 0) for name in first) < MAX_FIRST_LOAD_BYTES


def test_nothing_jumps_while_the_page_opens(open_table: OpenTable) -> None:
    me = open_table("#/")
    me.page.context.add_init_script(COUNT_SHIFTS_SCRIPT)
    me.page.reload()
    me.page.locator("connectk-board[data-open]").wait_for()

    assert me.page.evaluate("window.shift") == 0


def test_nothing_jumps_on_a_slow_phone_until_the_first_game_is_over(open_table: OpenTable) -> None:
    """On a slow phone nothing jumps until the first game is over. Browsers do not count shifts within half a second of
    a tap."""
    me = open_table(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    cdp = me.page.context.new_cdp_session(me.page)
    cdp.send("Network.enable")
    slow = {"latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 100_000}  # bytes a second
    cdp.send("Network.emulateNetworkConditions", {"offline": False, **slow})
    cdp.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    me.page.context.add_init_script(UNEXPECTED_SHIFTS_SCRIPT)
    me.page.reload()
    me.page.locator("connectk-board[data-open]").wait_for()
    me.page.locator(".foot a").first.wait_for()
    assert me.page.evaluate("window.shift") < 0.02

    me.cell(1, 1).tap()
    me.expect_turn("Your turn.")
    me.play_until_over()
    expect(me.page.locator(".accuracies dd").first).to_contain_text("%")

    assert me.page.evaluate("window.shift") < 0.02


def test_nothing_jumps_on_a_phone_when_a_match_begins_late(open_table: OpenTable) -> None:
    """On a phone nothing jumps when a match begins late. Browsers then count every shift, because the last tap is long
    ago."""
    me = open_table(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    me.page.locator("connectk-board[data-open]").wait_for()
    me.page.locator(".foot a").first.wait_for()
    held = Held(me, "**/api/matches")
    me.page.evaluate(UNEXPECTED_SHIFTS_SCRIPT)
    me.cell(1, 1).tap()
    held.wait()
    me.page.wait_for_timeout(1000)
    held.let_go()
    me.expect_turn("Your turn.")

    assert me.page.evaluate("window.shift") < 0.02


def test_a_click_shows_its_disc_in_one_frame(open_table: OpenTable) -> None:
    me = open_table()
    me.press("Demo: tap to play")
    me.page.locator("connectk-board[data-open]").wait_for()

    assert me.page.evaluate(ONE_FRAME_SCRIPT) == 1
    me.expect_discs(2)


def test_a_board_of_thirty_by_thirty_stays_smooth(open_table: OpenTable) -> None:
    """While a disc falls on a board of 900 cells, the page's scripts do nothing. `bench/page.py` measures the
    frames."""
    me = open_table("#/game/30x30x6/-", reduced_motion="no-preference")
    me.press("Whole board")
    expect(me.page.get_by_role("gridcell")).to_have_count(900)
    expect(me.page.locator("connectk-board .score").first).to_be_visible()
    me.page.wait_for_load_state("networkidle")  # and no better scores arrive

    assert me.page.evaluate(FALL_SCRIPT) == {"falling": 1, "changed": ["transform"], "touched": []}
