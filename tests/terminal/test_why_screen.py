"""Tests explanations on the full screen, of a game and of a blunder in its review, step by step and saved to a file."""

import pytest

from connectk.rules import Cell, Position, Side
from connectk.terminal.screen.cells import CellLook, draw_cell, draw_cell_without_colour
from connectk.terminal.screen.game import GameScreen
from connectk.terminal.screen.replay import ReplayScreen
from connectk.terminal.screen.strategy_game import StrategyGameScreen
from connectk.terminal.screen.why import WhyScreen
from connectk.terminal.searches import step_board
from connectk.texts import load_texts
from connectk.why import check, explain, parse_explanation
from connectk.why.json_views import steps_for
from tests.terminal.screens import ScreenUser, playing

pytestmark = pytest.mark.anyio

TEXTS = load_texts("en")


async def explained(user: ScreenUser) -> WhyScreen:
    screen = user.app.screen
    assert isinstance(screen, WhyScreen)
    await user.wait_until(lambda: screen.found, 120)
    await user.pilot.pause()
    return screen


async def test_a_position_is_explained_step_by_step(tmp_path):
    """An open two in the lowest row is explained step by step: the drop, both threats and the line."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press(*"3344", "y")
        screen = await explained(user)
        assert TEXTS("why.claim.first.wins") in user.side_text
        assert TEXTS("why.step.double", column=2, columns="1 and 5") in user.side_text
        assert screen.board.position.disc_at(1, 0) is Side.FIRST
        await user.press("right")
        assert TEXTS("why.step.win", column=5) in user.side_text
        assert screen.board.position.outcome
        await user.press("right", "left")
        assert TEXTS("why.step.double", column=2, columns="1 and 5") in user.side_text
        await user.press("escape")
        assert isinstance(user.app.screen, GameScreen)
        assert user.moves == (2, 2, 3, 3)


async def test_an_opening_tells_what_each_column_does_and_how_the_strategy_answers(tmp_path):
    """In an opening, the screen shows what each column does and the strategy's answers, but no steps and no key for
    them."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press(*"44", "y")
        await explained(user)
        said = " ".join(user.side_text.split())
        assert "For the first player: column 4 wins" in said
        assert "The first player drops into column 4." in said
        assert TEXTS("why.walk.answer", column=7, answer=3) in said
        assert TEXTS("key.step") not in user.screen


async def test_after_a_blunder_the_review_tells_why(tmp_path):
    """After a blunder, the review offers a key that explains it, here because the lowest row was left open."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press(*"3344251", "v")
        screen = user.app.screen
        assert isinstance(screen, ReplayScreen)
        await user.wait_until(lambda: screen._review, 120)
        await user.press("g")
        assert TEXTS("key.why") in user.screen
        await user.press("y")
        await explained(user)
        assert TEXTS("why.claim.first.wins") in user.side_text
        await user.press("escape")
        assert user.app.screen is screen


async def test_a_proof_is_saved_and_holds(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    async with playing(tmp_path, two_players=True) as user:
        await user.press(*"3344", "y")
        await explained(user)
        await user.press("s")
        await user.write(tmp_path / "why.json")
        await user.press("enter")
        assert check(parse_explanation((tmp_path / "why.json").read_text(encoding="utf-8"))) >= 0
        assert "connectk why --check" in user.side_text


async def test_leaving_cancels_the_search(tmp_path):
    """Closing the screen cancels its search."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press("4", "y")
        screen = user.app.screen
        assert isinstance(screen, WhyScreen)
        await user.press("escape")
        assert screen._search._stop.is_set()
        assert isinstance(user.app.screen, GameScreen)


async def test_on_several_boards_a_key_goes_to_the_next(tmp_path):
    """If an explanation has several boards, a key goes to the next one. Here, on 4x4, the second player holds a draw
    with five."""
    async with playing(tmp_path, two_players=True, variant="4x4x4") as user:
        await user.press("y")
        screen = await explained(user)
        assert screen.found.steps[screen.at].page == 0
        await user.press("tab")
        assert screen.found.steps[screen.at].page == 1
        await user.press("shift+tab")
        assert screen.at == 0


def test_the_signs_of_a_strategy_stand_in_its_holes():
    """The board shows a strategy by signs in its cells: a disc on `^` is answered in the cell above, and a disc on a
    letter in the other cell with that letter."""
    found = explain(Position.from_moves("4444443265353"))
    always = next(step for step in steps_for(found) if step.kind == "always")
    position, signs = step_board(always)
    assert position == always.position
    assert signs[Cell(0, 0)] == "^"
    assert {len(sign) for sign in signs.values()} == {1}
    assert all(position.disc_at(*cell) is None for cell in signs)


@pytest.mark.parametrize("height", [1, 2, 4])
def test_a_sign_is_drawn_in_an_empty_hole(height):
    assert "a" in "".join(text for row in draw_cell(CellLook(number="a"), height) for text, _, _ in row)
    assert "a" in "".join(draw_cell_without_colour(CellLook(number="a"), height))


async def test_an_explanation_is_played_against(tmp_path):
    """The user can play against an explanation. The strategy answers each disc and says why, until it completes a
    winning line."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press(*"5347732264", "y")
        why = await explained(user)
        assert TEXTS("key.against") in user.screen.replace("\N{NO-BREAK SPACE}", " ")
        await user.press("x")
        assert isinstance(user.app.screen, StrategyGameScreen)
        assert TEXTS("why.play.wins", side=TEXTS("reason.side.first")) in user.side_text
        await user.press("9")
        assert "9" in user.side_text
        await user.press("1")
        assert TEXTS("why.play.won") in user.side_text
        await user.press("1")
        assert TEXTS("error.GameAlreadyOver") in user.side_text
        await user.press("u")
        assert TEXTS("why.play.wins", side=TEXTS("reason.side.first")) in user.side_text
        await user.press("escape")
        assert user.app.screen is why


async def test_an_opening_is_told_and_played_against(tmp_path):
    """The answers of a certified strategy are beside the board, and the user can play against them."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press(*"44", "y")
        await explained(user)
        assert TEXTS("why.walk.answer", column=1, answer=5) in user.side_text
        await user.press("x", "1")
        assert user.app.screen.board.position.last_drop == Cell(4, 0)
