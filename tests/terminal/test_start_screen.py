"""Everything that can be chosen before a game."""

import pytest

from connectk.rules import Game, Side, Variant
from connectk.terminal.form import OTHER, GameForm
from connectk.terminal.match import PERSON, LocalMatch
from connectk.terminal.screen.game import GameScreen
from connectk.terminal.screen.sessions import SessionScreen
from connectk.terminal.screen.start import START_KEYS, StartScreen
from connectk.terminal.store import Autosaves, save_game
from connectk.texts import LANGUAGES, load_texts
from tests.terminal.screens import playing

pytestmark = pytest.mark.anyio


def keep(folder, *games):
    """Games of two players, as if they had been left in this state: the moves of each."""
    for moves in games:
        Autosaves(folder / "games").update(LocalMatch(Game(moves=moves), dict.fromkeys(Side, PERSON)))


async def test_enter_starts_against_the_computer(tmp_path):
    """One key from the start to a game."""
    async with playing(tmp_path) as person:
        assert "Connect Four" in person.sees
        await person.press("enter")
        assert isinstance(person.app.screen, GameScreen)
        assert person.match.seats == {Side.FIRST: PERSON, Side.SECOND: "level:5"}


async def test_rows_are_chosen_with_arrows(tmp_path):
    """Down to a row, right to its next value; rows that do not matter go away."""
    async with playing(tmp_path) as person:
        await person.press("down", "right", "down", "left")
        await person.press("enter")
        assert person.match.seats == {Side.FIRST: "level:4", Side.SECOND: PERSON}


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


async def test_a_saved_game_goes_on(tmp_path):
    """By the name of its file."""
    file = tmp_path / "saved.json"
    save_game(LocalMatch(Game(moves=(3, 3, 4)), {Side.FIRST: PERSON, Side.SECOND: PERSON}), file)
    async with playing(tmp_path) as person:
        await person.press("right", "down", "down")
        await person.write(file)
        await person.press("enter")
        assert person.moves == (3, 3, 4)


async def test_a_player_that_does_not_exist_is_told(tmp_path):
    """With those that do."""
    async with playing(tmp_path) as person:
        person.app.screen.form.player = OTHER
        person.app.screen.form.name = "nobody"
        await person.press("enter")
        assert "There is no player 'nobody'" in person.reads


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


async def test_a_game_in_progress_can_be_continued(tmp_path):
    """Offered only when there is one."""
    async with playing(tmp_path) as person:
        assert "Continue" not in person.sees
        await person.press("right", "enter", "4", "escape", "y")
        assert "Continue the game in progress" in person.sees
        assert "two players" in person.sees, "what was chosen last is still chosen"
        person.app.screen.query_one("#resume").focus()
        await person.press("enter")
        assert person.moves == (3,)


async def test_starting_another_game_keeps_the_first(tmp_path):
    """Both are listed, the last one first, and each goes on where it was left."""
    async with playing(tmp_path) as person:
        await person.press("right", "enter", "4", "5", "escape", "y")
        await person.press("enter", "1", "escape", "y")
        assert "Continue one of 2 games" in person.sees
        person.app.screen.query_one("#resume").focus()
        await person.press("enter")
        assert "Games in progress" in person.sees
        assert "1 move" in person.sees
        assert "2 moves" in person.sees
        await person.press("down", "enter")
        assert person.moves == (3, 4)


async def test_resume_offers_the_list(tmp_path):
    """Where there are several; Escape leads to the start."""
    keep(tmp_path, (3,), (0,))
    async with playing(tmp_path, resume=True) as person:
        assert "Games in progress" in person.sees
        await person.press("escape")
        assert isinstance(person.app.screen, StartScreen)


async def test_a_kept_game_is_deleted_only_at_the_second_press(tmp_path):
    """And it is said before."""
    keep(tmp_path, (3,), (0,))
    async with playing(tmp_path) as person:
        person.app.screen.query_one("#resume").focus()
        await person.press("enter", "d")
        assert "Press d again" in person.sees
        await person.press("down", "d", "up", "d", "d")
        assert len(Autosaves(tmp_path / "games").all()) == 1
        await person.press("escape")
        assert "Continue the game in progress" in person.sees


async def test_a_damaged_game_names_its_file(tmp_path):
    """In the list, and when it is picked."""
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "odd.json").write_text("{")
    async with playing(tmp_path, size=(160, 40)) as person:
        person.app.screen.query_one("#resume").focus()
        await person.press("enter")
        assert "odd.json is damaged" in person.reads


async def test_a_place_that_cannot_be_written_is_told_at_the_start(tmp_path):
    """Before anyone plays a game that would be lost."""
    (tmp_path / "games").touch()
    async with playing(tmp_path) as person:
        assert "Games cannot be kept in" in person.reads
    async with playing(tmp_path, two_players=True) as person:
        assert "Games cannot be kept in" in person.reads
        await person.press("4", "escape")
        assert "could not be kept, and will be lost" in person.sees.replace("\n", " ")


@pytest.mark.parametrize(
    ("language", "size"), [("en", (80, 24)), ("en", (60, 20)), *((language, (40, 15)) for language in LANGUAGES)]
)
async def test_every_row_is_reachable_with_the_arrows(tmp_path, size, language):
    """Down to each, where it is seen with what it says, and round to the first."""
    keep(tmp_path, (3,))
    async with playing(tmp_path, size=size, language=language) as person:
        await person.press("right")
        seen = []
        while (focused := person.app.focused).id not in seen:
            seen.append(focused.id)
            region, shown = focused.region, person.app.screen.query_one("#side").region
            assert region in shown, f"{focused.id} is not seen"
            await person.press("down")
        assert seen == ["mode", "board", "opening", "go", "resume", "puzzles", "lessons", "language", "theme", "motion"]
        foot = person.app.screen.query_one("#keys")
        assert all(load_texts(language)(key[2]) in person.sees.replace("\u00a0", " ") for key in START_KEYS)
        assert foot.region.bottom == size[1]
        await person.press("up")
        assert person.app.focused.id == "motion"


@pytest.mark.parametrize("row", ["language", "theme"])
async def test_a_change_of_language_or_colours_keeps_the_focus(tmp_path, row):
    """So that the next value is one key away."""
    async with playing(tmp_path) as person:
        person.app.screen.query_one(f"#{row}").focus()
        for _ in range(3):
            await person.press("right")
            await person.wait_until(lambda: person.app.focused is not None and person.app.focused.id == row)


async def test_what_was_chosen_is_chosen_again(tmp_path):
    """In the next program, too."""
    async with playing(tmp_path) as person:
        await person.press("down", "right", "down", "right", "enter")
    async with playing(tmp_path) as person:
        await person.press("enter")
        assert person.match.seats == {Side.FIRST: "level:6", Side.SECOND: PERSON}


async def test_perfect_on_a_board_too_large_is_refused(tmp_path):
    """Before the game."""
    async with playing(tmp_path) as person:
        form = person.app.screen.form
        form.player, form.board, form.size = "perfect", OTHER, "20x20x5"
        await person.press("enter")
        assert "too large for perfect" in person.reads
        assert isinstance(person.app.screen, StartScreen)


async def test_a_game_goes_on_by_itself_until_someone_touches_anything(tmp_path, monkeypatch):
    """Then the board is empty again, as it will be played on."""
    monkeypatch.setattr("connectk.terminal.screen.start.DEMO_INTERVAL_SECONDS", 0.2)
    async with playing(tmp_path, motion=True) as person:
        board = person.app.screen.board
        await person.wait_until(lambda: board.position.ply >= 2)
        await person.press("down")
        assert board.position.ply == 0


async def test_a_level_has_a_name_and_a_sentence(tmp_path):
    """What it sees and overlooks."""
    async with playing(tmp_path) as person:
        assert "5 Attentive" in person.sees
        assert "Sees rows coming" in person.reads
        await person.press("right")
        assert "Sees rows coming" not in person.reads, "two players need no computer"


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


async def test_a_small_terminal_shows_the_rows_alone(tmp_path):
    """The board comes with the game."""
    async with playing(tmp_path, size=(40, 14)) as person:
        assert "one player" in person.sees
        assert "▀" not in person.sees


@pytest.mark.parametrize(
    ("form", "rows"),
    [
        (GameForm(), {"starts", "player", "board"}),
        (GameForm(mode="two"), {"board"}),
        (GameForm(mode="demo"), {"player", "second", "board"}),
        (
            GameForm(mode="demo", player=OTHER, second=OTHER, board=OTHER),
            {"player", "name", "second", "second_name", "board", "size"},
        ),
        (GameForm(opening="game.json"), {"starts", "player"}),
        (GameForm(opening="4, 4, 5"), {"starts", "player", "board"}),
    ],
)
def test_only_rows_that_matter_are_shown(form, rows):
    """Given the mode and what else is chosen."""
    assert {row for row, is_visible in form.visible_fields().items() if is_visible} == rows


@pytest.mark.parametrize("what", ["puzzles", "lessons"])
async def test_puzzles_and_lessons_begin_on_the_start_screen(what, tmp_path):
    """At 80 by 24 too; whoever leaves is back where it began, on the same word."""
    async with playing(tmp_path, size=(80, 24)) as person:
        assert load_texts("en")(f"start.{what}") in person.sees
        start = person.app.screen
        start.query_one(f"#{what}").focus()
        await person.press("enter")
        assert isinstance(person.app.screen, SessionScreen)
        await person.press("q")
        assert person.app.screen is start
        assert start.focused is start.query_one(f"#{what}")
