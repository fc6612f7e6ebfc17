"""Tests the opening explorer: in a review, in set-up, and on a page without a server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, expect

from tests.server.clients import act, drop, make
from tests.server.test_admin import wait_for
from tests.web.conftest import OpenTable
from tests.web.hosts import serving
from tests.web.serving import Server, free_port
from tests.web.table import Table


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with four games on a 5x5 board. The first player wins both that begin in the first column.

    Of the two that begin in the second column, one is resigned and one is not over.
    """
    with (
        Server(free_port(), tmp_path_factory.mktemp("played")) as server,
        httpx.Client(base_url=server.url, timeout=120) as client,
    ):
        me = {"kind": "me"}
        for moves in ("1212121", "1212121", "23", "2"):
            made = make(client, variant={"width": 5, "height": 5, "run": 4}, first=me, second=me)
            match_id, secret = made["match"]["id"], made["secret"]
            for ply, letter in enumerate(moves):
                drop(client, match_id, secret, int(letter) - 1, ply).raise_for_status()
            if len(moves) == 2:
                act(client, match_id, secret, "resign").raise_for_status()
        body = {"variant": {"width": 5, "height": 5, "run": 4}}
        wait_for(lambda: counted(client, body) == 3)
        wait_for(lambda: client.post("/api/scores", json=body).json().get("exact"))  # a worker process has started
        yield server


def counted(client: httpx.Client, body: dict[str, Any]) -> int:
    columns = client.post("/api/explorer", json=body).json()["columns"]
    return sum(sum(column["people"].values()) for column in columns)


def row(table: Table, column: int) -> Locator:
    return table.page.locator(f'.explorer tr[data-column="{column - 1}"]')


def test_the_explorer_is_walked_in_a_review(open_table: OpenTable, played: Server) -> None:
    """The explorer's columns lead through a review, and an unfinished match does not count."""
    table = open_table("#/game/5x5x4/-", url=played.url)
    table.page.get_by_label("Opening explorer").check()
    expect(row(table, 1).locator(".people")).to_have_text("2")
    expect(row(table, 1).locator(".people svg")).to_have_attribute("aria-label", "won 2, drawn 0, lost 0")
    expect(row(table, 2).locator(".people")).to_have_text("1")
    expect(row(table, 3).locator(".people")).to_have_text("")
    expect(row(table, 1).locator(".computers")).to_have_text("")
    expect(row(table, 3).locator(".worth")).to_have_text("draw")
    found = Axe().run(table.page)
    assert found.violations_count == 0, found.generate_report()
    row(table, 1).get_by_role("button").click()
    expect(row(table, 2).locator(".people svg")).to_have_attribute("aria-label", "won 0, drawn 0, lost 2")
    table.page.go_back()
    expect(row(table, 1).locator(".people")).to_have_text("2")
    table.visit("#/game/5x5x4/33")  # a game; another column is a variation of it
    table.page.get_by_role("button", name="To the start").click()
    row(table, 1).get_by_role("button").click()
    expect(row(table, 2).locator(".people")).to_have_text("2")
    expect(table.page.get_by_role("button", name="Back to the game")).to_be_visible()


def test_the_explorer_knows_the_names_of_openings(open_table: OpenTable, played: Server) -> None:
    table = open_table("#/game/7x6x4/44444", url=played.url)
    table.page.get_by_label("Opening explorer").check()
    expect(table.page.get_by_text("Opening: centre column")).to_be_visible()
    table.page.keyboard.press("Home")
    expect(table.page.get_by_text("Opening:")).to_have_count(0)
    for moves, name in (("4443333", "3-4"), ("444443333", "5-4"), ("4444445", "6-1")):
        table.visit(f"#/game/7x6x4/{moves}")
        expect(table.page.get_by_text(f"Opening: {name}", exact=True)).to_be_visible()


def test_the_explorer_stands_in_set_up(open_table: OpenTable, played: Server) -> None:
    """In set-up, a click on a column of the explorer drops the next disc: as a move, or as one more set-up disc."""
    table = open_table("#/editor/5x5x4", url=played.url)
    table.page.get_by_text("Opening explorer").click()
    expect(row(table, 1).locator(".people")).to_have_text("2")
    row(table, 1).get_by_role("button").click()
    expect(table.page.get_by_label("Moves")).to_have_value("1")
    expect(row(table, 2).locator(".people")).to_have_text("2")
    table.press("Clear")
    table.cell(1, 1).click()
    expect(row(table, 2).locator(".people")).to_have_text("2")
    row(table, 2).get_by_role("button").click()
    table.expect_discs(2)


def test_without_a_server_the_explorer_tells_the_results(open_table: OpenTable, folder: Path) -> None:
    with serving(folder) as host:
        table = open_table("#/game/6x5x4/3", url=f"{host}games/four/")
        table.page.get_by_label("Opening explorer").check()
        expect(row(table, 3).locator(".worth")).to_have_text("draw")
        expect(table.page.locator(".explorer th")).to_have_text(["Column", "Worth"])
