"""Playing on the screen."""

import re
import threading

import pytest
from textual import events

from connectk.notation import parse_saved_game
from connectk.players import Choice
from connectk.review.lines import play_line
from connectk.rules import Cell
from connectk.terminal import thinking
from connectk.terminal.screen import board
from connectk.terminal.screen.app import ConnectkApp
from connectk.terminal.screen.game import GameScreen
from connectk.terminal.screen.replay import ReplayScreen
from connectk.terminal.screen.start import StartScreen
from connectk.terminal.store import Autosaves
from tests.terminal.screens import playing

pytestmark = pytest.mark.anyio

FIRST_WINS = ("4", "4", "5", "5", "6", "6", "7")


class Slow:
    """Thinks until it is let go, then takes the first column."""

    name = "slow"

    def __init__(self):
        self.may_move = threading.Event()
        self.stopped = threading.Event()

    def choose(self, position, clock):
        while not self.may_move.wait(0.01):
            if clock.is_up:
                self.stopped.set()
                break
        return Choice(position.legal_columns[0])

    def close(self):
        """Only the clock stops it."""


@pytest.fixture
def slow(monkeypatch):
    player = Slow()
    monkeypatch.setattr(thinking, "load_player", lambda name: player)
    return player


async def test_number_keys_drop(tmp_path):
    """A digit is a column."""
    async with playing(tmp_path, two_players=True) as person:
        await person.press("4", "4", "1")
        assert person.moves == (3, 3, 0)
        assert "Second player (●) to move." in person.reads
        assert "3 moves" in person.sees


async def test_arrows_and_enter_drop(tmp_path):
    """From the middle, as far as the edge."""
    async with playing(tmp_path, two_players=True) as person:
        await person.press("left", "enter", "right", "right", "down", "home", "enter", "end", "space")
        assert person.moves == (2, 4, 0, 6)
        await person.press("right", "enter")
        assert person.moves[-1] == 6


async def test_a_click_drops_and_the_pointer_hovers(tmp_path):
    """The column under the pointer shows where its disc would land."""
    async with playing(tmp_path, two_players=True) as person:
        await person.pilot.hover(offset=(3, 10))
        await person.pilot.pause()
        assert person.app.screen.board._scene.hover == 0
        await person.click(3, 10)
        await person.click(40, 10)
        assert person.moves == (0, 6)
        await person.click(70, 10)
        assert person.moves == (0, 6)


async def test_a_wide_board_takes_two_digits_and_enter(tmp_path):
    """1 and 2 make 12; Enter drops."""
    async with playing(tmp_path, two_players=True, variant="12x8x5") as person:
        await person.press("1", "2")
        assert person.moves == ()
        await person.press("enter")
        assert person.moves == (11,)


async def test_on_a_wide_board_digits_are_one_number_until_enter(tmp_path):
    """What is no column is refused as a whole, and nothing drops where the pointer happens to be."""
    async with playing(tmp_path, two_players=True, variant="12x8x5") as person:
        await person.press(*"250")
        assert "Column 250: Enter drops" in person.reads
        await person.press("enter")
        assert "There is no column 250; the columns are 1 to 12." in person.reads
        await person.press("0", "enter")
        assert "There is no column 0; the columns are 1 to 12." in person.reads
        assert person.moves == ()
        await person.press("1", "1", "backspace", "2", "enter", "backspace")
        assert person.moves == (11,), "Backspace took a digit, not the move"
        await person.press("7", "escape", "enter")
        assert person.moves == (11, 6), "Escape forgot the number; the pointer stayed where it had led"


async def test_a_burst_of_keys_is_played_in_its_order(tmp_path):
    """However quickly they come."""
    async with playing(tmp_path, two_players=True, variant="12x8x5") as person:
        for key in ("1", "0", "enter", "3", "enter", "left", "enter"):
            person.app.post_message(events.Key(key, key if key.isdigit() else None))
        await person.wait_until(lambda: len(person.moves) == 3)
        assert person.moves == (9, 2, 1)


@pytest.mark.parametrize(("opens", "closes"), [("n", "x"), ("question_mark", "q")])
async def test_two_keys_at_once_close_a_dialog_once(tmp_path, opens, closes):
    """The game is still there below it."""
    async with playing(tmp_path, two_players=True) as person:
        await person.press("4", opens)
        over = person.app.screen
        assert not isinstance(over, GameScreen)
        for _ in range(2):
            person.app.post_message(events.Key(closes, closes))
        await person.wait_until(lambda: person.app.screen is not over)
        await person.pilot.pause(0.05)
        assert GameScreen in map(type, person.app.screen_stack)


async def test_the_second_half_of_a_double_click_drops_nothing(tmp_path, monkeypatch):
    """Two slow clicks are two discs."""
    monkeypatch.setattr(ConnectkApp, "CLICK_CHAIN_TIME_THRESHOLD", 60)  # on a busy machine, too
    async with playing(tmp_path, two_players=True) as person:
        await person.pilot.double_click(offset=(3, 10))
        await person.pilot.pause()
        assert person.moves == (0,)


async def test_a_huge_fall_is_short(tmp_path, monkeypatch):
    """A disc on 7x100000x4 lies after half a second."""
    now = [0.0]
    monkeypatch.setattr(board, "monotonic", lambda: now[0])
    async with playing(tmp_path, two_players=True, variant="7x100000x4", motion=True) as person:
        await person.press("4")
        assert person.app.screen.board._scene.falling
        now[0] = 0.51
        await person.wait_until(lambda: not person.app.screen.board._scene.falling)


async def test_the_last_disc_is_marked(tmp_path):
    """And only that one."""
    async with playing(tmp_path, two_players=True) as person:
        await person.press("4", "5")
        scene = person.app.screen.board._scene
        assert [scene.cell_look(Cell(column, 0), 6).last for column in (3, 4)] == [False, True]


async def test_a_full_column_says_so_and_costs_nothing(tmp_path):
    """The turn stays."""
    async with playing(tmp_path, two_players=True, variant="4x2x4") as person:
        await person.press("1", "1", "1")
        assert "Column 1 is full, pick another." in person.reads
        assert person.moves == (0, 0)
        await person.press("2")
        assert "is full" not in person.sees


async def test_a_column_that_is_not_there_says_so(tmp_path):
    """Wrong keys harm nothing."""
    async with playing(tmp_path, two_players=True) as person:
        await person.press("8")
        assert "There is no column 8" in person.reads
        await person.press("0", "x", "f5", "tab", "ctrl+a", "up")
        assert person.moves == ()


async def test_undo_and_redo(tmp_path):
    """With a word where there is nothing to do."""
    async with playing(tmp_path, two_players=True) as person:
        await person.press("4", "5", "u", "u", "u")
        assert person.moves == ()
        assert "There is no move to take back." in person.reads
        await person.press("r", "r", "r")
        assert person.moves == (3, 4)
        assert "There is no move to play again." in person.reads


async def test_the_winning_line_stands_out_and_the_winner_is_named(tmp_path):
    """In colours that nothing else on the board has."""
    async with playing(tmp_path, two_players=True) as person:
        await person.press(*FIRST_WINS)
        assert "First player (○) wins." in person.reads
        assert len(person.app.screen.board._scene.lines_at) == 4
        await person.press("1")
        assert "The game is already over." in person.reads


async def test_the_computer_answers(tmp_path):
    """And it is the person's turn again."""
    async with playing(tmp_path, players=("greedy",)) as person:
        await person.press("4")
        await person.wait_until(lambda: len(person.moves) == 2)
        assert "Your turn (○)." in person.sees


async def test_the_computer_starts_when_asked(tmp_path):
    """--first computer."""
    async with playing(tmp_path, players=("greedy",), first="computer") as person:
        await person.wait_until(lambda: len(person.moves) == 1)
        assert "Your turn (●)." in person.sees


async def test_what_is_picked_while_the_computer_thinks_is_played_afterwards(tmp_path, slow):
    """Kept in order, one for each turn."""
    async with playing(tmp_path, level=1) as person:
        await person.press("4", "5", "6")
        assert person.moves == (3,)
        await person.press("6", "6")
        assert "Kept for your turn: 5, 6" in person.reads, "a held key is one plan"
        slow.may_move.set()
        await person.wait_until(lambda: len(person.moves) == 6)
        assert person.moves == (3, 0, 4, 0, 5, 0)


async def test_undo_stops_the_computers_thinking(tmp_path, slow):
    """Its answer to a move that was taken back never comes."""
    async with playing(tmp_path, level=1) as person:
        await person.press("4", "u")
        assert person.moves == ()
        await person.wait_until(slow.stopped.is_set)
        await person.press("5")
        slow.may_move.set()
        await person.wait_until(lambda: len(person.moves) == 2)
        assert person.moves == (4, 0)


async def test_leaving_stops_the_computers_thinking(tmp_path, slow):
    """Nothing goes on in the dark."""
    async with playing(tmp_path, level=1) as person:
        await person.press("4", "escape", "y")
        await person.wait_until(slow.stopped.is_set)
        assert isinstance(person.app.screen, StartScreen)


@pytest.mark.parametrize("key", ["escape", "q", "ctrl+c"])
async def test_leaving_a_running_game_asks_once(tmp_path, key):
    """Any other key than yes stays; what has not begun or is over is left at once."""
    async with playing(tmp_path, two_players=True) as person:
        await person.press("4", key)
        assert "Leave this game?" in person.sees
        await person.press("x", "4")
        assert person.moves == (3, 3)
        await person.press(key, "y")
        if key == "escape":
            assert isinstance(person.app.screen, StartScreen)
        else:
            assert not person.app.is_running


async def test_who_presses_ctrl_c_twice_leaves(tmp_path):
    """So does q twice: the question is asked once."""
    async with playing(tmp_path, two_players=True) as person:
        await person.press("4", "ctrl+c", "ctrl+c")
        assert not person.app.is_running


async def test_long_thinking_is_told(tmp_path, slow):
    """With its seconds."""
    async with playing(tmp_path, level=1) as person:
        await person.press("4")
        await person.wait_until(lambda: re.search(r"level 1 is thinking, \d+ s", person.reads))
        slow.may_move.set()


async def test_a_player_that_fails_gives_its_seat_to_the_person(tmp_path, monkeypatch):
    """With the reason."""

    def choose(position, clock):
        raise RuntimeError("out of ideas.")

    player = Slow()
    player.choose = choose
    monkeypatch.setattr(thinking, "load_player", lambda name: player)
    async with playing(tmp_path, level=1) as person:
        await person.press("4")
        await person.wait_until(lambda: "You take its seat." in person.reads)
        await person.press("4")
        assert person.moves == (3, 3)


async def test_a_hint_shows_each_columns_result_and_length(tmp_path):
    """A second h hides it, a move too."""
    async with playing(tmp_path, two_players=True, start="445566") as person:
        await person.press("h")
        await person.wait_until(lambda: person.sees.count("wins in") == 7)
        assert "*  3  wins in 1" in person.sees
        assert "*7" in person.sees
        await person.press("h")
        assert "wins in" not in person.sees
        await person.press("h", "1")
        assert "wins in" not in person.sees


async def test_a_hint_says_what_the_column_does_for_you(tmp_path):
    """In a sentence, before all numbers."""
    async with playing(tmp_path, two_players=True, start="445566") as person:
        await person.press("h")
        await person.wait_until(lambda: "Columns 3 and 7 win now." in person.reads)


async def test_hints_may_stay_on(tmp_path):
    """H shows one at every turn of a person, in the next game too, until it is pressed again."""
    async with playing(tmp_path, two_players=True, start="44556") as person:
        await person.press("H", "1")
        await person.wait_until(lambda: "Columns 3 and 7 win now." in person.reads.replace("Column ", "Columns "))
    async with playing(tmp_path, two_players=True, start="445566") as person:
        await person.wait_until(lambda: "Columns 3 and 7 win now." in person.reads)
        await person.press("H")
        assert "win now" not in person.reads
        assert "Hints come only when asked for." in person.reads


async def test_a_hint_on_a_board_too_large_to_solve_asks_the_engine(tmp_path):
    """An opinion instead of a result."""
    async with playing(tmp_path, two_players=True, variant="20x20x5") as person:
        await person.press("h")
        await person.wait_until(lambda: re.search(r"An estimate: column \d+ looks best\.", person.reads))
        assert re.search(r"~\d+", person.sees), "the column is marked, otherwise than a proven one"
        assert "*" not in person.sees


async def test_a_demo_plays_itself_and_can_be_paused(tmp_path, monkeypatch):
    """Space stops it and lets it go on; a column is refused kindly."""
    async with playing(tmp_path, demo=True, players=("greedy", "greedy"), variant="5x5x5") as person:
        await person.press("space")
        assert "Paused." in person.reads
        await person.press("1")
        assert "The computer plays both sides here." in person.reads
        monkeypatch.setattr(
            "connectk.terminal.screen.game.COMPUTER_DELAY_STILL_SECONDS", 0.01
        )  # nobody watches the rest
        await person.press("space")
        await person.wait_until(lambda: person.match.is_over)


async def test_restart_asks_while_a_game_is_on(tmp_path):
    """Any other key than yes goes on with the game."""
    async with playing(tmp_path, two_players=True) as person:
        await person.press("4", "n")
        assert "Start this game again" in person.sees
        await person.press("x")
        assert person.moves == (3,)
        await person.press("n", "y")
        assert person.moves == ()


async def test_after_the_game_again_and_swapped(tmp_path):
    """n plays again, w in the other's seat."""
    async with playing(tmp_path, players=("greedy",), start="445566") as person:
        await person.press("7")
        assert "You win." in person.sees
        await person.press("n")
        assert person.moves == ()
        assert not person.match.is_over
        await person.press("7", "w")
        await person.wait_until(lambda: person.match.is_over)
        assert "greedy (○) wins." in person.sees


async def test_saving_asks_before_it_replaces(tmp_path):
    """The file holds the game."""
    file = tmp_path / "a.json"
    file.write_text("old")
    async with playing(tmp_path, two_players=True) as person:
        await person.press("4", "s")
        await person.write(file)
        await person.press("enter")
        assert "is there already" in person.sees.replace("\n", " ")
        assert file.read_text() == "old"
        await person.press("enter")
        assert parse_saved_game(file.read_text()).game.moves == (3,)
        assert isinstance(person.app.screen, GameScreen)


async def test_a_place_that_cannot_be_written_is_told(tmp_path):
    """And another name can be typed."""
    (tmp_path / "file").touch()
    async with playing(tmp_path, two_players=True) as person:
        await person.press("s")
        await person.write(tmp_path / "file" / "a")
        await person.press("enter")
        assert "cannot be written" in person.sees.replace("\n", " ")
        await person.press("escape", "4")
        assert person.moves == (3,)


async def test_every_move_is_kept_for_resume(tmp_path):
    """As it stands, after undo too."""
    async with playing(tmp_path, two_players=True) as person:
        await person.press("4", "5", "u")
        (game,) = Autosaves(tmp_path / "games").all()
        assert game.open().game.moves == (3,)
        await person.press("q", "q")
    async with playing(tmp_path, resume=True) as person:
        assert person.moves == (3,)


async def test_replay_steps_jumps_and_runs(tmp_path):
    """Back at the game with Escape."""
    async with playing(tmp_path, two_players=True) as person:
        await person.press(*FIRST_WINS, "p")
        replay = person.app.screen
        assert isinstance(replay, ReplayScreen)
        assert "Move 0 of 7." in person.sees
        await person.press("right", "right", "left")
        assert replay.ply == 1
        await person.press("end")
        assert "Move 7 of 7." in person.sees
        await person.press("home", "space")
        await person.wait_until(lambda: replay.ply == 2)
        await person.press("space", "escape")
        assert isinstance(person.app.screen, GameScreen)


async def test_review_shows_the_graph_and_the_labels(tmp_path):
    """And t goes to where the game turned."""
    async with playing(tmp_path, two_players=True) as person:
        await person.press(*FIRST_WINS, "v")
        await person.wait_until(lambda: "The game turned at move 4" in person.reads)
        await person.press("t")
        assert person.app.screen.ply == 4
        assert "Blunder: from" in person.reads
        assert "with two threats at once" in person.reads
        assert "╭" in person.sees


async def test_the_better_line_and_the_answer_are_shown_on_the_board(tmp_path):
    """b lays out what was better, then how the move is met, each drop numbered; then the game is back."""
    async with playing(tmp_path, two_players=True) as person:
        await person.press(*FIRST_WINS, "v")
        await person.wait_until(lambda: "The game turned at move 4" in person.reads)
        await person.press("t")
        shown, game = person.app.screen.board, person.app.screen.board.position
        move = person.app.screen._review.turning_point
        await person.press("b")
        assert shown.position == play_line(move.position, move.reason.line)[0]
        assert len(shown._scene.numbers) == 9
        assert all(str(number) in person.sees for number in range(1, 10))
        await person.press("b")
        assert shown.position == play_line(game, move.reason.refutation)[0]
        await person.press("b")
        assert (shown.position, shown._scene.numbers) == (game, {})
        await person.press("b", "left")
        assert shown._scene.numbers == {}, "the next step leaves the line"


async def test_help_tells_the_keys(tmp_path):
    """And any of its keys leaves it."""
    async with playing(tmp_path, two_players=True) as person:
        await person.press("?")
        assert "take back" in person.sees
        await person.press("escape", "4")
        assert person.moves == (3,)


async def test_words_at_the_foot_can_be_clicked(tmp_path):
    """Undo by mouse."""
    async with playing(tmp_path, two_players=True) as person:
        await person.press("4")
        foot = person.sees.splitlines()[-1]
        await person.click(foot.index("undo") + 1, 23)
        assert person.moves == ()


async def test_the_screen_follows_the_terminal(tmp_path):
    """Larger cells, smaller ones, and at last scrolling."""
    async with playing(tmp_path, two_players=True) as person:
        shown = person.app.screen.board
        sizes = {}
        for size in ((80, 24), (150, 50), (60, 24), (24, 10), (3, 2)):
            await person.pilot.resize_terminal(*size)
            await person.pilot.pause()
            sizes[size] = shown._geometry.cell_height
        assert list(sizes.values()) == [3, 6, 2, 1, 1]
        await person.press("4")
        assert person.moves == (3,)


async def test_a_tiny_terminal_still_shows_the_board_and_whose_turn_it_is(tmp_path):
    """What else there is to read makes room."""
    async with playing(tmp_path, two_players=True, size=(24, 9)) as person:
        await person.press("4")
        assert "○" in person.sees
        assert "Second player" in person.sees


async def test_a_huge_board_scrolls_to_where_the_disc_is(tmp_path):
    """Only what is seen is drawn."""
    async with playing(tmp_path, two_players=True, variant="1000x1000x4") as person:
        await person.press("end", "enter")
        assert person.moves == (999,)
        assert "1000" in person.sees
        assert "●" in person.sees or "○" in person.sees


async def test_a_disc_falls_and_then_lies(tmp_path, monkeypatch):
    """Nobody waits for it: the next one falls beside it."""
    now = [0.0]
    monkeypatch.setattr(board, "monotonic", lambda: now[0])
    async with playing(tmp_path, two_players=True, motion=True) as person:
        await person.press("4", "4")
        assert person.moves == (3, 3)
        falling = person.app.screen.board._scene.falling
        assert len(falling) == 2
        now[0] = 0.1
        await person.wait_until(lambda: person.app.screen.board._scene.falling != falling)
        now[0] = 10.0
        await person.wait_until(lambda: not person.app.screen.board._scene.falling)


async def test_with_reduced_motion_a_disc_is_there_at_once(tmp_path):
    """Nothing moves."""
    async with playing(tmp_path, two_players=True) as person:
        await person.press("4")
        assert not person.app.screen.board._scene.falling
