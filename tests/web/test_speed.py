"""Fast: light over the wire, nothing jumps, a disc in one frame, smooth on large boards."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.web.conftest import OpenTable

LIGHTEST = 100 * 1024
SHIFTS = """
window.shift = 0;
new PerformanceObserver((list) => { for (const entry of list.getEntries()) window.shift += entry.value; })
    .observe({ type: "layout-shift", buffered: true });
"""
FETCHED = """() => {
    const [{ startTime: playable }] = performance.getEntriesByName("playable");
    const files = performance.getEntriesByType("resource").filter((one) => one.startTime <= playable);
    return [location.href.split("#")[0], ...files.map((one) => one.name)];
}"""
ONE_FRAME = """() => new Promise((resolve) => {
    const board = document.querySelector("connectk-board");
    const count = () => board.querySelectorAll(".disc.first:not(.ghost)").length; // the answer may be quick, too
    const before = count();
    board.querySelector('.cell[aria-label^="Column 1, row 1:"]').dispatchEvent(
        new MouseEvent("click", { bubbles: true, clientX: 0, clientY: 0 }));
    requestAnimationFrame(() => resolve(count() - before));
})"""
FALL = """async () => {
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
    """Everything that is asked for until a disc can be dropped, compressed as it travels; what comes when the page is
    idle does not count."""
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
    while not any(name.endswith("/js/match/play.js") for name in sizes):  # it comes when the page is idle
        me.page.wait_for_timeout(20)
    first = me.page.evaluate(FETCHED)

    assert first
    assert any(name.endswith("/js/match/play.js") for name in sizes.keys() - first)
    assert 20_000 < sum(sizes.get(name, 0) for name in first) < LIGHTEST


def test_nothing_jumps_while_the_page_opens(open_table: OpenTable) -> None:
    me = open_table("#/")
    me.page.context.add_init_script(SHIFTS)
    me.page.reload()
    me.page.locator("connectk-board[data-open]").wait_for()

    assert me.page.evaluate("window.shift") == 0


def test_a_click_shows_its_disc_in_one_frame(open_table: OpenTable) -> None:
    me = open_table()
    me.page.locator("connectk-board[data-open]").wait_for()

    assert me.page.evaluate(ONE_FRAME) == 1
    me.expect_discs(2)


def test_a_board_of_thirty_by_thirty_stays_smooth(open_table: OpenTable) -> None:
    """While a disc falls past 900 holes, the page itself has nothing to do; `bench/page.py` tells the frame times."""
    me = open_table("#/game/30x30x6/-", reduced_motion="no-preference")
    expect(me.page.get_by_role("gridcell")).to_have_count(900)
    expect(me.page.locator("connectk-board .score").first).to_be_visible()
    me.page.wait_for_load_state("networkidle")  # nor do any better ones come

    assert me.page.evaluate(FALL) == {"falling": 1, "changed": ["transform"], "touched": []}
