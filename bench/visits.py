"""Measures the waiting time for the first review of a visit, for two builds of the page in turn. Each visit has its own
browser context, so nothing is cached and no worker runs yet. `python bench/page.py --against` calls this.

- by a link: from the start of loading `#/game/...` until the panel shows the review;
- after a game: two people at this screen end a game, and one presses Review at once, or a second later;
- requested: `localApi.review` alone, once the page is idle, without the page's pause before a review.

A plain host sends no headers for shared memory. This is the case on the first visit of a static page. An isolated host
sends these headers, as the game server does. On later visits of a static page, the service worker adds them.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable
from functools import partial

from playwright.sync_api import Browser, Page

WON_GAME = "1212121"  # the first player wins
REVIEWED_GAME = "4444475223225537"  # differs from the game that the static page contains
REVIEW_SHOWN_SCRIPT = """() => new Promise((resolve) => {
    const stands = () => document.querySelector("#panel dl.facts") !== null;
    const look = () => stands() && (watch.disconnect(), resolve(performance.now()));
    const watch = new MutationObserver(look);
    watch.observe(document, { childList: true, subtree: true });
    look();
})"""
PRESS_REVIEW_SCRIPT = f"""async (rest) => {{
    await new Promise((resolve) => setTimeout(resolve, rest));
    const start = performance.now();
    [...document.querySelectorAll("#panel button")].find((one) => one.textContent === "Review").click();
    return await ({REVIEW_SHOWN_SCRIPT})() - start;
}}"""
REQUEST_REVIEW_SCRIPT = """async (moves) => {
    const { localApi } = await import("./js/core/local-api.js");
    const start = performance.now();
    await localApi.review({ moves });
    return performance.now() - start;
}"""
PREPARE_SCRIPT = (
    "async () => (await import('./js/core/local-api.js')).localApi.prepare()"  # as the page does when it is idle
)


def by_link(address: str, page: Page) -> float:
    page.goto(f"{address}#/game/7x6x4/{REVIEWED_GAME}")
    ms: float = page.evaluate(REVIEW_SHOWN_SCRIPT)
    return ms


def after_a_game(rest: int, address: str, page: Page) -> float:
    page.goto(address)
    page.get_by_role("button", name="Two at this screen").click()
    page.locator(".headline").wait_for()
    for count, column in enumerate(WON_GAME, 1):
        page.locator(f'.cell[aria-label^="Column {column}, row 1:"]').click()
        page.locator(".disc:not(.ghost)").nth(count - 1).wait_for()
    page.locator("[name=rematch]").wait_for()
    ms: float = page.evaluate(PRESS_REVIEW_SCRIPT, rest)
    return ms


def review_when_idle(address: str, page: Page) -> float:
    page.goto(address)
    page.locator("connectk-board[data-open]").wait_for()
    page.evaluate(PREPARE_SCRIPT)
    ms: float = page.evaluate(REQUEST_REVIEW_SCRIPT, [int(column) - 1 for column in REVIEWED_GAME])
    return ms


VISITS: dict[str, Callable[[str, Page], float]] = {
    "by a link": by_link,
    "after a game, at once": partial(after_a_game, 0),
    "after a game, 1 s later": partial(after_a_game, 1000),
    "asked for when idle": review_when_idle,
}


def compare_visits(browser: Browser, hosts: dict[str, tuple[str, str]], visits: int = 15) -> None:
    """Print the median times of two builds, which take turns and alternate in being first."""
    title = f"ms, first review of a visit, median of {visits}"
    print(f"\n{title:48}{'this':>8}{'other':>8}   (quartiles)")
    for host, addresses in hosts.items():
        for name, visit in VISITS.items():
            times: list[list[float]] = [[], []]
            for turn in range(visits):
                for which in (turn % 2, 1 - turn % 2):
                    times[which].append(one_visit(browser, partial(visit, addresses[which])))
            print_visits(f"{host}, {name}", times)


def one_visit(browser: Browser, visit: Callable[[Page], float]) -> float:
    page = browser.new_page(reduced_motion="reduce", service_workers="block", locale="en")
    try:
        return visit(page)
    finally:
        page.close()


def print_visits(name: str, times: list[list[float]]) -> None:
    here, there = (statistics.quantiles(one, n=4) for one in times)
    spread = "   ".join(f"{low:.0f} to {high:.0f}" for low, _, high in (here, there))
    print(f"{name:48}{here[1]:8.0f}{there[1]:8.0f}   ({spread})", flush=True)
