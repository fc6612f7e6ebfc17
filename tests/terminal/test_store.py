"""Tests game files, autosaves and preferences. A failed write leaves no partial file."""

import errno
import os
import re
from datetime import datetime

import pytest

from connectk.errors import NotationError
from connectk.notation import parse_saved_game
from connectk.rules import Game, Side
from connectk.terminal.form import Preferences
from connectk.terminal.match import PERSON_SEAT, LocalMatch
from connectk.terminal.store import Autosaves, DamagedGame, NoSavedGame, open_game, save_game

SEATS = {Side.FIRST: PERSON_SEAT, Side.SECOND: "bots/mine.py"}


def test_a_saved_game_is_read_back_unchanged(tmp_path):
    """A saved game is read back with the same moves and players."""
    save_game(LocalMatch(Game(moves=(3, 3, 4)), SEATS), tmp_path / "new" / "game.json")
    saved = open_game(tmp_path / "new" / "game.json")
    assert saved.game.moves == (3, 3, 4)
    assert saved.players == SEATS


def test_a_failed_save_leaves_the_old_file(tmp_path, monkeypatch):
    """A failed save keeps the old file. The new text is written to a second file first, and that file is removed."""
    file = tmp_path / "game.json"
    save_game(LocalMatch(Game(moves=(3,)), SEATS), file)
    monkeypatch.setattr("connectk.terminal.store.write_saved_game", lambda saved: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        save_game(LocalMatch(Game(moves=(4,)), SEATS), file)
    assert parse_saved_game(file.read_text()).game.moves == (3,)
    assert list(tmp_path.iterdir()) == [file]


def test_a_game_file_for_the_referee_opens_too(tmp_path):
    """A Connect-Z file can be opened too. Its first character distinguishes it from a saved game."""
    file = tmp_path / "game.txt"
    file.write_text("5 4 3\n1\n2\n")
    assert open_game(file).game.moves == (0, 1)


@pytest.mark.parametrize("data", [b"", b"{", b"hello", b"\xff\xfe", b'{"format": "chess"}'])
def test_a_file_that_is_no_game_is_refused(tmp_path, data):
    """A file that is no game is refused with a sentence, for any content."""
    file = tmp_path / "odd"
    file.write_bytes(data)
    with pytest.raises(NotationError):
        open_game(file)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(NoSavedGame):
        open_game(tmp_path / "nowhere.json")


@pytest.fixture
def autosaves(tmp_path):
    return Autosaves(tmp_path / "state" / "games")


def test_a_game_in_progress_is_autosaved_until_it_ends(autosaves):
    """The game is saved from the first move on, and the autosave is deleted at the end of the game."""
    match = LocalMatch(Game(), SEATS)
    autosaves.update(match)
    assert autosaves.all() == []
    for column in (0, 1, 0, 1, 0, 1):
        match.game.drop(column)
        autosaves.update(match)
        (game,) = autosaves.all()
        assert game.open().game.moves == match.game.moves
        assert game.open().seats == SEATS
    match.game.drop(0)
    autosaves.update(match)
    assert autosaves.all() == []


def test_autosaves_do_not_overwrite_each_other(autosaves):
    """Autosaves do not overwrite each other, even if two games began in the same second. The last played is listed
    first."""
    games = [LocalMatch(Game(moves=(column,)), SEATS, started=datetime(2026, 1, 1)) for column in range(3)]
    for seconds, match in enumerate(games):
        autosaves.update(match)
        os.utime(match.autosave_path, (seconds, seconds))
    assert [game.open().game.moves for game in autosaves.all()] == [(2,), (1,), (0,)]


def test_a_game_undone_to_its_start_is_autosaved(autosaves):
    """A game that is undone to its start is still saved; otherwise `--resume` would bring the undone moves back."""
    match = LocalMatch(Game(moves=(3,)), SEATS)
    autosaves.update(match)
    match.game.undo()
    autosaves.update(match)
    assert autosaves.all()[0].open().game.moves == ()


def test_a_continued_game_stays_in_its_file(autosaves):
    """A resumed game is saved in the file that it came from."""
    autosaves.update(LocalMatch(Game(moves=(3,)), SEATS))
    match = autosaves.all()[0].open()
    match.game.drop(4)
    autosaves.update(match)
    assert [game.open().game.moves for game in autosaves.all()] == [(3, 4)]


def test_a_damaged_game_names_its_file(autosaves):
    """The error for a damaged autosave names its file, so that the user can look at it or delete it."""
    autosaves.folder.mkdir(parents=True)
    file = autosaves.folder / "odd.json"
    file.write_text("{")
    with pytest.raises(DamagedGame, match=re.escape(str(file))):
        autosaves.all()[0].open()


def test_an_unwritable_folder_is_reported(tmp_path):
    """If autosaves cannot be written, this is reported before or during a game, which goes on unsaved."""
    (tmp_path / "file").touch()
    autosaves = Autosaves(tmp_path / "file" / "games")
    autosaves.check_writable()
    assert autosaves.save_error
    autosaves.save_error = ""
    autosaves.update(LocalMatch(Game(moves=(3,)), SEATS))
    assert autosaves.save_error


def test_a_full_disk_leaves_no_empty_game_behind(autosaves, monkeypatch):
    """If the disk is full, a new empty autosave file is removed again."""

    def full(saved):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("connectk.terminal.store.write_saved_game", full)
    match = LocalMatch(Game(moves=(3,)), SEATS)
    autosaves.update(match)
    assert autosaves.save_error == "No space left on device"
    assert autosaves.all() == []
    monkeypatch.undo()
    autosaves.update(match)
    assert autosaves.save_error == ""
    assert len(autosaves.all()) == 1


def test_preferences_are_saved(tmp_path):
    """The saved preferences are the language, the colours and the answers before a game, but not the typed moves."""
    path = tmp_path / "choices.json"
    chosen = Preferences.load(path)
    chosen.language, chosen.hints_stay, chosen.form.player, chosen.form.opening = "fi", True, "level:8", "4453"
    chosen.save()
    again = Preferences.load(path)
    assert (again.language, again.hints_stay, again.form.player) == ("fi", True, "level:8")
    assert again.form.opening == ""


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"form": 3}', '{"form": {"mode": "chess"}}', '{"form": {"board": "x"}}', '{"language": 3}']
)
def test_damaged_preferences_give_the_defaults(tmp_path, text):
    """Damaged preferences are ignored, and the defaults are used."""
    path = tmp_path / "choices.json"
    path.write_text(text)
    assert Preferences.load(path) == Preferences(path=path)
