"""Every command reads a position in each of the forms that users have."""

import json
import os
import subprocess
import sys
import threading

import pytest

from connectk import Game, Position, Variant
from connectk.errors import FileNotReadable, NotationError
from connectk.notation import SavedGame, parse_any, parse_start, read_game, read_position, write_saved_game
from tests.terminal.command import run_in_process

SAVED = write_saved_game(SavedGame(Game(moves=(3, 3, 4, 4))))
FORMS = {
    "moves": "4455",
    "moves with commas": "4,4,5,5",
    "a column on every line": "4\n4\n5\n5\n",
    "a saved game": SAVED,
    "a Connect-Z file": "7 6 4\n4\n4\n5\n5\n",
    "what solve prints": json.dumps({"variant": "7x6x4", "start": "", "moves": "4455", "score": 18}),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_is_read_as_text_and_as_a_file(form, tmp_path):
    """Every form of a position is read as a text and as a file. Forms with moves keep the moves."""
    assert parse_any(FORMS[form]).game.moves == (3, 3, 4, 4)
    file = tmp_path / "position"
    file.write_text(FORMS[form])
    assert read_game(str(file)).game.moves == (3, 3, 4, 4)


@pytest.mark.parametrize("text", ["4xo.5x", ". . . o . . .\n. . . x x . .", '{"variant": "7x6x4", "start": "4xo.5x"}'])
def test_a_board_is_read_from_a_start_a_drawing_or_json(text):
    assert read_position(text) == parse_start("4xo.5x")


def test_what_is_drawn_is_read_back():
    """A drawn board can be read back, also with round discs and with column numbers."""
    position = Position.from_moves("445566")
    assert read_position(str(position)) == position


def test_a_drawn_board_says_its_size_and_moves_take_that_of_the_option():
    assert read_position("x . . .\nx o . .\nx o o .").variant == Variant(4, 3, 4)
    assert read_position("99", Variant(9, 7, 5)).height_of(8) == 2


def test_a_fifo_is_read(tmp_path):
    """A named pipe can be read, as the shell passes it in `connectk solve <(program)`."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    threading.Thread(target=fifo.write_text, args=("445",)).start()
    assert read_game(str(fifo)).game.moves == (3, 3, 4)


@pytest.mark.parametrize("source", ["game.json", "no/such/file", "foo", "~/nothing"])
def test_a_file_that_is_not_there_is_named(source):
    with pytest.raises(NotationError, match="There is no file"):
        read_game(source)


def test_a_program_is_no_game(tmp_path):
    """A binary file is refused, and the error says that it is not text."""
    file = tmp_path / "program"
    file.write_bytes(b"\x7fELF\x02\x01\x01\x00")
    with pytest.raises(FileNotReadable, match="it is no text"):
        read_game(str(file))


@pytest.mark.parametrize("source", ["/", "~", "games/"])
def test_a_folder_is_called_a_folder(source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "games").mkdir()
    with pytest.raises(FileNotReadable, match="it is a folder"):
        read_game(source)


def test_moves_are_moves_where_a_folder_has_their_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "44").mkdir()
    assert read_game("44").game.moves == (3, 3)


def test_the_text_below_a_printed_board_is_no_part_of_it():
    """Text that a command prints below a board is ignored when the output is read, so that commands can be piped
    together."""
    said = run_in_process("solve", "44").stdout
    assert "first player" in said
    assert parse_any(said).game.position == parse_any("44").game.position


def test_a_list_of_json_is_no_game():
    with pytest.raises(NotationError, match="JSON object"):
        parse_any('[{"player": "random"}]')


def test_several_games_are_not_one():
    """A text with several games, such as the results of an arena, is refused where one game is needed."""
    with pytest.raises(NotationError, match="more than one game"):
        parse_any('{"moves": "44"}\n{"moves": "45"}\n')


@pytest.mark.parametrize("moves", ["[1]", "7", '[{"column": "x"}]', "[{}]"])
def test_moves_of_another_shape_are_refused(moves):
    with pytest.raises(NotationError, match="text such as 4453"):
        parse_any(f'{{"moves": {moves}}}')


@pytest.mark.parametrize("command", ["why --json", "why --json --limit 1s", "review --json --time 10ms"])
@pytest.mark.parametrize("position", ["3344", "33"])
def test_explanations_and_reviews_are_read(command, position):
    """Positions can be read from an explanation, from the JSON of a position without one, and from a review."""
    printed = run_in_process(*command.split(), position).stdout
    assert json.loads(printed)["start" if "why" in command else "moves"]
    assert parse_any(printed).game.position == Position.from_moves(position)


def test_what_one_command_prints_the_next_one_reads(tmp_path):
    """The JSON output of one command can be read by the next, as in `connectk puzzle --json | connectk solve -`."""

    def run(*words, given=""):
        command = [sys.executable, "-m", "connectk", *words]
        return subprocess.run(command, input=given, capture_output=True, text=True, check=True, cwd=tmp_path).stdout

    puzzle = run("puzzle", "--json", "--day", "2026-11-16")
    (solved,) = map(json.loads, run("solve", "--json", "-", given=puzzle).splitlines())
    assert solved["start"] == json.loads(puzzle)["start"]
    board = str(parse_start(solved["start"]))
    again = json.loads(run("solve", "--json", "-", given=board))
    assert again["score"] == solved["score"]
    assert json.loads(puzzle)["answer"] in again["best_columns"]
