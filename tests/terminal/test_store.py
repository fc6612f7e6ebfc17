"""Games in files are whole or not there."""

import pytest

from connectk.errors import NotationError
from connectk.notation import parse_saved_game
from connectk.rules import Game, Side
from connectk.terminal.match import PERSON, LocalMatch
from connectk.terminal.store import Autosave, NoSavedGame, open_game, save_game

SEATS = {Side.FIRST: PERSON, Side.SECOND: "bots/mine.py"}


def test_a_game_comes_back_as_it_was_saved(tmp_path):
    """Moves and players survive a file."""
    save_game(LocalMatch(Game(moves=(3, 3, 4)), SEATS), tmp_path / "new" / "game.json")
    saved = open_game(tmp_path / "new" / "game.json")
    assert saved.game.moves == (3, 3, 4)
    assert saved.players == SEATS


def test_a_failed_save_leaves_the_old_file(tmp_path, monkeypatch):
    """The new text is written beside it first, and nothing is left behind."""
    file = tmp_path / "game.json"
    save_game(LocalMatch(Game(moves=(3,)), SEATS), file)
    monkeypatch.setattr("connectk.terminal.store.write_saved_game", lambda saved: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        save_game(LocalMatch(Game(moves=(4,)), SEATS), file)
    assert parse_saved_game(file.read_text()).game.moves == (3,)
    assert list(tmp_path.iterdir()) == [file]


def test_a_game_file_for_the_referee_opens_too(tmp_path):
    """Both formats are told apart by their first character."""
    file = tmp_path / "game.txt"
    file.write_text("5 4 3\n1\n2\n")
    assert open_game(file).game.moves == (0, 1)


@pytest.mark.parametrize("data", [b"", b"{", b"hello", b"\xff\xfe", b'{"format": "chess"}'])
def test_a_file_that_is_no_game_is_refused(tmp_path, data):
    """With a sentence, whatever it holds."""
    file = tmp_path / "odd"
    file.write_bytes(data)
    with pytest.raises(NotationError):
        open_game(file)


def test_a_missing_file_is_refused(tmp_path):
    with pytest.raises(NoSavedGame):
        open_game(tmp_path / "nowhere.json")


def test_the_game_in_progress_is_kept_until_it_ends(tmp_path):
    """From the first move on; a finished game needs no continuing."""
    autosave = Autosave(tmp_path / "state" / "game.json")
    match = LocalMatch(Game(), SEATS)
    autosave.keep(match)
    assert not autosave.is_there
    for column in (0, 1, 0, 1, 0, 1):
        match.game.drop(column)
        autosave.keep(match)
        assert autosave.load().game.moves == match.game.moves
        assert autosave.load().seats == SEATS
    match.game.drop(0)
    autosave.keep(match)
    assert not autosave.is_there
    with pytest.raises(NoSavedGame):
        autosave.load()


def test_a_place_that_cannot_be_written_is_no_reason_to_stop(tmp_path):
    """The game goes on without being kept."""
    (tmp_path / "file").touch()
    Autosave(tmp_path / "file" / "game.json").keep(LocalMatch(Game(moves=(3,)), SEATS))
