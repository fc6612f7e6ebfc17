"""Take the pictures of the page for the README and the docs, in both themes: a real server, a real browser."""

from __future__ import annotations

import io
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.web.conftest import FLAGS  # noqa: E402
from tests.web.serving import Server, free_port  # noqa: E402

FOLDER = ROOT / "docs/pictures"
GAME = "4444453323351"
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


def home(page: Page, url: str) -> None:
    page.goto(url)
    page.locator("connectk-board[data-open]").wait_for()
    page.locator('.cell[aria-label^="Column 5, row 3:"]').hover()


def play(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_role("button", name="Two at this screen").click()
    page.get_by_role("button", name="Undo").wait_for()
    for count, column in enumerate("6521454236", start=1):
        page.keyboard.press(column)
        page.locator("connectk-board .disc:not(.ghost)").nth(count - 1).wait_for()
    page.get_by_role("button", name="Hint").click()
    page.locator("connectk-board .score").first.wait_for()


def review(page: Page, url: str) -> None:
    page.goto(f"{url}#/game/7x6x4/{GAME}")
    page.locator("#turning").wait_for(timeout=60_000)
    page.get_by_role("slider").press("ArrowLeft")
    page.get_by_role("slider").press("ArrowLeft")
    page.get_by_label("Show threats").check()
    page.locator("connectk-board .threat").first.wait_for()
    page.locator("connectk-board .score").first.wait_for()
    page.evaluate("scrollTo(0, 0)")  # the graph belongs in the picture


def editor(page: Page, url: str) -> None:
    page.goto(f"{url}#/editor")
    page.locator('.cell[aria-label^="Column 4, row 1:"]').click()
    page.get_by_role("radio", name="Second").check()
    page.locator('.cell[aria-label^="Column 4, row 3:"]').click()
    page.locator("#editor-status.bad").wait_for()


SCREENS: dict[str, tuple[Callable[[Page, str], None], dict[str, int]]] = {
    "page-home": (home, WIDE),
    "page-play": (play, WIDE),
    "page-review": (review, WIDE),
    "page-editor": (editor, WIDE),
    "page-phone": (play, PHONE),
}


def take(browser: Browser, url: str) -> None:
    for theme in ("light", "dark"):
        for name, (show, size) in SCREENS.items():
            context = browser.new_context(viewport=size, color_scheme=theme, locale="en-GB", reduced_motion="reduce")
            page = context.new_page()
            show(page, url)
            page.wait_for_timeout(400)
            keep(page.screenshot(), FOLDER / f"{name}-{theme}.png")
            context.close()


def keep(picture: bytes, file: Path) -> None:
    """The page has few colours, so 256 of them show it as it is in a third of the room."""
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    chromium = os.environ.get("CONNECTK_CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    with (
        tempfile.TemporaryDirectory() as folder,
        Server(free_port(), Path(folder)) as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
        take(browser, server.url)
        browser.close()


if __name__ == "__main__":
    main()
