"""Tests <connectk-board> in Chromium: on the page of another site under a strict policy, and through a bundler."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.npm.test_package import README
from tests.web.conftest import COLLECT_ERRORS_SCRIPT, DEFAULT_CONTEXT
from tests.web.hosts import Quiet, serving

pytestmark = pytest.mark.web
WON_GAME = "4444453323351"
DAY = "2026-11-16"
BLACK = "rgb(0, 0, 0)"  # of a colour that is not known
HTML = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>theirs</title>
<meta http-equiv="Content-Security-Policy" content="{policy}"><script type="module" src="{script}"></script></head>
<body><main><h1>Theirs</h1>{body}</main></body></html>"""


class Shared(Quiet):
    """A host whose scripts may be loaded by any page."""

    def end_headers(self) -> None:
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()


Open = Callable[..., Page]


@pytest.fixture
def open_page(browser: Browser, made: Path, tmp_path: Path) -> Iterator[Open]:
    """Opens a page of one site that loads the board's script from another site.

    At the end, no page may have a global style, stored data, an error, or a report of a broken policy.
    """
    with ExitStack() as stack:
        scripts = stack.enter_context(serving(made / "package", Shared))
        host = stack.enter_context(serving(tmp_path)).replace("127.0.0.1", "localhost")
        complaints: list[str] = []
        pages: list[Page] = []

        def open_one(body: str, workers: bool = True, script: str = "", **options: Any) -> Page:
            source = "'self'" if script else scripts
            parts = [
                "default-src 'none'",
                f"script-src {source} 'wasm-unsafe-eval'",
                *([f"worker-src {source} blob:"] * workers),
            ]
            (tmp_path / "index.html").write_text(
                HTML.format(policy="; ".join(parts), script=script or f"{scripts}board.js", body=body)
            )
            context = stack.enter_context(browser.new_context(**{**DEFAULT_CONTEXT, **options}))
            context.add_init_script(COLLECT_ERRORS_SCRIPT)
            page = context.new_page()
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.goto(host)
            pages.append(page)
            return page

        yield open_one
        assert complaints == []
        for page in pages:
            kept = "[document.styleSheets.length, document.adoptedStyleSheets.length, localStorage.length]"
            assert page.evaluate(kept) == [0, 0, 0]
            assert page.evaluate("[...document.body.children].map((one) => one.tagName)") == ["MAIN"]


def discs(page: Page) -> Any:
    return page.locator("connectk-board .disc:not(.ghost)")


def heard(page: Page, *names: str) -> None:
    """Keeps the details of the given events in `window.heard`."""
    page.evaluate(
        """(names) => { window.heard = []; for (const name of names)
        document.addEventListener(`connectk-${name}`, ({ detail }) => window.heard.push([name, detail])); }""",
        names,
    )


def expect_nothing_serious(page: Page) -> None:
    found = Axe().run(page, options={"runOnly": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]}).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []


def test_a_game_against_a_level_under_a_strict_policy(open_page: Open) -> None:
    """In a game by keyboard, the level answers, undo takes back both drops, and the page receives events. The content
    above and below the board belongs to the page."""
    page = open_page('<connectk-board level="1" theme="dark wood"><p slot="above">Mine</p></connectk-board>')
    expect(page.get_by_role("gridcell")).to_have_count(42)
    expect(page.get_by_text("Mine")).to_be_visible()
    assert page.locator("connectk-board stop").first.evaluate("(one) => getComputedStyle(one).stopColor") != BLACK
    expect(page.locator(".sentence")).to_have_text("Your turn.")
    page.evaluate("Object.assign(document.body.style, { letterSpacing: '1em', visibility: 'hidden' })")
    look = "(one) => [getComputedStyle(one).letterSpacing, getComputedStyle(one).visibility]"
    assert page.locator("connectk-board .seat").first.evaluate(look) == ["normal", "visible"]
    page.evaluate("document.body.removeAttribute('style')")
    heard(page, "move", "end")
    page.get_by_role("gridcell", name="Column 4, row 1: empty").focus()
    page.keyboard.press("Enter")
    expect(discs(page)).to_have_count(2)
    expect(page.locator(".sentence")).to_have_text("Your turn.")
    expect(page.get_by_role("gridcell", name="Column 4, row 1: You")).to_have_count(1)
    (_, mine), (_, theirs) = page.evaluate("window.heard")
    assert (mine["column"], mine["row"], mine["side"], mine["ply"], theirs["side"]) == (3, 0, "first", 1, "second")
    expect_nothing_serious(page)
    page.get_by_role("button", name="Undo").click()
    expect(discs(page)).to_have_count(0)
    page.evaluate("document.querySelector('connectk-board').setAttribute('language', 'fi')")
    expect(page.locator(".sentence")).to_have_text("Sinun vuorosi.")
    assert page.evaluate("window.reports") == []


def test_a_policy_without_workers_leaves_one_thread(open_page: Open) -> None:
    """If the page's policy refuses workers, the browser reports this, and the level still answers."""
    page = open_page('<connectk-board level="2" scores></connectk-board>', workers=False)
    page.get_by_role("gridcell", name="Column 1, row 1: empty").click()
    expect(discs(page)).to_have_count(2)
    expect(page.locator("connectk-board .score").first).to_be_visible()
    assert set(page.evaluate("window.reports")) <= {"worker-src", "script-src"}


def test_a_site_with_the_package_on_its_own_host_needs_no_more_for_workers(
    open_page: Open, made: Path, tmp_path: Path
) -> None:
    shutil.copytree(made / "package", tmp_path / "connectk")
    page = open_page('<connectk-board level="1"></connectk-board>', workers=False, script="connectk/board.js")
    with page.expect_worker() as started:
        page.get_by_role("gridcell", name="Column 1, row 1: empty").click()
    assert started.value.url.endswith("/connectk/connectk.worker.js")
    expect(discs(page)).to_have_count(2)
    assert page.evaluate("window.reports") == []


def test_a_viewer_has_moves_graph_comments_and_variations(open_page: Open) -> None:
    page = open_page(
        f'<connectk-board mode="viewer" moves="{WON_GAME}" variations="2.35" first="Ann" scores ply="0">'
        '<p slot="ply-2">A comment of theirs</p></connectk-board>'
    )
    expect(page.locator("#turning")).to_contain_text("The turning point.")
    expect(discs(page)).to_have_count(0)
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuemax", str(len(WON_GAME)))
    expect_nothing_serious(page)
    heard(page, "ply")
    page.get_by_role("slider").focus()
    for _ in range(2):
        page.keyboard.press("ArrowRight")
    expect(discs(page)).to_have_count(2)
    expect(page.get_by_text("A comment of theirs")).to_be_visible()
    page.get_by_role("button", name="3: 3 5").click()
    expect(discs(page)).to_have_count(4)
    expect(page.get_by_text("A comment of theirs")).to_be_hidden()
    page.get_by_role("gridcell", name="Column 7, row 1: empty").click()  # one more of one's own
    expect(discs(page)).to_have_count(5)
    page.wait_for_function("() => window.heard.length === 4")
    last = page.evaluate("window.heard")[-1]
    assert last == ["ply", {"ply": 5, "moves": [3, 3, 2, 4, 6], "isVariation": True}]
    assert page.evaluate("[location.hash, history.state]") == ["", None]
    page.get_by_role("button", name="Back to the game").click()
    page.get_by_role("button", name="To the end").click()
    expect(discs(page)).to_have_count(len(WON_GAME))


def test_a_viewer_that_is_read_only_shows_only_its_game(open_page: Open) -> None:
    page = open_page(f'<connectk-board mode="viewer" moves="{WON_GAME}" readonly ply="4"></connectk-board>')
    expect(page.locator("#turning")).to_be_visible()
    page.get_by_role("gridcell", name="Column 7, row 1: empty").click()
    page.get_by_role("button", name="One move on").click()
    expect(discs(page)).to_have_count(5)


def test_the_puzzle_of_a_day_is_solved(open_page: Open) -> None:
    """In the puzzle of a day, the button Solution drops the answer, and the page is told that the person did not find
    it."""
    page = open_page(f'<connectk-board mode="puzzle" variant="5x5x4" day="{DAY}"></connectk-board>')
    expect(page.get_by_role("heading", name="Puzzle of the day")).to_be_visible()
    heard(page, "solved")
    expect_nothing_serious(page)
    before = discs(page).count()
    page.get_by_role("button", name="Solution").click()
    expect(discs(page)).to_have_count(before + 1)
    expect(page.locator("#learn-status")).to_contain_text("The answer is column")
    [[_, detail]] = page.evaluate("window.heard")
    assert detail["solved"] is False
    assert detail["tries"] == 0


def test_two_boards_stand_side_by_side_on_any_board(open_page: Open) -> None:
    """Of two boards on a page, one is read-only with a set-up position, and one is large for two people. Changing an
    attribute shows another game."""
    page = open_page(
        '<connectk-board id="one" start="4xo.5x" readonly></connectk-board>'
        '<connectk-board id="two" variant="12x9x5" moves="1,12"></connectk-board>'
    )
    expect(page.locator("#one .disc")).to_have_count(3)
    expect(page.locator("#two .disc:not(.ghost)")).to_have_count(2)
    page.locator("#one").get_by_role("gridcell").nth(0).click()
    page.locator("#two").get_by_role("gridcell", name="Column 2, row 1: empty").click()
    expect(page.locator("#two .disc:not(.ghost)")).to_have_count(3)
    expect(page.locator("#one .disc")).to_have_count(3)
    page.evaluate("document.querySelector('#one').setAttribute('moves', '1')")
    expect(page.locator("#one .disc")).to_have_count(4)
    page.evaluate("document.querySelector('#one').setAttribute('moves', '9')")
    expect(page.locator("#one").get_by_role("alert")).to_have_text("There is no column 9; the columns are 1 to 7.")


BUNDLED_SCRIPT = """
import { solve, why } from "connectk";
import "connectk/board";
const worker = new Worker("worker.js", { type: "module" });
worker.onmessage = async ({ data }) => {
  const { score } = await solve("55", { variant: "6x5x4" });
  document.querySelector("output").textContent = JSON.stringify([score, (await why("121212")).claim.result, data]);
};
"""
BUNDLED_WORKER_SCRIPT = 'import { bestMove } from "connectk"; postMessage((await bestMove("121212")).column);'

BUNDLE_SCRIPT = """
const [, folder, outdir] = process.argv;
const { build } = await import(`${folder}/node_modules/esbuild/lib/main.js`);
await build({ entryPoints: ["app.js", "worker.js"], bundle: true, format: "esm", outdir });
"""


def test_it_works_through_a_bundler(open_page: Open, project: Path, tmp_path: Path) -> None:
    """A bundler makes a single script of the board, which needs no other file. A worker of the site can use it too."""
    from tools.make_npm import ESBUILD_FOLDER

    from tests.core.asking import NODE

    (project / "app.js").write_text(BUNDLED_SCRIPT)
    (project / "worker.js").write_text(BUNDLED_WORKER_SCRIPT)
    command = [str(NODE), "--input-type=module", "--eval", BUNDLE_SCRIPT, str(ESBUILD_FOLDER), str(tmp_path)]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    page = open_page('<connectk-board level="1"></connectk-board><output></output>', script="app.js")
    expect(page.locator("output")).to_have_text(json.dumps([0, "wins", 0], separators=(",", ":")))
    page.get_by_role("gridcell", name="Column 1, row 1: empty").click()
    expect(discs(page)).to_have_count(2)
    assert page.evaluate("window.reports") == []


def test_the_html_of_the_readme_works(open_page: Open) -> None:
    """The boards in the HTML of the README work without an error."""
    blocks = re.findall(r"```html\n(.*?)```", README, re.DOTALL)
    page = open_page(re.sub(r"<script.*?</script>", "", "".join(blocks)))
    boards = page.locator("connectk-board")
    expect(boards).to_have_count(4)
    for board in boards.all():
        expect(board.get_by_role("gridcell")).to_have_count(42)
        expect(board.get_by_role("alert")).to_be_hidden()
    expect(page.get_by_role("heading", name="Round 2")).to_be_visible()
    expect(page.locator("#turning")).to_have_count(2)
