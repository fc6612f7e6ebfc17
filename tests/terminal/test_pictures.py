"""Compares the screens with the pictures in `pictures/`, pixel by pixel.

CONNECTK_UPDATE_PICTURES=1 draws the pictures again. Look at each picture before you commit it."""

import os
from pathlib import Path

import pytest
from tools.terminal_pictures import draw_screen

from connectk.texts import LANGUAGES
from tests.terminal.screens import playing

pytestmark = pytest.mark.anyio

PICTURES = Path(__file__).with_name("pictures")
SMALL = (64, 18)
WON_GAME = ("4", "4", "5", "5", "6", "6", "7")


def compare(app, name):
    picture, file = draw_screen(app, name), PICTURES / f"{name}.svg"
    if os.environ.get("CONNECTK_UPDATE_PICTURES"):
        PICTURES.mkdir(exist_ok=True)
        file.write_text(picture, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == picture, f"{name} looks different"


@pytest.mark.parametrize("theme", ["light", "dark"])
async def test_a_game_in_both_themes(tmp_path, theme):
    """The picture shows discs of both players, the hovering disc and the cell where it would land."""
    async with playing(tmp_path, theme=theme, two_players=True, start="4453") as user:
        await user.press("3", "right")
        compare(user.app, f"game-{theme}")


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_start_in_every_language(tmp_path, language):
    """The start screen in every language, with no text cut off."""
    async with playing(tmp_path, language=language) as user:
        compare(user.app, f"start-{language}")


@pytest.mark.parametrize("size", [(110, 36), (80, 24), (60, 24), (40, 16)])
async def test_a_won_game_in_every_size(tmp_path, size):
    """A won game in every cell size. The winning line stands out."""
    async with playing(tmp_path, size=size, two_players=True) as user:
        await user.press(*WON_GAME)
        compare(user.app, f"won-{size[0]}x{size[1]}")


async def test_a_game_without_colours(tmp_path, monkeypatch):
    """Without colours, one side has rings and the other filled discs, the winning line is in reverse, and no colour is
    written."""
    monkeypatch.setenv("NO_COLOR", "1")
    async with playing(tmp_path, two_players=True) as user:
        await user.press(*WON_GAME)
        compare(user.app, "won-without-colour")


async def test_a_game_in_ascii(tmp_path):
    """A game with `--ascii`, compared character by character."""
    async with playing(tmp_path, size=SMALL, two_players=True, ascii_only=True, language="fi") as user:
        await user.press(*WON_GAME)
        assert user.screen.replace("ä", "a").replace("ö", "o").isascii()
        compare(user.app, "won-ascii")


async def test_a_hint(tmp_path):
    """A hint with a word and a number for each column, and stars for the best ones."""
    async with playing(tmp_path, two_players=True, start="445566") as user:
        await user.press("h")
        await user.wait_until(lambda: user.side_text.count("wins in") == 7)
        await user.wait_until(lambda: "Looking" not in user.side_text)
        compare(user.app, "hint")


async def test_a_review(tmp_path):
    """A review, with the graph under the board and the turning point beside it."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press(*WON_GAME, "v")
        await user.wait_until(lambda: "turning point" in user.side_text)
        await user.press("g")
        compare(user.app, "review")


async def test_a_strategy(tmp_path):
    """A strategy, with its claim and its method in words, and a sign in each cell that has an answer."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press(*"4444443265353", "y")
        await user.wait_until(lambda: "first player wins" in user.side_text, 120)
        compare(user.app, "why")


async def test_help(tmp_path):
    """The help, which covers only a part of the game."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press("4", "?")
        compare(user.app, "help")


async def test_a_wide_board_scrolls(tmp_path):
    """A board that is too wide for the screen, scrolled to its right end."""
    async with playing(tmp_path, size=SMALL, two_players=True, variant="40x30x5") as user:
        await user.press("end", "enter", "left")
        compare(user.app, "scrolled")
