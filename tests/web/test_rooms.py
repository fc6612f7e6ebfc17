"""Tests a room on the page with a host, a pupil on a phone and a wall, from the code to the review."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Error, Locator, Page, expect

from tests.web.conftest import OpenTable
from tests.web.serving import Server
from tests.web.table import Table

PHONE_CONTEXT = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
SCROLL_SCRIPT = "document.documentElement.scrollWidth - document.body.clientWidth"


EDGES_SCRIPT = """(svg) => {
    const [frame, whole] = [svg.querySelector(".frame"), svg].map((one) => one.getBoundingClientRect());
    const half = parseFloat(getComputedStyle(svg.querySelector(".frame")).strokeWidth) / 2 * svg.getScreenCTM().a;
    return [frame.left - half - whole.left, whole.right - frame.right - half, frame.top - half - whole.top];
}"""  # pixels between the outline of a board and the edges of its picture


def check_edges(*boards: Locator) -> None:
    for board in boards:
        assert min(board.evaluate(EDGES_SCRIPT)) > 0.4


def check_axe(page: Page) -> None:
    found: dict[str, Any] = Axe().run(page).response
    assert [(rule["id"], rule["nodes"][0]["html"][:200]) for rule in found["violations"]] == []


def made(open_table: OpenTable, kind: str = "Round robin", **options: Any) -> tuple[Table, str]:
    """A host who has created a room, and its code."""
    host = open_table("#/rooms", **options)
    host.page.get_by_label("Its name").fill("Class 7B")
    host.page.get_by_label(kind, exact=True).check()
    host.press("Make the room")
    expect(host.page.locator(".room-code")).to_be_visible()
    expect(host.page.locator(".qr svg")).to_be_visible()
    return host, host.page.locator(".room-code").inner_text()


def who_begins(players: Sequence[Table]) -> Table:
    """Wait until each person's board says whose turn it is. Returns the person who moves first."""
    for one in players:
        expect(one.headline).to_have_text(re.compile(r"Your turn\.|to move\."))
    return next(one for one in players if one.headline.inner_text() == "Your turn.")


def joined(open_table: OpenTable, code: str, name: str, **options: Any) -> Table:
    pupil = open_table("#/rooms", **options)
    pupil.page.get_by_label("The room's code").fill(code.lower())
    pupil.press("Go in")
    pupil.page.get_by_label("Your name").fill(name)
    pupil.press("Come in")
    expect(pupil.page.get_by_text(f"Welcome, {name}.")).to_be_visible()
    return pupil


def test_a_host_a_phone_and_a_wall(open_table: OpenTable) -> None:
    """Two people join a host's room by its code, one on a phone. The wall shows their game, which is then reviewed."""
    host, code = made(open_table, bypass_csp=True)
    check_axe(host.page)
    ann = joined(open_table, code, "Ann", bypass_csp=True, **PHONE_CONTEXT)
    bob = joined(open_table, code, "Bob")
    expect(host.page.locator(".room-columns")).to_contain_text("Ann here")
    assert ann.page.evaluate(SCROLL_SCRIPT) == 0
    check_axe(ann.page)
    wall = open_table(f"#/wall/{code}", bypass_csp=True)
    wall.note(".wall-board.over")  # a finished board stays for a moment
    expect(wall.page.get_by_text("2 are here.")).to_be_visible()

    host.press("Rename Bob")
    host.page.get_by_role("dialog").get_by_role("textbox").fill("Robert")
    host.page.get_by_role("dialog").get_by_role("button", name="Rename").click()
    expect(wall.page.locator(".room-table")).to_contain_text("Robert")
    host.press("Begin")

    for one in (ann, bob):
        expect(one.page).to_have_url(re.compile("#/match/"))
    expect(wall.page.locator(".wall-board")).to_have_count(1)
    expect(wall.page.locator(".news li").first).to_contain_text("plays")
    check_axe(wall.page)
    first = who_begins((ann, bob))
    second = bob if first is ann else ann
    for count, (mover, column) in enumerate(zip((first, second) * 4, (1, 2, 1, 2, 1, 2, 1), strict=False)):
        mover.expect_discs(count)
        mover.expect_turn("Your turn.")
        if count == 6:
            check_edges(wall.page.locator(".small-board").first, first.page.locator("connectk-board svg"))
        mover.drop(column)
        if count < 6:
            expect(wall.page.locator(".small-board .disc")).to_have_count(count + 1)
    expect(first.headline).to_have_text("You win.")
    with suppress(Error):  # the page leads there anyone who waits too long
        first.page.get_by_role("link", name="Back to the room").click(timeout=6000)
    wall.expect_noted("beats")

    expect(first.page.get_by_role("heading", name="Results")).to_be_visible()
    check_axe(host.page)
    with host.page.expect_download() as table:
        host.press("Table as CSV")
    assert "Robert" in table.value.path().read_text("utf-8-sig")
    with host.page.expect_download() as games:
        host.press("All games in one file")
    assert games.value.suggested_filename == f"connectk-{code}-games.zip"
    host.page.get_by_text("Crosstable", exact=True).click()
    expect(host.page.locator(".crosstable tbody td")).to_have_text(["1", "×", "1", "0", "0", "×"])
    check_axe(host.page)
    host.press("Review all games")
    expect(host.page.get_by_text("1 of 1 games reviewed")).to_be_visible()
    graded = host.page.get_by_role("group", name="How everyone played")
    expect(graded.locator("tbody tr")).to_have_count(2)
    with host.page.expect_download() as reviews:
        host.press("Reviews as HTML")
    assert reviews.value.suggested_filename == f"connectk-{code}-reviews.zip"
    check_axe(host.page)
    host.page.get_by_role("link", name=re.compile("Review ")).first.click()
    expect(host.page).to_have_url(re.compile("#/game/7x6x4/1212121"))
    host.page.go_back()
    delete_ann_and_the_room(host)


def delete_ann_and_the_room(host: Table) -> None:
    """Delete a member and then the room, each after one question. The others' results stay until the room is
    deleted."""
    question = host.page.get_by_role("dialog")
    host.press("Delete Ann")
    question.get_by_role("button", name="Not now").click()
    expect(host.page.get_by_role("button", name="Delete Ann")).to_be_visible()
    host.press("Delete Ann")
    question.get_by_role("button", name="Delete", exact=True).click()
    expect(host.page.locator(".room-table").first).to_contain_text("#1")
    expect(host.page.get_by_text("Ann", exact=True)).to_have_count(0)
    host.press("Delete this room")
    question.get_by_role("button", name="Delete this room").click()
    expect(host.page).to_have_url(re.compile("#/rooms$"))
    expect(host.page.get_by_role("heading", name="Make a room")).to_be_visible()
    expect(host.page.get_by_role("link", name="Class 7B")).to_have_count(0)


def test_a_host_locks_the_door(open_table: OpenTable) -> None:
    """A person who arrives while the room is locked reads why they cannot join, and can join after it is unlocked."""
    host, code = made(open_table)
    host.press("Lock the door")
    expect(host.page.locator(".news li").first).to_have_text("The host has locked the door.")
    ann = open_table(f"#/room/{code}")
    ann.expected_complaints.add("409 (Conflict)")
    ann.page.get_by_label("Your name").fill("Ann")
    ann.press("Come in")
    expect(ann.page.get_by_role("status").filter(has_text="locked the room")).to_be_visible()
    host.press("Unlock the door")
    expect(host.page.get_by_role("button", name="Lock the door")).to_be_visible()
    ann.press("Come in")
    expect(ann.page.get_by_text("Welcome, Ann.")).to_be_visible()


FOCUSED_SCRIPT = """() => {
    const one = document.activeElement;
    return (one.getAttribute("aria-label") ?? one.labels?.[0]?.textContent ?? one.textContent).trim();
}"""


def tab_to(me: Table, name: str) -> None:
    """Press Tab until this control has the focus."""
    for _ in range(60):
        me.page.keyboard.press("Tab")
        if me.page.evaluate(FOCUSED_SCRIPT) == name:
            return
    raise AssertionError(f"no key leads to {name}")


def test_host_and_players_need_no_mouse(open_table: OpenTable) -> None:
    """With keys alone, a room is created, joined, begun and played. If somebody else joins meanwhile, the focus
    stays."""
    host = open_table("#/rooms")
    tab_to(host, "Its name")
    host.page.keyboard.type("Keys")
    tab_to(host, "Swiss")
    host.page.keyboard.press("ArrowRight")
    expect(host.page.get_by_label("Round robin", exact=True)).to_be_checked()
    tab_to(host, "Make the room")
    host.page.keyboard.press("Enter")
    code = host.page.locator(".room-code").inner_text()
    players = []
    for name in ("Ann", "A name that is rather long for a table"):
        me = open_table("#/rooms")
        tab_to(me, "The room's code")
        me.page.keyboard.type(f"{code}\n")
        me.page.get_by_label("Your name").wait_for()
        tab_to(me, "Your name")
        me.page.keyboard.type(f"{name}\n")
        expect(me.page.get_by_text(f"Welcome, {name}.")).to_be_visible()
        players.append(me)
        if name == "Ann":
            expect(host.page.locator(".room-columns")).to_contain_text("Ann here")
            tab_to(host, "Add a computer")
            host.page.keyboard.press("5")
            tab_to(host, "Rename Ann")
    expect(host.page.locator(".room-columns")).to_contain_text("rather long for a table here")
    assert host.page.evaluate(FOCUSED_SCRIPT) == "Rename Ann"
    expect(host.page.locator(".room-lead select")).to_have_value("5")
    table = host.page.locator(".room-table")
    assert table.evaluate("(one) => one.scrollWidth - one.clientWidth") <= 0
    host.page.locator("body").press("Home")
    tab_to(host, "Begin")
    host.page.keyboard.press("Enter")
    for me in players:
        expect(me.page).to_have_url(re.compile("#/match/"))
    first = who_begins(players)
    first.page.keyboard.press("4")
    for me in players:
        me.expect_discs(1)


def test_challenges_are_asked_and_answered(open_table: OpenTable) -> None:
    host, code = made(open_table, "Challenges")
    ann = named(open_table, code, "Ann")
    bob = open_table(f"#/room/{code}")
    bob.expected_complaints.add("409")
    bob.page.get_by_label("Your name").fill("ann")
    bob.press("Come in")
    expect(bob.page.get_by_text("Someone in the room has that name already")).to_be_visible()
    bob.page.get_by_label("Your name").fill("<b>Bob</b>")
    bob.press("Come in")
    ann.press("Challenge <b>Bob</b>")
    expect(bob.page.get_by_text("Ann wants to play you.")).to_be_visible()
    bob.press("Yes")
    for one in (ann, bob):
        expect(one.page).to_have_url(re.compile("#/match/"))
    expect(ann.page.locator(".seat .name").first).to_have_text("<b>Bob</b>")
    expect(ann.button("Ask to take back")).to_be_hidden()
    host.sure("Close the room")
    expect(host.page.get_by_text("It is over.")).to_be_visible()


def named(open_table: OpenTable, code: str, name: str) -> Table:
    """A person who joins the room by its address with this name."""
    pupil = open_table(f"#/room/{code}")
    pupil.page.get_by_label("Your name").fill(name)
    pupil.press("Come in")
    expect(pupil.page.locator(".room-columns")).to_contain_text(name)
    return pupil


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_a_challenge_counts_though_somebody_comes_in_while_it_is_pressed(open_table: OpenTable, by: str) -> None:
    """A challenge that is being pressed counts, because the list of members is updated only after the release."""
    _, code = made(open_table, "Challenges")
    bob, ann = named(open_table, code, "Bob"), named(open_table, code, "Ann")
    ann.button("Challenge Bob").hover()
    ann.button("Challenge Bob").focus()
    hand, what = (ann.page.mouse, {}) if by == "mouse" else (ann.page.keyboard, {"key": "Space"})

    hand.down(**what)
    named(open_table, code, "Zoe")
    expect(ann.page.locator(".news")).to_contain_text("Zoe has come in.")
    expect(ann.button("Challenge Zoe")).to_have_count(0)
    hand.up(**what)

    expect(ann.button("Challenge Zoe")).to_be_visible()
    expect(bob.page.get_by_text("Ann wants to play you.")).to_be_visible()


@pytest.mark.parametrize("language", ["fi", "sv"])
def test_rooms_speak_every_language(open_table: OpenTable, language: str, server: Server) -> None:
    code = server.ask("api/rooms", title="")["room"]["code"]
    me = open_table(locale=language)
    for path in ("#/rooms", f"#/room/{code}", f"#/wall/{code}"):
        me.visit(path)
        assert not re.findall(r"\broom\.[a-z_.]+\b", me.page.locator("main").inner_text())


def test_a_wrong_code_is_said_in_words(open_table: OpenTable) -> None:
    me = open_table("#/rooms")
    me.expected_complaints.add("404")
    me.page.get_by_label("The room's code").fill("AAAAAA")
    me.page.keyboard.press("Enter")
    expect(me.page.get_by_text("There is no room with that code.")).to_be_visible()


@pytest.mark.parametrize("screen", ["room", "wall"])
def test_the_address_is_one_that_others_can_open_or_a_notice_says_that_there_is_none(
    open_table: OpenTable, server: Server, screen: str
) -> None:
    """If the host opens the page by `localhost`, it shows an address that others can open, or a notice that there is
    none."""
    made = server.ask("api/rooms")
    code = made["room"]["code"]
    network = {"possible": None, "address": None}
    table = open_table()
    table.page.route(
        "**/api/page/about",
        lambda route: route.fulfill(json={"version": "1", "closable": False, "network": network}),
    )
    table.visit(f"#/room/{code}/host/{made['secret']}" if screen == "room" else f"#/wall/{code}")
    expect(table.page.get_by_text("Only this computer can open this link.")).to_contain_text("--host 0.0.0.0")

    network["address"] = "http://192.0.2.7:8000"
    table.page.reload()

    expect(table.page.get_by_text("Go to 192.0.2.7:8000 and type")).to_be_visible()
    expect(table.page.get_by_role("link", name=f"http://192.0.2.7:8000/#/room/{code}")).to_be_visible()
    expect(table.page.get_by_text("Only this computer can open this link.")).to_have_count(0)
