"""Tests problems of hasty people: half-typed sizes and moves, broken links, slow answers, small screens."""

from __future__ import annotations

import io
import re
from collections.abc import Callable

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import DESKTOP, OpenTable
from tests.web.serving import Server
from tests.web.table import Table
from tests.web.test_friends import invited

LATENCIES_MS = [60, 150]
PHONE = {"width": 390, "height": 844}
SMALL_PHONE = {"width": 360, "height": 640}


# Delays every answer of the server by so many milliseconds, as if it were far away.
DELAY_SCRIPT = """(ms) => {
    const ask = window.fetch;
    window.fetch = async (...order) => {
        const answer = await ask(...order);
        await new Promise((done) => setTimeout(done, ms));
        return answer;
    };
    WebSocket.prototype.addEventListener = function (type, act) {
        EventTarget.prototype.addEventListener.call(this, type, (event) => setTimeout(act, ms, event));
    };
}"""


def press_tab(page: Page, to: Locator) -> None:
    page.keyboard.press("Tab")


def click(page: Page, to: Locator) -> None:
    to.click()


def tap(page: Page, to: Locator) -> None:
    to.tap()


@pytest.mark.parametrize(
    ("screen", "go"), [("#/", press_tab), ("#/", click), ("#/", tap), ("#/invite", click), ("#/watch", click)]
)
def test_any_size_can_be_typed(open_table: OpenTable, screen: str, go: Callable[[Page, Locator], None]) -> None:
    """A board size can be typed in two fields: the focus moves to the second, and a typed digit drops no disc."""
    me = open_table(screen, has_touch=True)
    if screen == "#/":
        me.more()
    me.page.get_by_label("Board", exact=True).select_option("any")
    columns, rows = me.page.get_by_label("Columns", exact=True), me.page.get_by_label("Rows", exact=True)
    columns.click()
    columns.press("ControlOrMeta+a")
    me.page.keyboard.type("9")
    go(me.page, rows)

    expect(rows).to_be_focused()
    rows.press("ControlOrMeta+a")
    me.page.keyboard.type("5")
    me.page.keyboard.press("Enter")

    expect(columns).to_have_value("9")
    expect(rows).to_have_value("5")
    me.expect_discs(0)
    if screen == "#/":
        expect(me.page.get_by_role("gridcell")).to_have_count(45)


@pytest.mark.parametrize("ms", LATENCIES_MS)
def test_moves_just_typed_are_analysed_as_a_game(open_table: OpenTable, ms: int) -> None:
    """Typed moves are shown one by one, and Analyse opens the moves in the field, even if the server answers late."""
    me = open_table("#/editor")
    moves = me.page.get_by_label("Moves", exact=True)
    moves.click()
    me.page.keyboard.type("44")
    me.expect_discs(2)
    me.page.evaluate(DELAY_SCRIPT, ms)
    me.page.keyboard.type("53")

    me.press("Analyse")

    expect(me.page).to_have_url(re.compile(r"#/game/7x6x4/4453$"))
    expect(me.page.locator(".moves li")).to_have_count(4)


def test_moves_that_are_deleted_leave_an_empty_board(open_table: OpenTable) -> None:
    """After typed moves are deleted, the board is empty, and a click on a cell begins to set up a board."""
    me = open_table("#/editor")
    moves = me.page.get_by_label("Moves", exact=True)
    moves.press_sequentially("445")
    me.expect_discs(3)
    moves.press("Backspace")
    me.expect_discs(2)
    moves.fill("")
    me.expect_discs(0)

    moves.press_sequentially("4")
    me.expect_discs(1)
    me.pick("Second")
    me.cell(5, 1).click()

    expect(moves).to_have_value("")
    me.press("Analyse")
    expect(me.page).to_have_url(re.compile(r"#/game/7x6x4/-/4x\.5o$"))


@pytest.mark.parametrize("bad", ["#/game/7x6x4/44x", "#/game/7x6x4/44%", "#/game/seven/44", "#/game/7x6x4/4/0.9"])
def test_a_bad_link_does_not_stick(open_table: OpenTable, bad: str) -> None:
    """After a bad link, a good link opens in the same tab."""
    me = open_table(bad)
    me.expected_complaints.add("422")
    expect(me.page.get_by_role("heading", level=1)).to_have_text("This is not here")

    me.visit("#/game/7x6x4/4453")

    me.expect_discs(4)
    expect(me.page.locator(".moves li")).to_have_count(4)


# Every disc that fell, and where the board was meanwhile.
FALLS_SCRIPT = """() => {
    const board = document.querySelector("connectk-board"), animate = Element.prototype.animate;
    const place = () => {
        const { x, y, width } = board.getBoundingClientRect();
        return [x, y, width].map(Math.round).join(" ");
    };
    window.falls = [];
    window.places = new Set([place()]);
    Element.prototype.animate = function (...how) {
        if (this.matches(".disc")) window.falls.push(this.classList[1]);
        return animate.apply(this, how);
    };
    const look = () => { window.places.add(place()); requestAnimationFrame(look); };
    look();
}"""


@pytest.mark.parametrize("ms", LATENCIES_MS)
@pytest.mark.parametrize("viewport", [DESKTOP, PHONE, SMALL_PHONE], ids=["desktop", "phone", "small phone"])
def test_the_first_disc_falls_once_on_a_board_that_stays(
    open_table: OpenTable, viewport: dict[str, int], ms: int
) -> None:
    me = open_table(viewport=viewport, has_touch=viewport != DESKTOP)
    me.page.locator("connectk-board[data-open]").wait_for()
    me.page.evaluate(DELAY_SCRIPT, ms)
    me.page.evaluate(FALLS_SCRIPT)

    me.cell(4, 1).click()

    me.expect_turn("Your turn.")
    me.expect_discs(2)
    assert me.page.evaluate("window.falls") == ["first", "second"]
    assert len(me.page.evaluate("[...window.places]")) == 1


def test_the_board_itself_is_no_tab_stop(open_table: OpenTable) -> None:
    """Tab leads from the header to a cell of the board, not to the board itself. The cell's name has its column and
    row."""
    me = open_table()
    me.button("Help").focus()

    me.page.keyboard.press("Tab")

    expect(me.page.locator(":focus")).to_have_accessible_name("Column 4, row 1: empty")


def test_a_dialog_darkens_the_room_for_a_scrollbar_too(open_table: OpenTable) -> None:
    me = open_table()
    me.press("Help")
    expect(me.page.get_by_role("dialog")).to_be_visible()

    shown = Image.open(io.BytesIO(me.page.screenshot())).convert("L")

    assert abs(shown.getpixel((DESKTOP["width"] - 3, 600)) - shown.getpixel((3, 600))) < 12


def test_a_swatch_shows_its_own_discs_whatever_is_chosen(open_table: OpenTable) -> None:
    me = open_table()
    me.press("Look and sound")
    expect(me.page.locator("[name=discs]").first).to_be_attached()
    colours = """() => [...document.querySelectorAll("label:has([name=discs]:not([value=board])) .chip.second")]
        .map((chip) => getComputedStyle(chip).getPropertyValue("--second"))"""
    before = me.page.evaluate(colours)
    assert len(set(before)) == len(before) > 2
    for value in ("forest", "ink", "sea"):
        me.page.locator(f"[name=discs][value={value}]").check(force=True)
        assert me.page.evaluate(colours) == before


@pytest.mark.parametrize("said", ["code", "link"])
def test_a_code_is_typed_on_the_first_screen(open_table: OpenTable, server: Server, said: str) -> None:
    """The first screen accepts the code of a room in small letters, or a whole link."""
    made = server.ask("api/rooms", format="challenges")
    code = made["room"]["code"]
    me = open_table()

    me.page.get_by_label("Code or link").fill(code.lower() if said == "code" else f"{server.url}#/room/{code}")
    me.page.keyboard.press("Enter")

    expect(me.page).to_have_url(re.compile(f"#/room/{code}$"))


def test_a_code_that_leads_nowhere_is_said_to(open_table: OpenTable) -> None:
    me = open_table()
    me.expected_complaints.add("404")
    me.page.get_by_label("Code or link").fill("ZZZZZZ")
    me.press("Go in")

    expect(me.page.locator("#home-status")).to_have_text("There is no room with that code.")


PASTE_SCRIPT = """(text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    (document.activeElement ?? document.body).dispatchEvent(
        new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""
SAVED = '{"format": "connectk-game", "version": 2, "variant": "7x6x4", "moves": "4453", "players": {"first": "Ann"}}'


@pytest.mark.parametrize("text", ["4453", "7 6 4\n4\n4\n5\n3\n", SAVED], ids=["moves", "connect-z", "saved"])
@pytest.mark.parametrize("screen", ["#/", "#/games"])
def test_pasted_moves_are_opened_on_any_screen(open_table: OpenTable, screen: str, text: str) -> None:
    me = open_table(screen)
    me.page.evaluate(PASTE_SCRIPT, text)

    expect(me.page).to_have_url(re.compile("#/game/7x6x4/4453$"))
    me.expect_discs(4)


def test_the_review_has_a_place_to_paste_moves(open_table: OpenTable) -> None:
    me = open_table("#/review")
    field = me.page.get_by_label("Moves or a saved game")
    field.fill("44x")
    field.press("Enter")
    expect(me.page.get_by_role("alert")).to_contain_text("'x' is not a column")

    field.fill("4453")
    me.press("Open")

    me.expect_discs(4)


def test_pasting_does_not_end_a_running_game_unasked(open_table: OpenTable) -> None:
    me = open_table()
    me.two_here()
    me.drop(1)
    me.expect_discs(1)
    me.page.evaluate(PASTE_SCRIPT, "4453")

    me.press("Not now")

    expect(me.page).to_have_url(re.compile("#/match/"))


@pytest.mark.parametrize(
    ("clock", "first", "facts"),
    [
        ({"seconds": 180, "increment": 2}, "me", "7 × 6, 4 in a row wins · 3 min each, 2 s back per drop · Ann starts"),
        (None, "invited", "7 × 6, 4 in a row wins · No clock · You start"),
    ],
)
def test_an_invitation_says_what_is_played(
    open_table: OpenTable, server: Server, clock: dict[str, int] | None, first: str, facts: str
) -> None:
    """An invitation shows the board, the clock and who starts to both people."""
    seats = [{"kind": "me", "name": "Ann"}, {"kind": "invited"}]
    one, other = seats if first == "me" else seats[::-1]
    made = server.ask("api/matches", first=one, second=other, clock=clock)
    match = made["match"]["id"]
    bob = open_table(f"#/join/{match}/{made['invitation']}")
    expect(bob.page.locator("#facts")).to_have_text(facts)

    ann = open_table()
    ann.saved_seat(match, made["secret"])
    ann.page.goto(f"{server.url}#/match/{match}")

    mine = (
        facts.replace("Ann starts", "You start") if first == "me" else facts.replace("You start", "Your friend starts")
    )
    expect(ann.page.locator("#facts")).to_have_text(mine)


def finished(open_table: OpenTable) -> tuple[Table, Table]:
    """Two people whose game is over."""
    ann, address = invited(open_table)
    bob = open_table(address)
    bob.press("Play")
    expect(bob.headline).to_be_visible()
    bob.sure("Resign")
    expect(ann.button("Rematch")).to_be_visible()
    expect(bob.button("Rematch")).to_be_visible()
    return ann, bob


def test_who_has_left_after_the_game_is_shown_and_not_asked(open_table: OpenTable) -> None:
    ann, bob = finished(open_table)
    bob.page.close()
    expect(ann.page.locator("#above")).to_contain_text("not connected")

    ann.press("Rematch")

    expect(ann.detail).to_contain_text("has left; ask again when they are back.")
    expect(ann.button("Withdraw")).to_have_count(0)


def test_an_offer_to_somebody_who_leaves_is_withdrawn(open_table: OpenTable) -> None:
    ann, bob = finished(open_table)
    ann.press("Rematch")
    expect(ann.button("Withdraw")).to_be_visible()
    bob.page.close()

    expect(ann.detail).to_contain_text("has left; ask again when they are back.")
    expect(ann.button("Rematch")).to_be_visible()


def test_an_offer_that_nobody_answers_expires(open_table: OpenTable) -> None:
    ann, bob = finished(open_table)
    ann.page.clock.install()
    ann.press("Rematch")
    expect(bob.page.locator(".deal")).to_contain_text("wants a rematch.")
    ann.page.clock.run_for(61_000)

    expect(ann.detail).to_contain_text("has not answered, so the question is withdrawn.")
    expect(bob.page.locator(".deal")).not_to_contain_text("wants a rematch.")


def test_an_offer_in_place_of_another_has_its_own_minute(open_table: OpenTable) -> None:
    ann, address = invited(open_table)
    bob = open_table(address)
    bob.press("Play")
    ann.expect_turn("Your turn.")
    ann.drop(4)
    bob.expect_discs(1)
    ann.page.clock.install()
    ann.press("Offer a draw")
    expect(bob.page.locator(".deal")).to_contain_text("offers a draw.")
    ann.page.clock.run_for(40_000)
    ann.press("Ask to take back")
    expect(bob.page.locator(".deal")).to_contain_text("asks to take back.")

    ann.page.clock.run_for(40_000)
    expect(ann.button("Withdraw")).to_be_visible()
    ann.page.clock.run_for(21_000)
    expect(ann.detail).to_contain_text("has not answered, so the question is withdrawn.")


def test_a_draw_offer_withdrawn_is_no_answer(open_table: OpenTable) -> None:
    """If a draw offer is withdrawn, the other person does not read 'The answer is no.'"""
    ann, address = invited(open_table)
    bob = open_table(address)
    bob.press("Play")
    expect(bob.headline).to_be_visible()
    ann.page.clock.install()
    ann.press("Offer a draw")
    expect(bob.page.locator(".deal")).to_contain_text("offers a draw.")
    ann.page.clock.run_for(61_000)

    expect(ann.detail).to_contain_text("has not answered, so the question is withdrawn.")
    expect(bob.page.locator(".deal")).not_to_contain_text("offers a draw.")
    expect(bob.page.locator(".deal")).not_to_contain_text("The answer is no.")


def test_a_review_reopened_knows_names_and_move(open_table: OpenTable) -> None:
    """A review keeps its names and its move after a reload and when it is opened again."""
    me = open_table()
    me.two_here()
    for column in (1, 2, 1, 2):
        me.page.keyboard.press(str(column))
    me.expect_discs(4)
    me.visit("#/games")
    names = {"first": "You", "second": "Kim"}
    me.page.evaluate(
        """(names) => {
            const [game] = JSON.parse(localStorage.getItem("connectk.games"));
            localStorage.setItem("connectk.games", JSON.stringify([{ ...game, names }]));
        }""",
        names,
    )
    me.visit("#/")
    me.visit("#/games")
    me.page.get_by_role("button", name="Review: You – Kim").click()
    expect(me.page.locator("#above")).to_have_text("Kim")
    me.page.get_by_role("slider").press("Home")
    me.expect_discs(0)

    me.page.reload()
    expect(me.page.locator("#above")).to_have_text("Kim")
    me.expect_discs(0)
    me.visit("#/games")
    me.page.go_back()

    expect(me.page.locator("#above")).to_have_text("Kim")
    me.expect_discs(0)


def test_you_win_and_cells_say_the_names(open_table: OpenTable) -> None:
    """The page never says 'You wins' or 'column 4., Best'. Each cell names the player as the text beside the board
    does."""
    me = open_table()
    me.visit("#/games")
    me.page.evaluate(
        """() => localStorage.setItem("connectk.games", JSON.stringify([{ id: "here-1", variant: "7x6x4", start: "",
            moves: "1212121", ply: 7, names: { first: "You", second: "Kim" }, sides: ["first"], touched: 1,
            result: { winner: "first", reason: "line" } }]))"""
    )
    me.visit("#/")
    me.visit("#/games")
    expect(me.page.locator(".games")).to_contain_text("You win ·")
    me.page.get_by_role("button", name="Review: You – Kim").click()

    expect(me.cell(1, 4)).to_have_attribute("aria-label", "Column 1, row 4: You")
    expect(me.cell(2, 1)).to_have_attribute("aria-label", "Column 2, row 1: Kim")
    expect(me.page.locator(".sentence")).to_contain_text("You win.")
    expect(me.page.locator(".moves button").first).to_have_accessible_name(
        re.compile(r"^Move 1, You: column 1, [\w ]+$")
    )


def test_a_board_too_wide_to_show_is_refused_with_a_sentence(open_table: OpenTable) -> None:
    me = open_table("#/invite")
    me.page.get_by_label("Board", exact=True).select_option("any")
    me.page.get_by_label("Columns", exact=True).fill("200")
    me.press("Make the link")

    expect(me.page.get_by_text("The page shows boards of up to 100 columns and rows.")).to_be_visible()
    expect(me.page).to_have_url(re.compile("#/invite$"))


def test_a_demo_tells_thoughts_in_words(open_table: OpenTable) -> None:
    """The demo describes its thoughts in words instead of 'Score 0.12. 7 positions. Expects 4.'"""
    me = open_table("#/watch")
    me.page.get_by_label("First player").select_option("minimax:5")
    me.page.get_by_label("Second player").select_option("greedy")
    me.press("Start the demo")

    expect(me.page.locator(".thinking")).to_contain_text("chose column")
    expect(me.page.locator(".thinking")).to_contain_text("It thinks that")
    expect(me.page.locator(".thinking")).not_to_contain_text("Score")
