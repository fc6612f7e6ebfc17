"""Tests a room with several hosts, a lock, pauses and different formats in the browser."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.web.conftest import OpenTable
from tests.web.serving import Server
from tests.web.table import Table
from tests.web.test_rooms import PHONE_CONTEXT, SCROLL_SCRIPT, check_axe, made, named


def second_host(open_table: OpenTable, first: Table, code: str) -> Table:
    """A host who has typed the code that the first host shows."""
    first.press("A second host")
    shown = first.page.get_by_role("dialog").locator(".room-code").inner_text()
    first.page.get_by_role("dialog").get_by_role("button", name="Done").click()
    second = open_table(f"#/room/{code}")
    second.page.get_by_text("I am a host, too").click()
    second.page.get_by_label("Code for a second host").fill(shown.lower())
    second.page.get_by_role("button", name="Go in").click()
    expect(second.page.get_by_role("button", name="Lock the door")).to_be_visible()
    return second


def test_a_second_host_lets_a_phone_in_and_takes_over(open_table: OpenTable) -> None:
    """A second host admits a person on a phone, whose name only hosts see. Then the first host hands the room over."""
    host = open_table("#/rooms", bypass_csp=True)
    host.page.get_by_text("More choices").click()
    host.page.get_by_label("I let everyone in myself").check()
    host.press("Make the room")
    code = host.page.locator(".room-code").first.inner_text()
    wall = open_table(f"#/wall/{code}")
    second = second_host(open_table, host, code)

    pupil = open_table(f"#/room/{code}", bypass_csp=True, **PHONE_CONTEXT)
    pupil.page.get_by_label("Your name").fill("Ann")
    pupil.press("Come in")
    expect(pupil.headline).to_have_text("The host has to let you in, Ann.")
    assert pupil.page.evaluate(SCROLL_SCRIPT) == 0
    expect(second.page.locator(".news")).to_contain_text("Ann waits to be let in.")
    expect(wall.page.get_by_text("0 are here.")).to_be_visible()
    expect(wall.page.get_by_text("Ann")).to_have_count(0)
    check_axe(host.page)
    second.press("Let Ann in")
    expect(pupil.headline).to_have_text("Welcome, Ann. Wait until the host begins.")
    expect(wall.page.locator(".room-table")).to_contain_text("Ann")

    host.press("Be a host no longer")
    host.page.get_by_role("dialog").get_by_role("button", name="Be a host no longer").click()
    expect(host.page).to_have_url(re.compile("#/rooms$"))
    second.press("Lock the door")
    expect(second.page.get_by_role("button", name="Unlock the door")).to_be_visible()


def test_a_host_opens_the_own_link_elsewhere_and_makes_a_member_host(open_table: OpenTable) -> None:
    host, code = made(open_table, "Swiss")
    host.page.evaluate("() => { navigator.clipboard.writeText = () => Promise.reject(new Error()); }")
    host.press("Copy my host link")
    link = host.page.locator('a[href*="/host/"]').get_attribute("href") or ""
    elsewhere = open_table(link[link.index("#") :])
    expect(elsewhere.page.get_by_role("button", name="Begin")).to_be_visible()
    expect(elsewhere.page).to_have_url(re.compile(f"#/room/{code}$"))

    ann = named(open_table, code, "Ann")
    elsewhere.press("Make Ann a host")
    elsewhere.page.get_by_role("dialog").get_by_role("button", name="Hand over").click()
    expect(ann.page.get_by_role("button", name="Begin")).to_be_visible()
    expect(elsewhere.page.locator(".news")).to_contain_text("Ann is a host now.")


def test_a_pause_and_the_next_round(open_table: OpenTable, server: Server) -> None:
    """The wall shows a pause and the next round, and the host's page shows the stopped game."""
    host, code = made(open_table, "Swiss")
    players = [server.ask(f"api/rooms/{code}/join", name=name) for name in ("Ann", "Bob", "Cleo", "Dan")]
    assert len(players) == 4
    zoe = named(open_table, code, "Zoe")
    wall = open_table(f"#/wall/{code}")
    host.press("Begin")
    expect(wall.page.locator("#wall-where")).to_have_text("1 is here. Round 1 of 5.")  # only Zoe is connected
    expect(host.page.locator(".progress")).to_have_text("1 is here. Round 1 of 5. 2 games are under way.")
    expect(host.page.get_by_text("Rounds: 5. Clock: 3 min and 2 s a disc.")).to_be_visible()
    host.press("Pause")
    expect(wall.page.locator("#wall-where")).to_contain_text("A pause. No new game begins.")
    host.press("Next round now")
    host.page.get_by_role("dialog").get_by_role("button", name="Next round now").click()
    expect(host.page.locator(".news")).to_contain_text("stopped by the host, a draw")
    host.press("Go on")
    expect(wall.page.locator("#wall-where")).to_contain_text("Round 2 of 5.")
    expect(zoe.page).to_have_url(re.compile("#/(match|room)/"))


def played_by_levels(host: Table, count: int) -> None:
    for _ in range(count):
        host.press("Add a computer")


def test_formats_are_seen_on_the_wall(open_table: OpenTable, server: Server) -> None:
    """The pages show the bracket of a knock-out, the time left in an arena and the score of two teams."""
    host, code = made(open_table, "Knock-out", bypass_csp=True)
    for name in ("Ann", "Bob"):  # they do not come, so that the knock-out is not over at once
        server.ask(f"api/rooms/{code}/join", name=name)
    played_by_levels(host, 2)
    host.press("Begin")
    expect(host.page.locator(".bracket .tie")).to_have_count(2)
    check_axe(host.page)
    host.sure("Close the room")

    host, code = made(open_table, "Arena", bypass_csp=True)
    played_by_levels(host, 2)
    host.press("Begin")
    wall = open_table(f"#/wall/{code}")
    expect(wall.page.locator("#wall-where")).to_contain_text(re.compile(r"Arena\. (30|2\d):\d\d left"))
    expect(host.page.get_by_text(re.compile(r"^(30|2\d):\d\d left$"))).to_be_visible()
    host.sure("Close the room")

    host = open_table("#/rooms", bypass_csp=True)
    host.page.get_by_label("Two teams", exact=True).check()
    host.page.get_by_label("First team").fill("7A")
    host.page.get_by_label("Second team").fill("7B")
    host.press("Make the room")
    code = host.page.locator(".room-code").first.inner_text()
    ann = open_table(f"#/room/{code}", bypass_csp=True, **PHONE_CONTEXT)
    check_axe(ann.page)
    ann.page.get_by_label("Your name").fill("Ann")
    ann.page.get_by_label("7B", exact=True).check()
    ann.press("Come in")
    expect(host.page.locator(".room-table")).to_contain_text("Ann 7B")
    host.press("Move Ann to the other team")
    expect(host.page.locator(".room-table")).to_contain_text("Ann 7A")
    wall = open_table(f"#/wall/{code}")
    expect(wall.page.locator(".team-score")).to_have_text(re.compile(r"7A\s*0 – 0\s*7B"))
    overflows(wall.page)


def overflows(page: Page) -> None:
    assert page.evaluate(SCROLL_SCRIPT) <= 0
