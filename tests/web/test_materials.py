"""Tests the four materials of board and discs: readable for everybody, and flat in print and with forced colours."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from connectk.drawing.palette import BOARD_PALETTES, DISC_PALETTES, GRADIENTS, LIGHT_COLOURS, rgb
from tests.web.conftest import OpenTable
from tests.web.table import Table

BOARDS = ("classic", *BOARD_PALETTES)
FILLS_SCRIPT = """() => Object.fromEntries([".frame", ".wall", ".first .face", ".second .plate"].map(
    (part) => [part, getComputedStyle(document.querySelector(`connectk-board ${part}`)).fill]))"""


def fills(me: Table) -> dict[str, str]:
    """Return how each part of a board with discs of both sides is painted."""
    for side in ("first", "second"):
        expect(me.page.locator(f"connectk-board .disc.{side}").first).to_be_attached()
    painted: dict[str, str] = me.page.evaluate(FILLS_SCRIPT)
    return painted


def breaches(me: Table) -> list[str]:
    found: dict[str, Any] = Axe().run(me.page).response
    return [f"{rule['id']}: {rule['nodes'][0]['html'][:200]}" for rule in found["violations"]]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing_with_any_material(open_table: OpenTable, theme: str) -> None:
    """With any material, axe finds nothing on the first screen of a person with progress, or in the dialog for the
    look."""
    me = open_table(color_scheme=theme, bypass_csp=True)
    for board in BOARDS:
        me.page.evaluate("(look) => localStorage.setItem('connectk.look', JSON.stringify(look))", {"board": board})
        me.page.evaluate("localStorage.setItem('connectk.progress', JSON.stringify({ beaten: [1, 2] }))")
        me.page.reload()
        expect(me.page.locator(".beaten")).to_have_count(2)
        assert breaches(me) == [], board
    me.press("Look and sound")
    expect(me.page.get_by_role("dialog")).to_be_visible()
    assert breaches(me) == []


def test_a_material_is_chosen_at_once_and_kept(open_table: OpenTable) -> None:
    me = open_table()
    blue = fills(me)
    me.press("Look and sound")
    me.pick("Wood")
    expect(me.page.locator("html")).to_have_attribute("data-board", "wood")
    expect(me.page.locator("connectk-board .grain")).to_be_visible()
    me.page.reload()

    expect(me.page.locator("html")).to_have_attribute("data-board", "wood")
    assert fills(me) == blue  # the same gradients, of other colours


@pytest.mark.parametrize("media", [{"media": "print"}, {"forced_colors": "active"}], ids=["print", "forced colours"])
def test_gradients_are_gone_where_they_are_not_wanted(open_table: OpenTable, media: dict[str, Any]) -> None:
    me = open_table()
    assert all("url" in fill for fill in fills(me).values())

    me.page.emulate_media(**media)

    names = {".frame": "frame", ".wall": "hole", ".first .face": "first", ".second .plate": "second"}
    flat = {part: "rgb({}, {}, {})".format(*rgb(LIGHT_COLOURS[name])) for part, name in names.items()}
    assert fills(me) == flat


def test_sound_is_one_tap_away(open_table: OpenTable) -> None:
    me = open_table()
    sound = me.button("Sound")
    expect(sound).to_have_attribute("aria-pressed", "false")
    sound.click()
    expect(sound).to_have_attribute("aria-pressed", "true")
    me.page.reload()
    expect(sound).to_have_attribute("aria-pressed", "true")


def test_every_material_has_the_colours_of_every_gradient() -> None:
    tones = {tone for stops in GRADIENTS.values() for _, tone in stops}
    for light, dark in BOARD_PALETTES.values():
        assert tones <= set(light) == set(dark)
    for light, dark in DISC_PALETTES.values():
        assert {tone for tone in tones if tone.startswith(("first", "second"))} <= set(light) == set(dark)
