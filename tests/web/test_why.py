"""Why: one click after a blunder, in the hint and for a position; step by step, and proved again elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, expect
from typer.testing import CliRunner

from connectk.cli import app
from connectk.texts import load_texts
from tests.web.conftest import OpenTable
from tests.web.table import Table

FORCE = "3344"  # the lowest row is open on both sides
STRATEGY = "4444443265353"


def dialog(me: Table) -> Locator:
    found = me.page.locator("dialog.why")
    expect(found.locator(".why-words")).not_to_be_empty()
    return found


def test_why_is_one_click_after_a_blunder(open_table: OpenTable) -> None:
    """The turning point, its explanation drop by drop, and back to the review by Escape."""
    me = open_table("#/game/7x6x4/3344251")
    me.page.locator("#turning").get_by_role("button", name="Why?").click()
    shown = dialog(me)
    expect(shown.locator(".why-words")).to_have_text(
        "Column 2 threatens to win in columns 1, 5 at once; only one of them can be blocked."
    )
    expect(shown.locator(".drop-number")).to_have_text(["1"])
    expect(shown.locator(".why-threat")).to_have_count(2)

    me.page.keyboard.press("ArrowRight")
    expect(shown.locator(".why-words")).to_have_text("Column 5 completes the line.")
    expect(shown.locator(".drop-number")).to_have_text(["1", "2", "3"])
    me.escape()

    me.expect_discs(4)


def test_a_double_click_asks_once(open_table: OpenTable) -> None:
    me = open_table("#/game/7x6x4/3344")
    me.page.locator(".onwards").get_by_role("button", name="Why?").evaluate("(one) => { one.click(); one.click(); }")
    expect(dialog(me)).to_have_count(1)


def test_why_is_one_click_in_the_hint(open_table: OpenTable) -> None:
    """It belongs to the hint: with the next disc it is gone."""
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
    """All answers first; then a rule with its own cells and the lines that it stops. Buttons do the same as keys."""
    me = open_table(f"#/game/7x6x4/{STRATEGY}")
    me.page.locator(".onwards").get_by_role("button", name="Why?").click()
    shown = dialog(me)
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
    """What is saved holds for `connectk why --check`; dropped on the page it is checked and shown; altered, refused."""
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
