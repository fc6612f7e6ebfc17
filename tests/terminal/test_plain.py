"""The plain game, through a pipe and on a real terminal."""

import json
import os
import re
import signal
import subprocess
from contextlib import suppress

import pytest

from connectk.rules import Position
from connectk.terminal.plain.game import draw_board
from connectk.terminal.sentences import LETTER_DISCS, ROUND_DISCS
from connectk.terminal.store import Autosaves
from tests.terminal.command import Terminal, autosaved_moves, pipe, real_pipe

FIRST_WINS = "4\n4\n5\n5\n6\n6\n7\n"


@pytest.fixture
def terminal(tmp_path):
    opened = []

    def open_terminal(*options, **more):
        opened.append(Terminal(tmp_path, *options, **more))
        return opened[-1]

    yield open_terminal
    for one in opened:
        one.close()


def test_a_game_through_a_pipe_ends_cleanly_with_its_input(tmp_path):
    """Questions by number, yes or no, the game, play again, and the end of input is no error."""
    done = real_pipe(tmp_path, "--plain", answers=f"2\nyes\n{FIRST_WINS}1\n")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "First player (○) dropped in column 4, row 1." in done.stdout
    assert "First player (○) wins." in done.stdout
    assert "(○)(○)(○)(○)" in done.stdout
    assert "4-1, 5-1, 6-1, 7-1" in done.stdout
    assert done.stdout.rstrip().endswith("Goodbye.")


def test_without_a_terminal_the_plain_game_starts(tmp_path):
    """No option is needed in a pipe."""
    done = pipe(tmp_path, "--two-players", answers=FIRST_WINS)
    assert done.returncode == 0
    assert "First player (○) wins." in done.stdout
    assert "\x1b" not in done.stdout


def test_a_terminal_that_cannot_draw_gets_the_plain_game(terminal):
    """TERM=dumb."""
    game = terminal("--two-players", TERM="dumb")
    game.wait_for("Column?")
    assert b"\x1b" not in game.seen


def test_an_invalid_answer_is_asked_again_with_a_reason(tmp_path):
    """Nothing is lost by it."""
    answers = "9\nx\n1\nmaybe\n5\nperhaps\nyes\nyes\n8\n0\nfour\n\n"
    said = pipe(tmp_path, "--plain", answers=answers).stdout
    assert "'9' does not fit; answer with a number from 1 to 5." in said
    assert "'maybe' does not fit; answer with a number from 1 to 10." in said
    assert "'perhaps' is neither; answer yes or no." in said
    assert "There is no column 8; the columns are 1 to 7." in said
    assert "There is no column 0; the columns are 1 to 7." in said
    assert "'four' is not a column" in said
    assert "Type a column, 1 to 7, or ? for help." in said


def test_a_full_column_is_refused_and_the_turn_stays(tmp_path):
    """The same player is asked again."""
    said = pipe(tmp_path, "--two-players", "--variant", "4x2x4", answers="1\n1\n1\n2\n").stdout
    assert "Column 1 is full, pick another." in said
    assert "First player (○) dropped in column 2, row 1." in said


def test_undo_redo_restart_and_help(tmp_path):
    """By letter or by word."""
    said = pipe(tmp_path, "--two-players", answers="4\nu\nu\nredo\nr\n?\nn\nyes\n").stdout
    assert said.count("Taken back.") == 1
    assert "There is no move to take back." in said
    assert said.count("Played again.") == 1
    assert "There is no move to play again." in said
    assert said.count("Type a column, 1 to 7.") == 2
    assert "A new start." in said


def test_a_hint_prints_the_value_of_each_column(tmp_path):
    """In words and with the length."""
    said = pipe(tmp_path, "--two-players", "--start", "445566", answers="h\n").stdout
    assert "Column 7: wins in 1." in said
    assert "Columns 3 and 7 win now." in said


def test_an_estimate_is_never_called_best(tmp_path):
    """On a board that cannot be solved the hint is called an estimate."""
    said = pipe(tmp_path, "--two-players", "--variant", "20x20x5", answers="h\n").stdout
    assert re.search(r"An estimate: column \d", said)
    assert "looks best" in said
    assert "Best column" not in said


def test_hints_may_stay_on(tmp_path):
    """H gives one at every turn, until H."""
    answers = "H\n1\n1\nH\n2\n"
    said = pipe(tmp_path, "--two-players", "--start", "445566", "--variant", "7x6x4", answers=answers).stdout
    assert "Columns 3 and 7 win now." in said
    assert said.count("Column 7:") == 3
    assert said.index("Hints come only when asked for.") > said.rindex("Column 7:")


def test_enter_takes_the_default_of_every_question(tmp_path):
    """Against the computer, level 5, you start, the classic board."""
    said = pipe(tmp_path, "--plain", answers="\n\n\n\n4\n").stdout
    assert "Number? (Enter: 1)" in said
    assert "Which level, 1 (easy) to 10 (perfect)? (Enter: 5)" in said
    assert "Do you start? (yes or no) (Enter: yes)" in said
    assert "You dropped in column 4, row 1." in said


def test_answers_become_the_next_defaults(tmp_path):
    """In the next program, too."""
    pipe(tmp_path, "--plain", answers="1\n8\nno\nno\n6\n5\n4\n")
    said = pipe(tmp_path, "--plain", answers="1\n\n\n\n\n\n\n").stdout
    assert "(Enter: 8)" in said
    assert "Do you start? (yes or no) (Enter: no)" in said
    assert "How many columns? (Enter: 6)" in said
    assert "Computer, level 8 (○) dropped in column" in said


def test_puzzles_and_lessons_are_offered_before_a_game(tmp_path):
    """After quitting a session the user can still start a game."""
    said = pipe(tmp_path, "--plain", answers="4\ns\nq\n5\nq\n2\nyes\n4\n").stdout
    assert "The answer is column" in said
    assert "Lesson 1: Dropping and lines. Card 1 of 4." in said
    assert said.count("How do you want to play?") == 3
    assert "First player (○) dropped in column 4, row 1." in said


@pytest.mark.parametrize("answers", ["q\n", "1\nq\n", "1\n5\nq\n", "2\nquit\n", "2\nyes\nq\n", f"2\n\n{FIRST_WINS}q\n"])
def test_q_leaves_from_every_question(tmp_path, answers):
    """The questions before the game, the game, and what comes after it."""
    said = pipe(tmp_path, "--plain", answers=answers + "1\n1\n1\n1\n1\n").stdout
    assert said.rstrip().endswith("Goodbye.")


def test_leaving_a_running_game_asks_once(tmp_path):
    """No goes on with it."""
    said = pipe(tmp_path, "--two-players", answers="4\nq\nno\n4\nq\n\n9\n").stdout
    assert said.count("Leave this game?") == 2
    assert "Second player (●) dropped in column 4, row 2." in said
    assert said.rstrip().endswith("connectk play --resume continues it.")


def test_help_is_there_in_every_question(tmp_path):
    """? tells what may be answered."""
    assert "Enter alone takes the answer in brackets" in pipe(tmp_path, "--plain", answers="?\n").stdout


def test_a_lost_game_can_be_undone(tmp_path):
    """u after the end plays on from the last turn."""
    said = pipe(tmp_path, "--two-players", answers=f"{FIRST_WINS}u\n3\n").stdout
    after = said[said.index("wins.") :]
    assert "First player (○) wins." in after or "First player (○) dropped in column 3, row 1." in after
    assert "dropped in column 3, row 1." in after


@pytest.mark.parametrize(
    ("letter", "effect"),
    [
        ("n", "First player (○) to move."),
        ("p", "Enter shows the next move"),
        ("v", "accuracy"),
        ("s", "Save into which"),
    ],
)
def test_after_the_game_the_letters_mean_what_they_mean_on_the_screen(tmp_path, letter, effect):
    """Letters work besides the numbers of the menu."""
    said = pipe(tmp_path, "--two-players", answers=f"{FIRST_WINS}{letter}\n").stdout
    assert effect in said[said.index("wins.") :]


def test_several_games_are_kept_and_offered(tmp_path):
    """Starting another destroys none; --resume lists them, the last one first."""
    pipe(tmp_path, "--two-players", answers="4\n5\n")
    pipe(tmp_path, "--demo", "--player", "greedy", "--player", "nobody.py", answers="")
    pipe(tmp_path, "--two-players", answers="1\n")
    said = pipe(tmp_path, "--resume", answers="2\n6\n").stdout
    assert "Which game?" in said
    assert "7x6x4, 1 move" in said
    assert "7x6x4, 2 moves" in said
    assert "dropped in column 6, row 1." in said
    assert len(Autosaves(tmp_path / "connectk" / "games").all()) == 2


def test_a_damaged_game_names_its_file(tmp_path):
    """On standard error, in one sentence."""
    folder = tmp_path / "connectk" / "games"
    folder.mkdir(parents=True)
    (folder / "odd.json").write_text("{")
    done = pipe(tmp_path, "--resume")
    assert done.returncode == 2
    assert str(folder / "odd.json") in done.stderr


def test_an_unwritable_folder_is_reported_at_the_start(tmp_path):
    """Once; the game goes on."""
    (tmp_path / "connectk").touch()
    said = pipe(tmp_path, "--two-players", answers="4\n4\n").stdout
    assert said.count("Games cannot be kept in") == 1
    assert said.index("Games cannot be kept in") < said.index("Column?")


def test_perfect_on_a_board_too_large_is_refused_before_the_game(tmp_path):
    """With status 2, in the user's language."""
    done = pipe(tmp_path, "--player", "perfect", "--variant", "20x20x5", "--language", "fi")
    assert done.returncode == 2
    assert "liian suuri" in done.stderr


def test_the_computer_answers(tmp_path):
    """Each of its moves is a sentence."""
    said = pipe(tmp_path, "--player", "greedy", "--first", "computer", answers="1\n").stdout
    assert said.count("greedy (○) dropped in column") == 2
    assert "You dropped in column 1, row 1." in said


def test_a_demo_plays_without_input(tmp_path):
    """It plays to its end and then asks, and the end of input is the answer."""
    done = pipe(tmp_path, "--demo", "--player", "greedy", "--player", "random", "--variant", "4x4x3")
    assert done.returncode == 0
    assert "What next?" in done.stdout


def test_after_the_game_one_plays_again_and_two_replays(tmp_path):
    """A replay steps with Enter, goes back with b and leaves with q."""
    said = pipe(tmp_path, "--two-players", answers=f"{FIRST_WINS}2\n\n\nb\n\nq\n1\n4\n").stdout
    replayed = said[said.index("Enter shows") :]
    assert [line[:12] for line in replayed.splitlines() if line.startswith("Move")] == [
        "Move 0 of 7.",
        "Move 1 of 7.",
        "Move 2 of 7.",
        "Move 1 of 7.",
        "Move 2 of 7.",
    ]
    assert replayed.rstrip().endswith("connectk play --resume continues it.")


def test_a_review_draws_the_better_line_and_the_answer(tmp_path):
    """With the drops numbered, after the words."""
    said = pipe(tmp_path, "--two-players", answers=f"{FIRST_WINS}v\n").stdout
    better = said[said.index("\nBetter:\n") :].splitlines()[2:8]
    met = said[said.index("\nIt is met by:\n") :].splitlines()[2:8]
    assert set("123456789") <= set("".join(better))
    assert set("".join(met)) & set("123456789") == set("123")


def test_a_review_tells_why_the_game_was_decided(tmp_path):
    """After the turning point the first player has a force, which is explained."""
    said = pipe(tmp_path, "--two-players", answers=f"{FIRST_WINS}v\n").stdout
    explanation = said[said.index("The first player wins.") :]
    assert "Board 1" in explanation
    assert "Each drop threatens to win" in explanation


def test_a_game_is_saved_and_a_file_not_replaced_unasked(tmp_path):
    """The name is asked for; a file that is there is asked about."""
    file = tmp_path / "my game.json"
    answers = f"4\ns\n{file}\n5\ns\n{file}\nno\ns\n{tmp_path}/no/such\0\ns\n\n"
    said = pipe(tmp_path, "--two-players", answers=answers.replace("\0", "")).stdout
    assert f"Saved in {file}." in said
    assert "Nothing was saved." in said
    assert json.loads(file.read_text())["moves"] == "4"


def test_a_game_left_goes_on_with_resume(tmp_path):
    """With its moves and its players."""
    left = pipe(tmp_path, "--player", "greedy", answers="4\n")
    assert "connectk play --resume continues it." in left.stdout
    moves = autosaved_moves(tmp_path)
    resumed = pipe(tmp_path, "--resume", answers="4\n").stdout
    assert len(autosaved_moves(tmp_path)) == len(moves) + 2
    assert "You dropped in column 4" in resumed


def test_a_failing_player_is_replaced_by_a_person(tmp_path):
    """With the reason; the game goes on."""
    bot = tmp_path / "broken.py"
    bot.write_text("def choose(position):\n    return 99\n")
    said = pipe(tmp_path, "--player", str(bot), answers="4\n4\n").stdout
    assert "You take its seat." in said
    assert "Second player (●) dropped in column 4, row 2." in said


def test_an_error_is_one_sentence(tmp_path):
    """On standard error, with status 2."""
    done = pipe(tmp_path, "--player", "nobody")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "There is no player 'nobody'" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1


@pytest.mark.parametrize(
    ("language", "answers", "ending"),
    [
        ("en", "2\nyes\n", "First player (○) wins."),
        ("fi", "2\nkyllä\n", "Ensimmäinen pelaaja (○) voittaa."),
        ("sv", "2\nja\n", "Första spelaren (○) vinner."),
    ],
)
def test_every_language_plays_a_whole_game(tmp_path, language, answers, ending):
    """From the first question to the winner."""
    done = pipe(tmp_path, "--plain", "--language", language, answers=answers + FIRST_WINS)
    assert ending in done.stdout
    assert done.returncode == 0


def test_the_locale_chooses_the_language(tmp_path):
    """And an option overrules it."""
    assert "Näkemiin." in pipe(tmp_path, "--plain", LANG="fi_FI.UTF-8").stdout
    assert "Hej då." in pipe(tmp_path, "--plain", "--language", "sv", LANG="fi_FI.UTF-8").stdout


@pytest.mark.parametrize(("encoding", "disc"), [("utf-8", "○"), ("ascii", "x"), ("latin-1", "x")])
def test_discs_are_letters_where_the_terminal_has_no_others(terminal, encoding, disc):
    """Asked of the terminal's encoding."""
    game = terminal("--plain", "--two-players", PYTHONIOENCODING=encoding)
    game.type("4\n")
    assert f"First player ({disc}) dropped in column 4, row 1." in game.wait_for("row 1.")


def test_finnish_is_readable_in_ascii_too(tmp_path):
    """A letter that cannot be written never stops the game."""
    done = pipe(tmp_path, "--plain", "--language", "fi", answers="2\nk\n4\n", encoding="ascii")
    assert done.returncode == 0


def press_ctrl_c(game):
    """Press Ctrl-C again if the first one was lost between a question and its answer."""
    for _ in range(5):
        game.type("\x03")
        with suppress(subprocess.TimeoutExpired):
            return game.end(3)
    raise AssertionError("Ctrl-C did not end the game")


def test_a_person_at_a_terminal_plays_and_stops_with_ctrl_c(terminal, tmp_path):
    """The game is kept, the terminal as it was."""
    game = terminal("--plain", "--two-players")
    game.wait_for("Column?")
    game.type("4\n")
    game.wait_for("row 1.")
    assert press_ctrl_c(game) == 130
    assert game.is_sane
    assert "connectk play --resume continues it." in game.text
    assert "Traceback" not in game.text


def test_a_line_can_be_edited(terminal):
    """Left and Backspace on an answer, as in a shell."""
    game = terminal("--plain", "--two-players")
    game.wait_for("Column?")
    game.type("45\x1b[D\x7f\n")
    assert "First player (○) dropped in column 5, row 1." in game.wait_for("row 1.")


def test_ctrl_c_while_the_computer_thinks(terminal, tmp_path):
    """The program exits without waiting for a slow player."""
    bot = tmp_path / "slow.py"
    bot.write_text("import time\ndef choose(position):\n    time.sleep(600)\n")
    game = terminal("--plain", "--player", str(bot))
    game.wait_for("Column?")
    game.type("4\n")
    game.wait_for("is thinking.")
    game.type("\x03")
    assert game.end() == 130


def test_a_closed_terminal_ends_the_program_and_keeps_the_game(terminal, tmp_path):
    """SIGHUP, as a closed window sends it."""
    game = terminal("--plain", "--two-players")
    game.wait_for("Column?")
    game.type("4\n")
    game.wait_for("row 1.")
    os.killpg(game.process.pid, signal.SIGHUP)
    game.end()
    assert autosaved_moves(tmp_path) == "4"


def test_the_board_shows_a_winning_line_in_brackets():
    """In round discs and in letters."""
    position = Position.from_moves("4455667")
    assert draw_board(position, ROUND_DISCS).splitlines()[5] == " .  .  . (○)(○)(○)(○)"
    assert draw_board(position, LETTER_DISCS).splitlines()[5] == " .  .  . (x)(x)(x)(x)"
    assert draw_board(position, LETTER_DISCS).splitlines()[6] == " 1  2  3  4  5  6  7"
