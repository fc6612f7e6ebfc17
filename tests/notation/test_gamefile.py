"""Reads and writes game files. The referee's tests cover all unusual files."""

import pytest
from hypothesis import given

from connectk.errors import NotationError
from connectk.notation import parse_game_file, write_game_file
from tests.strategies import games


@given(games())
def test_what_is_written_is_read_back(game):
    file = parse_game_file(write_game_file(game.variant, game.moves))
    assert (file.width, file.height, file.run) == (game.variant.width, game.variant.height, game.variant.run)
    assert file.columns == game.moves


@pytest.mark.parametrize(
    ("data", "line"),
    [(b"", 1), (b"7 6\n", 1), (b"7 6 0\n", 1), (b"7 6 4\n1\n\n", 3), (b"7 6 4\n1\nx\n", 3), (b"7 6 4\r\n1\r0\n", 3)],
)
def test_the_first_line_that_does_not_conform_is_named(data, line):
    with pytest.raises(NotationError) as caught:
        parse_game_file(data)
    assert caught.value.line == line


def test_numbers_may_be_of_any_length():
    assert parse_game_file(b"9" * 5000 + b" 1 1\n").width == 10**5000 - 1
