"""Tests shared links in a browser: each has its own path and opens the right screen, and the share buttons give such
links."""

import re

from playwright.sync_api import expect

from tests.web.conftest import OpenTable
from tests.web.serving import Server

COPIED = (
    "Object.defineProperty(navigator, 'clipboard', { value: { writeText: async (text) => { window.copied = text } } })"
)


def test_the_link_of_a_game_opens_its_review(open_table: OpenTable) -> None:
    me = open_table("g/7x6x4/4453/-/2.35")
    expect(me.page).to_have_url(re.compile(r"/#/game/7x6x4/4453/-/2\.35$"))
    expect(me.page.locator("#panel h1")).to_be_visible()


def test_the_secret_of_an_invitation_never_reaches_the_server(open_table: OpenTable, server: Server) -> None:
    """The secret of an invitation never reaches the server, because it is behind the `#` of the address."""
    made = server.ask("api/matches", first={"kind": "me", "name": "Ann"}, second={"kind": "invited"})
    link = f"i/{made['match']['id']}#{made['invitation']}"
    bob = open_table()
    asked: list[str] = []
    bob.page.on("request", lambda request: asked.append(request.url.partition("#")[0]))
    bob.page.goto(server.url + link)
    expect(bob.page.get_by_text("Ann wants to play with you.")).to_be_visible()
    assert any(f"/i/{made['match']['id']}" in address for address in asked)
    assert not any(made["invitation"] in address for address in asked)
    bob.press("Play")
    expect(bob.page).to_have_url(re.compile("#/match/"))


def test_a_link_can_be_pasted_where_a_code_is_asked_for(open_table: OpenTable, server: Server) -> None:
    made = server.ask("api/matches", first={"kind": "me", "name": "Ann"}, second={"kind": "invited"})
    bob = open_table("#/")
    bob.page.evaluate(
        "async (link) => location.hash = (await import('/js/common/paths.js')).pathOfLink(link)",
        f"{server.url}i/{made['match']['id']}?lang=fi#{made['invitation']}",
    )
    expect(bob.page.get_by_text("Ann wants to play with you.")).to_be_visible()


def test_a_review_shares_a_link_with_a_face(open_table: OpenTable, server: Server) -> None:
    me = open_table("#/game/7x6x4/4453")
    me.page.evaluate(COPIED)
    me.page.get_by_text("Share and save").click()
    me.press("Copy a link")
    me.page.wait_for_function("() => window.copied")
    assert me.page.evaluate("window.copied") == f"{server.url}g/7x6x4/4453"


def test_the_result_of_a_day_is_shared_as_text(open_table: OpenTable, server: Server) -> None:
    """The result of a daily puzzle is shared as text. Its link opens that day's puzzle, even if it was already
    tried."""
    me = open_table("p/7x6x4/2026-11-16")
    expect(me.page).to_have_url(re.compile("#/puzzle/7x6x4/2026-11-16$"))
    expect(me.page.locator("#panel h1")).to_have_text("Puzzle of the day")
    me.page.evaluate(COPIED)
    me.press("Solution")
    me.press("Share the result")
    me.page.wait_for_function("() => window.copied")
    said, link = me.page.evaluate("window.copied").split("\n")
    assert said == "Can you solve the Connect Four puzzle of 2026-11-16?"
    assert link == f"{server.url}p/7x6x4/2026-11-16"
    me.page.reload()
    expect(me.page.locator("#panel h1")).to_have_text("Puzzle of the day")


def test_today_is_the_day_of_the_reader(open_table: OpenTable) -> None:
    me = open_table("p/7x6x4/today")
    expect(me.page.locator("#panel h1")).to_have_text("Puzzle of the day")


def test_a_wrong_link_is_a_page_with_a_way_back(open_table: OpenTable, server: Server) -> None:
    me = open_table()
    me.expected_complaints = {*me.expected_complaints, "404"}
    me.page.goto(f"{server.url}g/7x6x4/9")
    expect(me.page.get_by_role("heading", name="404")).to_be_visible()
    expect(me.page.get_by_role("link", name="Play")).to_be_visible()


def test_without_scripts_a_link_still_shows_its_board(open_table: OpenTable, server: Server, browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server.url}g/7x6x4/445")
    expect(page.get_by_role("heading", name="A game of Connect Four")).to_be_visible()
    picture = page.get_by_role("img", name="A game of Connect Four. 3 discs.")
    expect(picture).to_be_visible()
    expect(page.get_by_role("link", name="Open")).to_have_attribute("href", "/#/game/7x6x4/445")
    context.close()
