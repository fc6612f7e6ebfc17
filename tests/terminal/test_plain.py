"""Tests the plain game, through a pipe and on a real terminal."""

import json
import os
import re
import signal
import subprocess
from contextlib import suppress

import pytest

from connectk.rules import Position
from connectk.terminal.plain.speech import draw_board
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
    """Piped input answers the questions, plays a game, and plays again. The end of the input is no error."""
    done = real_pipe(tmp_path, "--plain", answers=f"2\nyes\n{FIRST_WINS}1\n")
    assert done.returncode == 0
    assert done.stderr == ""
    assert "First player (○) dropped in column 4, row 1." in done.stdout
    assert "First player (○) wins." in done.stdout
    assert "(○)(○)(○)(○)" in done.stdout
    assert "The winning line: column 4, row 1; column 5, row 1; column 6, row 1; column 7, row 1." in done.stdout
    assert done.stdout.rstrip().endswith("Goodbye.")


def test_without_a_terminal_the_plain_game_starts(tmp_path):
    """Without a terminal, the plain game starts by itself."""
    done = pipe(tmp_path, "--two-players", answers=FIRST_WINS)
    assert done.returncode == 0
    assert "First player (○) wins." in done.stdout
    assert "\x1b" not in done.stdout


def test_a_terminal_that_cannot_draw_gets_the_plain_game(terminal):
    """A terminal that cannot draw (TERM=dumb) gets the plain game."""
    game = terminal("--two-players", TERM="dumb")
    game.wait_for("Column?")
    assert b"\x1b" not in game.seen


def test_an_invalid_answer_is_asked_again_with_a_reason(tmp_path):
    """An invalid answer is refused with a reason and asked again, and the game does not change."""
    answers = "9\nx\n1\nmaybe\n5\nperhaps\nyes\nyes\n8\n0\nfour\n\n"
    said = pipe(tmp_path, "--plain", answers=answers).stdout
    assert "'9' does not fit; answer with a number from 1 to 6." in said
    assert "'maybe' does not fit; answer with a number from 1 to 10." in said
    assert "'perhaps' is neither; answer yes or no." in said
    assert "There is no column 8; the columns are 1 to 7." in said
    assert "There is no column 0; the columns are 1 to 7." in said
    assert "'four' is not a column" in said
    assert "Type a column, 1 to 7, or ? for help." in said


def test_a_full_column_is_refused_and_the_turn_stays(tmp_path):
    """A full column is refused, and the same player is asked again."""
    said = pipe(tmp_path, "--two-players", "--variant", "4x2x4", answers="1\n1\n1\n2\n").stdout
    assert "Column 1 is full, pick another." in said
    assert "First player (○) dropped in column 2, row 1." in said


def test_undo_redo_restart_and_help(tmp_path):
    """Undo, redo, restart and help can be typed as a letter or as a word."""
    said = pipe(tmp_path, "--two-players", answers="4\nu\nu\nredo\nr\n?\nn\nyes\n").stdout
    assert said.count("Taken back: First player, column 4, row 1.") == 1
    assert "There is no move to take back." in said
    assert said.count("Played again: First player, column 4, row 1.") == 1
    assert "There is no move to play again." in said
    assert said.count("Type a column, 1 to 7.") == 2
    assert "A new start." in said


def test_without_a_board_undo_and_redo_say_what_changed(tmp_path):
    said = pipe(tmp_path, "--two-players", "--no-board", answers="4\n5\nu\nr\n").stdout
    assert "Taken back: Second player, column 5, row 1.\n" in said
    assert "Played again: Second player, column 5, row 1.\n" in said


def test_a_hint_prints_the_value_of_each_column(tmp_path):
    """A hint prints the value of each column in words, with the number of discs."""
    said = pipe(tmp_path, "--two-players", "--start", "445566", answers="h\n").stdout
    assert "Column 7: wins in 1." in said
    assert "Columns 3 and 7 win now." in said


def test_an_estimate_is_never_called_best(tmp_path):
    """On a board that cannot be solved, a hint is called an estimate and no column is called best."""
    said = pipe(tmp_path, "--two-players", "--variant", "20x20x5", answers="h\n").stdout
    assert re.search(r"An estimate: column \d", said)
    assert "looks best" in said
    assert "Best column" not in said


def test_hints_may_stay_on(tmp_path):
    """H prints a hint at every turn until H is typed again."""
    answers = "H\n1\n1\nH\n2\n"
    said = pipe(tmp_path, "--two-players", "--start", "445566", "--variant", "7x6x4", answers=answers).stdout
    assert "Columns 3 and 7 win now." in said
    assert said.count("Column 7:") == 3
    assert said.index("Hints come only when asked for.") > said.rindex("Column 7:")


def test_enter_takes_the_default_of_every_question(tmp_path):
    """Enter accepts every default: a game against level 5 on the classic board, in which the user moves first."""
    said = pipe(tmp_path, "--plain", answers="\n\n\n\n4\n").stdout
    assert "Number? (Enter: 1)" in said
    assert "Which level, 1 (easy) to 10 (perfect)? (Enter: 5)" in said
    assert "Do you start? (yes or no) (Enter: yes)" in said
    assert "You dropped in column 4, row 1." in said


def test_answers_become_the_next_defaults(tmp_path):
    """Answers become the next defaults, also after the program is started again."""
    pipe(tmp_path, "--plain", answers="1\n8\nno\nno\n6\n5\n4\n")
    said = pipe(tmp_path, "--plain", answers="1\n\n\n\n\n\n\n").stdout
    assert "(Enter: 8)" in said
    assert "Do you start? (yes or no) (Enter: no)" in said
    assert "How many columns? (Enter: 6)" in said
    assert "Computer, level 8 (○) dropped in column" in said


def test_puzzles_and_lessons_are_offered_before_a_game(tmp_path):
    """Puzzles and lessons are offered before a game. A user who quits them can still start a game."""
    said = pipe(tmp_path, "--plain", answers="4\na\nq\n5\nq\n2\nyes\n4\n").stdout
    assert "The answer is column" in said
    assert "Lesson 1: Dropping and lines. Card 1 of 4." in said
    assert said.count("How do you want to play?") == 3
    assert "First player (○) dropped in column 4, row 1." in said


@pytest.mark.parametrize("answers", ["q\n", "1\nq\n", "1\n5\nq\n", "2\nquit\n", "2\nyes\nq\n", f"2\n\n{FIRST_WINS}q\n"])
def test_q_leaves_from_every_question(tmp_path, answers):
    """q leaves from every question, before, during and after a game."""
    said = pipe(tmp_path, "--plain", answers=answers + "1\n1\n1\n1\n1\n").stdout
    assert said.rstrip().endswith("Goodbye.")


def test_leaving_a_running_game_asks_once(tmp_path):
    """Leaving a running game asks once, and after the answer no the game goes on."""
    said = pipe(tmp_path, "--two-players", answers="4\nq\nno\n4\nq\n\n9\n").stdout
    assert said.count("Leave this game?") == 2
    assert "Second player (●) dropped in column 4, row 2." in said
    assert said.rstrip().endswith("connectk play --resume continues it.")


def test_help_is_there_in_every_question(tmp_path):
    """? prints the possible answers at every question."""
    assert "Enter alone takes the answer in brackets" in pipe(tmp_path, "--plain", answers="?\n").stdout


def test_a_lost_game_can_be_undone(tmp_path):
    """After a lost game, u continues from the person's last turn."""
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
    """The menu after a game accepts the letters of the full screen besides its own numbers."""
    said = pipe(tmp_path, "--two-players", answers=f"{FIRST_WINS}{letter}\n").stdout
    assert effect in said[said.index("wins.") :]


def test_several_games_are_kept_and_offered(tmp_path):
    """A new game keeps older autosaves. `--resume` lists all of them, the latest first."""
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
    """A damaged autosave is reported in one sentence on standard error, with the name of its file."""
    folder = tmp_path / "connectk" / "games"
    folder.mkdir(parents=True)
    (folder / "odd.json").write_text("{")
    done = pipe(tmp_path, "--resume")
    assert done.returncode == 2
    assert str(folder / "odd.json") in done.stderr


def test_an_unwritable_folder_is_reported_at_the_start(tmp_path):
    """If autosaves cannot be written, this is reported once at the start, and the game goes on."""
    (tmp_path / "connectk").touch()
    said = pipe(tmp_path, "--two-players", answers="4\n4\n").stdout
    assert said.count("Games cannot be kept in") == 1
    assert said.index("Games cannot be kept in") < said.index("Column?")


def test_perfect_on_a_board_too_large_is_refused_before_the_game(tmp_path):
    """`perfect` on a board that is too large is refused before the game, with status 2 and a sentence in the user's
    language."""
    done = pipe(tmp_path, "--player", "perfect", "--variant", "20x20x5", "--language", "fi")
    assert done.returncode == 2
    assert "liian suuri" in done.stderr


def test_the_computer_answers(tmp_path):
    """Each move of the computer is printed as a sentence."""
    said = pipe(tmp_path, "--player", "greedy", "--first", "computer", answers="1\n").stdout
    assert said.count("greedy (○) dropped in column") == 2
    assert "You dropped in column 1, row 1." in said


def test_a_demo_plays_without_input(tmp_path):
    """A demo plays to its end without input. Then the end of the input ends the program."""
    done = pipe(tmp_path, "--demo", "--player", "greedy", "--player", "random", "--variant", "4x4x3")
    assert done.returncode == 0
    assert "What next?" in done.stdout


def test_after_the_game_one_plays_again_and_two_replays(tmp_path):
    """In a replay, Enter goes forward, u goes back, b describes the board, and q leaves."""
    said = pipe(tmp_path, "--two-players", answers=f"{FIRST_WINS}2\n\n\nu\nb\n\nq\n1\n4\n").stdout
    replayed = said[said.index("Enter shows") :]
    assert [line[:12] for line in replayed.splitlines() if line.startswith("Move")] == [
        "Move 0 of 7.",
        "Move 1 of 7.",
        "Move 2 of 7.",
        "Move 1 of 7.",
        "Move 1 of 7.",
        "Move 2 of 7.",
    ]
    assert "Column 4, from the bottom: first player.\n" in replayed
    assert replayed.rstrip().endswith("connectk play --resume continues it.")


def test_a_review_draws_the_better_line_and_the_answer(tmp_path):
    """A review draws the better line and the refutation with numbered drops, after its sentences."""
    said = pipe(tmp_path, "--two-players", answers=f"{FIRST_WINS}v\n").stdout
    better = said[said.index("\nOne better way:\n") :].splitlines()[2:8]
    met = said[said.index("\nOne answer:\n") :].splitlines()[2:8]
    assert set("123456789") <= set("".join(better))
    assert set("".join(met)) & set("123456789") == set("123")


def test_a_review_tells_why_the_game_was_decided(tmp_path):
    """A review explains how the first player can force a win after the turning point."""
    said = pipe(tmp_path, "--two-players", answers=f"{FIRST_WINS}v\n").stdout
    explanation = said[said.index("The first player wins.") :]
    assert "Board 1" in explanation
    assert "completes the line" in explanation


def test_a_game_is_saved_and_a_file_not_replaced_unasked(tmp_path):
    """Saving asks for a name, and asks again before it replaces a file."""
    file = tmp_path / "my game.json"
    answers = f"4\ns\n{file}\n5\ns\n{file}\nno\ns\n{tmp_path}/no/such\0\ns\n\n"
    said = pipe(tmp_path, "--two-players", answers=answers.replace("\0", "")).stdout
    assert f"Saved in {file}." in said
    assert "Nothing was saved." in said
    assert json.loads(file.read_text())["moves"] == "4"


def test_a_game_left_goes_on_with_resume(tmp_path):
    """A game that was left continues with `--resume`, with the same moves and players."""
    left = pipe(tmp_path, "--player", "greedy", answers="4\n")
    assert "connectk play --resume continues it." in left.stdout
    moves = autosaved_moves(tmp_path)
    resumed = pipe(tmp_path, "--resume", answers="4\n").stdout
    assert len(autosaved_moves(tmp_path)) == len(moves) + 2
    assert "You dropped in column 4" in resumed


def test_a_failing_player_is_replaced_by_a_person(tmp_path):
    """If a computer player fails, the reason is printed, and a person takes its place."""
    bot = tmp_path / "broken.py"
    bot.write_text("def choose(position):\n    return 99\n")
    said = pipe(tmp_path, "--player", str(bot), answers="4\n4\n").stdout
    assert "You take its seat." in said
    assert "Second player (●) dropped in column 4, row 2." in said


def test_an_error_is_one_sentence(tmp_path):
    """An error is one sentence on standard error, with exit status 2."""
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
    """In every language, a whole game can be played from the first question to its end."""
    done = pipe(tmp_path, "--plain", "--language", language, answers=answers + FIRST_WINS)
    assert ending in done.stdout
    assert done.returncode == 0


def test_the_locale_chooses_the_language(tmp_path):
    """The locale chooses the language, and `--language` overrides it."""
    assert "Näkemiin." in pipe(tmp_path, "--plain", LANG="fi_FI.UTF-8").stdout
    assert "Hej då." in pipe(tmp_path, "--plain", "--language", "sv", LANG="fi_FI.UTF-8").stdout


@pytest.mark.parametrize(("encoding", "disc"), [("utf-8", "○"), ("ascii", "x"), ("latin-1", "x")])
def test_discs_are_letters_where_the_terminal_has_no_others(terminal, encoding, disc):
    """Discs are letters if the terminal's encoding has no round discs."""
    game = terminal("--plain", "--two-players", PYTHONIOENCODING=encoding)
    game.type("4\n")
    assert f"First player ({disc}) dropped in column 4, row 1." in game.wait_for("row 1.")


def test_finnish_is_readable_in_ascii_too(tmp_path):
    """Finnish is readable in ASCII: the game goes on even if the encoding lacks a letter."""
    done = pipe(tmp_path, "--plain", "--language", "fi", answers="2\nk\n4\n", encoding="ascii")
    assert done.returncode == 0


def press_ctrl_c(game):
    """Press Ctrl-C, and again if the first press was lost between a question and its answer."""
    for _ in range(5):
        game.type("\x03")
        with suppress(subprocess.TimeoutExpired):
            return game.end(3)
    raise AssertionError("Ctrl-C did not end the game")


def test_a_person_at_a_terminal_plays_and_stops_with_ctrl_c(terminal, tmp_path):
    """After Ctrl-C at a terminal, the game is saved and the terminal is restored."""
    game = terminal("--plain", "--two-players")
    game.wait_for("Column?")
    game.type("4\n")
    game.wait_for("row 1.")
    assert press_ctrl_c(game) == 130
    assert game.is_sane
    assert "connectk play --resume continues it." in game.text
    assert "Traceback" not in game.text


def test_a_line_can_be_edited(terminal):
    """Left and Backspace edit an answer as in a shell."""
    game = terminal("--plain", "--two-players")
    game.wait_for("Column?")
    game.type("45\x1b[D\x7f\n")
    assert "First player (○) dropped in column 5, row 1." in game.wait_for("row 1.")


def test_ctrl_c_while_the_computer_thinks(terminal, tmp_path):
    """Ctrl-C while the computer thinks ends the program without waiting for the player."""
    bot = tmp_path / "slow.py"
    bot.write_text("import time\ndef choose(position):\n    time.sleep(600)\n")
    game = terminal("--plain", "--player", str(bot))
    game.wait_for("Column?")
    game.type("4\n")
    game.wait_for("thinking.")
    game.type("\x03")
    assert game.end() == 130


def test_a_closed_terminal_ends_the_program_and_keeps_the_game(terminal, tmp_path):
    """When a terminal window is closed, the system sends SIGHUP: the program ends and the game is saved."""
    game = terminal("--plain", "--two-players")
    game.wait_for("Column?")
    game.type("4\n")
    game.wait_for("row 1.")
    os.killpg(game.process.pid, signal.SIGHUP)
    game.end()
    assert autosaved_moves(tmp_path) == "4"


def test_the_board_shows_a_winning_line_in_brackets():
    """A winning line is in brackets, with round discs and with letters."""
    position = Position.from_moves("4455667")
    assert draw_board(position, ROUND_DISCS).splitlines()[5] == " .  .  . (○)(○)(○)(○)"
    assert draw_board(position, LETTER_DISCS).splitlines()[5] == " .  .  . (x)(x)(x)(x)"
    assert draw_board(position, LETTER_DISCS).splitlines()[6] == " 1  2  3  4  5  6  7"


def test_for_the_ear_nothing_is_drawn_and_the_board_is_told_on_request(tmp_path):
    """With `--no-board`, each move prints only the change. The columns from the bottom up, the threats and the last
    moves are printed on request."""
    moves = "4\n5\n4\n5\n4\nb\nt\nl\ny\n4\n"
    said = pipe(tmp_path, "--no-board", "--two-players", answers=moves).stdout
    assert not re.search(r"^ [.xo○●]", said, re.MULTILINE)
    assert "○" not in said
    assert "Column 4, from the bottom: first player, first player, first player." in said
    assert "The other columns are empty." in said
    assert "First player: column 4, row 4 would complete a line; a disc can land there now." in said
    assert said.count("First player dropped in column 4, row 3.") == 2, "once when it was dropped, once when asked"
    assert "Looking for an explanation" in said
    assert said.count("Type a column, 1 to 7. Or:") == 1


def test_a_threat_says_how_many_cells_below_it_are_empty(tmp_path):
    said = pipe(tmp_path, "--no-board", "--two-players", "--start", "1223343", answers="t\n").stdout
    assert "First player: column 4, row 4 would complete a line; 2 cells below it are empty." in said


@pytest.mark.parametrize(
    ("options", "who"),
    [
        (["--two-players"], "The first player is ○, the second ●."),
        (
            ["--two-players", "--no-board"],
            "Looking for an explanation, and playing it through…\nThe first player is to move: wins.",
        ),
        (["--level", "1", "--no-board"], "First player: You. Second player: Computer, level 1."),
    ],
)
def test_in_an_opening_why_tells_the_columns_and_the_answers(tmp_path, options, who):
    """In an opening, the explanation calls the players first and second, as everywhere else. Against a computer player,
    a sentence first says who is which."""
    said = pipe(tmp_path, "--start", "44", *options, answers="y\n").stdout
    assert who in said
    assert "For the first player: column 4 wins" in said
    assert "The first player drops into column 4.\nAfter column 1: column 5." in said


def test_after_a_lost_game_y_tells_where_it_was_decided(tmp_path):
    """After a lost game, y names the turning point, and the players have the same names as in the game. The game can be
    reviewed again after a restart."""
    said = pipe(tmp_path, "--no-board", "--two-players", answers=f"{FIRST_WINS}y\nm\n7\nq\n").stdout
    assert "The turning point: move 4, Second player, column 5. Blunder: from" in said
    assert said.count("First player wins.") == 2, "once when the game ended, once when it was opened again"
    assert said.count("  7  look at the last game again") == 1


def test_a_game_with_discs_on_its_board_is_described_before_the_first_question(tmp_path):
    """With `--no-board`, a resumed game is described before the first question."""
    pipe(tmp_path, "--no-board", "--two-players", answers="4\n5\n")
    said = pipe(tmp_path, "--no-board", "--resume").stdout
    stands = said[said.index("Where the game stands:") : said.index("Column?")]
    assert "Column 4, from the bottom: first player.\nColumn 5, from the bottom: second player." in stands
    assert "First player dropped in column 4, row 1.\nSecond player dropped in column 5, row 1." in stands
    assert "Where the game stands" not in pipe(tmp_path, "--no-board", "--two-players", answers="4\n").stdout


def test_the_list_after_a_game_is_said_once_and_on_request(tmp_path):
    """The list of choices after a game is printed once. The answer ? prints it again."""
    said = pipe(tmp_path, "--plain", "--two-players", answers=f"{FIRST_WINS}?\nq\n").stdout
    assert said.count("  1  play again") == 2


def test_the_list_after_a_game_is_said_once(tmp_path):
    said = pipe(tmp_path, "--plain", "--two-players", answers=f"{FIRST_WINS}p\nq\ns\n\nq\n").stdout
    assert said.count("What next?") == 3
    assert said.count("  1  play again") == 1
