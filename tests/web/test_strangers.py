"""Tests two strangers in two browsers: they are paired and play a rated game, and the server is killed meanwhile."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.web.conftest import OpenTable
from tests.web.serving import Server, free_port
from tests.web.table import OFFLINE_ERRORS, Table


@pytest.fixture
def own_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """A server that also rates games within one address, because both browsers have the same one."""
    monkeypatch.setenv("CONNECTK_SAME_ADDRESS_RATED", "true")
    with Server(free_port(), tmp_path) as server:
        yield server


def paired(open_table: OpenTable, server: Server, **phone: object) -> tuple[Table, Table]:
    """Two people who have asked for an opponent, the one who moves first in front."""
    ann, bob = open_table(url=server.url), open_table("#/somebody", url=server.url, **phone)
    ann.page.get_by_role("button", name="Play somebody").click()
    expect(ann.page.get_by_role("heading", name="Looking for somebody")).to_be_visible()
    expect(ann.page.get_by_text("7x6x4, 3 min each, +2 s, rated")).to_be_visible()
    bob.press("Find an opponent")
    for table in (ann, bob):
        expect(table.page).to_have_url(re.compile("#/match/"))
        expect(table.page.locator(".seat .number").first).to_have_text("1500?")  # the rating beside the name
    expect(ann.headline).to_have_text(re.compile("Your turn.|Guest to move."))
    return (ann, bob) if "Your turn" in ann.headline.inner_text() else (bob, ann)


def test_strangers_play_a_rated_game_although_the_server_is_killed(open_table: OpenTable, own_server: Server) -> None:
    """If the server is killed during a rated game, no move is lost, the ratings change once, and a rematch follows."""
    first, second = paired(open_table, own_server, viewport={"width": 390, "height": 844})
    first.expected_complaints = second.expected_complaints = OFFLINE_ERRORS
    for ply in range(7):
        mover = (first, second)[ply % 2]
        if ply == 4:
            assert own_server.process
            own_server.process.kill()
            own_server.process.wait()
            own_server.start()
        mover.expect_turn("Your turn.")
        mover.drop(ply % 2 + 1)
        mover.expect_discs(ply + 1)
    expect(first.headline).to_have_text("You win.")
    expect(first.page.locator(".rating-change")).to_have_text("Your rating: 1500? → 1662? (+162).")
    expect(second.page.locator(".rating-change")).to_have_text("Your rating: 1500? → 1338? (−162).")
    first.press("Rematch")
    second.press("Yes")
    second.expect_turn("Your turn.")
    expect(second.page.locator(".seat .number").first).to_have_text("1662?")
    first.visit("#/somebody")
    expect(first.page.locator("[name=rating]")).to_have_text("1662?")


def test_strangers_play_by_the_swap_rule(open_table: OpenTable, own_server: Server) -> None:
    """After a swap between strangers, the new owner of the first disc wins, and each rating stays beside its player's
    name."""
    tables = [open_table("#/somebody", url=own_server.url) for _ in range(2)]
    for table in tables:
        table.page.get_by_label("Beginning").select_option("1")
        table.press("Find an opponent")
    for table in tables:
        expect(table.page).to_have_url(re.compile("#/match/"))
    expect(tables[0].headline).to_have_text(re.compile("Your turn.|Guest to move."))
    first, second = tables if "Your turn" in tables[0].headline.inner_text() else tables[::-1]
    first.drop(1)
    second.press("Swap sides")
    for ply in range(1, 7):
        mover = (second, first)[ply % 2]
        mover.expect_turn("Your turn.")
        mover.drop(ply % 2 + 1)
        mover.expect_discs(ply + 1)
    expect(second.headline).to_have_text("You win.")
    expect(second.page.locator(".rating-change")).to_have_text("Your rating: 1500? → 1662? (+162).")
    expect(first.page.locator(".rating-change")).to_have_text("Your rating: 1500? → 1338? (−162).")


def test_strangers_say_something_and_one_is_muted(open_table: OpenTable, own_server: Server) -> None:
    """Phrases of strangers appear beside the seat, but not those of a muted person. There are no hints."""
    first, second = paired(open_table, own_server)
    expect(first.button("Hint")).to_be_hidden()
    expect(first.button("Ask to take back")).to_be_hidden()
    first.page.get_by_text("Say something").click()
    first.press("Good luck")
    expect(second.page.locator(".said")).to_have_text("Good luck")
    expect(second.live).to_have_text("Guest: Good luck")
    first.press("a smile")
    expect(second.page.locator(".said svg")).to_be_visible()
    found = Axe().run(first.page)
    assert found.violations_count == 0, found.generate_report()
    second.press("Mute, and do not meet again")
    expect(second.page.get_by_text("Muted. You are not paired again.")).to_be_visible()
    first.press("Oops")
    expect(first.page.locator(".said")).to_have_text("Oops")
    expect(second.page.get_by_text("Oops")).to_be_hidden()
    second.page.get_by_text("Report", exact=True).click()
    second.page.get_by_label("What is wrong?").select_option("programs")
    second.press("Send the report")
    expect(second.page.get_by_text("Sent. Whoever runs this server will see it.")).to_be_visible()


def test_a_profile_gets_a_name_and_moves_to_another_browser(open_table: OpenTable, own_server: Server) -> None:
    """A profile moves to another browser by a code, and the dialog has no accessibility faults."""
    ann, phone = (open_table("#/somebody", url=own_server.url) for _ in range(2))
    ann.expected_complaints = {"409 (Conflict)"}  # the status for a refused name
    ann.press("Your profile")
    ann.page.get_by_label("Your name").fill("Level 3")
    ann.press("Save")
    expect(ann.page.get_by_text("That is the name of a computer player; choose another.")).to_be_visible()
    ann.page.get_by_label("Your name").fill("Ann")
    ann.press("Save")
    expect(ann.page.get_by_text("Saved.")).to_be_visible()
    ann.press("Show a code")
    code = ann.page.locator(".transfer-code strong").inner_text()
    found = Axe().run(ann.page)
    assert found.violations_count == 0, found.generate_report()
    phone.press("Your profile")
    phone.page.get_by_label("Code", exact=True).fill(code)
    phone.press("Use the code")
    expect(phone.page.locator(".profile strong")).to_have_text("Ann")


def test_a_challenge_is_taken_from_the_list_and_waiting_can_be_stopped(
    open_table: OpenTable, own_server: Server
) -> None:
    ann, bob = (open_table("#/somebody", url=own_server.url) for _ in range(2))
    ann.page.get_by_label("Clock").select_option("60")
    ann.press("Post a challenge")
    expect(ann.page.get_by_text("Your challenge is in the list.")).to_be_visible()
    ann.press("Stop looking")
    expect(ann.button("Post a challenge")).to_be_visible()
    expect(bob.page.get_by_text("Nobody waits just now.")).to_be_visible()
    ann.press("Post a challenge")
    bob.press("Play Guest")
    for table in (ann, bob):
        expect(table.page).to_have_url(re.compile("#/match/"))
    eve = open_table("#/watch", url=own_server.url)
    expect(eve.page.locator(".matches li").first).to_contain_text("Guest – Guest")
