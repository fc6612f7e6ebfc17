"""The page in a real browser: how light it is, whether anything jumps, how smoothly discs fall, and how quick its own
core is, which solves, hints and plays without a server.

    python bench/page.py                           about a minute
    python bench/page.py --against OTHER_SITE      levels, reviews and explanations beside those of another build

OTHER_SITE is a folder that another build's `connectk site` has written. Both answer the same questions in turn.

The core's speed is compared with the native core's on the same positions, one after the other with an empty table in
the same run: with one thread, where the nodes are the same, and with as many as this machine and the page use. What a
phone would need is measured with the page throttled four times.

Frame times are gaps between animation frames while discs fall and while the pointer wanders over the board, on an
empty and on a half-full board; the page at rest, measured the same way, shows what the machine itself can do. Headless
Chromium draws with the processor alone, so a computer with a graphics card has it easier.
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
sys.path.insert(0, str(ROOT))  # the tests' server and ways to look

from tests.core.asking import asked  # noqa: E402
from tests.web.conftest import FLAGS  # noqa: E402
from tests.web.hosts import Isolated, serving  # noqa: E402
from tests.web.serving import Server, free_port  # noqa: E402
from tests.web.test_speed import ONE_FRAME, SHIFTS  # noqa: E402

from connectk import _native  # noqa: E402
from connectk.rules import Position  # noqa: E402
from connectk.site import write_site  # noqa: E402
from connectk.solver.bits import bits_of  # noqa: E402

BOARDS = ((7, 6), (30, 30))
FRAMES = 180
SOLVED, DISCS, TURNS = 6, (8, 9), 3  # positions of the classic board, with so many discs, solved so often
LEAST_NODES = 100_000  # of each
STOPS = 7
TABLE_BYTES = 1 << 25  # of the page's solver
THREADS = min(os.cpu_count() or 1, 4)  # as the page has it
THROTTLED = 4  # a phone's processor
PREPARED = "async () => (await import('./js/core/local.js')).local.prepare()"  # as the page does when it is idle
ASK = """async ([who, what, facts]) => {
    const crew = await import("./js/core/crew.js");
    const start = performance.now();
    const answer = await crew[who].ask(what, facts);
    return { answer, ms: performance.now() - start };
}"""
# What a screen asks of the page without a server, and what a level answers.
REVIEW_OR_WHY = """async ([what, order]) => {
    const { local } = await import("./js/core/local.js");
    const start = performance.now();
    await local[what](order);
    return performance.now() - start;
}"""
REVIEWED = ("44444752232255311", "4433526", "44444432655552353332267623526661117777711")
EXPLAINED = (({"width": 5, "height": 4, "run": 4}, ""), ({"width": 6, "height": 4, "run": 4}, "33"))
ROUNDS = 5
STOP = """async () => {
    const { analyst } = await import("./js/core/crew.js");
    const empty = { variant: { width: 7, height: 6, run: 4 }, discs: [], moves: [] };
    const stop = new AbortController();
    const search = analyst.ask("solve", [empty, 0, 4], stop.signal).catch(() => {});
    await new Promise((resolve) => setTimeout(resolve, 300));
    const start = performance.now();
    stop.abort();
    await search;
    await analyst.ask("moment", [empty]);
    return performance.now() - start;
}"""
PLAYABLE = "() => performance.getEntriesByName('playable').length === 1"  # a game may play by itself by then
EARLY = """() => {
    const [{ startTime: playable }] = performance.getEntriesByName("playable");
    return performance.getEntriesByType("resource").filter((one) => one.startTime <= playable).map((one) => one.name);
}"""
BOOK = "async () => (await import('./js/core/book.js')).wantBook('7x6x4')"
DRAW = """async ([width, height, full]) => {
    const board = document.querySelector("connectk-board");
    const discs = [];
    for (let column = 0; column < width; column++)
        for (let row = 0; row < height * full; row++)
            discs.push({ column, row, side: (column + (row >> 1)) % 2 ? "first" : "second" });
    board.show({ width, height, discs, open: [...Array(width).keys()], hand: "first" }, { animate: false });
    await new Promise((resolve) => setTimeout(resolve, 500));
}"""
# What a person does, one step for each frame: nothing, a disc dropped now and then, the pointer moved.
WATCH = """([deed, frames]) => new Promise((resolve) => {
    const board = document.querySelector("connectk-board"), { width } = board.state;
    const box = board.getBoundingClientRect(), root = board.firstElementChild, times = [];
    const hover = (part) => root.dispatchEvent(new PointerEvent("pointermove",
        { bubbles: true, pointerType: "mouse", clientX: box.left + box.width * part, clientY: box.top + 99 }));
    const look = (now) => {
        times.push(now);
        const count = times.length;
        if (count > frames) return resolve(times);
        if (deed === "fall" && count % 30 === 1)
            board.place(3 * (count - 1) / 30 % width, count % 60 === 1 ? "first" : "second");
        if (deed === "hover") hover((count % 90) / 90);
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
    """The same questions to this build and to another: the first time, with what it loads, and the best later one."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as p:
        write_site(Path(folder))
        browser = p.chromium.launch(executable_path=chromium(), args=FLAGS)
        with serving(Path(folder), Isolated) as mine, serving(other, Isolated) as theirs:
            pages = [folder_page(browser, address) for address in (mine, theirs)]
            print(f"{'ms':24}{'first':>16}{'best of ' + str(ROUNDS):>18}\n{'':24}    this   other      this   other")
            for name, ask in page_questions():
                (first, best), (other_first, other_best) = (timed(page, ask) for page in pages)
                print(f"{name:24}{first:8.0f}{other_first:8.0f}{best:10.1f}{other_best:8.1f}", flush=True)
        browser.close()


def page_questions() -> Iterator[tuple[str, Callable[[Page], float]]]:
    boards = [asked(Position.from_moves(moves)) for moves in ("4", "4453", "44444752")]
    for level in (3, 6, 9):
        yield f"level {level}, {len(boards)} moves", partial(choosing_ms, boards, f"level:{level}")
    for moves in REVIEWED:
        yield f"review, {len(moves)} moves", partial(answering_ms, "review", {"moves": [int(c) - 1 for c in moves]})
    for variant, moves in EXPLAINED:
        order = {"variant": variant, "moves": [int(c) - 1 for c in moves]}
        yield f"why on {variant['width']}x{variant['height']}", partial(answering_ms, "why", order)


def choosing_ms(boards: list[Any], player: str, page: Page) -> float:
    return sum(asking(page, "rules", "choose", board, player, 10_000, [1, 2])["ms"] for board in boards)


def answering_ms(what: str, order: dict[str, Any], page: Page) -> float:
    ms: float = page.evaluate(REVIEW_OR_WHY, [what, order])
    return ms


def timed(page: Page, ask: Callable[[Page], float]) -> tuple[float, float]:
    first = ask(page)
    return first, min(ask(page) for _ in range(ROUNDS))


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
        print(f"\nframe times, ms                      median   95%  longest   (of {FRAMES})")
        page = open_page(browser, server.url)
        tell("nothing happens", measure(page, "rest"))
        for (width, height), full in itertools.product(BOARDS, (0, 0.5)):
            page.evaluate(DRAW, [width, height, full])
            for deed in ("fall", "hover"):
                name = f"{width}x{height} {'half full' if full else 'empty'}, {deed}"
                tell(name, measure(page, deed))
        site = Path(folder) / "site"
        write_site(site)
        with serving(site) as plain, serving(site, Isolated) as isolated:
            tell_stops(browser, plain, isolated)
            tell_solver(browser, plain, isolated)
            tell_answers(browser, plain, isolated)
        browser.close()


def tell_stops(browser: Browser, plain: str, isolated: str) -> None:
    """Until the next question is answered: by the same worker where memory is shared, else by one that takes over."""
    print("\na search is told to stop, and the next question answered")
    for name, address in (("shared memory", isolated), ("plain host", plain)):
        page = folder_page(browser, address)
        times = [page.evaluate(STOP) for _ in range(STOPS)]
        print(f"  {name:20} {statistics.median(times):7.1f} ms, {max(times):.1f} at most", flush=True)
        page.close()


def folder_page(browser: Browser, address: str) -> Page:
    page = browser.new_page(reduced_motion="reduce", service_workers="block")
    page.goto(address)
    page.locator("connectk-board[data-open]").wait_for()
    page.evaluate(PREPARED)
    return page


def tell_solver(browser: Browser, plain: str, isolated: str) -> None:
    print(f"\nsolver in the page, of the native one's speed over {SOLVED} positions")
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


def tell_answers(browser: Browser, plain: str, isolated: str) -> None:
    starts = [asked(Position.from_moves(moves)) for moves in ("", "1", "12", "121212")]
    for name, address in (("one thread", plain), (f"{THREADS} threads", isolated)):
        page = folder_page(browser, address)
        throttle = page.context.new_cdp_session(page)
        throttle.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLED})
        best = [asking(page, "rules", "choose", start, "level:10", 500, [0, 0])["ms"] for start in starts]
        print(f"\n{name}\n  level 10, page throttled {THROTTLED}x {max(best):5.0f} ms at most, without the book")
        throttle.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        page.evaluate(BOOK)
        hints = [asking(page, "analyst", "scores", start, 800)["ms"] for start in starts]
        print(f"  a hint with the book   {max(hints):7.1f} ms at most, of {len(hints)} early positions", flush=True)
        page.close()


def speeds(page: Page, threads: int, clock: Callable[[], float]) -> tuple[float, float]:
    """Seconds of the native core and of the page's on the same positions, the best of a few turns of each. The page has
    only the time of day: with processor time natively, a busy machine counts against the page."""
    solver = _native.Solver(7, 6, 4, TABLE_BYTES)
    native = inside = 0.0
    for position in itertools.islice(hard_positions(solver), SOLVED):
        turns = [(natively(solver, position, threads, clock), in_page(page, position, threads)) for _ in range(TURNS)]
        assert threads > 1 or len({nodes for turn in turns for _, nodes in turn}) == 1, position
        native += min(seconds for (seconds, _), _ in turns)
        inside += min(seconds for _, (seconds, _) in turns)
    return native, inside


def hard_positions(solver: _native.Solver) -> Iterator[Position]:
    """Those that are not solved before a helper could join."""
    for line in (ROOT / "tests/data/solver/7x6x4.txt").read_text().splitlines():
        moves = line.split()[0]
        if len(moves) in DISCS and natively(solver, Position.from_moves(moves), 1, time.thread_time)[1] > LEAST_NODES:
            yield Position.from_moves(moves)


def natively(solver: _native.Solver, position: Position, threads: int, clock: Callable[[], float]) -> tuple[float, int]:
    solver.forget()
    start = clock()
    found = solver.solve(*bits_of(position), threads=threads)
    return clock() - start, found.nodes


def in_page(page: Page, position: Position, threads: int) -> tuple[float, int]:
    """With all the threads: the first helpers may come too late."""
    while True:
        told = asking(page, "analyst", "solve", asked(position), 0, threads)
        if told["answer"]["threads"] == threads:
            return told["ms"] / 1000, told["answer"]["nodes"]


def asking(page: Page, who: str, what: str, *facts: Any) -> Any:
    return page.evaluate(ASK, [who, what, list(facts)])


def open_page(browser: Browser, url: str) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 800}, service_workers="block")
    page.goto(f"{url}#/review")
    page.locator("connectk-board[data-open]").wait_for()
    page.wait_for_load_state("networkidle")
    return page


def weight(browser: Browser, url: str) -> tuple[int, int]:
    """Bytes and answers until a disc can be dropped, compressed as they travel, with their headers."""
    page = browser.new_page(service_workers="block")
    sizes: dict[str, int] = {}
    names: dict[str, str] = {}
    cdp = page.context.new_cdp_session(page)
    cdp.send("Network.enable")
    cdp.on("Network.requestWillBeSent", lambda facts: names.update({facts["requestId"]: facts["request"]["url"]}))
    cdp.on("Network.loadingFinished", lambda facts: sizes.update({facts["requestId"]: facts["encodedDataLength"]}))
    page.goto(url)
    page.wait_for_function(PLAYABLE)
    page.wait_for_load_state("networkidle")
    early = [size for number, size in sizes.items() if names.get(number) in {url, *page.evaluate(EARLY)}]
    page.close()
    return round(sum(early)), len(early)


def shift(browser: Browser, url: str) -> float:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.add_init_script(SHIFTS)
    page.goto(url)
    page.wait_for_function(PLAYABLE)
    page.wait_for_timeout(500)
    found: float = page.evaluate("window.shift")
    page.close()
    return found


def one_frame(browser: Browser, url: str) -> int:
    """How many discs a click has shown by the next frame; 1 is what it should be."""
    page = browser.new_page()
    page.goto(url)
    page.locator("connectk-board[data-open]").wait_for()
    count: int = page.evaluate(ONE_FRAME)
    page.close()
    return count


def measure(page: Page, deed: str) -> list[float]:
    times = page.evaluate(WATCH, [deed, FRAMES])
    return sorted(after - before for before, after in itertools.pairwise(times))


def tell(name: str, gaps: list[float]) -> None:
    usual, most = statistics.median(gaps), gaps[int(0.95 * len(gaps))]
    print(f"{name:35} {usual:7.1f} {most:5.1f} {gaps[-1]:8.1f}", flush=True)


if __name__ == "__main__":
    main()
