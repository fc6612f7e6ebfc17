"""A game is read from every kind of file."""

import pytest

from connectk.errors import NotationError
from connectk.notation import FileKind, SavedGame, kind_of, parse_game, write_game_file, write_saved_game
from connectk.rules import Game, Variant

GAME = Game(Variant(9, 7, 4), [3, 3, 8])
FILES = {
    FileKind.SAVED: write_saved_game(SavedGame(GAME)).encode(),
    FileKind.CONNECT_Z: write_game_file(GAME.variant, GAME.moves),
    FileKind.MOVES: b"449\n",
}


@pytest.mark.parametrize("kind", FileKind)
def test_every_kind_is_told_apart_and_read(kind):
    assert kind_of(FILES[kind]) is kind
    assert parse_game(FILES[kind], GAME.variant).game == GAME


@pytest.mark.parametrize("data", [b"", b"\n", b"\xff\xfe", b"{", b"7 x 6", b"7 6 4\n8x"])
def test_what_is_none_of_them_is_refused(data):
    with pytest.raises(NotationError):
        parse_game(data)
