"""Tests features for which people stay: a board in play, large buttons, saved games, hints, and one-handed play on a
phone."""

from __future__ import annotations

import re

from playwright.sync_api import CDPSession, expect

from tests.web.conftest import OpenTable
from tests.web.serving import Server
from tests.web.table import Table
from tests.web.test_friends import invited, joined

PHONE_CONTEXT = {"viewport": {"width": 360, "height": 640}, "has_touch": True, "is_mobile": True}
STUB_SHARE_SCRIPT = "navigator.share = (what) => { window.shared = what; return Promise.resolve(); };"
STUB_SOUNDS_SCRIPT = """
window.tones = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) { window.tones += 1; return start.apply(this, when); };
"""


def test_the_first_board_plays_by_itself_until_it_is_touched(open_table: OpenTable) -> None:
    """The first board plays by itself until it is touched. Then it becomes empty, and the first click drops the first
    disc."""
    me = open_table(reduced_motion="no-preference")
    expect(me.discs.nth(8)).to_be_attached()

    me.cell(3, 1).hover()
    me.expect_discs(0)
    me.drop(3)

    me.expect_discs(2)
    expect(me.cell(3, 1)).to_have_attribute("aria-label", "Column 3, row 1: You")


def test_what_plays_by_itself_can_be_stopped_and_rests_for_those_who_wish_no_motion(open_table: OpenTable) -> None:
    me = open_table(reduced_motion="no-preference")
    me.press("Demo: tap to play")
    me.expect_discs(0)
    expect(me.button("Demo: tap to play")).to_have_count(0)

    still = open_table()
    expect(still.button("Demo: tap to play")).to_be_visible()
    still.expect_discs(9)
    assert still.page.evaluate("document.getAnimations().length") == 0


def test_levels_have_names_and_a_sentence_and_nothing_says_how_the_program_is_built(open_table: OpenTable) -> None:
    me = open_table()
    me.page.get_by_role("radio", name="Rex").check()
    expect(me.page.get_by_role("button", name="Play Rex")).to_contain_text("Never errs on the classic board")
    expect(me.page.locator("#above")).to_have_text("Rex")
    for path in ("#/", "#/watch", "#/games", "#/invite"):
        me.visit(path)
        assert not re.search(r"registry|level:|engine:|mcts:", me.page.locator("body").inner_text())
    me.visit("#/")
    expect(me.page.locator(".choices .large")).to_have_count(4)


def test_before_the_first_game_a_button_leads_to_it(open_table: OpenTable) -> None:
    me = open_table("#/games")
    expect(me.page.get_by_text("No games yet.")).to_be_visible()

    me.page.locator("main").get_by_role("link", name="Play", exact=True).click()

    expect(me.page.get_by_role("heading", level=1)).to_have_text("Connect Four")


def test_my_games_are_kept_continued_reviewed_and_deleted(open_table: OpenTable) -> None:
    me = open_table()
    me.drop(4)
    me.expect_discs(2)
    me.sure("Leave")
    me.go("My games")
    expect(me.page.get_by_role("heading", name="In progress")).to_be_visible()
    entry = me.page.locator(".games li")
    expect(entry).to_contain_text("You – Pip")
    entry.get_by_role("button", name="Continue").click()
    me.expect_discs(2)
    me.sure("Resign")
    expect(me.headline).to_contain_text("You resigned.")
    me.go("My games")
    expect(me.page.get_by_role("heading", name="Finished")).to_be_visible()
    entry.get_by_role("button", name="Review").click()
    expect(me.page.get_by_role("heading", name="Review")).to_be_visible()
    me.page.go_back()

    entry.get_by_role("button", name="Delete").click()
    me.press("Delete")

    expect(me.page.get_by_text("No games yet.")).to_be_visible()


def test_fifty_finished_games_are_kept_and_none_in_progress_is_lost(open_table: OpenTable) -> None:
    me = open_table()
    kept = me.page.evaluate("""async () => {
        const { saveGame, savedGames } = await import("/js/match/saved-games.js");
        const game = (id, result) => ({ id, result, touched: Number(id.slice(1)), names: {}, sides: [] });
        for (let i = 0; i < 60; i++) saveGame(game(`f${i}`, { winner: null, reason: "full" }));
        for (let i = 0; i < 60; i++) saveGame(game(`o${i}`, null));
        const all = savedGames();
        const finished = all.filter((one) => one.result);
        return [finished.length, all.length - finished.length, all.some((one) => one.id === "f0")];
    }""")
    assert kept == [50, 60, False]


def test_the_score_goes_on_across_rematches(open_table: OpenTable) -> None:
    """Across rematches, the players change sides and each keeps the number of games they have won."""
    me = open_table()
    me.drop(4)
    me.expect_discs(2)
    me.sure("Resign")
    me.press("Rematch")
    expect(me.page.locator("#below .wins")).to_have_text("0 wins")
    expect(me.page.locator("#above .wins")).to_have_text("1 win")
    me.expect_turn("Your turn.")
    me.sure("Resign")

    expect(me.page.locator("#above .wins")).to_have_text("2 wins")
    me.press("Rematch")
    expect(me.page.locator("#below")).to_contain_text("You")
    expect(me.page.locator("#above .wins")).to_have_text("2 wins")


# Whether a lit column covers its frame, and the middle of its lowest hole.
LIT_COLUMN_SCRIPT = """(column) => {
    const { x, y, width, height } = column.getBBox();
    const covers = (top) => column.isPointInFill(new DOMPoint(x + width / 2, top));
    return { frame: covers(y + 3), hole: covers(y + height - 60) };
}"""


def test_a_hint_lights_the_column_and_says_what_it_does_for_you(open_table: OpenTable) -> None:
    me = open_table()
    me.two_here()
    for column in "4455":
        me.page.keyboard.press(column)
    me.expect_discs(4)
    me.press("Hint")
    expect(me.detail).to_have_text(re.compile(r"Columns? [\d, and]+ wins? soonest\."))
    lit = me.page.locator("connectk-board .hint-column").first
    expect(lit).to_be_visible()
    assert lit.evaluate(LIT_COLUMN_SCRIPT) == {"frame": True, "hole": False}  # the discs keep their colours
    for column in "66":
        me.page.keyboard.press(column)
    me.expect_discs(6)
    expect(me.page.locator("connectk-board .hint-column")).to_have_count(0)

    me.press("Hint")

    expect(me.detail).to_have_text(re.compile(r"Columns? [\d, and]+ wins? now\."))
    expect(me.page.locator("connectk-board .threat-line").first).to_be_attached()


def slide(me: Table, cdp: CDPSession, start: int, end: int, fingers: int = 1) -> None:
    """Press in one column, slide to another column, and release there."""
    at = [me.cell(column, 3).bounding_box() for column in (start, end)]
    (x, y), (to, _) = [(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in at if box]
    touch = lambda x: [{"x": x, "y": y + 40 * i, "id": i} for i in range(fingers)]  # noqa: E731
    cdp.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": touch(x)})
    for part in range(1, 6):
        cdp.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": touch(x + (to - x) * part / 5)})
    cdp.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_on_a_phone_a_slide_chooses_and_lifting_drops(open_table: OpenTable) -> None:
    me = open_table(**PHONE_CONTEXT)
    me.two_here()
    cdp = me.page.context.new_cdp_session(me.page)
    slide(me, cdp, 2, 5)
    me.expect_discs(1)
    expect(me.cell(5, 1)).to_have_attribute("aria-label", "Column 5, row 1: first player")

    slide(me, cdp, 6, 1, fingers=2)  # a second finger means nothing
    slide(me, cdp, 7, 3)

    me.expect_discs(2)
    expect(me.cell(3, 1)).to_have_attribute("aria-label", "Column 3, row 1: second player")


def test_on_a_phone_no_button_moves_when_an_offer_comes(open_table: OpenTable) -> None:
    ann, address = invited(open_table)
    bob = joined(open_table, address)
    ann.expect_turn("Your turn.")
    ann.page.set_viewport_size({"width": 360, "height": 640})
    ann.next_frame()
    names = ("Ask to take back", "Offer a draw", "Resign")
    before = [ann.button(name).bounding_box() for name in names]

    bob.press("Offer a draw")
    expect(ann.button("Yes")).to_be_in_viewport(ratio=1)

    assert [ann.button(name).bounding_box() for name in names] == before
    for part in ("#above", "#below"):
        expect(ann.page.locator(part)).to_be_in_viewport(ratio=1)


def test_scores_can_be_read_at_320_pixels(open_table: OpenTable) -> None:
    me = open_table("#/game/7x6x4/44", viewport={"width": 320, "height": 568}, has_touch=True)
    score = me.page.locator("connectk-board .score").first
    expect(score).to_be_visible()
    assert score.evaluate("(text) => text.getBoundingClientRect().height") >= 12
    apart = me.page.evaluate("""() => [...document.querySelectorAll("connectk-board .score")]
        .map((one) => one.getBoundingClientRect())
        .every((box, index, all) => !index || box.left >= all[index - 1].right)""")
    assert apart


def test_the_end_is_large_and_the_next_game_is_the_nearest_button(open_table: OpenTable) -> None:
    me = open_table()
    me.two_here()
    before = me.headline.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)")
    for count, column in enumerate("1212121", start=1):
        me.page.keyboard.press(column)
        me.expect_discs(count)
    expect(me.headline).to_have_text("First player wins.")

    assert me.headline.evaluate("(one) => parseFloat(getComputedStyle(one).fontSize)") > before
    expect(me.page.locator(".deal button:visible").first).to_have_text("Rematch")
    me.page.set_viewport_size({"width": 360, "height": 640})
    expect(me.button("Rematch")).to_be_in_viewport(ratio=1)


def test_a_clock_can_give_seconds_back(open_table: OpenTable, server: Server) -> None:
    me = open_table()
    me.more()
    me.page.get_by_label("Clock").select_option(label="3 minutes each, 2 s back per drop")
    me.two_here()

    match = me.page.url.rpartition("/")[2]
    seats = dict(me.page.evaluate("JSON.parse(localStorage.getItem('connectk.seats'))"))
    assert server.look(f"api/matches/{match}", seats[match])["match"]["state"]["clock"]["increment"] == 2


def test_links_go_to_the_system_s_share_sheet_where_there_is_one(open_table: OpenTable) -> None:
    me = open_table("#/game/7x6x4/4453")
    me.page.add_init_script(STUB_SHARE_SCRIPT)
    me.page.reload()
    me.page.get_by_text("Share and save").click()

    me.press("Share")

    expect(me.page.get_by_role("heading", name="Review")).to_be_visible()
    me.page.wait_for_function("() => window.shared")
    assert me.page.evaluate("window.shared.url").endswith("/g/7x6x4/4453")


def test_help_shows_how_to_play_in_pictures(open_table: OpenTable) -> None:
    me = open_table()
    me.press("Help")
    expect(me.page.locator("dialog figure svg")).to_have_count(4)
    expect(me.page.locator("dialog figure").nth(3)).to_contain_text("Slanting")


def test_theme_and_discs_are_chosen_and_remembered(open_table: OpenTable) -> None:
    me = open_table(color_scheme="light")
    paper = "getComputedStyle(document.body).backgroundColor"
    first = "getComputedStyle(document.documentElement).getPropertyValue('--first')"
    light, yellow = me.page.evaluate(paper), me.page.evaluate(first)
    me.press("Look and sound")
    me.pick("Dark")
    me.pick("Sky and coral")
    me.press("Close")
    me.page.reload()
    expect(me.page.locator("html")).to_have_attribute("data-theme", "dark")

    assert me.page.evaluate(paper) != light
    assert me.page.evaluate(first) != yellow


def test_sound_is_off_until_wanted(open_table: OpenTable) -> None:
    me = open_table(reduced_motion="no-preference")
    me.page.add_init_script(STUB_SOUNDS_SCRIPT)
    me.page.reload()
    me.two_here()
    me.page.keyboard.press("1")
    me.expect_turn("Second player to move.")
    expect(me.page.locator("connectk-board .last")).to_be_visible()
    assert me.page.evaluate("window.tones") == 0

    me.press("Look and sound")
    me.page.get_by_role("checkbox", name="Sound").check()
    me.press("Close")
    me.page.wait_for_function("() => window.tones > 0")
    tones = me.page.evaluate("window.tones")
    me.page.keyboard.press("2")
    me.expect_turn("First player to move.")

    me.page.wait_for_function("(before) => window.tones > before", arg=tones)
