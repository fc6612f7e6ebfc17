"""Every screen on which a person drops discs handles digits, arrows, clicks and the pointer in the same way."""

import pytest
from textual.widgets import Static

from connectk.rules import Position, Side, Variant
from connectk.terminal.screen.drop_screen import DropScreen
from connectk.terminal.screen.game import GameScreen
from connectk.terminal.screen.keys import DROP_BINDINGS
from connectk.terminal.screen.learning_screen import LearningScreen
from connectk.terminal.screen.online import OnlineScreen
from connectk.terminal.screen.room import RoomScreen
from connectk.terminal.screen.strategy_game import StrategyGameScreen
from tests.terminal.screens import playing

pytestmark = pytest.mark.anyio


class Picker(DropScreen):
    """A screen that records the columns that are picked."""

    BINDINGS = DROP_BINDINGS

    def __init__(self, variant: Variant) -> None:
        super().__init__(Position.start(variant))
        self.picked: list[int] = []

    def compose_side(self):
        yield Static(id="message", markup=False)

    def pick(self, column: int) -> None:
        self.picked.append(column)

    def _show_hover(self) -> None:
        self.board.hover(self._column, Side.FIRST)


@pytest.fixture
async def pick(tmp_path):
    """A function that shows a board of a given size and presses keys. It returns the screen and the text beside the
    board."""

    async with playing(tmp_path, two_players=True) as user:

        async def pick(variant: str, *keys: str) -> tuple[Picker, str]:
            screen = Picker(Variant.parse(variant))
            await user.app.push_screen(screen)
            await user.press(*keys)
            return screen, user.side_text

        pick.pilot = user.pilot
        yield pick


async def test_a_digit_picks_a_column_at_once(pick):
    """A digit picks its column at once, even one that does not exist, so that the screen can say so."""
    screen, _ = await pick("7x6x4", "3", "9", "0")
    assert screen.picked == [2, 8, -1]


async def test_on_a_wide_board_digits_are_collected(pick):
    """On a wide board, digits are collected into a number, which is shown and can be corrected."""
    screen, text = await pick("12x6x4", "1", "2")
    assert screen.picked == []
    assert "12" in text
    assert screen.board._scene.hover == 11
    screen, text = await pick("12x6x4", "1", "2", "backspace", "1", "enter")
    assert screen.picked == [10]


async def test_arrows_end_a_number_that_was_not_finished(pick):
    """Pressing an arrow discards the typed number, and Enter picks the column at the pointer."""
    screen, text = await pick("12x6x4", "1", "left", "enter")
    assert screen.picked == [0]
    assert "Enter drops" not in text


async def test_the_pointer_and_a_click_choose_a_column(pick):
    """Moving the mouse selects a column, and a click picks it."""
    screen, _ = await pick("7x6x4")
    await pick.pilot.hover(offset=(3, 10))
    await pick.pilot.pause()
    assert screen.board._scene.hover == 0
    await pick.pilot.click(offset=(3, 10))
    await pick.pilot.pause()
    assert screen.picked == [0]


@pytest.mark.parametrize("screen", [StrategyGameScreen, GameScreen, OnlineScreen, RoomScreen, LearningScreen])
async def test_no_screen_has_digits_and_a_pointer_of_its_own(screen):
    """No screen handles digits and the pointer by itself. The screen for rooms once did, with several faults."""
    assert issubclass(screen, DropScreen)
    assert not {"action_digit", "action_move", "on_board_view_pointed", "on_board_view_picked"} & vars(screen).keys()
