"""Takes the pictures of the page for the README and the docs, in both themes, with a real server and a real browser.

It saves each picture of the tutorial as a file, and all screens together on a sheet, for a desktop and for a phone."""

from __future__ import annotations

import io
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from itertools import product
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from tests.web.conftest import FLAGS  # noqa: E402
from tests.web.serving import Server, free_port  # noqa: E402

from connectk.drawing.palette import LIGHT_COLOURS  # noqa: E402

PICTURES_FOLDER = ROOT / "docs/pictures"
Show = Callable[[Page, str], None]
GAME = "4444453323351"
PUPILS = ("Aino", "Elias", "Helmi", "Leo")
DESKTOP, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


def home(page: Page, url: str) -> None:
    page.goto(url)
    page.locator("connectk-board[data-open]").wait_for()


def play(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_role("button", name="Two at this screen").click()
    page.get_by_role("button", name="Undo").wait_for()
    for count, column in enumerate("6521454236", start=1):
        page.keyboard.press(column)
        page.locator("connectk-board .disc:not(.ghost)").nth(count - 1).wait_for()
    page.get_by_role("button", name="Hint").click()
    page.locator("connectk-board .score").first.wait_for()


def end(page: Page, url: str) -> None:
    page.goto(url)
    page.get_by_role("button", name="Two at this screen").click()
    page.get_by_role("button", name="Undo").wait_for()
    for count, column in enumerate(GAME, start=1):
        page.keyboard.press(column)
        page.locator("connectk-board .disc:not(.ghost)").nth(count - 1).wait_for()
    page.locator(".accuracies dd", has_text="%").first.wait_for()


def look(page: Page, url: str) -> None:
    home(page, url)
    page.locator("#look").click()
    page.locator("dialog h2").wait_for()


def at(path: str) -> Show:
    """A screen that needs no action after it is opened."""

    def show(page: Page, url: str) -> None:
        page.goto(f"{url}#/{path}")
        page.locator("#panel h1").wait_for()
        page.wait_for_load_state("networkidle")

    return show


def help_with_keys(page: Page, url: str) -> None:
    home(page, url)
    page.locator("#help").click()
    page.locator("dialog h2").wait_for()


def why(page: Page, url: str) -> None:
    page.goto(f"{url}#/why/7x6x4/3344")
    page.locator(".why-coach p").first.wait_for()


def wall(page: Page, url: str) -> None:
    """The wall of a room before the start. It shows the room's code."""
    made = page.request.post(f"{url}api/rooms", data={"format": "swiss"}).json()
    code = made["room"]["code"]
    for name in PUPILS:
        page.request.post(f"{url}api/rooms/{code}/join", data={"name": name})
    page.goto(f"{url}#/wall/{code}")
    page.locator(".wall-names li").nth(len(PUPILS) - 1).wait_for()
    page.locator(".wall-cover .qr svg").wait_for()


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


PICTURES: dict[str, tuple[Show, dict[str, int]]] = {
    "page-home": (home, DESKTOP),
    "page-play": (play, DESKTOP),
    "page-review": (review, DESKTOP),
    "page-editor": (editor, DESKTOP),
    "page-phone": (play, PHONE),
}
SCREENS: tuple[Show, ...] = (
    *(home, play, end, review, why, editor, look, help_with_keys),
    *map(at, ("learn", "learn/1", "puzzle", "games", "watch", "invite", "somebody", "rooms")),
    *(wall, at("arena")),
)
SHEETS = {"screens-desktop": (DESKTOP, 3, 560), "screens-phone": (PHONE, 6, 240)}  # columns, and the pixels of each
BOARDS = ("classic", "wood", "night", "paper")
OTHER_SHEET_SCALE = 0.7  # the scale of the other materials' sheets, relative to the classic one
SHEET_GAP = 16  # pixels between the screens of a sheet


def shot(browser: Browser, url: str, show: Show, size: dict[str, int], theme: str, board: str = "classic") -> bytes:
    context = browser.new_context(
        viewport=size,
        is_mobile=size is PHONE,
        has_touch=size is PHONE,
        color_scheme=theme,
        locale="en-GB",
        reduced_motion="reduce",
    )
    context.add_init_script(f"localStorage.setItem('connectk.look', '{json.dumps({'board': board})}')")
    page = context.new_page()
    show(page, url)
    page.wait_for_timeout(400)
    picture = page.screenshot()
    context.close()
    return picture


def take(browser: Browser, url: str) -> None:
    for theme in ("light", "dark"):
        for name, (show, size) in PICTURES.items():
            save_picture(shot(browser, url, show, size, theme), PICTURES_FOLDER / f"{name}-{theme}.png")
        for name, (size, columns, width) in SHEETS.items():
            screens = [shot(browser, url, show, size, theme) for show in SCREENS]
            save_sheet(screens, columns, width, PICTURES_FOLDER / f"{name}-{theme}.webp")
    take_materials(browser, url)
    boards = [shot(browser, url, play, DESKTOP, theme, board) for board in BOARDS for theme in ("light", "dark")]
    save_sheet(boards, 2, 560, PICTURES_FOLDER / "screens-boards.webp")


def take_materials(browser: Browser, url: str) -> None:
    for board, theme in product(BOARDS[1:], ("light", "dark")):
        for name, (size, columns, width) in SHEETS.items():
            screens = [shot(browser, url, show, size, theme, board) for show in SCREENS]
            save_sheet(
                screens, columns, round(OTHER_SHEET_SCALE * width), PICTURES_FOLDER / f"{name}-{board}-{theme}.webp"
            )


def save_sheet(pictures: list[bytes], columns: int, width: int, file: Path) -> None:
    """Save all screens on one sheet at a smaller size, because separate pictures would take too much space."""
    tiles = [Image.open(io.BytesIO(picture)).convert("RGB") for picture in pictures]
    height = round(width * tiles[0].height / tiles[0].width)
    rows = -(-len(tiles) // columns)
    sheet = Image.new(
        "RGB",
        (columns * (width + SHEET_GAP) + SHEET_GAP, rows * (height + SHEET_GAP) + SHEET_GAP),
        LIGHT_COLOURS["edge"],
    )
    for number, tile in enumerate(tiles):
        place = SHEET_GAP + number % columns * (width + SHEET_GAP), SHEET_GAP + number // columns * (height + SHEET_GAP)
        sheet.paste(tile.resize((width, height), Image.Resampling.LANCZOS), place)
    sheet.save(file, quality=80, optimize=True, progressive=True, method=6)


def save_picture(picture: bytes, file: Path) -> None:
    """Save a picture with 256 colours. These are enough for the page, and the file is a third as large."""
    Image.open(io.BytesIO(picture)).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(file, optimize=True)


def main() -> None:
    PICTURES_FOLDER.mkdir(parents=True, exist_ok=True)
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
