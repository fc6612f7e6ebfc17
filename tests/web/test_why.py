"""Tests explanations on the page, step by step: after a blunder, in a hint and for a position. A saved one is checked
again."""

from __future__ import annotations

import json
import random
import re
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Route, expect
from typer.testing import CliRunner

from connectk.cli import app
from connectk.rules import Position
from connectk.texts import load_texts
from connectk.why import explain
from connectk.why.playing import describe_turn, game_against
from tests.web.conftest import OpenTable
from tests.web.table import Table

ANYTHING = re.compile(".")
FORCE = "3344"  # the lowest row is open on both sides
STRATEGY = "4444443265353"


def dialog(me: Table) -> Locator:
    """The dialog of the explanation after the button for the proof is pressed."""
    found = me.page.locator("dialog.why")
    proof, words = found.locator(".why-prove"), found.locator(".why-words")
    expect(proof.or_(words).filter(visible=True).filter(has_text=ANYTHING)).to_have_count(1)
    if proof.is_visible():
        expect(found.locator(".why-coach p").first).to_be_visible()
        proof.click()
    expect(words).not_to_be_empty()
    return found


def test_why_is_one_click_after_a_blunder(open_table: OpenTable) -> None:
    """One click after a blunder, the dialog explains the turning point drop by drop. Escape leads back to the
    review."""
    me = open_table("#/game/7x6x4/3344251")
    me.page.locator("#turning").get_by_role("button", name="Why?").click()
    shown = dialog(me)
    expect(shown.locator(".why-words")).to_have_text(
        "Column 2 threatens to win in columns 1 and 5 at once; only one of them can be blocked."
    )
    expect(shown.locator(".drop-number")).to_have_text(["1"])
    expect(shown.locator(".why-threat")).to_have_count(2)

    me.page.keyboard.press("ArrowRight")
    expect(shown.locator(".why-words")).to_have_text("Column 5 completes the line.")
    expect(shown.locator(".drop-number")).to_have_text(["1", "2", "3"])
    me.escape()

    me.expect_discs(4)


def test_a_coach_speaks_first(open_table: OpenTable) -> None:
    """The coach says at most three sentences beside the position and its lines, and the arrows lead on to the proof."""
    me = open_table("#/why/7x6x4/5347732264")
    shown = me.page.locator("dialog.why")
    said = shown.locator(".why-coach p")
    expect(said).to_have_count(3)
    expect(said.first).to_contain_text("Yellow must block in column 5 now")
    expect(shown.locator("connectk-board .disc:not(.ghost)")).to_have_count(10)
    expect(shown.locator(".stopped").first).to_be_attached()
    expect(shown.locator(".why-words")).to_be_hidden()

    me.page.keyboard.press("ArrowRight")
    expect(shown.locator(".why-words")).to_contain_text("Win if you can, block if you must.")
    expect(shown.locator(".why-prove")).to_be_hidden()


def test_an_opening_is_walked_through(open_table: OpenTable) -> None:
    """In an opening, the dialog marks what each column does, shows a certified strategy's drop, and has a button for
    each reply."""
    me = open_table("#/why/7x6x4/44")
    said = me.page.locator(".why-coach")
    expect(said).to_contain_text("a certified strategy of 8,525 boards")
    expect(me.page.locator("dialog.why .answer-dot")).to_have_count(7)
    me.page.locator("dialog.why").get_by_role("button", name="After column 1").click()

    expect(me.page.locator("dialog.why connectk-board .disc:not(.ghost)")).to_have_count(4)
    expect(said).to_contain_text("a certified strategy of 8,525 boards")


def test_an_opening_goes_on_by_a_tap_on_the_board(open_table: OpenTable) -> None:
    me = open_table("#/why/7x6x4/44")
    board = me.page.locator("dialog.why connectk-board")
    expect(me.page.locator(".why-coach")).to_contain_text("a certified strategy")
    tap(board, 0)
    expect(board.locator(".disc:not(.ghost)")).to_have_count(4)


def tap(board: Locator, column: int) -> None:
    board.evaluate("(one, column) => one.dispatchEvent(new CustomEvent('choose', { detail: { column } }))", column)


def test_an_explanation_is_played_against(open_table: OpenTable) -> None:
    """Against the person, the strategy answers each disc with its reason and wins. The person can take back and end the
    game."""
    me = open_table("#/why/7x6x4/5347732264")
    shown = me.page.locator("dialog.why")
    discs, words = shown.locator("connectk-board .disc:not(.ghost)"), shown.locator(".why-words")
    shown.get_by_role("button", name="Play against it").click()
    expect(words).to_have_text("You drop for Yellow: try to stop the win.")
    expect(shown.get_by_role("button", name="Take back")).to_be_disabled()
    tap(shown.locator("connectk-board"), 0)
    expect(words).to_have_text("Column 1 completes a line. The strategy has won.")
    shown.get_by_role("button", name="Take back").click()
    expect(discs).to_have_count(10)
    tap(shown.locator("connectk-board"), 4)
    expect(words).to_contain_text("You drop for Yellow: try to stop the win.")
    expect(discs).to_have_count(12)
    assert Axe().run(me.page).response["violations"] == []
    shown.get_by_role("button", name="Back to the explanation").click()
    expect(words).to_contain_text("Win if you can, block if you must.")
    expect(discs).to_have_count(10)


def test_without_an_explanation_one_line_of_play_is_offered(open_table: OpenTable) -> None:
    def without_proof(route: Route) -> None:
        answer = route.fetch().json()
        route.fulfill(json=answer | {"claim": None, "explanation": None, "boards": 0, "steps": answer["steps"][:1]})

    me = open_table("#/")
    me.page.route("**/api/why", without_proof)
    me.visit("#/why/7x6x4/5347732264")
    me.page.get_by_role("button", name="Show one way it can go").click()
    expect(me.page.locator(".why-words")).not_to_be_empty()


def test_the_page_answers_as_python_does(open_table: OpenTable) -> None:
    """The page and Python answer the same discs with the same words, also in a tree in which the strategy drops
    first."""
    for moves in ("5347732264", "44733122451714", "4444443265353", "7711137267673354"):
        found = explain(Position.from_moves(moves)).found
        assert found is not None
        game, dice, texts = game_against(found), random.Random(moves), load_texts("en")
        me = open_table(f"#/why/7x6x4/{moves}")
        shown = me.page.locator("dialog.why")
        shown.get_by_role("button", name="Play against it").click()
        while True:
            expect(shown.locator(".why-words")).to_have_text(describe_turn(game, texts))
            if game.turn.position.outcome:
                break
            column = dice.choice(game.turn.position.legal_columns)
            game.drop(column)
            tap(shown.locator("connectk-board"), column)


def test_the_colours_have_the_names_of_this_device(open_table: OpenTable) -> None:
    me = open_table("#/")
    me.page.evaluate("localStorage.setItem('connectk.look', JSON.stringify({ discs: 'ink' }))")
    me.visit("#/why/7x6x4/3344")
    expect(me.page.locator(".why-coach p")).to_contain_text("White drops into column 2")


def test_a_double_click_asks_once(open_table: OpenTable) -> None:
    me = open_table("#/game/7x6x4/3344")
    me.page.locator(".onwards").get_by_role("button", name="Why?").evaluate("(one) => { one.click(); one.click(); }")
    expect(dialog(me)).to_have_count(1)


def test_why_is_one_click_in_the_hint(open_table: OpenTable) -> None:
    """A hint has a button that explains it, which disappears with the next disc."""
    me = open_table()
    me.two_here()
    for count, column in enumerate((3, 3, 4, 4), start=1):
        me.drop(column)
        me.expect_discs(count)
    expect(me.button("Why?")).to_be_hidden()
    me.press("Hint")
    me.press("Why?")
    expect(dialog(me).locator(".why-headline")).to_contain_text("The first player wins.")
    me.escape()
    me.drop(2)
    me.expect_discs(5)

    expect(me.button("Why?")).to_be_hidden()


def test_a_strategy_is_drawn_over_its_board(open_table: OpenTable) -> None:
    """The first step of a strategy draws all its answers; the next draws one rule, its cells and the lines that it
    stops."""
    me = open_table(f"#/game/7x6x4/{STRATEGY}")
    me.page.locator(".onwards").get_by_role("button", name="Why?").click()
    shown = dialog(me)
    expect(shown.locator(".answer-dot").first).to_be_attached()
    every = shown.locator(".answer-dot").count()
    shown.get_by_role("button", name="The next step").click()

    expect(shown.locator(".why-words")).to_contain_text("Claimeven")
    assert 0 < shown.locator(".answer-dot").count() < every
    expect(shown.locator(".stopped").first).to_be_attached()
    shown.get_by_role("button", name="The step before").click()
    expect(shown.locator(".answer-dot")).to_have_count(every)


def test_a_tree_leads_to_the_board_of_each_reply(open_table: OpenTable) -> None:
    me = open_table("#/why/4x4x4/-")
    shown = dialog(me)
    expect(shown.locator(".why-headline")).to_contain_text("The second player holds at least a draw.")
    shown.get_by_role("button", name="After column 2").click()

    expect(shown.locator("connectk-board .disc:not(.ghost)")).to_have_count(2)
    expect(shown.get_by_role("combobox", name="Boards")).not_to_have_value("0")


def test_the_page_s_proof_is_proved_again_by_the_command_and_the_page(open_table: OpenTable, tmp_path: Path) -> None:
    """`connectk why --check` accepts the explanation that the page saved, and another page refuses an altered file."""
    me = open_table(f"#/why/7x6x4/{STRATEGY}")
    with me.page.expect_download() as saved:
        dialog(me).get_by_role("button", name="Save the proof").click()
    file = tmp_path / "why.json"
    saved.value.save_as(file)
    done = CliRunner().invoke(app, ["why", "--check", str(file), "--language", "en"], catch_exceptions=False)
    assert load_texts("en")("why.claim.first.wins") in done.stdout

    other = open_table("#/game/7x6x4/44")
    other.page.get_by_text("Share and save").click()
    picker = other.page.locator("input[type=file]")
    picker.set_input_files(file)
    expect(dialog(other).locator(".why-headline")).to_contain_text("The first player wins.")

    document = json.loads(file.read_text(encoding="utf-8"))
    document["claim"]["side"] = "second"
    file.write_text(json.dumps(document), encoding="utf-8")
    third = open_table("#/game/7x6x4/44")
    third.expected_complaints.add("422")
    third.page.get_by_text("Share and save").click()
    third.page.locator("input[type=file]").set_input_files(file)
    expect(third.page.locator("#panel, #notice").filter(has_text="does not hold")).to_be_visible()


@pytest.mark.parametrize(
    ("locale", "claim", "step"),
    [("fi-FI", "Ensimmäinen pelaaja voittaa.", "Seuraava vaihe"), ("sv-SE", "Första spelaren vinner.", "Nästa steg")],
)
def test_it_speaks_the_page_s_language(open_table: OpenTable, locale: str, claim: str, step: str) -> None:
    me = open_table(f"#/why/7x6x4/{FORCE}", locale=locale)

    expect(dialog(me).locator(".why-headline")).to_contain_text(claim)
    expect(dialog(me).get_by_role("button", name=step)).to_be_visible()


def test_on_a_phone_it_fits_and_axe_finds_nothing(open_table: OpenTable) -> None:
    me = open_table(f"#/why/7x6x4/{STRATEGY}", viewport={"width": 360, "height": 740}, bypass_csp=True)
    shown = dialog(me)
    box = shown.bounding_box()
    assert box is not None
    assert box["width"] <= 360
    assert shown.evaluate("(one) => one.scrollWidth <= one.clientWidth")
    expect(shown.get_by_role("button", name="The next step")).to_be_in_viewport()

    assert Axe().run(me.page).response["violations"] == []
