"""Tests games on the full screen."""

import re
import threading

import pytest
from textual import events

from connectk.notation import parse_saved_game
from connectk.players import Choice
from connectk.review.variation_boards import play_numbered
from connectk.rules import Cell
from connectk.terminal import thinking
from connectk.terminal.screen import board
from connectk.terminal.screen.app import ConnectkApp
from connectk.terminal.screen.game import GameScreen
from connectk.terminal.screen.replay import GraphView, ReplayScreen
from connectk.terminal.screen.start import StartScreen
from connectk.terminal.store import Autosaves
from connectk.texts import LANGUAGES
from tests.terminal.screens import playing

pytestmark = pytest.mark.anyio

FIRST_WINS = ("4", "4", "5", "5", "6", "6", "7")


class Slow:
    """A player that thinks until it is released, then drops into the first column."""

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
        """Block until released or stopped by the clock."""


@pytest.fixture
def slow(monkeypatch):
    player = Slow()
    monkeypatch.setattr(thinking, "load_player", lambda name: player)
    return player


async def test_number_keys_drop(tmp_path):
    """The key of a digit drops a disc into the column with this number."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press("4", "4", "1")
        assert user.moves == (3, 3, 0)
        assert "Second player (●) to move." in user.side_text
        assert "3 moves" in user.screen


async def test_arrows_and_enter_drop(tmp_path):
    """The pointer starts in the middle and stops at the edge."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press("left", "enter", "right", "right", "down", "home", "enter", "end", "space")
        assert user.moves == (2, 4, 0, 6)
        await user.press("right", "enter")
        assert user.moves[-1] == 6


async def test_a_click_drops_and_the_pointer_hovers(tmp_path):
    """A click drops a disc. While the mouse hovers over a column, the board shows where a disc would land."""
    async with playing(tmp_path, two_players=True) as user:
        await user.pilot.hover(offset=(3, 10))
        await user.pilot.pause()
        assert user.app.screen.board._scene.hover == 0
        await user.click(3, 10)
        await user.click(40, 10)
        assert user.moves == (0, 6)
        await user.click(70, 10)
        assert user.moves == (0, 6)


async def test_a_wide_board_takes_two_digits_and_enter(tmp_path):
    """The digits 1 and 2 make 12, and Enter drops."""
    async with playing(tmp_path, two_players=True, variant="12x8x5") as user:
        await user.press("1", "2")
        assert user.moves == ()
        await user.press("enter")
        assert user.moves == (11,)


async def test_on_a_wide_board_digits_are_one_number_until_enter(tmp_path):
    """On a wide board, an invalid number is refused as a whole, and Enter does not drop at the pointer instead."""
    async with playing(tmp_path, two_players=True, variant="12x8x5") as user:
        await user.press(*"250")
        assert "Column 250: Enter drops" in user.side_text
        await user.press("enter")
        assert "There is no column 250; the columns are 1 to 12." in user.side_text
        await user.press("0", "enter")
        assert "There is no column 0; the columns are 1 to 12." in user.side_text
        assert user.moves == ()
        await user.press("1", "1", "backspace", "2", "enter", "backspace")
        assert user.moves == (11,), "Backspace took a digit, not the move"
        await user.press("7", "escape", "enter")
        assert user.moves == (11, 6), "Escape forgot the number; the pointer stayed where it had led"


async def test_quick_keys_are_played_in_order(tmp_path):
    """Keys are handled in order, however quickly they arrive."""
    async with playing(tmp_path, two_players=True, variant="12x8x5") as user:
        for key in ("1", "0", "enter", "3", "enter", "left", "enter"):
            user.app.post_message(events.Key(key, key if key.isdigit() else None))
        await user.wait_until(lambda: len(user.moves) == 3)
        assert user.moves == (9, 2, 1)


@pytest.mark.parametrize(("opens", "closes"), [("n", "x"), ("question_mark", "q")])
async def test_two_keys_at_once_close_a_dialog_once(tmp_path, opens, closes):
    """Of two keys at once, the first closes the dialog, and the second does not close the game below it."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press("4", opens)
        over = user.app.screen
        assert not isinstance(over, GameScreen)
        for _ in range(2):
            user.app.post_message(events.Key(closes, closes))
        await user.wait_until(lambda: user.app.screen is not over)
        await user.pilot.pause(0.05)
        assert GameScreen in map(type, user.app.screen_stack)


async def test_the_second_half_of_a_double_click_drops_nothing(tmp_path, monkeypatch):
    """The second half of a double click drops nothing, but two slow clicks drop two discs."""
    monkeypatch.setattr(ConnectkApp, "CLICK_CHAIN_TIME_THRESHOLD", 60)  # on a busy machine, too
    async with playing(tmp_path, two_players=True) as user:
        await user.pilot.double_click(offset=(3, 10))
        await user.pilot.pause()
        assert user.moves == (0,)


async def test_a_fall_on_a_huge_board_is_short(tmp_path, monkeypatch):
    """A disc on the board 7x100000x4 falls for at most half a second."""
    now = [0.0]
    monkeypatch.setattr(board, "monotonic", lambda: now[0])
    async with playing(tmp_path, two_players=True, variant="7x100000x4", motion=True) as user:
        await user.press("4")
        assert user.app.screen.board._scene.falling
        now[0] = 0.51
        await user.wait_until(lambda: not user.app.screen.board._scene.falling)


async def test_the_last_disc_is_marked(tmp_path):
    """Only the last disc is marked."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press("4", "5")
        scene = user.app.screen.board._scene
        assert [scene.cell_look(Cell(column, 0), 6).last for column in (3, 4)] == [False, True]


async def test_a_full_column_is_refused_and_the_turn_stays(tmp_path):
    """A full column is refused, and the same player may pick another one."""
    async with playing(tmp_path, two_players=True, variant="4x2x4") as user:
        await user.press("1", "1", "1")
        assert "Column 1 is full, pick another." in user.side_text
        assert user.moves == (0, 0)
        await user.press("2")
        assert "is full" not in user.screen


async def test_a_column_outside_the_board_is_refused(tmp_path):
    """A column outside the board is refused without an effect on the game."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press("8")
        assert "There is no column 8" in user.side_text
        await user.press("0", "x", "f5", "tab", "ctrl+a", "up")
        assert user.moves == ()


async def test_undo_and_redo(tmp_path):
    """Undo and redo work, and a sentence says if there is nothing to undo or redo."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press("4", "5", "u", "u", "u")
        assert user.moves == ()
        assert "There is no move to take back." in user.side_text
        await user.press("r", "r", "r")
        assert user.moves == (3, 4)
        assert "There is no move to play again." in user.side_text


async def test_the_winning_line_stands_out_and_the_winner_is_named(tmp_path):
    """The winning line has colours that nothing else on the board has, and the winner is named."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press(*FIRST_WINS)
        assert "First player (○) wins." in user.side_text
        assert len(user.app.screen.board._scene.lines_at) == 4
        await user.press("1")
        assert "The game is already over." in user.side_text


async def test_the_computer_answers(tmp_path):
    """After the computer's answer it is the user's turn again."""
    async with playing(tmp_path, players=("greedy",)) as user:
        await user.press("4")
        await user.wait_until(lambda: len(user.moves) == 2)
        assert "Your turn (○)." in user.screen


async def test_the_computer_starts_when_asked(tmp_path):
    """With `--first computer` the computer begins."""
    async with playing(tmp_path, players=("greedy",), first="computer") as user:
        await user.wait_until(lambda: len(user.moves) == 1)
        assert "Your turn (●)." in user.screen


async def test_columns_picked_during_the_computers_turn_are_queued(tmp_path, slow):
    """Columns picked during the computer's turn are played in order, one at each turn of the person."""
    async with playing(tmp_path, level=1) as user:
        await user.press("4", "5", "6")
        assert user.moves == (3,)
        await user.press("6", "6")
        assert "Kept for your turn: 5, 6" in user.side_text, "a held key is one plan"
        slow.may_move.set()
        await user.wait_until(lambda: len(user.moves) == 6)
        assert user.moves == (3, 0, 4, 0, 5, 0)


async def test_undo_cancels_the_computers_choice(tmp_path, slow):
    """After an undo, the computer's choice for the undone position is not played."""
    async with playing(tmp_path, level=1) as user:
        await user.press("4", "u")
        assert user.moves == ()
        await user.wait_until(slow.stopped.is_set)
        await user.press("5")
        slow.may_move.set()
        await user.wait_until(lambda: len(user.moves) == 2)
        assert user.moves == (4, 0)


async def test_leaving_cancels_the_computers_choice(tmp_path, slow):
    """Leaving a game cancels the computer's choice, and no background thread keeps running."""
    async with playing(tmp_path, level=1) as user:
        await user.press("4", "escape", "y")
        await user.wait_until(slow.stopped.is_set)
        assert isinstance(user.app.screen, StartScreen)


@pytest.mark.parametrize("key", ["escape", "q", "ctrl+c"])
async def test_leaving_a_running_game_asks_once(tmp_path, key):
    """Leaving a running game asks once, and any key other than yes returns to the game."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press("4", key)
        assert "Leave this game?" in user.screen
        await user.press("x", "4")
        assert user.moves == (3, 3)
        await user.press(key, "y")
        if key == "escape":
            assert isinstance(user.app.screen, StartScreen)
        else:
            assert not user.app.is_running


async def test_pressing_ctrl_c_twice_leaves(tmp_path):
    """Pressing Ctrl-C twice leaves, because the second press answers yes. The key q works in the same way."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press("4", "ctrl+c", "ctrl+c")
        assert not user.app.is_running


async def test_a_long_thinking_time_is_shown(tmp_path, slow):
    """While the computer thinks for long, the status shows the seconds."""
    async with playing(tmp_path, level=1) as user:
        await user.press("4")
        await user.wait_until(lambda: re.search(r"level 1 is thinking, \d+ s", user.side_text))
        slow.may_move.set()


async def test_a_failing_player_is_replaced_by_a_person(tmp_path, monkeypatch):
    """If a computer player fails, a person takes its place, and the screen shows the reason."""

    def choose(position, clock):
        raise RuntimeError("out of ideas.")

    player = Slow()
    player.choose = choose
    monkeypatch.setattr(thinking, "load_player", lambda name: player)
    async with playing(tmp_path, level=1) as user:
        await user.press("4")
        await user.wait_until(lambda: "You take its seat." in user.side_text)
        await user.press("4")
        assert user.moves == (3, 3)


async def test_a_hint_shows_each_columns_result_and_length(tmp_path):
    """A hint shows each column's result and length. A second press of h hides it, and so does a move."""
    async with playing(tmp_path, two_players=True, start="445566") as user:
        await user.press("h")
        await user.wait_until(lambda: user.screen.count("wins in") == 7)
        assert "*  3  wins in 1" in user.screen
        assert "*7" in user.screen
        await user.press("h")
        assert "wins in" not in user.screen
        await user.press("h", "1")
        assert "wins in" not in user.screen


async def test_a_hint_says_what_the_column_does_for_you(tmp_path):
    """A hint starts with a sentence about what the best column does for the user."""
    async with playing(tmp_path, two_players=True, start="445566") as user:
        await user.press("h")
        await user.wait_until(lambda: "Columns 3 and 7 win now." in user.side_text)


async def test_hints_may_stay_on(tmp_path):
    """H shows a hint at every turn of a person, also in the next game, until H is pressed again."""
    async with playing(tmp_path, two_players=True, start="44556") as user:
        await user.press("H", "1")
        await user.wait_until(lambda: "Columns 3 and 7 win now." in user.side_text.replace("Column ", "Columns "))
    async with playing(tmp_path, two_players=True, start="445566") as user:
        await user.wait_until(lambda: "Columns 3 and 7 win now." in user.side_text)
        await user.press("H")
        assert "win now" not in user.side_text
        assert "Hints come only when asked for." in user.side_text


async def test_a_hint_on_a_board_too_large_to_solve_asks_the_engine(tmp_path):
    """On a board too large to solve, the hint is an estimate of the engine and is called one."""
    async with playing(tmp_path, two_players=True, variant="20x20x5") as user:
        await user.press("h")
        await user.wait_until(lambda: re.search(r"An estimate: column \d+ looks best\.", user.side_text))
        assert re.search(r"~\d+", user.screen), "the column is marked, otherwise than a proven one"
        assert "*" not in user.screen


async def test_a_demo_plays_itself_and_can_be_paused(tmp_path, monkeypatch):
    """Space pauses and continues a demo, and a column key is answered with a friendly sentence."""
    async with playing(tmp_path, demo=True, players=("greedy", "greedy"), variant="5x5x5") as user:
        await user.press("space")
        assert "Paused." in user.side_text
        await user.press("1")
        assert "The computer plays both sides here." in user.side_text
        monkeypatch.setattr(
            "connectk.terminal.screen.game.COMPUTER_DELAY_STILL_SECONDS", 0.01
        )  # nobody watches the rest
        await user.press("space")
        await user.wait_until(lambda: user.match.is_over)


async def test_restart_asks_while_a_game_is_on(tmp_path):
    """Restarting asks while a game is on, and any key other than yes continues the game."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press("4", "n")
        assert "Start this game again" in user.screen
        await user.press("x")
        assert user.moves == (3,)
        await user.press("n", "y")
        assert user.moves == ()


async def test_after_the_game_again_and_swapped(tmp_path):
    """After the game, n starts another one with the same seats, and w one with swapped seats."""
    async with playing(tmp_path, players=("greedy",), start="445566") as user:
        await user.press("7")
        assert "You win." in user.screen
        await user.press("n")
        assert user.moves == ()
        assert not user.match.is_over
        await user.press("7", "w")
        await user.wait_until(lambda: user.match.is_over)
        assert "greedy (○) wins." in user.screen


async def test_saving_asks_before_it_replaces(tmp_path):
    """Saving asks before it replaces a file, which then holds the game."""
    file = tmp_path / "a.json"
    file.write_text("old")
    async with playing(tmp_path, two_players=True) as user:
        await user.press("4", "s")
        await user.write(file)
        await user.press("enter")
        assert "is there already" in user.screen.replace("\n", " ")
        assert file.read_text() == "old"
        await user.press("enter")
        assert parse_saved_game(file.read_text()).game.moves == (3,)
        assert isinstance(user.app.screen, GameScreen)


async def test_an_unwritable_folder_is_reported(tmp_path):
    """If a folder cannot be written, the user is told and can type another name."""
    (tmp_path / "file").touch()
    async with playing(tmp_path, two_players=True) as user:
        await user.press("s")
        await user.write(tmp_path / "file" / "a")
        await user.press("enter")
        assert "cannot be written" in user.screen.replace("\n", " ")
        await user.press("escape", "4")
        assert user.moves == (3,)


async def test_every_move_is_autosaved(tmp_path):
    """Every move, and every undo, updates the autosave."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press("4", "5", "u")
        (game,) = Autosaves(tmp_path / "games").all()
        assert game.open().game.moves == (3,)
        await user.press("q", "q")
    async with playing(tmp_path, resume=True) as user:
        assert user.moves == (3,)


async def test_replay_steps_jumps_and_runs(tmp_path):
    """The replay can step, jump and run. Escape returns to the game."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press(*FIRST_WINS, "p")
        replay = user.app.screen
        assert isinstance(replay, ReplayScreen)
        assert "Move 0 of 7." in user.screen
        await user.press("right", "right", "left")
        assert replay.ply == 1
        await user.press("end")
        assert "Move 7 of 7." in user.screen
        await user.press("home", "space")
        await user.wait_until(lambda: replay.ply == 2)
        await user.press("space", "escape")
        assert isinstance(user.app.screen, GameScreen)


async def test_review_shows_the_graph_and_the_labels(tmp_path):
    """A review shows the graph and the labels, and g goes to the turning point."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press(*FIRST_WINS, "v")
        await user.wait_until(lambda: "The turning point: move 4" in user.side_text)
        await user.press("g")
        assert user.app.screen.ply == 4
        assert "Blunder: from" in user.side_text
        assert "with two threats at once" in user.side_text
        assert "╭" in user.screen


async def test_after_a_game_y_goes_to_the_move_that_decided_it_and_the_game_stays_in_reach(tmp_path):
    """After a game, and at the end of a replay, y goes to the move that decided the game. After Escape, v reviews the
    game again."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press(*FIRST_WINS, "y")
        await user.wait_until(lambda: "The turning point" in user.side_text or user.app.screen.ply == 4)
        assert user.app.screen.ply == 4
        assert "Blunder: from" in user.side_text
        await user.press("end", "y")
        assert user.app.screen.ply == 4
        await user.pilot.resize_terminal(40, 12)
        await user.wait_until(lambda: not user.app.screen.query_one(GraphView).display)
        assert "●" in user.screen, "on a low screen the board is there instead of the graph"
        await user.pilot.resize_terminal(80, 24)
        await user.wait_until(lambda: user.app.screen.query_one(GraphView).display)
        await user.press("escape", "escape")
        assert isinstance(user.app.screen, StartScreen)
        assert "last game" in user.screen.replace("\N{NO-BREAK SPACE}", " ")
        await user.press("v")
        await user.wait_until(lambda: "The turning point: move 4" in user.side_text)
        await user.press("escape")
        assert isinstance(user.app.screen, GameScreen)


async def test_the_better_line_and_the_answer_are_shown_on_the_board(tmp_path):
    """The key b shows first the better line, then the refutation, both with numbered drops, and then the game again."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press(*FIRST_WINS, "v")
        await user.wait_until(lambda: "The turning point: move 4" in user.side_text)
        await user.press("g")
        shown, game = user.app.screen.board, user.app.screen.board.position
        move = user.app.screen._review.turning_point
        await user.press("b")
        assert shown.position == play_numbered(move.position, move.better_line)[0]
        assert len(shown._scene.numbers) == 9
        assert all(str(number) in user.screen for number in range(1, 10))
        await user.press("b")
        assert shown.position == play_numbered(game, move.refutation)[0]
        await user.press("b")
        assert (shown.position, shown._scene.numbers) == (game, {})
        await user.press("b", "left")
        assert shown._scene.numbers == {}, "the next step leaves the line"


async def test_the_threats_are_marked_and_counted(tmp_path):
    """After disc 5, t marks the cells in which the first player completes the lowest row, and says so. A second t hides
    them."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press(*FIRST_WINS, "v")
        await user.wait_until(lambda: "The turning point: move 4" in user.side_text)
        await user.press("g", "right", "t")
        marks = user.app.screen.board._scene.numbers
        assert {"+"} == set(marks.values())
        assert "odd rows" in user.side_text
        await user.press("t")
        assert user.app.screen.board._scene.numbers == {}


async def test_below_the_board_a_hint_is_broken_between_columns(tmp_path):
    """On a narrow screen, a hint is broken between two columns, never within the text of one column."""
    async with playing(tmp_path, two_players=True, size=(60, 24)) as user:
        await user.press(*FIRST_WINS[:4], "h")
        await user.wait_until(lambda: user.app.screen.hint_is_finished)
        advice, *columns = str(user.app.screen.query_one("#hint").content).split("  ")
        assert " " in advice
        assert len(columns) == 7
        assert not any(" " in column for column in columns)


async def test_help_lists_the_keys(tmp_path):
    """The help lists the keys. Escape leaves it."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press("?")
        assert "take back" in user.screen
        await user.press("escape", "4")
        assert user.moves == (3,)


async def test_footer_keys_can_be_clicked(tmp_path):
    """Keys in the footer can be clicked, such as the one for undo."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press("4")
        foot = user.screen.splitlines()[-1]
        await user.click(foot.index("undo") + 1, 23)
        assert user.moves == ()


async def test_the_screen_adapts_to_the_terminals_size(tmp_path):
    """The cells grow and shrink with the terminal, and the board scrolls if the terminal is very small."""
    async with playing(tmp_path, two_players=True) as user:
        shown = user.app.screen.board
        sizes = {}
        for size in ((80, 24), (150, 50), (60, 24), (24, 10), (3, 2)):
            await user.pilot.resize_terminal(*size)
            await user.pilot.pause()
            sizes[size] = shown._geometry.cell_height
        assert list(sizes.values()) == [3, 6, 2, 1, 1]
        await user.press("4")
        assert user.moves == (3,)


async def test_a_tiny_terminal_still_shows_the_board_and_whose_turn_it_is(tmp_path):
    """On a tiny terminal, only the board and whose turn it is are shown."""
    async with playing(tmp_path, two_players=True, size=(24, 9)) as user:
        await user.press("4")
        assert "○" in user.screen
        assert "Second player" in user.screen


async def test_a_huge_board_scrolls_to_where_the_disc_is(tmp_path):
    """A huge board scrolls to the last disc, and only its visible part is drawn."""
    async with playing(tmp_path, two_players=True, variant="1000x1000x4") as user:
        await user.press("end", "enter")
        assert user.moves == (999,)
        assert "1000" in user.screen
        assert "●" in user.screen or "○" in user.screen


async def test_several_discs_fall_at_once(tmp_path, monkeypatch):
    """The next key is accepted during a fall, so several discs can fall at once."""
    now = [0.0]
    monkeypatch.setattr(board, "monotonic", lambda: now[0])
    async with playing(tmp_path, two_players=True, motion=True) as user:
        await user.press("4", "4")
        assert user.moves == (3, 3)
        falling = user.app.screen.board._scene.falling
        assert len(falling) == 2
        now[0] = 0.1
        await user.wait_until(lambda: user.app.screen.board._scene.falling != falling)
        now[0] = 10.0
        await user.wait_until(lambda: not user.app.screen.board._scene.falling)


async def test_with_reduced_motion_a_disc_does_not_fall(tmp_path):
    """With reduced motion, a disc is in its cell at once."""
    async with playing(tmp_path, two_players=True) as user:
        await user.press("4")
        assert not user.app.screen.board._scene.falling


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_text_beside_the_board_scrolls_by_keys_and_the_footer_stays_one_line(tmp_path, language):
    """On 80x24, PgDn shows the rest of the text beside the board, and the next move scrolls back. The footer stays one
    line."""
    async with playing(tmp_path, language=language, two_players=True) as user:
        cells = {user.app.screen.board.region.size}
        await user.press("h", *"4455667")
        cells.add(user.app.screen.board.region.size)
        assert len(cells) == 1
        await user.press("v")
        await user.wait_until(lambda: user.app.screen._review)
        replay = user.app.screen
        await user.wait_until(lambda: replay._side.max_scroll_y > 0)
        assert "PgDn" in user.screen
        assert replay.query_one("#accuracy").region.y < 6
        await user.press("pagedown")
        assert replay._side.scroll_y > 0
        await user.press("right")
        assert replay._side.scroll_y == 0
        assert replay.query_one("#keys").region.height == 1
        assert " %" in user.screen.replace("\u00a0", " ")


async def test_a_demo_is_shown_faster_and_slower(tmp_path):
    async with playing(tmp_path, demo=True, level=1) as user:
        await user.press("space", "plus", "plus", "plus")
        assert "Speed ×4." in user.side_text
        await user.press(*["minus"] * 9)
        assert "Speed ×0.25." in user.side_text
