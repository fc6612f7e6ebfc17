"""Tests the page as a folder of files: a plain file server serves it from a sub-folder, and then the network is cut."""

from __future__ import annotations

import gzip
import io
import re
from collections.abc import Callable, Iterator
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from xml.etree import ElementTree

import pytest
from axe_playwright_python.sync_playwright import Axe
from PIL import Image, ImageColor
from playwright.sync_api import expect

from connectk.drawing.measures import CELL_SIZE, DISC_PLATE_RADIUS, FRAME_MARGIN, PICTURE_PIXELS, STAR_RADIUS
from connectk.drawing.palette import LIGHT_COLOURS
from connectk.site import write_site
from connectk.why import check, parse_explanation
from tests.web.conftest import OpenTable
from tests.web.hosts import Isolated, Quiet, serving
from tests.web.table import Table

MAX_FIRST_LOAD_BYTES = 100 * 1024
FIRST_WINS = "7 6 4\n1\n2\n1\n2\n1\n2\n1\n"
SVG_NAMESPACE = "{http://www.w3.org/2000/svg}"
OFFLINE_ERRORS = {"ERR_INTERNET_DISCONNECTED", "ERR_FAILED"}
OPENED_WITH_SCRIPT = """() => {
    const [{ startTime: playable }] = performance.getEntriesByName("playable");
    const files = performance.getEntriesByType("resource").filter((one) => one.startTime <= playable);
    return files.map((one) => new URL(one.name).pathname);
}"""
KILL_FIRST_SEARCH_SCRIPT = """
const Real = Worker;
window.workers = 0;
window.Worker = class extends Real {
    constructor(...how) {
        super(...how);
        window.workers += 1;
        if (window.workers > 1) return;
        const ask = this.postMessage.bind(this);
        this.postMessage = (message, more) => {
            ask(message, more);
            if (message.what === "choose") {
                this.terminate();
                this.dispatchEvent(new ErrorEvent("error", { cancelable: true }));
            }
        };
    }
};
"""


COUNT_WORKERS_SCRIPT = """
const Real = Worker;
window.workers = 0;
window.Worker = class extends Real {
    constructor(address, how) {
        super(address, how);
        if (String(address).endsWith("/worker.js")) window.workers += 1; // and not a helper
    }
};
"""
STOP_SCRIPT = """async () => {
    const { CoreWorker, scoreWorker, rulesWorker } = await import("./js/core/core-workers.js");
    const empty = { variant: { width: 7, height: 6, run: 4 }, discs: [], moves: [] };
    const someone = new CoreWorker();
    for (const one of [rulesWorker, scoreWorker, someone]) await one.request("moment", [empty]);
    const before = window.workers;
    const stop = new AbortController();
    const search = someone.request("solve", [empty, 0], stop.signal).then(() => "solved", () => "stopped");
    stop.abort();
    const ended = await search;
    const { ply } = await someone.request("moment", [{ ...empty, moves: [3] }]);
    const replaced = () => window.workers > before; // another spare one comes
    while (!crossOriginIsolated && !replaced()) await new Promise(requestAnimationFrame);
    return { ended, ply, replaced: replaced() };
}"""


@pytest.fixture(scope="module")
def address(folder: Path) -> Iterator[str]:
    """The address of a host that serves only the page's files, in a sub-folder."""
    with serving(folder) as host:
        yield f"{host}games/four/"


@pytest.fixture
def alone(open_table: OpenTable, address: str) -> Table:
    """A person at the page without a network, after all files are cached."""
    me = open_table(url=address, service_workers="allow")
    me.expected_complaints |= OFFLINE_ERRORS
    me.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    me.page.reload()
    me.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    me.page.context.set_offline(True)
    me.page.reload()
    me.page.locator("connectk-board[data-open]").wait_for()
    return me


def test_the_first_board_is_light_and_needs_no_core(open_table: OpenTable, address: str, folder: Path) -> None:
    me = open_table(url=address, service_workers="block")
    me.page.locator("connectk-board[data-open]").wait_for()
    me.page.wait_for_function("() => performance.getEntriesByName('playable').length === 1")
    files = [name for name in me.page.evaluate(OPENED_WITH_SCRIPT) if not name.endswith("/")]

    assert any(name.endswith("/js/board/board.js") for name in files)
    assert not any("/core/" in name for name in files)
    assert (
        sum(len(gzip.compress((folder / name.lstrip("/")).read_bytes())) + 400 for name in files) < MAX_FIRST_LOAD_BYTES
    )


def test_what_reviews_a_game_comes_with_the_first_review(open_table: OpenTable, address: str) -> None:
    """The module for reviews is loaded with the first review, not with the first game, and before the opening book."""
    me = open_table(url=address, service_workers="block")
    fetched: list[str] = []
    me.page.on("request", lambda request: fetched.append(request.url.removeprefix(address)))
    me.page.reload()
    me.page.locator("connectk-board[data-open]").wait_for()
    me.page.evaluate("import('./js/core/local-api.js').then(({ localApi }) => localApi.prepare())")

    assert "core/connectk.wasm" in fetched
    assert "core/analysis.wasm" not in fetched

    me.visit("#/game/7x6x4/4444453323351")
    expect(me.page.locator(".facts dd").first).to_contain_text("%")

    assert fetched.index("core/analysis.wasm") < fetched.index("book/7x6x4.book")


def test_it_opens_in_a_sub_folder_and_says_what_it_has(open_table: OpenTable, address: str) -> None:
    """In a sub-folder without a server, the page has no button that needs other people, and requests nothing outside
    its folder."""
    me = open_table(url=address)
    asked: list[str] = []
    me.page.on("request", lambda request: asked.append(request.url))
    me.page.reload()
    expect(me.page.locator("#foot")).to_contain_text("no server is needed")
    expect(me.page.get_by_role("button", name="Invite")).to_have_count(0)
    me.visit("#/watch")
    expect(me.button("Start the demo")).to_be_visible()
    expect(me.page.get_by_role("link", name="arena")).to_have_count(0)
    me.visit("#/game/7x6x4/4444453323351")
    me.page.get_by_text("Share and save").click()
    expect(me.button("PNG")).to_be_visible()
    expect(me.button("GIF")).to_have_count(0)

    assert all(url.startswith(address) for url in asked)
    assert not any("/api/" in url for url in asked)


def test_one_plays_the_computer_to_the_end(alone: Table) -> None:
    alone.drop(4)
    alone.expect_discs(2)
    alone.play_until_over()
    alone.press("Review")
    expect(alone.page.locator(".facts dd").first).to_contain_text(re.compile(r"%|–"))


def test_two_play_here_take_back_and_play_again(alone: Table) -> None:
    alone.two_here()
    for column in (1, 2, 1, 2, 1):
        alone.drop(column)
    alone.expect_discs(5)
    alone.press("Undo")
    alone.expect_discs(4)
    alone.press("Redo")
    alone.expect_discs(5)
    alone.page.reload()
    alone.expect_discs(5)
    alone.drop(2)
    alone.drop(1)
    alone.expect_turn("wins")
    alone.page.locator("[name=rematch]").click()
    alone.expect_discs(0)


def test_computers_play_a_demo(alone: Table) -> None:
    alone.visit("#/watch")
    alone.page.get_by_label("First player").select_option("greedy")
    alone.page.get_by_label("Second player").select_option("level:3")
    alone.press("Start the demo")
    for _ in range(4):
        alone.press("Faster")
    expect(alone.headline).to_contain_text(re.compile("wins|draw"), timeout=60_000)


def test_a_position_is_set_up_and_analysed(alone: Table) -> None:
    alone.visit("#/editor")
    alone.cell(4, 2).click()
    expect(alone.page.locator("#editor-status")).to_have_text("The disc in column 4, row 2 has nothing beneath it.")
    alone.cell(4, 1).click()
    expect(alone.page.locator("#editor-status")).to_have_class("bad")  # two discs of the first player
    alone.pick("Second")
    alone.cell(4, 2).click()
    expect(alone.page.locator("#editor-status")).not_to_have_class("bad")
    alone.press("Analyse")
    expect(alone.page.locator("connectk-board .score").first).to_be_visible()


def test_a_hint_scores_and_threats(alone: Table) -> None:
    alone.visit("#/game/5x4x3/3324")
    expect(alone.page.locator("connectk-board .score").first).to_be_visible()
    alone.press("Play from here")
    alone.press("Hint")
    expect(alone.detail).to_contain_text("Column")


def test_why_is_worked_out_and_checked_here(alone: Table, tmp_path: Path) -> None:
    """Without a server, the page explains a blunder and a hint. The command accepts a saved explanation and refuses an
    altered one."""
    alone.visit("#/game/7x6x4/3344251")
    alone.page.locator("#turning").get_by_role("button", name="Why?").click()
    shown = alone.page.locator("dialog.why")
    expect(shown.locator(".why-coach")).to_contain_text("Yellow drops into column 2: that threatens to win")
    shown.locator(".why-prove").click()
    expect(shown.locator(".why-words")).to_contain_text("Column 2 threatens to win in columns 1 and 5 at once")
    with alone.page.expect_download() as saved:
        shown.get_by_role("button", name="Save the proof").click()
    proof = Path(saved.value.path()).read_text(encoding="utf-8")
    assert check(parse_explanation(proof)) >= 0
    alone.escape()

    alone.press("Play from here")
    alone.press("Hint")
    alone.press("Why?")
    expect(shown.locator(".why-headline")).to_contain_text("The first player wins.")
    alone.escape()

    alone.drop_file("why.json", proof)
    expect(shown.locator(".why-headline")).to_contain_text("The first player wins.")
    alone.escape()
    alone.drop_file("why.json", proof.replace('"first"', '"second"'))
    expect(alone.page.locator("#panel, #notice").filter(has_text="does not hold")).to_be_visible()


def test_a_lesson_and_a_puzzle_with_the_network_cut(alone: Table) -> None:
    """With the network cut, the first screen links to a lesson and a puzzle, whose drops the page's solver explains."""
    alone.page.get_by_role("link", name="Lessons", exact=True).click()
    expect(alone.page.locator(".lessons li")).to_have_count(14)
    status = alone.second_card(7, 5)
    alone.drop(2)
    expect(status).to_contain_text("Column 2 loses. There is a win here.")
    alone.drop(1)
    expect(status).to_contain_text("Column 1 is the best drop. The other side drops into column")

    alone.visit("#/")
    alone.page.get_by_role("link", name="Puzzle of the day").click()
    alone.press("Solution")
    expect(status).to_contain_text("The answer is column")
    alone.press("Why")
    expect(alone.page.locator(".why-headline")).to_contain_text("wins")


def test_a_board_too_large_to_explain_has_no_button_for_it(alone: Table) -> None:
    alone.visit("#/game/20x20x4/5,6,5,6")
    expect(alone.page.locator(".sentence")).not_to_be_empty()
    expect(alone.button("Why?")).to_be_hidden()


def test_files_are_judged_and_games_are_saved(alone: Table) -> None:
    alone.drop_file("game.txt", FIRST_WINS)
    expect(alone.page.get_by_text("Connect-Z code 1: the first player wins.")).to_be_visible()
    alone.expect_discs(7)
    alone.page.get_by_text("Share and save").click()
    assert saved_by(alone, "Saved game").startswith(b"{")


def saved_by(me: Table, name: str) -> bytes:
    """The file that a button saves."""
    with me.page.expect_download() as saved:
        me.press(name)
    return Path(saved.value.path()).read_bytes()


def test_a_picture_shows_the_board_as_the_page_draws_it(alone: Table) -> None:
    """A saved picture shows the board as the page does: an SVG without a style sheet, with the winning line and column
    numbers."""
    alone.page.emulate_media(color_scheme="dark", reduced_motion="no-preference")
    alone.visit("#/game/7x6x4/1212121")
    alone.expect_discs(7)
    alone.page.get_by_text("Share and save").click()
    svg = saved_by(alone, "SVG")
    drawing = ElementTree.fromstring(svg)
    written = [one.attrib for one in drawing.iter()]
    discs = [one for one in drawing.iter(f"{SVG_NAMESPACE}g") if "transform" in one.attrib]
    rings = [one for one in discs if any(part.get("fill") == "none" for part in one)]

    assert (len(rings), len(discs)) == (4, 7)
    assert drawing.findtext(f"{SVG_NAMESPACE}title") == "7x6x4 1212121"
    assert [one.text for one in drawing.iter(f"{SVG_NAMESPACE}text")] == list("1234567")
    won = [one.tag for one in drawing.iter() if one.get("stroke") == rgb(LIGHT_COLOURS["won"])]
    assert sorted(won) == [f"{SVG_NAMESPACE}circle"] * 4 + [f"{SVG_NAMESPACE}path"]  # the discs, and their links
    assert {"class", "style", "tabindex", "stroke-dasharray"}.isdisjoint(name for one in written for name in one)
    assert not re.search(rb"var\(|light-dark|px, ", svg)

    picture = Image.open(io.BytesIO(saved_by(alone, "PNG"))).convert("RGB")
    size = int(drawing.attrib["width"]), int(drawing.attrib["height"])
    assert picture.size == size
    assert max(size) == PICTURE_PIXELS
    for cell, colour in (((0, 0), "first"), ((1, 0), "second"), ((1, 2), "second"), ((1, 3), "hole"), ((6, 5), "hole")):
        pixel, meant = picture.getpixel(left_of_disc(drawing, *cell)), ImageColor.getrgb(LIGHT_COLOURS[colour])
        assert max(abs(a - b) for a, b in zip(pixel, meant, strict=True)) < 24, cell


def rgb(colour: str) -> str:
    """A colour as browsers write it."""
    return "rgb({}, {}, {})".format(*ImageColor.getrgb(colour))


def left_of_disc(drawing: ElementTree.Element, column: int, row: int) -> tuple[int, int]:
    """A pixel at half the height of a disc, between its left edge and its mark."""
    left, top, width, _ = map(float, drawing.attrib["viewBox"].split())
    scale = float(drawing.attrib["width"]) / width
    x = FRAME_MARGIN + (column + 0.5) * CELL_SIZE - (DISC_PLATE_RADIUS + STAR_RADIUS) / 2
    y = CELL_SIZE + FRAME_MARGIN + (6 - row - 0.5) * CELL_SIZE
    return round((x - left) * scale), round((y - top) * scale)


@pytest.mark.parametrize("language", ["fi", pytest.param("sv", marks=pytest.mark.deep)])
def test_it_speaks_every_language_and_everyone_can_use_it(alone: Table, language: str) -> None:
    alone.page.locator("#language").select_option(language)
    expect(alone.page.locator("html")).to_have_attribute("lang", language)
    for path in ("#/", "#/watch", "#/editor", "#/games", "#/learn", "#/puzzle", "#/game/5x4x3/33241"):
        alone.visit(path)
        found = Axe().run(alone.page).response["violations"]
        assert not [violation["id"] for violation in found], path


def test_a_worker_that_dies_in_mid_search_is_replaced(open_table: OpenTable, address: str) -> None:
    me = open_table(url=address)
    me.page.context.add_init_script(KILL_FIRST_SEARCH_SCRIPT)
    me.page.reload()
    me.page.locator("connectk-board[data-open]").wait_for()
    me.drop(4)

    me.expect_discs(2)
    assert me.page.evaluate("window.workers") >= 2


@pytest.mark.parametrize(
    ("handler", "service", "shared"), [(Isolated, "block", True), (Quiet, "allow", True), (Quiet, "block", False)]
)
def test_a_search_stops_when_told(
    open_table: OpenTable,
    host: Callable[..., str],
    folder: Path,
    handler: type[SimpleHTTPRequestHandler],
    service: str,
    shared: bool,
) -> None:
    """A search stops when told. With shared memory a flag stops it; otherwise a spare worker takes over.

    Every host allows shared memory from the second visit on. In both cases the page answers the next request.
    """
    me = open_table(url=f"{host(folder, handler)}games/four/", service_workers=service)
    if service == "allow":
        me.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    me.page.context.add_init_script(COUNT_WORKERS_SCRIPT)
    me.page.reload()
    assert me.page.evaluate("crossOriginIsolated") == shared
    me.page.locator("connectk-board[data-open]").wait_for()

    assert me.page.evaluate(STOP_SCRIPT) == {"ended": "stopped", "ply": 1, "replaced": not shared}


def test_a_newer_page_takes_over_without_losing_the_game(
    open_table: OpenTable, host: Callable[..., str], tmp_path: Path
) -> None:
    """When a newer version of the page takes over, the game continues, because it is stored apart from the files."""
    out = tmp_path / "site"
    write_site(out)
    me = open_table(url=host(out), service_workers="allow")
    me.page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    me.page.reload()
    me.page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    me.two_here()
    me.drop(3)
    me.expect_discs(1)
    script = out / "sw.js"
    (out / "js/screens/help-dialog.js").write_text((out / "js/screens/help-dialog.js").read_text() + "// newer\n")
    script.write_text(re.sub(r'VERSION = "-\w+"', 'VERSION = "-newer"', script.read_text()))
    me.page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update())")
    me.page.wait_for_function(
        "() => navigator.serviceWorker.getRegistration().then((one) => one.waiting !== null)", timeout=20_000
    )
    me.page.add_init_script("sessionStorage.opened = Number(sessionStorage.opened ?? 0) + 1")
    me.page.reload()
    me.page.wait_for_function("() => sessionStorage.opened === '2'")  # it opens again by itself, with the newer files
    me.page.wait_for_function("() => caches.keys().then((names) => names.includes('connectk-shell-newer'))")
    me.page.wait_for_function(
        "() => caches.keys().then((names) => names.filter((n) => n.includes('shell')).length === 1)"
    )
    me.expect_discs(1)
    me.drop(3)
    me.expect_discs(2)
