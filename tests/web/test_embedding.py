"""Tests the page in a frame of another site. Only a game, a board and the day's puzzle may be framed."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import FrameLocator, Page, expect

from tests.web.conftest import DESKTOP, OpenTable
from tests.web.hosts import serving
from tests.web.serving import Server
from tests.web.test_links import COPIED

FORBIDDEN = [
    "",
    "#/game/7x6x4/4453",
    "index.html",
    "g/7x6x4/4453",
    "p/7x6x4/today",
    "embed/index.html",
    "api/docs",
    "404.html",
]


@pytest.fixture
def foreign(tmp_path: Path, browser) -> Iterator:
    """Opens a page of another site that shows an address in a frame."""
    context = browser.new_context(viewport=DESKTOP, locale="en-GB", reduced_motion="reduce", service_workers="block")
    with serving(tmp_path) as host:
        host = host.replace("127.0.0.1", "localhost")  # another site, not only another port

        def show(html: str) -> Page:
            (tmp_path / "index.html").write_text(f"<!doctype html><title>theirs</title>{html}")
            page = context.new_page()
            page.goto(host)
            return page

        yield show
    context.close()


def frame_of(page: Page) -> FrameLocator:
    return page.frame_locator("iframe")


def framed(address: str) -> str:
    return f'<iframe src="{address}" width="600" height="900"></iframe>'


@pytest.mark.parametrize("address", ["embed/#/game/7x6x4/4453", "g/7x6x4/4453?embed"])
def test_another_site_may_show_a_game(foreign, server: Server, address: str) -> None:
    page = foreign(framed(server.url + address))
    inside = frame_of(page)
    expect(inside.locator("#panel h1")).to_have_text("Review")
    expect(inside.locator(".head")).to_be_hidden()
    back = inside.get_by_role("link", name="Open in connectk")
    expect(back).to_have_attribute("target", "_blank")
    with page.context.expect_page() as opened:
        back.click()
    expect(opened.value).to_have_url(f"{server.url}#/game/7x6x4/4453")


def test_another_site_may_show_a_board_to_analyse(foreign, server: Server) -> None:
    page = foreign(framed(f"{server.url}g/7x6x4?embed"))
    expect(frame_of(page).locator("#panel > *").first).to_be_visible()
    frame_of(page).locator("[role=gridcell]").nth(3).click()
    page.frames[1].wait_for_url(re.compile(r"#/game/7x6x4/\d$"))


def test_another_site_may_show_the_puzzle_of_the_day_in_its_language(foreign, server: Server) -> None:
    inside = frame_of(foreign(framed(f"{server.url}p/7x6x4/today?embed&lang=fi")))
    expect(inside.locator("#panel h1")).to_have_text("Päivän tehtävä")


@pytest.mark.parametrize("address", FORBIDDEN)
def test_the_rest_cannot_be_framed(foreign, server: Server, address: str) -> None:
    """The browser refuses to frame any other screen of the page, and reports it in the console."""
    page = foreign("<p>nothing yet</p>")
    lines: list[str] = []
    page.on("console", lambda line: lines.append(line.text))
    with page.expect_event("console", lambda line: "frame-ancestors" in line.text or "X-Frame-Options" in line.text):
        page.evaluate("(html) => document.body.innerHTML = html", framed(server.url + address))
    page.wait_for_timeout(200)
    assert not any(frame.url.startswith(server.url) for frame in page.frames)


@pytest.mark.parametrize("path", ["#/room/ABC", "#/match/" + "0" * 32, "#/rooms", "#/", "#/join/a/b"])
def test_a_frame_shows_no_other_screen(foreign, server: Server, path: str) -> None:
    """A framed page shows an empty board instead of other screens, so that another site cannot trick a person into
    clicking."""
    inside = frame_of(foreign(framed(f"{server.url}embed/{path}")))
    expect(inside.locator("#panel h1")).to_have_text("Review")


def test_a_frame_neither_reads_nor_stores_anything(foreign, server: Server) -> None:
    """A framed page neither reads nor stores anything, because other pages of that site could read it."""
    page = foreign(framed(f"{server.url}embed/#/game/7x6x4/4453"))
    inside = frame_of(page)
    expect(inside.locator("#panel h1")).to_be_visible()
    inside.get_by_role("checkbox").first.click()  # an option, which the page itself would store
    assert inside.locator("body").evaluate("localStorage.length") == 0
    assert page.context.cookies() == []


def test_playing_on_opens_the_page_itself(foreign, server: Server) -> None:
    """Playing on from a frame opens the page itself, because no match is made in a frame."""
    page = foreign(framed(f"{server.url}embed/#/game/7x6x4/4453"))
    asked: list[str] = []
    page.on("request", lambda request: asked.append(f"{request.method} {request.url}"))
    with page.context.expect_page() as opened:
        frame_of(page).get_by_role("button", name="Play from here").click()
    expect(opened.value).to_have_url(f"{server.url}#/game/7x6x4/4453")
    assert not any(one.startswith("POST") and one.endswith("/api/matches") for one in asked)


def test_a_review_gives_the_html_that_works(open_table: OpenTable, foreign, server: Server) -> None:
    me = open_table("#/game/7x6x4/4453")
    me.page.evaluate(COPIED)
    me.page.get_by_text("Share and save").click()
    me.press("Copy HTML to embed")
    me.page.wait_for_function("() => window.copied")
    snippet = me.page.evaluate("window.copied")
    assert snippet.startswith(f'<iframe src="{server.url}embed/#/game/7x6x4/4453"')
    expect(frame_of(foreign(snippet)).locator("#panel h1")).to_have_text("Review")


def test_a_page_without_a_server_can_be_framed_too(foreign, folder: Path) -> None:
    with serving(folder) as host:
        inside = frame_of(foreign(framed(f"{host}games/four/embed/#/game/7x6x4/4453")))
        expect(inside.locator("#panel h1")).to_have_text("Review")
        expect(inside.get_by_role("link", name="Open in connectk")).to_be_visible()
