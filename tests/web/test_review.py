"""Tests analysis, reviews, the editor, files and the arena's table."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from connectk import Game, parse_moves
from connectk.errors import BotForfeit
from connectk.notation import SavedGame, write_saved_game
from connectk.texts import LANGUAGES, load_texts
from tests.web.conftest import OpenTable
from tests.web.serving import Server

GAME = "#/game/7x6x4/4444453323351"
SAVED_GAME = {
    "format": "connectk-game",
    "version": 1,
    "variant": "7x6x4",
    "moves": "4453",
    "players": {"first": "Ann", "second": "Bob"},
    "result": None,
    "time": {},
}


def test_a_finished_game_is_reviewed(open_table: OpenTable) -> None:
    """A finished game can be reviewed with graph, labels, accuracy and turning point, and played on from there."""
    me = open_table()
    me.two_here()
    for count, column in enumerate((1, 2, 1, 2, 1, 3, 1), start=1):
        me.drop(column)
        me.expect_discs(count)
    me.press("Review")

    expect(me.page.locator("#turning")).to_contain_text("Second player did not block column 1.")
    expect(me.page.locator(".facts dd").first).to_have_text(re.compile(r"\d+%"))
    me.press("Go there")
    expect(me.page.locator("connectk-board .score").first).to_be_visible()
    me.press("Play from here")

    expect(me.page).to_have_url(re.compile("#/match/"))


@pytest.mark.parametrize(
    ("locale", "moves", "sentence"),
    [
        (
            "en-GB",
            "536376",
            "Move 6, column 6. Second player did not block column 4. First player can now win at once.",
        ),
        ("fi-FI", "536376", "Toinen pelaaja ei torjunut sarakkeessa 4. Ensimmäinen pelaaja voi nyt voittaa heti."),
        ("sv-SE", "536376", "Andra spelaren blockerade inte kolumn 4. Första spelaren kan nu vinna genast."),
        (
            "en-GB",
            "4433",
            "Blunder. Second player let a win go: columns 2 and 5 win in 19. First player can now win in 2.",
        ),
        ("en-GB", "4433", "It lets the first player play column 5, with two threats at once, in columns 2 and 6."),
        ("en-GB", "534773226", "Mistake. Column 4 loses in 15, this one in 6. It lets the second player win by force"),
    ],
)
def test_a_coach_says_what_a_move_let_go_and_what_follows(
    open_table: OpenTable, locale: str, moves: str, sentence: str
) -> None:
    """The coach says, with both players' names, what a move gave away and what follows, in two places."""
    me = open_table(f"#/game/7x6x4/{moves}", locale=locale)

    expect(me.page.locator("#turning")).to_contain_text(sentence)
    expect(me.page.locator(".sentence")).to_contain_text(sentence)


def test_a_coach_speaks_to_you(open_table: OpenTable) -> None:
    me = open_table()
    me.drop_file(
        "game.json", json.dumps(SAVED_GAME | {"moves": "4152611", "players": {"first": "You", "second": "Kim"}})
    )

    expect(me.page.locator(".sentence")).to_contain_text("You missed a win in columns 3 and 7.")


def test_the_better_line_and_the_answer_are_drawn_on_the_board(open_table: OpenTable) -> None:
    """The better line and the refutation each have a button, which shows their numbered drops on the board."""
    me = open_table("#/game/7x6x4/536376")
    numbers = me.page.locator("connectk-board .drop-number")
    me.page.locator("#turning").wait_for()

    me.page.get_by_role("button", name="One answer: 4.").click()
    expect(numbers).to_have_text(["1"])
    me.expect_discs(6)
    me.page.get_by_role("button", name=re.compile("One better way: 4 ")).click()
    expect(numbers.first).to_have_text("1")
    me.expect_discs(5)
    me.page.get_by_role("slider").press("Home")
    expect(numbers).to_have_count(0)


def test_discs_that_were_given_are_marked_and_nobody_is_judged_for_them(open_table: OpenTable) -> None:
    """Discs that a saved game marks as given are marked in the review, and nobody is judged for them."""
    me = open_table("#/watch")
    saved = SavedGame(Game(moves=parse_moves("1444")), given=1)

    me.drop_file("0001.json", write_saved_game(saved))
    expect(me.page.get_by_text("The first disc was given; nobody is judged for it.")).to_be_visible()
    me.page.get_by_role("slider").press("Home")
    me.page.get_by_role("slider").press("ArrowRight")
    expect(me.page.locator(".sentence")).to_contain_text("Given.")


def test_the_graph_is_the_scrub_bar(open_table: OpenTable) -> None:
    me = open_table(GAME)
    slider = me.page.get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuenow", "13")

    slider.press("Home")
    me.expect_discs(0)
    slider.press("ArrowRight")
    me.expect_discs(1)
    expect(slider).to_have_attribute("aria-valuetext", re.compile("Move 1, First player: column 4."))
    box = slider.bounding_box()
    assert box is not None
    me.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + 20)

    expect(slider).to_have_attribute("aria-valuenow", re.compile("6|7"))


def test_threats_are_shown_with_a_sentence_why(open_table: OpenTable) -> None:
    me = open_table("#/game/7x6x4/414142")

    me.page.get_by_label("Show threats").check()

    expect(me.page.locator("connectk-board .threat")).to_have_count(1)
    expect(me.page.locator("connectk-board .threat-line")).to_have_count(1)
    sentence = "First player can win in column 4: the line is drawn on the board."
    expect(me.page.locator("#threats")).to_contain_text(sentence)


def test_large_signs_say_without_colour_what_each_column_does(open_table: OpenTable) -> None:
    """Large signs in the playable cells show what each column does without colours. The setting is remembered."""
    me = open_table("#/game/7x6x4/445")
    signs = me.page.locator("connectk-board .sign")
    expect(me.page.locator("connectk-board .score").first).to_be_visible()
    expect(signs).to_have_count(0)
    me.page.get_by_label("Large signs").check()
    expect(signs).to_have_count(7)
    expect(me.page.locator("connectk-board .sign.best")).to_have_count(2)
    fills = {sign.evaluate("(one) => getComputedStyle(one).fill") for sign in signs.all()}
    assert len(fills) == 1
    me.page.keyboard.press("ArrowLeft")
    expect(me.page.locator("connectk-board .sign.best")).to_have_count(1)
    me.page.reload()
    expect(signs).to_have_count(7)
    me.visit("#/learn")
    expect(signs).to_have_count(0)


def test_a_click_explores_a_line_of_its_own(open_table: OpenTable) -> None:
    me = open_table("#/review")
    me.drop(4)
    me.expect_discs(1)
    me.drop(3)
    me.expect_discs(2)

    expect(me.page).to_have_url(re.compile("#/game/7x6x4/43"))


def test_columns_clicked_before_their_boards_come_are_tried_in_turn(open_table: OpenTable) -> None:
    me = open_table("#/review")
    held: list[Route] = []
    released = False
    me.page.route("**/api/page/game", lambda route: route.continue_() if released else held.append(route))
    me.drop(4)
    me.drop(3)
    me.page.wait_for_function("() => document.querySelectorAll('connectk-board .disc').length > 0")
    released = True
    for route in held:
        route.continue_()

    expect(me.page).to_have_url(re.compile("#/game/7x6x4/43$"))
    me.expect_discs(2)


def test_a_column_clicked_before_the_game_is_known_is_tried_when_it_is(open_table: OpenTable) -> None:
    me = open_table("#/invite")
    held: list[Route] = []
    released = False
    me.page.route("**/api/page/game", lambda route: route.continue_() if released else held.append(route))
    me.page.evaluate("location.hash = '#/review'")
    while not held:
        me.page.wait_for_timeout(10)
    me.drop(4)
    released = True
    held[0].continue_()

    expect(me.page).to_have_url(re.compile("#/game/7x6x4/4$"))
    me.expect_discs(1)


def test_replay_goes_on_by_itself(open_table: OpenTable) -> None:
    me = open_table(GAME)
    slider = me.page.get_by_role("slider")
    me.page.get_by_label("Speed").select_option("0.5")
    me.press("Replay")
    me.press("Pause")
    expect(slider).to_have_attribute("aria-valuenow", re.compile("^[0-6]$"))  # it began anew
    me.page.get_by_label("Speed").select_option("4")

    me.press("Replay")

    expect(slider).to_have_attribute("aria-valuenow", "13")
    expect(me.button("Replay")).to_be_visible()


def test_a_game_is_saved_in_every_form(open_table: OpenTable) -> None:
    me = open_table(GAME)
    me.page.get_by_text("Share and save").click()
    for name, begins in {"SVG": b"<svg", "PNG": b"\x89PNG", "GIF": b"GIF8", "Saved game": b"{"}.items():
        with me.page.expect_download() as download:
            me.press(name)

        assert Path(download.value.path()).read_bytes().startswith(begins)


def test_a_saved_game_comes_back_with_its_players(open_table: OpenTable) -> None:
    me = open_table()

    me.drop_file("game.json", json.dumps(SAVED_GAME))

    expect(me.page.get_by_role("heading", name="Review")).to_be_visible()
    me.expect_discs(4)
    expect(me.page.locator(".accuracies")).to_contain_text(re.compile(r"Ann\s*\d+% accurate"))


def test_a_connect_z_file_is_judged_and_shown(open_table: OpenTable) -> None:
    me = open_table()

    me.drop_file("game.txt", "7 6 4\n1\n2\n1\n2\n1\n2\n1\n2\n")

    expect(me.page.get_by_text("Connect-Z code 4: line 9 goes on after the win.")).to_be_visible()
    me.expect_discs(7)


def test_a_file_that_is_no_game_says_so(open_table: OpenTable) -> None:
    me = open_table()
    me.drop_file("poem.txt", "roses are red")

    expect(me.page.get_by_role("alert")).to_contain_text("is not a column")


def test_the_editor_says_what_is_wrong_as_it_happens(open_table: OpenTable) -> None:
    me = open_table("#/editor")
    status = me.page.locator("#editor-status")
    expect(status).to_have_text("First player to move.")

    me.cell(4, 2).click()
    expect(status).to_have_text("The disc in column 4, row 2 has nothing beneath it.")
    expect(me.button("Play from here")).to_be_disabled()
    me.cell(4, 1).click()
    expect(status).to_have_text(
        "Discs: 2 of the first player and 0 of the second; that cannot be, for players take turns."
    )
    me.pick("Second")
    me.cell(4, 2).click()
    expect(status).to_have_text("First player to move.")
    me.press("Play from here")

    expect(me.page).to_have_url(re.compile("#/match/"))
    me.expect_turn("Your turn.")
    me.expect_discs(2)


def test_the_editor_takes_any_board_and_moves(open_table: OpenTable) -> None:
    me = open_table("#/editor")
    me.page.get_by_label("Columns").fill("9")
    me.page.get_by_label("Moves").fill("559")
    me.page.get_by_label("Moves").press("Enter")
    me.expect_discs(3)
    expect(me.page.locator("#editor-status")).to_have_text("Second player to move.")

    me.press("Analyse")

    expect(me.page).to_have_url(re.compile("#/game/9x6x4/559$"))
    me.page.reload()
    me.expect_discs(3)
    expect(me.cell(5, 2)).to_have_attribute("aria-label", "Column 5, row 2: second player")


def arena_file(forfeit: str | None = None) -> str:
    """A results file of `connectk arena` with two games. If `forfeit` is given, a bot loses the second game by this
    fault."""
    header = {"format": "connectk-arena", "version": 2, "players": ["greedy", "random"], "variant": "7x6x4", "games": 2}
    header |= {"seed": 1, "gauntlet": False, "openings": [""]}
    game = {"opening": 0, "reason": "line", "forfeit": None, "started": ""}
    won = {"moves": "1212121", "winner": "first", "seconds": [0.1] * 7}
    lost = {"moves": "12123232", "winner": "second", "seconds": [0.1] * 8}
    lines = [
        header,
        {**game, **won, "number": 1, "first": "greedy", "second": "random"},
        {**game, **lost, "forfeit": forfeit, "number": 2, "first": "random", "second": "greedy"},
    ]
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_an_arena_s_results_become_a_table(open_table: OpenTable) -> None:
    me = open_table("#/watch")
    me.drop_file("results.jsonl", arena_file())

    expect(me.page.get_by_role("heading", name="Arena results")).to_be_visible()
    expect(me.page.get_by_role("table").first.get_by_role("row").nth(1)).to_contain_text("greedy")
    expect(me.page.get_by_role("table").nth(1)).to_contain_text("2 / 2")


def test_a_bot_s_fault_is_told_in_the_language_of_the_page(open_table: OpenTable) -> None:
    """A bot's fault, which the results file describes in English, is shown in the page's current language."""
    fault = BotForfeit("random", "stopped", "error.BotForfeit.stopped")
    me = open_table("#/arena")
    me.drop_file("results.jsonl", arena_file(str(fault)))
    fault_line = me.page.locator("#arena-results p.bad")
    expect(fault_line).to_have_text(f"Forfeit, 1 game: {fault}")
    for language in LANGUAGES:
        me.page.locator("#language").select_option(language)
        texts = load_texts(language)
        expect(fault_line).to_have_text(texts("arena.fault", reason=fault.localize(texts), count=1))


def test_live_matches_can_be_watched(open_table: OpenTable, server: Server) -> None:
    """Live matches can be watched. The match waits for the spectator, so it cannot end before."""
    player = {"kind": "player", "player": "engine:300ms"}
    entry = server.ask("api/matches", first={"kind": "me"}, second=player, public=True)
    guest = open_table("#/watch")

    guest.page.get_by_role("listitem").filter(has_text="Engine").get_by_role("button", name="Watch").click()
    expect(guest.headline).to_contain_text("to move")
    server.ask(f"api/matches/{entry['match']['id']}/drops", entry["secret"], column=3, ply=0)

    guest.expect_discs(2)
    expect(guest.page.locator(".thinking")).to_contain_text("Engine chose column")
