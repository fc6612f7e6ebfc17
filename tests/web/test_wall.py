"""Tests the wall of a room on projectors of two sizes, with whole classes."""

from __future__ import annotations

import re
import time
from urllib.error import HTTPError

import pytest
from playwright.sync_api import expect

from tests.web.conftest import OpenTable
from tests.web.serving import Server
from tests.web.table import Table

LONG_NAMES = {number: f"Maximilian-Alexander {number}" for number in (3, 24, 25, 26)}


def class_of(count: int, kind: str, server: Server) -> tuple[str, str]:
    """Make a room with this many pupils, and return its code and the host's secret.

    Requests refused by the limit of new members per minute are sent again.
    """
    made = server.ask("api/rooms", format=kind)
    code, number = made["room"]["code"], 0
    while number < count:
        try:
            server.ask(f"api/rooms/{code}/join", name=LONG_NAMES.get(number, f"Pupil {number + 1}"))
            number += 1
        except HTTPError:
            time.sleep(1)
    return code, made["secret"]


@pytest.mark.parametrize(("kind", "count", "boards"), [("swiss", 27, 13), ("swiss", 40, 20), ("knockout", 13, 5)])
def test_the_wall_fills_its_screen(open_table: OpenTable, server: Server, kind: str, count: int, boards: int) -> None:
    """With a whole class, the wall shows every board, name and clock and the whole table. Before the start, the code
    takes half of the width."""
    code, secret = class_of(count, kind, server)
    wall = open_table()
    about = {"version": "1", "closable": False, "network": {"possible": None, "address": None}}
    wall.page.route("**/api/page/about", lambda route: route.fulfill(json=about))  # the longest warning
    wall.visit(f"#/wall/{code}")
    expect(wall.page.get_by_text("Only this computer can open this link. Start")).to_have_count(1)
    sizes = (1920, 1080), (1280, 720)
    letters = "WMWMWM" if kind == "swiss" else "JJ3333"  # the widest code and a narrow one
    wall.page.locator(".wall-cover .room-code").evaluate("(one, letters) => (one.textContent = letters)", letters)
    for width, height in sizes:
        wall.page.set_viewport_size({"width": width, "height": height})
        shown = wall.page.locator(".wall-cover .room-code")
        expect(shown).to_be_in_viewport(ratio=0.99)
        expect(wall.page.locator(".wall-cover .qr")).to_be_in_viewport(ratio=0.99)
        assert shown.evaluate("(one) => one.getBoundingClientRect().width") > width / 2
        expect(wall.page.locator(".wall-names li").last).to_be_in_viewport(ratio=0.99)
    server.ask(f"api/rooms/{code}/begin", secret)
    expect(wall.page.locator(".wall-board")).to_have_count(boards)
    expect(wall.page.locator(".room-table tbody tr")).to_have_count(count)
    for width, height in sizes:
        wall.page.set_viewport_size({"width": width, "height": height})
        wall.next_frame()
        everything_is_seen(wall)


def everything_is_seen(wall: Table) -> None:
    last = wall.page.locator(".room-table tbody tr").last
    expect(last).to_be_in_viewport(ratio=0.99)
    for card in wall.page.locator(".wall-board").all():
        expect(card).to_be_in_viewport(ratio=0.99)
        expect(card.locator(".clock").first).to_have_text(re.compile(r"^[23]:\d\d$"))
    for names in (".wall-board .name", ".room-table tbody th"):
        cut = (
            wall.page.locator(names)
            .filter(has_text="Pupil")
            .evaluate_all("(all) => all.map((one) => one.scrollWidth - one.clientWidth)")
        )
        assert max(cut) <= 0, names
    assert last.locator("th").evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)") >= 12


def test_the_code_to_scan_is_whole_on_an_upright_screen(open_table: OpenTable, server: Server) -> None:
    code, _ = class_of(1, "swiss", server)
    wall = open_table(f"#/wall/{code}", viewport={"width": 390, "height": 844})
    drawn = wall.page.locator(".wall-cover .qr")
    expect(drawn.locator("svg")).to_be_visible()
    expect(drawn).to_be_in_viewport(ratio=0.99)
    expect(wall.page.locator(".wall-cover .room-code")).to_be_in_viewport(ratio=0.99)
    box = drawn.bounding_box()

    assert box
    assert box["width"] > 200
    assert abs(box["width"] - box["height"]) < 1
