"""The page in a real browser: how light it is, whether anything jumps, and how smoothly discs fall.

    python bench/page.py                about half a minute

Frame times are gaps between animation frames while discs fall and while the pointer wanders over the board, on an
empty and on a half-full board; the page at rest, measured the same way, shows what the machine itself can do. Headless
Chromium draws with the processor alone, so a computer with a graphics card has it easier.
"""

import itertools
import os
import shutil
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # the tests' server and ways to look

from tests.web.conftest import FLAGS  # noqa: E402
from tests.web.serving import Server, free_port  # noqa: E402
from tests.web.test_speed import ONE_FRAME, SHIFTS  # noqa: E402

BOARDS = ((7, 6), (30, 30))
FRAMES = 180
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
    system = os.environ.get("CONNECTK_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with tempfile.TemporaryDirectory() as folder, Server(free_port(), Path(folder)) as server, sync_playwright() as p:
        browser = p.chromium.launch(executable_path=system, args=FLAGS)
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
        browser.close()


def open_page(browser: Browser, url: str) -> Page:
    page = browser.new_page(viewport={"width": 1280, "height": 800}, service_workers="block")
    page.goto(f"{url}#/review")
    page.locator("connectk-board[data-open]").wait_for()
    page.wait_for_load_state("networkidle")
    return page


def weight(browser: Browser, url: str) -> tuple[int, int]:
    """Bytes and answers until a disc can be dropped, compressed as they travel."""
    page = browser.new_page(service_workers="block")
    sizes: dict[str, int] = {}
    cdp = page.context.new_cdp_session(page)
    cdp.send("Network.enable")
    cdp.on("Network.loadingFinished", lambda facts: sizes.update({facts["requestId"]: facts["encodedDataLength"]}))
    page.goto(url)
    page.locator("connectk-board[data-open]").wait_for()
    page.wait_for_load_state("networkidle")
    page.close()
    return round(sum(sizes.values())), len(sizes)


def shift(browser: Browser, url: str) -> float:
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.add_init_script(SHIFTS)
    page.goto(url)
    page.locator("connectk-board[data-open]").wait_for()
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
