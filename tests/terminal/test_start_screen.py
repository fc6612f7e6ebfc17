"""Tests the start screen, on which a person makes every choice before a game."""

import pytest

from connectk.rules import Game, Side, Variant
from connectk.terminal.form import OTHER_CHOICE, GameForm
from connectk.terminal.match import PERSON_SEAT, LocalMatch
from connectk.terminal.screen.game import GameScreen
from connectk.terminal.screen.learning_screen import LearningScreen
from connectk.terminal.screen.start import START_KEYS, StartScreen
from connectk.terminal.store import Autosaves, save_game
from connectk.texts import LANGUAGES, load_texts
from tests.terminal.screens import playing

pytestmark = pytest.mark.anyio


def keep(folder, *games):
    """Save an autosave of two players for each of these sequences of moves."""
    for moves in games:
        Autosaves(folder / "games").update(LocalMatch(Game(moves=moves), dict.fromkeys(Side, PERSON_SEAT)))


async def test_enter_starts_against_the_computer(tmp_path):
    """Enter alone starts a game against the computer."""
    async with playing(tmp_path) as user:
        assert "Connect Four" in user.screen
        await user.press("enter")
        assert isinstance(user.app.screen, GameScreen)
        assert user.match.seats == {Side.FIRST: PERSON_SEAT, Side.SECOND: "level:5"}


async def test_rows_are_chosen_with_arrows(tmp_path):
    """Down goes to the next row of the form, and right to the row's next value. Rows that do not apply are hidden."""
    async with playing(tmp_path) as user:
        await user.press("down", "right", "down", "left")
        await user.press("enter")
        assert user.match.seats == {Side.FIRST: "level:4", Side.SECOND: PERSON_SEAT}


async def test_two_players_on_another_board(tmp_path):
    """The board beside the form is the board of the game, here of two players on another variant."""
    async with playing(tmp_path) as user:
        await user.press("right")
        assert "First move" not in user.screen
        await user.press("down", "left", "down", *"5x4x3")
        assert user.app.screen.board.position.variant == Variant(5, 4, 3)
        await user.press("enter")
        assert set(user.match.seats.values()) == {PERSON_SEAT}
        assert user.match.game.variant == Variant(5, 4, 3)


async def test_a_position_is_shown_as_it_is_typed(tmp_path):
    """A typed position is shown at once, and an invalid one is reported at once."""
    async with playing(tmp_path) as user:
        await user.press("right", "down", "down", *"4453")
        assert user.app.screen.board.position.ply == 4
        await user.press(*"44444")
        assert "Column 4 is full, pick another." in user.side_text
        await user.press("enter")
        assert isinstance(user.app.screen, StartScreen)
        await user.press(*["backspace"] * 5, "enter")
        assert user.match.position.ply == 4


async def test_a_saved_game_goes_on(tmp_path):
    """A saved game is opened by typing its file's name."""
    file = tmp_path / "saved.json"
    save_game(LocalMatch(Game(moves=(3, 3, 4)), {Side.FIRST: PERSON_SEAT, Side.SECOND: PERSON_SEAT}), file)
    async with playing(tmp_path) as user:
        await user.press("right", "down", "down")
        await user.write(file)
        await user.press("enter")
        assert user.moves == (3, 3, 4)


async def test_an_unknown_player_is_refused(tmp_path):
    """An unknown player is refused with a message that lists the existing ones."""
    async with playing(tmp_path) as user:
        user.app.screen.form.player = OTHER_CHOICE
        user.app.screen.form.name = "nobody"
        await user.press("enter")
        assert "There is no player 'nobody'" in user.side_text


async def test_the_language_changes_at_once(tmp_path):
    """The language changes at once, and the user's other choices stay."""
    async with playing(tmp_path) as user:
        await user.press("right")
        user.app.screen.query_one("#language").focus()
        await user.press("right")
        assert "Neljän suora" in user.screen
        assert "kaksinpeli" in user.screen
        await user.press("enter", "4")
        assert "Vuorossa: Toinen pelaaja (●)." in user.side_text


async def test_a_game_in_progress_can_be_continued(tmp_path):
    """The start screen offers to continue a game only if there is one in progress."""
    async with playing(tmp_path) as user:
        assert "Continue" not in user.screen
        await user.press("right", "enter", "4", "escape", "y")
        assert "Continue the game in progress" in user.screen
        assert "two players" in user.screen, "what was chosen last is still chosen"
        user.app.screen.query_one("#resume").focus()
        await user.press("enter")
        assert user.moves == (3,)


async def test_starting_another_game_keeps_the_first_autosave(tmp_path):
    """Starting another game keeps the first autosave. Both are listed, the latest first, and each continues from its
    last move."""
    async with playing(tmp_path) as user:
        await user.press("right", "enter", "4", "5", "escape", "y")
        await user.press("enter", "1", "escape", "y")
        assert "Continue one of 2 games" in user.screen
        user.app.screen.query_one("#resume").focus()
        await user.press("enter")
        assert "Games in progress" in user.screen
        assert "1 move" in user.screen
        assert "2 moves" in user.screen
        await user.press("down", "enter")
        assert user.moves == (3, 4)


async def test_resume_offers_the_list(tmp_path):
    """`--resume` opens a list if there are several autosaves. Escape leads to the start screen."""
    keep(tmp_path, (3,), (0,))
    async with playing(tmp_path, resume=True) as user:
        assert "Games in progress" in user.screen
        await user.press("escape")
        assert isinstance(user.app.screen, StartScreen)


async def test_deleting_an_autosave_needs_a_second_press(tmp_path):
    """Deleting an autosave needs a second press of the key, which the first press asks for."""
    keep(tmp_path, (3,), (0,))
    async with playing(tmp_path) as user:
        user.app.screen.query_one("#resume").focus()
        await user.press("enter", "d")
        assert "Press d again" in user.screen
        await user.press("down", "d", "up", "d", "d")
        assert len(Autosaves(tmp_path / "games").all()) == 1
        await user.press("escape")
        assert "Continue the game in progress" in user.screen


async def test_a_damaged_game_names_its_file(tmp_path):
    """A damaged autosave is listed by its file name, which its error also names."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "odd.json").write_text("{")
    async with playing(tmp_path, size=(160, 40)) as user:
        user.app.screen.query_one("#resume").focus()
        await user.press("enter")
        assert "odd.json is damaged" in user.side_text


async def test_an_unwritable_folder_is_reported_at_the_start(tmp_path):
    """If autosaves cannot be written, the start screen says that the game will not be saved."""
    (tmp_path / "games").touch()
    async with playing(tmp_path) as user:
        assert "Games cannot be kept in" in user.side_text
    async with playing(tmp_path, two_players=True) as user:
        assert "Games cannot be kept in" in user.side_text
        await user.press("4", "escape")
        assert "could not be kept, and will be lost" in user.screen.replace("\n", " ")


@pytest.mark.parametrize(
    ("language", "size"), [("en", (80, 24)), ("en", (60, 20)), *((language, (40, 15)) for language in LANGUAGES)]
)
async def test_every_row_is_reachable_with_the_arrows(tmp_path, size, language):
    """Down reaches each row of the form in turn and shows its explanation. After the last row comes the first."""
    keep(tmp_path, (3,))
    async with playing(tmp_path, size=size, language=language) as user:
        await user.press("right")
        seen = []
        while (focused := user.app.focused).id not in seen:
            seen.append(focused.id)
            region, shown = focused.region, user.app.screen.query_one("#side").region
            assert region in shown, f"{focused.id} is not seen"
            await user.press("down")
        assert seen == [
            "mode",
            "board",
            "opening",
            "go",
            "resume",
            "puzzles",
            "lessons",
            "online",
            "language",
            "theme",
            "motion",
        ]
        foot = user.app.screen.query_one("#keys")
        assert all(load_texts(language)(key[2]) in user.screen.replace("\u00a0", " ") for key in START_KEYS)
        assert foot.region.bottom == size[1]
        await user.press("up")
        assert user.app.focused.id == "motion"


@pytest.mark.parametrize("row", ["language", "theme"])
async def test_a_change_of_language_or_colours_keeps_the_focus(tmp_path, row):
    """After a change of language or colours, the same field keeps the focus."""
    async with playing(tmp_path) as user:
        user.app.screen.query_one(f"#{row}").focus()
        for _ in range(3):
            await user.press("right")
            await user.wait_until(lambda: user.app.focused is not None and user.app.focused.id == row)


async def test_the_last_choices_are_the_next_defaults(tmp_path):
    """The last choices are the next defaults, also after the program is started again."""
    async with playing(tmp_path) as user:
        await user.press("down", "right", "down", "right", "enter")
    async with playing(tmp_path) as user:
        await user.press("enter")
        assert user.match.seats == {Side.FIRST: "level:6", Side.SECOND: PERSON_SEAT}


async def test_perfect_on_a_board_too_large_is_refused(tmp_path):
    """`perfect` on a board that is too large is refused on the start screen."""
    async with playing(tmp_path) as user:
        form = user.app.screen.form
        form.player, form.board, form.size = "perfect", OTHER_CHOICE, "20x20x5"
        await user.press("enter")
        assert "too large for perfect" in user.side_text
        assert isinstance(user.app.screen, StartScreen)


async def test_the_demo_runs_until_the_first_input(tmp_path, monkeypatch):
    """The demo beside the form runs until the first input. Then the board of the new game is shown."""
    monkeypatch.setattr("connectk.terminal.screen.start.DEMO_INTERVAL_SECONDS", 0.2)
    async with playing(tmp_path, motion=True) as user:
        board = user.app.screen.board
        await user.wait_until(lambda: board.position.ply >= 2)
        await user.press("down")
        assert board.position.ply == 0


async def test_a_level_has_a_name_and_a_sentence(tmp_path):
    """Each level has a name and a sentence about the threats that it sees and overlooks."""
    async with playing(tmp_path) as user:
        assert "5 Attentive" in user.screen
        assert "Sees rows coming" in user.side_text
        await user.press("right")
        assert "Sees rows coming" not in user.side_text, "two players need no computer"


async def test_the_start_screen_works_with_the_mouse(tmp_path):
    """A click on a value changes it, and a click on Start starts the game."""
    async with playing(tmp_path) as user:
        lines = user.screen.splitlines()
        row = next(index for index, line in enumerate(lines) if "one player" in line)
        await user.click(lines[row].index("one player"), row)
        assert "two players" in user.screen
        lines = user.screen.splitlines()
        row = next(index for index, line in enumerate(lines) if "Start" in line and "from" not in line)
        await user.click(lines[row].index("Start"), row)
        assert isinstance(user.app.screen, GameScreen)


async def test_a_small_terminal_shows_the_rows_alone(tmp_path):
    """On a small terminal, the board appears only when the game begins."""
    async with playing(tmp_path, size=(40, 14)) as user:
        assert "one player" in user.screen
        assert "▀" not in user.screen


@pytest.mark.parametrize(
    ("form", "rows"),
    [
        (GameForm(), {"starts", "player", "board"}),
        (GameForm(mode="two"), {"board"}),
        (GameForm(mode="demo"), {"player", "second", "board"}),
        (
            GameForm(mode="demo", player=OTHER_CHOICE, second=OTHER_CHOICE, board=OTHER_CHOICE),
            {"player", "name", "second", "second_name", "board", "size"},
        ),
        (GameForm(opening="game.json"), {"starts", "player"}),
        (GameForm(opening="4, 4, 5"), {"starts", "player", "board"}),
    ],
)
def test_only_rows_that_apply_are_shown(form, rows):
    """The form shows only rows that apply to the mode and the other choices."""
    assert {row for row, is_visible in form.visible_fields().items() if is_visible} == rows


@pytest.mark.parametrize("what", ["puzzles", "lessons"])
async def test_puzzles_and_lessons_begin_on_the_start_screen(what, tmp_path):
    """Buttons for puzzles and lessons fit on 80 by 24. After leaving them, the same button has the focus again."""
    async with playing(tmp_path, size=(80, 24)) as user:
        assert load_texts("en")(f"start.{what}") in user.screen
        start = user.app.screen
        start.query_one(f"#{what}").focus()
        await user.press("enter")
        assert isinstance(user.app.screen, LearningScreen)
        await user.press("escape")
        assert user.app.screen is start
        assert start.focused is start.query_one(f"#{what}")
