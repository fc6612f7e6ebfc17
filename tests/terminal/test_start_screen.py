"""Everything that can be chosen before a game."""

import pytest

from connectk.rules import Game, Side, Variant
from connectk.terminal.match import PERSON, LocalMatch
from connectk.terminal.screen.game import GameScreen
from connectk.terminal.screen.start import OTHER, Form, StartScreen
from connectk.terminal.store import save_game
from tests.terminal.screens import played, playing


@played
async def test_enter_starts_against_the_computer(tmp_path):
    """One key from the start to a game."""
    async with playing(tmp_path) as person:
        assert "Connect Four" in person.sees
        await person.press("enter")
        assert isinstance(person.app.screen, GameScreen)
        assert person.match.seats == {Side.FIRST: PERSON, Side.SECOND: "level:5"}


@played
async def test_rows_are_chosen_with_arrows(tmp_path):
    """Down to a row, right to its next value; rows that do not matter go away."""
    async with playing(tmp_path) as person:
        await person.press("down", "right", "down", "left")
        await person.press("enter")
        assert person.match.seats == {Side.FIRST: "level:4", Side.SECOND: PERSON}


@played
async def test_two_players_on_another_board(tmp_path):
    """The board beside the rows is the one that will be played on."""
    async with playing(tmp_path) as person:
        await person.press("right")
        assert "First move" not in person.sees
        await person.press("down", "left", "down", *"5x4x3")
        assert person.app.screen.board.position.variant == Variant(5, 4, 3)
        await person.press("enter")
        assert set(person.match.seats.values()) == {PERSON}
        assert person.match.game.variant == Variant(5, 4, 3)


@played
async def test_a_position_is_shown_as_it_is_typed(tmp_path):
    """And what cannot be is said at once."""
    async with playing(tmp_path) as person:
        await person.press("right", "down", "down", *"4453")
        assert person.app.screen.board.position.ply == 4
        await person.press(*"44444")
        assert "Column 4 is full, pick another." in person.reads
        await person.press("enter")
        assert isinstance(person.app.screen, StartScreen)
        await person.press(*["backspace"] * 5, "enter")
        assert person.match.position.ply == 4


@played
async def test_a_saved_game_goes_on(tmp_path):
    """By the name of its file."""
    file = tmp_path / "saved.json"
    save_game(LocalMatch(Game(moves=(3, 3, 4)), {Side.FIRST: PERSON, Side.SECOND: PERSON}), file)
    async with playing(tmp_path) as person:
        await person.press("right", "down", "down")
        await person.write(file)
        await person.press("enter")
        assert person.moves == (3, 3, 4)


@played
async def test_a_player_that_does_not_exist_is_told(tmp_path):
    """With those that do."""
    async with playing(tmp_path) as person:
        person.app.screen.form.player = OTHER
        person.app.screen.form.name = "nobody"
        await person.press("enter")
        assert "There is no player 'nobody'" in person.reads


@played
async def test_the_language_changes_at_once(tmp_path):
    """What was chosen stays."""
    async with playing(tmp_path) as person:
        await person.press("right")
        person.app.screen.query_one("#language").focus()
        await person.press("right")
        assert "Neljän suora" in person.sees
        assert "kaksinpeli" in person.sees
        await person.press("enter", "4")
        assert "Vuorossa: Toinen pelaaja (●)." in person.reads


@played
async def test_a_game_in_progress_can_be_continued(tmp_path):
    """Offered only when there is one."""
    async with playing(tmp_path) as person:
        assert "Continue" not in person.sees
        await person.press("right", "enter", "4", "escape")
        assert "Continue the game in progress" in person.sees
        assert "two players" in person.sees, "what was chosen last is still chosen"
        person.app.screen.query_one("#resume").focus()
        await person.press("enter")
        assert person.moves == (3,)


@played
async def test_the_mouse_can_do_it_too(tmp_path):
    """A click on a value changes it, a click on Start starts."""
    async with playing(tmp_path) as person:
        lines = person.sees.splitlines()
        row = next(index for index, line in enumerate(lines) if "one player" in line)
        await person.click(lines[row].index("one player"), row)
        assert "two players" in person.sees
        lines = person.sees.splitlines()
        row = next(index for index, line in enumerate(lines) if "Start" in line and "from" not in line)
        await person.click(lines[row].index("Start"), row)
        assert isinstance(person.app.screen, GameScreen)


@played
async def test_a_small_terminal_shows_the_rows_alone(tmp_path):
    """The board comes with the game."""
    async with playing(tmp_path, size=(40, 14)) as person:
        assert "one player" in person.sees
        assert "▀" not in person.sees


@pytest.mark.parametrize(
    ("form", "rows"),
    [
        (Form(), {"starts", "player", "board"}),
        (Form(mode="two"), {"board"}),
        (Form(mode="demo"), {"player", "second", "board"}),
        (
            Form(mode="demo", player=OTHER, second=OTHER, board=OTHER),
            {"player", "name", "second", "second_name", "board", "size"},
        ),
        (Form(opening="game.json"), {"starts", "player"}),
        (Form(opening="4, 4, 5"), {"starts", "player", "board"}),
    ],
)
def test_only_rows_that_matter_are_shown(form, rows):
    """Given the mode and what else is chosen."""
    assert {row for row, matters in form.matters().items() if matters} == rows
