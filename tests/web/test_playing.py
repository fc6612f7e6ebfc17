"""Tests each way to play, from the first disc to the last."""

from __future__ import annotations

import re

from playwright.sync_api import Route, expect

from tests.web.conftest import OpenTable
from tests.web.serving import Server


def test_home_is_a_board_that_is_already_playable(open_table: OpenTable) -> None:
    """The first screen has a board that is playable at once: the computer answers after one click."""
    me = open_table()

    me.drop(4)

    me.expect_discs(2)
    expect(me.page).to_have_url(re.compile("#/match/"))
    expect(me.cell(4, 1)).to_have_attribute("aria-label", "Column 4, row 1: You")
    me.expect_turn("Your turn.")


def test_one_player_to_the_end_and_a_rematch(open_table: OpenTable) -> None:
    me = open_table()
    me.more()
    me.page.get_by_label("Board", exact=True).select_option("5x4x3")
    me.page.locator("connectk-board[style*='--board-columns: 5']").wait_for()
    me.drop(3)
    me.expect_turn("Your turn.")

    me.play_until_over()

    expect(me.headline).to_contain_text(re.compile("win|draw"))
    me.press("Rematch")
    expect(me.button("Rematch")).to_be_hidden()
    me.expect_turn("Your turn.")  # the computer starts now, and has played
    me.expect_discs(1)


def test_a_rematch_that_has_begun_is_gone_to(open_table: OpenTable) -> None:
    """Pressing Rematch again in the earlier match leads to the same rematch."""
    me = open_table()
    me.drop(4)
    me.expect_turn("Your turn.")
    me.sure("Resign")
    me.press("Rematch")
    expect(me.button("Rematch")).to_be_hidden()
    rematch = me.page.url
    me.page.go_back()
    me.press("Rematch")
    expect(me.page).to_have_url(rematch)
    expect(me.button("Rematch")).to_be_hidden()


def test_the_computer_starts_when_asked(open_table: OpenTable) -> None:
    me = open_table()
    me.more()
    me.pick("Computer")

    me.drop(4)
    expect(me.page.locator("#home-status")).to_have_text("The computer starts: press Play Pip.")
    me.page.get_by_role("button", name="Play Pip").click()

    me.expect_discs(1)
    me.expect_turn("Your turn.")


def test_what_is_said_while_the_board_is_on_its_way_stays(open_table: OpenTable) -> None:
    """A sentence that answers a click stays when the board arrives later."""
    me = open_table()
    me.more()
    held: list[Route] = []
    me.page.route("**/api/page/game", lambda route: held.append(route))
    me.pick("Computer")

    me.drop(4)
    status = me.page.locator("#home-status")
    expect(status).to_have_text("The computer starts: press Play Pip.")
    while not held:
        me.page.wait_for_timeout(20)
    for route in held:
        with me.page.expect_response("**/api/page/game") as answered:
            route.continue_()
        answered.value.finished()
    me.next_frame()

    expect(status).to_have_text("The computer starts: press Play Pip.")
    me.page.unroute("**/api/page/game")


def test_two_players_here_until_a_line_is_drawn(open_table: OpenTable) -> None:
    me = open_table()
    me.two_here()
    for count, column in enumerate((1, 2, 1, 2, 1, 2, 1), start=1):
        me.drop(column)
        me.expect_discs(count)

    expect(me.headline).to_have_text("First player wins.")
    expect(me.live).to_have_text("First player dropped in column 1, row 4. First player wins.")
    expect(me.page.locator("connectk-board .won")).to_have_count(4)
    expect(me.page.locator("connectk-board .line")).to_have_count(1)


def test_a_full_column_is_refused_and_the_turn_stays(open_table: OpenTable) -> None:
    me = open_table()
    me.two_here()
    for count in range(1, 7):
        me.drop(4)
        me.expect_discs(count)

    me.drop(4)

    expect(me.detail).to_have_text("Column 4 is full, pick another.")
    me.expect_discs(6)


def test_undo_redo_hint_and_start_again(open_table: OpenTable) -> None:
    me = open_table()
    me.drop(4)
    me.expect_discs(2)
    played = me.page.evaluate("document.querySelector('connectk-board').state.discs.map((d) => d.column).sort()")

    me.press("Undo")
    me.expect_discs(0)
    me.press("Redo")
    me.expect_discs(2)
    again = me.page.evaluate("document.querySelector('connectk-board').state.discs.map((d) => d.column).sort()")
    me.press("Hint")
    expect(me.detail).to_have_text(re.compile("Column"))
    expect(me.page.locator("connectk-board .score").first).to_be_visible()
    me.press("Start again")

    me.expect_discs(0)
    assert again == played


def test_a_hint_asked_for_while_discs_fall_comes_when_they_lie(open_table: OpenTable) -> None:
    """Four drops and a hint that are pressed faster than the server answers are handled in order."""
    me = open_table()
    me.two_here()
    for key in "44343h":
        me.page.keyboard.press(key)

    expect(me.page.locator("connectk-board .hint-column").first).to_be_visible()
    me.expect_discs(5)


def test_a_click_made_while_the_computer_thinks_is_played_when_it_is_done(
    open_table: OpenTable, server: Server
) -> None:
    me = open_table()
    entry = server.ask(
        "api/matches",
        first={"kind": "me"},
        second={"kind": "player", "player": "engine:4000ms"},
        variant={"width": 9, "height": 8, "run": 5},
    )
    me.saved_seat(entry["match"]["id"], entry["secret"])
    me.page.goto(f"{server.url}#/match/{entry['match']['id']}")
    me.expect_turn("Your turn.")

    me.note(".deal p")
    me.drop(1)
    me.drop(2)

    me.expect_noted("Column 2 is next; it drops when the computer is done.")
    expect(me.cell(2, 1)).to_have_attribute("aria-label", "Column 2, row 1: You")


def test_the_clock_runs_and_ends_the_game(open_table: OpenTable, server: Server) -> None:
    me = open_table()
    entry = server.ask("api/matches", first={"kind": "me"}, second={"kind": "me"}, clock={"seconds": 2})
    me.saved_seat(entry["match"]["id"], entry["secret"])

    me.page.goto(f"{server.url}#/match/{entry['match']['id']}")

    expect(me.page.locator(".clock")).to_have_text(["0:02", "0:02"])
    me.page.wait_for_timeout(2500)  # nobody has dropped yet: it does not run
    expect(me.page.locator(".clock")).to_have_text(["0:02", "0:02"])
    me.drop(1)
    expect(me.page.locator(".clock")).to_have_text(["0:00", "0:02"])  # the first player sits below
    expect(me.headline).to_have_text("First player wins. Second player ran out of time.")


def test_a_click_between_home_and_the_match_is_kept(open_table: OpenTable) -> None:
    """A second disc that is chosen before the match's screen is open is kept and dropped."""
    me = open_table()
    board = "document.querySelector('connectk-board')"
    choose = f"() => {board}.dispatchEvent(new CustomEvent('choose', {{ detail: {{ column: 1 }} }}))"
    me.page.evaluate(f"navigation.addEventListener('navigate', {choose}, {{ once: true }})")

    me.drop(1)

    expect(me.page.locator(".moves li:nth-child(3)")).to_have_text("2")


def test_a_demo_shows_what_the_players_think(open_table: OpenTable) -> None:
    me = open_table("#/watch")
    me.page.get_by_label("First player").select_option("mcts:1000")
    me.page.get_by_label("Second player").select_option("mcts:1000")
    me.page.get_by_label("Board", exact=True).select_option("7x6x4")
    me.press("Start the demo")
    for _ in range(2):
        me.press("Faster")

    expect(me.page.locator(".thinking")).to_contain_text("column")
    expect(me.headline).to_contain_text(re.compile("wins|draw"))
    expect(me.button("Undo")).to_have_count(0)


def test_scores_while_you_think_can_be_switched_on_and_off(open_table: OpenTable) -> None:
    me = open_table()
    me.drop(4)
    me.expect_discs(2)

    me.page.get_by_label("Show each column's score").check()
    expect(me.page.locator("connectk-board .score")).to_have_count(14)
    me.page.get_by_label("Show each column's score").uncheck()

    expect(me.page.locator("connectk-board .score")).to_have_count(0)


def test_any_board_and_what_is_wrong_with_one(open_table: OpenTable) -> None:
    me = open_table()
    me.more()
    me.page.get_by_label("Board", exact=True).select_option("any")
    me.page.get_by_label("Columns", exact=True).fill("3")
    me.page.get_by_label("Columns", exact=True).press("Enter")
    me.page.get_by_label("Rows", exact=True).fill("3")
    me.page.get_by_label("Rows", exact=True).press("Enter")

    expect(me.page.locator("#home-status")).to_have_text("A run of 4 does not fit on a board 3 wide and 3 high.")
    me.page.get_by_label("In a row wins").fill("3")
    me.page.get_by_label("In a row wins").press("Enter")
    me.drop(2)

    me.expect_discs(2)


def test_of_two_threats_no_column_is_said_to_stop_the_line(open_table: OpenTable) -> None:
    """If the other side has two threats, no column is said to stop the line."""
    me = open_table()
    me.two_here()
    for count, column in enumerate((2, 2, 3, 3, 4), start=1):
        me.drop(column)
        me.expect_discs(count)
    me.press("Hint")

    expect(me.page.locator("main")).to_contain_text("You are losing; columns 1, 2, 3, 4, 5, 6, and 7 hold out longest.")
