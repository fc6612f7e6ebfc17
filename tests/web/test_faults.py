"""Tests faults that people met when they tried the page: invitations, unintended moves, lost keys, servers that
hang."""

from __future__ import annotations

import json
import re
import signal

import pytest
from playwright.sync_api import Route, expect

from tests.web.conftest import OpenTable
from tests.web.serving import Server
from tests.web.table import Table
from tests.web.test_friends import invited
from tests.web.test_review import arena_file

GAME = "#/game/7x6x4/4444453323351"
EDITED_SCRIPT = "localStorage.getItem('connectk.editor')"
# How many discs fell at once at most, and whether any still fell when the line came.
WATCH_FALLS_SCRIPT = """() => {
    const board = document.querySelector("connectk-board"), animate = Element.prototype.animate;
    const falling = () => document.getAnimations().filter((one) => one.effect.target.matches?.(".disc"));
    window.falls = { together: 0, before: null };
    Element.prototype.animate = function (...how) {
        const started = animate.apply(this, how);
        window.falls.together = Math.max(window.falls.together, falling().length);
        return started;
    };
    new MutationObserver(() => {
        if (board.querySelector(".won")) window.falls.before ??= falling().length;
    }).observe(board, { subtree: true, childList: true });
}"""
UNNAMED_SCRIPT = """() => [...document.querySelectorAll("*")].filter((one) => one.tabIndex >= 0 && one.checkVisibility()
    && !(one.getAttribute("aria-label") || one.labels?.length || one.textContent.trim() || one.getAttribute("title")))
    .map((one) => one.outerHTML.slice(0, 80))"""
# Notes every button that is in sight without a name once the script that inserted it has ended. Those of index.html get
# their names with the texts.
COLLECT_UNNAMED_SCRIPT = f"""
    window.unnamed = [];
    const unnamedButtons = () => ({UNNAMED_SCRIPT})().filter((one) => /^<button(?!.*data-label)/.test(one));
    new MutationObserver(() => window.unnamed.push(...unnamedButtons()))
        .observe(document, {{ subtree: true, childList: true }});
"""


def hold_creation(me: Table) -> list[Route]:
    """Hold back every request that creates a match until the test lets it continue."""
    held: list[Route] = []
    me.page.route(
        "**/api/matches", lambda route: held.append(route) if route.request.method == "POST" else route.continue_()
    )
    return held


def test_an_invitation_can_be_had_again(open_table: OpenTable) -> None:
    """An invitation is shown again after a reload, in another language, after leaving, and on another device with the
    secret."""
    ann, address = invited(open_table)

    ann.page.reload()
    assert ann.invitation() == address
    ann.page.locator("#language").select_option("sv")
    in_swedish = re.escape(address.replace("#", "?lang=sv#"))
    expect(ann.page.get_by_role("textbox", name="Länk")).to_have_value(re.compile(in_swedish))
    ann.page.locator("#language").select_option("en")
    ann.press("Leave")
    ann.page.get_by_role("button", name="Continue your game").click()
    assert ann.invitation() == address
    seats = ann.page.evaluate("localStorage.getItem('connectk.seats')")
    other = open_table()
    other.page.evaluate("(seats) => localStorage.setItem('connectk.seats', seats)", seats)
    other.page.goto(ann.page.url)

    assert other.invitation() == address
    expect(other.page.locator(".qr svg")).to_be_visible()


def test_an_invitation_from_this_machine_says_who_can_open_it(open_table: OpenTable) -> None:
    """An invitation says who can open it: only this machine or, once others are let in, everybody who can reach its
    address."""
    state = {"address": None}

    def about(route: Route) -> None:
        network = {"possible": "http://192.0.2.7:8000", "address": state["address"]}
        route.fulfill(json={"version": "1", "closable": True, "network": network})

    def let_in(route: Route) -> None:
        state["address"] = "http://192.0.2.7:8000"
        route.fulfill(json={"address": state["address"]})

    ann = open_table()
    ann.page.route("**/api/page/about", about)
    ann.page.route("**/api/network", let_in)
    ann.visit("#/invite")
    ann.press("Make the link")
    expect(ann.page.get_by_text("Only this computer can open this link.")).to_be_visible()

    ann.press("Let others on this network in")

    expect(ann.page.get_by_text("Others on this network can open http://192.0.2.7:8000.")).to_be_visible()
    expect(ann.page.get_by_role("textbox", name="Link")).to_have_value(
        re.compile(r"^http://192\.0\.2\.7:8000/i/[0-9a-f]{32}#")
    )


def test_a_demo_is_shown_at_a_pace_and_can_be_stepped(open_table: OpenTable, server: Server) -> None:
    """A demo is shown at a readable pace and can be stepped, although the server has finished it long before."""
    me = open_table("#/watch")
    me.page.get_by_label("First player").select_option("greedy")
    me.page.get_by_label("Second player").select_option("greedy")
    me.press("Start the demo")
    me.press("Pause")
    match = me.page.url.rpartition("/")[2]
    while not server.look(f"api/matches/{match}")["match"]["state"]["result"]:
        me.page.wait_for_timeout(20)
    shown = me.page.locator("connectk-board").evaluate("(board) => board.state.discs.length")
    me.expect_discs(shown)  # none of them waits to fall

    me.press("One drop")
    me.expect_discs(shown + 1)
    me.press("Faster")
    expect(me.page.get_by_label("Speed")).to_have_text("2×")
    me.press("Slower")
    me.page.keyboard.press("ArrowLeft")
    me.expect_discs(shown)
    me.press("Go on")

    expect(me.discs.nth(shown + 1)).to_be_attached()
    expect(me.headline).not_to_contain_text("wins")


def test_a_hint_on_a_board_too_large_to_solve_is_an_estimate_called_so(open_table: OpenTable) -> None:
    me = open_table("#/game/9x7x5/-")
    expect(me.page.locator("connectk-board .score.guess").first).to_be_visible()
    me.press("Play from here")
    me.expect_turn("Your turn.")

    me.press("Hint")

    expect(me.detail).to_have_text(re.compile(r"Column \d looks best. That is an estimate; the board is large."))
    expect(me.page.locator("connectk-board .score.guess").first).to_be_visible()
    expect(me.page.locator("connectk-board .score", has_text="?")).to_have_count(0)


def test_a_try_in_a_review_leaves_the_game_as_it_was(open_table: OpenTable) -> None:
    """In a review, a click on a column begins a variation. The page offers a way back to the game, and Back undoes the
    variation."""
    me = open_table(GAME)
    slider = me.page.get_by_role("slider")
    slider.press("Home")
    slider.press("ArrowRight")
    me.drop(1)
    me.expect_discs(2)
    expect(me.page.locator(".moves li")).to_have_count(13)
    expect(me.page.locator(".tries")).to_contain_text("Your try at move 2:")
    first = me.page.url
    me.drop(1)
    me.expect_discs(3)
    me.page.wait_for_url(lambda url: url != first)  # the disc lies before its address is known
    tried = me.page.url

    me.page.go_back()
    me.expect_discs(2)
    me.page.go_back()
    me.expect_discs(1)
    me.page.go_forward()
    me.expect_discs(2)
    me.page.goto(tried)
    me.expect_discs(3)
    me.press("Back to the game")

    me.expect_discs(1)
    expect(slider).to_have_attribute("aria-valuenow", "1")
    expect(me.page.locator(".moves li")).to_have_count(13)


def test_the_graph_waits_for_a_press_and_arrows_step_the_game(open_table: OpenTable) -> None:
    me = open_table(GAME)
    slider = me.page.get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuenow", "13")
    box = slider.bounding_box()
    assert box is not None

    me.page.mouse.move(box["x"] + 20, box["y"] + 20)
    me.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
    expect(slider).to_have_attribute("aria-valuenow", "13")
    me.page.mouse.down()
    me.page.mouse.move(box["x"] + box["width"] - 1, box["y"] + 20)
    me.page.mouse.move(box["x"] + 1, box["y"] + 20)
    me.page.mouse.up()
    expect(slider).to_have_attribute("aria-valuenow", "0")
    me.page.locator("h1").click()
    me.page.keyboard.press("ArrowRight")
    me.page.keyboard.press("ArrowRight")

    expect(slider).to_have_attribute("aria-valuenow", "2")


def test_on_a_phone_go_there_shows_the_board(open_table: OpenTable) -> None:
    me = open_table(GAME, viewport={"width": 360, "height": 640}, has_touch=True)
    me.button("Go there").scroll_into_view_if_needed()
    expect(me.board).not_to_be_in_viewport(ratio=0.9)

    me.press("Go there")

    expect(me.board).to_be_in_viewport(ratio=0.9)


def test_a_double_click_and_a_held_key_drop_one_disc(open_table: OpenTable) -> None:
    me = open_table()
    me.two_here()
    me.cell(4, 1).dblclick()
    me.expect_discs(1)
    me.page.keyboard.down("3")
    me.page.keyboard.down("3")  # held: the browser repeats it
    me.page.keyboard.down("3")
    me.page.keyboard.up("3")
    me.page.keyboard.press("5")

    me.expect_discs(3)
    expect(me.cell(5, 1)).to_have_attribute("aria-label", "Column 5, row 1: first player")


def test_resigning_leaving_and_closing_ask_once(open_table: OpenTable) -> None:
    me = open_table()
    me.drop(4)
    me.expect_discs(2)
    for name in ("Resign", "Leave", "Close connectk"):
        me.press(name)
        me.press("Not now")
        expect(me.page.get_by_role("dialog")).to_have_count(0)
    me.go("Review")
    me.press("Not now")
    expect(me.page).to_have_url(re.compile("#/match/"))
    me.expect_turn("Your turn.")

    me.sure("Resign")
    expect(me.headline).to_contain_text("wins. You resigned.")
    me.go("Review")

    expect(me.page).to_have_url(re.compile("#/review"))


def test_a_frozen_server_is_noticed_and_comes_back(open_table: OpenTable, own_server: Server) -> None:
    """A frozen server, which keeps its sockets open and sends nothing, is noticed by its unanswered pings."""
    me = open_table(url=own_server.url)
    me.expected_complaints.add("WebSocket")  # a socket that was given up while it opened
    me.two_here()
    assert own_server.process is not None
    own_server.process.send_signal(signal.SIGSTOP)
    try:
        expect(me.page.get_by_text("The connection is lost.")).to_be_visible()
    finally:
        own_server.process.send_signal(signal.SIGCONT)

    expect(me.page.locator("#notice")).to_be_hidden()
    me.drop(4)
    me.expect_discs(1)


def test_keys_pressed_before_the_match_is_there_are_kept(open_table: OpenTable) -> None:
    """Keys pressed before the match is loaded are handled in order: a disc, undo, redo and a hint."""
    me = open_table()
    held = hold_creation(me)
    me.drop(4)
    for key in "urh":
        me.page.keyboard.press(key)
    while not held:
        me.page.wait_for_timeout(10)

    held[0].continue_()

    expect(me.page.locator("connectk-board .hint-column").first).to_be_visible()
    me.expect_discs(2)


def test_a_checkbox_does_not_swallow_digits_and_letters(open_table: OpenTable) -> None:
    me = open_table()
    me.two_here()
    me.page.get_by_label("Show each column's score").check()

    me.page.keyboard.press("4")
    me.expect_discs(1)
    me.page.keyboard.press("u")

    me.expect_discs(0)


def test_discs_fall_one_after_the_other_and_the_line_comes_when_the_last_lies(open_table: OpenTable) -> None:
    me = open_table(reduced_motion="no-preference")
    me.two_here()
    me.page.evaluate(WATCH_FALLS_SCRIPT)
    for column in (1, 2, 1, 2, 1, 2, 1):
        me.page.keyboard.press(str(column))

    expect(me.headline).to_have_text("First player wins.")

    assert me.page.evaluate("window.falls") == {"together": 1, "before": 0}


def test_the_clock_is_in_sight_on_a_small_phone_and_the_tab_says_whose_turn(
    open_table: OpenTable, server: Server
) -> None:
    me = open_table(viewport={"width": 360, "height": 640}, has_touch=True)
    entry = server.ask("api/matches", first={"kind": "me"}, second={"kind": "me"}, clock={"seconds": 600})
    me.saved_seat(entry["match"]["id"], entry["secret"])
    me.page.goto(f"{server.url}#/match/{entry['match']['id']}")
    expect(me.page).to_have_title("First player to move · connectk")
    expect(me.page.get_by_role("heading", level=1)).to_have_count(1)
    expect(me.page.locator(".clock")).to_have_count(2)
    for clock in me.page.locator(".clock").all():
        expect(clock).to_be_in_viewport(ratio=1)
    for name in ("Undo", "Hint"):
        expect(me.button(name)).to_be_in_viewport(ratio=1)

    me.cell(4, 1).tap()

    expect(me.page).to_have_title("Second player to move · connectk")


@pytest.mark.parametrize("path", ["#/", "#/game/30x30x6/-", "#/watch"])
def test_every_tab_stop_has_a_name(open_table: OpenTable, path: str) -> None:
    me = open_table(path)
    me.page.context.add_init_script(COLLECT_UNNAMED_SCRIPT)
    me.page.reload()
    expect(me.page.locator("h1")).to_be_visible()
    if "30x30" in path:
        expect(me.button("Whole board")).to_be_visible()
    assert me.page.evaluate("window.unnamed") == []
    assert me.page.evaluate(UNNAMED_SCRIPT) == []
    scroller = me.page.locator(".place")
    assert scroller.evaluate("(one) => one.tabIndex") == -1


def test_an_empty_width_waits_for_its_number(open_table: OpenTable) -> None:
    me = open_table("#/editor")
    columns = me.page.get_by_label("Columns", exact=True)

    columns.fill("")
    assert me.page.evaluate("document.querySelector('connectk-board').state.width") == 7
    columns.press("Tab")

    expect(columns).to_have_value("7")


def test_another_address_closes_a_dialog(open_table: OpenTable) -> None:
    """Going to another address closes a dialog, so that the earlier screen can be used after Back."""
    me = open_table("#/games")
    me.visit("#/why/7x6x4/3344")
    expect(me.page.get_by_role("dialog")).to_be_visible()
    me.page.go_back()
    expect(me.page.get_by_role("heading", name="My games")).to_be_visible()

    expect(me.page.get_by_role("dialog")).to_have_count(0)


def test_what_is_not_there_has_a_way_home(open_table: OpenTable, server: Server) -> None:
    me = open_table("#/match/nosuchmatch")
    expect(me.page.get_by_role("heading", level=1)).to_have_text("This is not here")
    me.expected_complaints.add("404")
    me.page.goto(f"{server.url}no/such/page")
    me.page.get_by_role("link", name="connectk").click()

    expect(me.page.get_by_role("heading", level=1)).to_have_text("Connect Four")


def test_a_board_of_a_hundred_follows_the_last_disc_and_fits_on_request(open_table: OpenTable) -> None:
    me = open_table("#/game/100x100x5/-")
    seen = "(cell) => { const a = cell.getBoundingClientRect(), b = cell.closest('.place').getBoundingClientRect();"
    inside = seen + " return a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom; }"
    last = me.cell(100, 1)
    expect(last).to_be_attached()
    me.next_frame()
    me.page.locator(".place").evaluate("(place) => place.scrollTo(0, 0)")
    assert not last.evaluate(inside)

    me.page.keyboard.press("1")
    me.page.locator(".place").evaluate("(place) => place.scrollTo(0, 0)")
    me.page.evaluate("document.querySelector('connectk-board').place(99, 'first')")
    assert last.evaluate(inside)
    me.press("Whole board")

    expect(me.board).to_have_attribute("fit", "")
    assert me.page.locator(".place").evaluate("(place) => place.scrollWidth <= place.clientWidth")


def test_the_editor_and_the_arena_survive_a_reload(open_table: OpenTable) -> None:
    me = open_table("#/editor")
    me.cell(4, 3).click()
    me.expect_discs(1)

    me.page.reload()

    me.expect_discs(1)
    expect(me.page.locator("#editor-status")).to_have_text("The disc in column 4, row 3 has nothing beneath it.")
    assert json.loads(me.page.evaluate(EDITED_SCRIPT)) == {"variant": "7x6x4", "start": "4--x"}
    me.visit("#/arena")
    me.drop_file("results.jsonl", arena_file())
    expect(me.page.get_by_role("table")).to_have_count(2)
    me.page.reload()
    expect(me.page.get_by_role("table")).to_have_count(2)
