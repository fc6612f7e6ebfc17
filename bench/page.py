"""Measures the page in a real browser: its size, its layout shifts, how smoothly discs fall, and the speed of its
compiled core.

    python bench/page.py                           about a minute
    python bench/page.py --against OTHER_SITE      levels, reviews, explanations and the first review of a visit beside
                                                   those of another build

OTHER_SITE is a folder that `connectk site` of another build has written. Both builds answer the same questions in turn.

The page's core is compared with the native core on the same positions, in turn, in the same run and with empty tables.
The first comparison uses one thread, with which both cores search the same nodes. The second uses as many threads as
the page uses on this machine. To estimate the time on a phone, the browser slows its processor down four times.

Frame times are the gaps between animation frames while discs fall and while the pointer moves over the board. They are
measured on an empty and on a half-full board. The idle page is measured in the same way and shows the limit of the
machine. Headless Chromium draws without a graphics card, so an ordinary computer is faster.
"""

import argparse
import itertools
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # imports the server and the browser helpers from the tests

from tests.core.asking import asked  # noqa: E402
from tests.web.conftest import FLAGS  # noqa: E402
from tests.web.hosts import Isolated, Quiet, serving  # noqa: E402
from tests.web.serving import Server, free_port  # noqa: E402
from tests.web.test_speed import COUNT_SHIFTS_SCRIPT, ONE_FRAME_SCRIPT  # noqa: E402
from visits import compare_visits  # noqa: E402

from connectk import _native  # noqa: E402
from connectk.rules import Position  # noqa: E402
from connectk.site import write_site  # noqa: E402
from connectk.solver.bitboards import bitboards_of  # noqa: E402

BOARDS = ((7, 6), (30, 30))
FRAME_COUNT = 180
SOLVED_POSITIONS, SOLVED_DISC_COUNTS, SOLVE_REPETITIONS = (
    6,
    (8, 9),
    3,
)  # classic positions: how many, their number of discs, and the rounds
MIN_NODES = 100_000  # of each
STOP_COUNT = 7
TABLE_BYTES = 1 << 25  # of the page's solver
THREADS = min(os.cpu_count() or 1, 4)  # the page uses the same number
CPU_SLOWDOWN = 4  # a phone's processor
PREPARE_SCRIPT = (
    "async () => (await import('./js/core/local-api.js')).localApi.prepare()"  # as the page does when it is idle
)
REQUEST_SCRIPT = """async ([who, what, facts]) => {
    const workers = await import("./js/core/core-workers.js");
    const start = performance.now();
    const answer = await workers[who].request(what, facts);
    return { answer, ms: performance.now() - start };
}"""
# Requests that a screen makes without a server, and the answer of a level.
REVIEW_OR_WHY_SCRIPT = """async ([what, order]) => {
    const { localApi } = await import("./js/core/local-api.js");
    const start = performance.now();
    await localApi[what](order);
    return performance.now() - start;
}"""
REVIEWED_GAMES = ("44444752232255311", "4433526", "44444432655552353332267623526661117777711")
EXPLAINED_POSITIONS = (({"width": 5, "height": 4, "run": 4}, ""), ({"width": 6, "height": 4, "run": 4}, "33"))
REPETITIONS = 5
STOP_SCRIPT = """async () => {
    const { scoreWorker } = await import("./js/core/core-workers.js");
    const empty = { variant: { width: 7, height: 6, run: 4 }, discs: [], moves: [] };
    const stop = new AbortController();
    const search = scoreWorker.request("solve", [empty, 0, 4], stop.signal).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 300));
    const start = performance.now();
    stop.abort();
    await search;
    await scoreWorker.request("moment", [empty]);
    return performance.now() - start;
}"""
IS_PLAYABLE_SCRIPT = "() => performance.getEntriesByName('playable').length === 1"  # a demo may already be running then
FIRST_PAINT_SCRIPT = """() => {
    const [{ startTime: playable }] = performance.getEntriesByName("playable");
    return performance.getEntriesByType("resource").filter((one) => one.startTime <= playable).map((one) => one.name);
}"""
# A worker reads the book before its next search.
READ_BOOK_SCRIPT = """async () => {
    const { localApi } = await import("./js/core/local-api.js");
    await localApi.scores({});
}"""
DRAW_BOARD_SCRIPT = """async ([width, height, full]) => {
    const board = document.querySelector("connectk-board");
    const discs = [];
    for (let column = 0; column < width; column++)
        for (let row = 0; row < height * full; row++)
            discs.push({ column, row, side: (column + (row >> 1)) % 2 ? "first" : "second" });
    board.show({ width, height, discs, open: [...Array(width).keys()], hand: "first" }, { animate: false });
    await new Promise((resolve) => setTimeout(resolve, 500));
}"""
# Actions of a person, one step for each frame: none, dropping a disc at intervals, moving the pointer.
FRAME_GAPS_SCRIPT = """([motion, frames]) => new Promise((resolve) => {
    const board = document.querySelector("connectk-board"), { width } = board.state;
    const box = board.getBoundingClientRect(), root = board.firstElementChild, times = [];
    const hover = (part) => root.dispatchEvent(new PointerEvent("pointermove",
        { bubbles: true, pointerType: "mouse", clientX: box.left + box.width * part, clientY: box.top + 99 }));
    const look = (now) => {
        times.push(now);
        const count = times.length;
        if (count > frames) return resolve(times);
        if (motion === "fall" && count % 30 === 1)
            board.place(3 * (count - 1) / 30 % width, count % 60 === 1 ? "first" : "second");
        if (motion === "hover") hover((count % 90) / 90);
        requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--against", type=Path, metavar="OTHER_SITE")
    other = parser.parse_args().against
    measure_all() if other is None else compare(other)


def compare(other: Path) -> None:
    """Print the times of both builds for the same requests: the first time, which includes loading, and the best later
    time."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as p:
        write_site(Path(folder))
        browser = p.chromium.launch(executable_path=chromium(), args=FLAGS)
        with serving(Path(folder), Isolated) as mine, serving(other, Isolated) as theirs:
            pages = [folder_page(browser, address) for address in (mine, theirs)]
            print(
                f"{'ms':24}{'first':>16}{'best of ' + str(REPETITIONS):>18}\n{'':24}    this   other      this   other"
            )
            for name, ask in page_questions():
                (first, best), (other_first, other_best) = (timed(page, ask) for page in pages)
                print(f"{name:24}{first:8.0f}{other_first:8.0f}{best:10.1f}{other_best:8.1f}", flush=True)
            for page in pages:
                page.close()
            with serving(Path(folder), Quiet) as my_plain, serving(other, Quiet) as their_plain:
                compare_visits(browser, {"plain": (my_plain, their_plain), "isolated": (mine, theirs)})
        browser.close()


def page_questions() -> Iterator[tuple[str, Callable[[Page], float]]]:
    boards = [asked(Position.from_moves(moves)) for moves in ("4", "4453", "44444752")]
    for level in (3, 6, 9):
        yield f"level {level}, {len(boards)} moves", partial(choosing_ms, boards, f"level:{level}")
    for moves in REVIEWED_GAMES:
        yield f"review, {len(moves)} moves", partial(answering_ms, "review", {"moves": [int(c) - 1 for c in moves]})
    for variant, moves in EXPLAINED_POSITIONS:
        order = {"variant": variant, "moves": [int(c) - 1 for c in moves]}
        yield f"why on {variant['width']}x{variant['height']}", partial(answering_ms, "why", order)


def choosing_ms(boards: list[Any], player: str, page: Page) -> float:
    return sum(asking(page, "rulesWorker", "choose", board, player, 10_000, [1, 2])["ms"] for board in boards)


def answering_ms(what: str, order: dict[str, Any], page: Page) -> float:
    ms: float = page.evaluate(REVIEW_OR_WHY_SCRIPT, [what, order])
    return ms


def timed(page: Page, ask: Callable[[Page], float]) -> tuple[float, float]:
    first = ask(page)
    return first, min(ask(page) for _ in range(REPETITIONS))


def chromium() -> str | None:
    return os.environ.get("CONNECTK_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")


def measure_all() -> None:
    with tempfile.TemporaryDirectory() as folder, Server(free_port(), Path(folder)) as server, sync_playwright() as p:
        browser = p.chromium.launch(executable_path=chromium(), args=FLAGS)
        print(f"Chromium {browser.version}, headless, drawing with the processor\n")
        size, answers = weight(browser, server.url)
        print(f"first playable board   {size / 1000:7.1f} kB over the wire, in {answers} answers")
        print(f"layout shift           {shift(browser, server.url):7.4f}")
        print(f"discs one frame after a click {one_frame(browser, server.url)}")
        print(f"\nframe times, ms                      median   95%  longest   (of {FRAME_COUNT})")
        page = open_page(browser, server.url)
        print_gaps("nothing happens", measure(page, "rest"))
        for (width, height), full in itertools.product(BOARDS, (0, 0.5)):
            page.evaluate(DRAW_BOARD_SCRIPT, [width, height, full])
            for motion in ("fall", "hover"):
                name = f"{width}x{height} {'half full' if full else 'empty'}, {motion}"
                print_gaps(name, measure(page, motion))
        site = Path(folder) / "site"
        write_site(site)
        with serving(site) as plain, serving(site, Isolated) as isolated:
            print_stop_times(browser, plain, isolated)
            print_solver_times(browser, plain, isolated)
            print_answer_times(browser, plain, isolated)
        browser.close()


def print_stop_times(browser: Browser, plain: str, isolated: str) -> None:
    """Print the time from a stop to the next answer. With shared memory the same worker answers, otherwise a spare
    one."""
    print("\na search is stopped, and the next question answered")
    for name, address in (("shared memory", isolated), ("plain host", plain)):
        page = folder_page(browser, address)
        times = [page.evaluate(STOP_SCRIPT) for _ in range(STOP_COUNT)]
        print(f"  {name:20} {statistics.median(times):7.1f} ms, {max(times):.1f} at most", flush=True)
        page.close()


def folder_page(browser: Browser, address: str) -> Page:
    page = browser.new_page(reduced_motion="reduce", service_workers="block")
    page.goto(address)
    page.locator("connectk-board[data-open]").wait_for()
    page.evaluate(PREPARE_SCRIPT)
    return page


def print_solver_times(browser: Browser, plain: str, isolated: str) -> None:
    print(f"\nsolver in the page, of the native one's speed over {SOLVED_POSITIONS} positions")
    page = folder_page(browser, plain)
    here, there = speeds(page, 1, time.thread_time)
    page.close()
    print(f"  one thread, plain    {here / there:7.2f}, as many nodes", flush=True)
    page = folder_page(browser, isolated)
    here, there = speeds(page, 1, time.thread_time)
    print(f"  one thread, shared   {here / there:7.2f}, as many nodes", flush=True)
    if THREADS > 1:
        here, there = speeds(page, THREADS, time.perf_counter)
        print(f"  {THREADS} threads            {here / there:7.2f}", flush=True)
    page.close()


def print_answer_times(browser: Browser, plain: str, isolated: str) -> None:
    starts = [asked(Position.from_moves(moves)) for moves in ("", "1", "12", "121212")]
    for name, address in (("one thread", plain), (f"{THREADS} threads", isolated)):
        page = folder_page(browser, address)
        throttle = page.context.new_cdp_session(page)
        throttle.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
        best = [asking(page, "rulesWorker", "choose", start, "level:10", 500, [0, 0])["ms"] for start in starts]
        print(f"\n{name}\n  level 10, page throttled {CPU_SLOWDOWN}x {max(best):5.0f} ms at most, without the book")
        throttle.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        page.evaluate(READ_BOOK_SCRIPT)
        hints = [asking(page, "scoreWorker", "scores", start, 800)["ms"] for start in starts]
        print(f"  a hint with the book   {max(hints):7.1f} ms at most, of {len(hints)} early positions", flush=True)
        page.close()


def speeds(page: Page, threads: int, clock: Callable[[], float]) -> tuple[float, float]:
    """The seconds that the native core and the page's core need for the same positions, the best of several turns.

    The native time is processor time. The page can read only the wall clock, so other work on the machine increases
    only the page's time.
    """
    solver = _native.Solver(7, 6, 4, TABLE_BYTES)
    native = inside = 0.0
    for position in itertools.islice(hard_positions(solver), SOLVED_POSITIONS):
        turns = [
            (natively(solver, position, threads, clock), in_page(page, position, threads))
            for _ in range(SOLVE_REPETITIONS)
        ]
        assert threads > 1 or len({nodes for turn in turns for _, nodes in turn}) == 1, position
        native += min(seconds for (seconds, _), _ in turns)
        inside += min(seconds for _, (seconds, _) in turns)
    return native, inside


def hard_positions(solver: _native.Solver) -> Iterator[Position]:
    """Positions that are hard enough for helper threads to join the search before it ends."""
    for line in (ROOT / "tests/data/solver/7x6x4.txt").read_text().splitlines():
        moves = line.split()[0]
        if (
            len(moves) in SOLVED_DISC_COUNTS
            and natively(solver, Position.from_moves(moves), 1, time.thread_time)[1] > MIN_NODES
        ):
            yield Position.from_moves(moves)


def natively(solver: _native.Solver, position: Position, threads: int, clock: Callable[[], float]) -> tuple[float, int]:
    solver.clear_table()
    start = clock()
    found = solver.solve(*bitboards_of(position), threads=threads)
    return clock() - start, found.nodes


def in_page(page: Page, position: Position, threads: int) -> tuple[float, int]:
    """The seconds and nodes of a search that used all threads. If the helpers started too late, the search is
    repeated."""
    while True:
        solved = asking(page, "scoreWorker", "solve", asked(position), 0, threads)
        if solved["answer"]["threads"] == threads:
            return solved["ms"] / 1000, solved["answer"]["nodes"]


def asking(page: Page, who: str, what: str, *facts: Any) -> Any:
    return page.evaluate(REQUEST_SCRIPT, [who, what, list(facts)])


def open_page(browser: Browser, url: str) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 800}, service_workers="block")
    page.goto(f"{url}#/review")
    page.locator("connectk-board[data-open]").wait_for()
    page.wait_for_load_state("networkidle")
    return page


def weight(browser: Browser, url: str) -> tuple[int, int]:
    """The number of bytes and of responses until the user can drop a disc. The bytes are compressed and include
    headers."""
    page = browser.new_page(service_workers="block")
    sizes: dict[str, int] = {}
    names: dict[str, str] = {}
    cdp = page.context.new_cdp_session(page)
    cdp.send("Network.enable")
    cdp.on("Network.requestWillBeSent", lambda facts: names.update({facts["requestId"]: facts["request"]["url"]}))
    cdp.on("Network.loadingFinished", lambda facts: sizes.update({facts["requestId"]: facts["encodedDataLength"]}))
    page.goto(url)
    page.wait_for_function(IS_PLAYABLE_SCRIPT)
    page.wait_for_load_state("networkidle")
    early = [size for number, size in sizes.items() if names.get(number) in {url, *page.evaluate(FIRST_PAINT_SCRIPT)}]
    page.close()
    return round(sum(early)), len(early)


def shift(browser: Browser, url: str) -> float:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.add_init_script(COUNT_SHIFTS_SCRIPT)
    page.goto(url)
    page.wait_for_function(IS_PLAYABLE_SCRIPT)
    page.wait_for_timeout(500)
    found: float = page.evaluate("window.shift")
    page.close()
    return found


def one_frame(browser: Browser, url: str) -> int:
    """The number of discs that are visible in the frame after a click. It should be 1."""
    page = browser.new_page()
    page.goto(url)
    page.locator("#demo").click()
    page.locator("connectk-board[data-open]").wait_for()
    count: int = page.evaluate(ONE_FRAME_SCRIPT)
    page.close()
    return count


def measure(page: Page, motion: str) -> list[float]:
    times = page.evaluate(FRAME_GAPS_SCRIPT, [motion, FRAME_COUNT])
    return sorted(after - before for before, after in itertools.pairwise(times))


def print_gaps(name: str, gaps: list[float]) -> None:
    usual, most = statistics.median(gaps), gaps[int(0.95 * len(gaps))]
    print(f"{name:35} {usual:7.1f} {most:5.1f} {gaps[-1]:8.1f}", flush=True)


if __name__ == "__main__":
    main()
