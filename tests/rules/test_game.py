"""A game is a history of drops that can be undone and redone."""

import pytest
from hypothesis import given

from connectk.errors import ColumnFull, NothingToRedo, NothingToUndo
from connectk.rules import Game, Position, Variant
from tests.strategies import games


def test_undo_and_redo_walk_along_the_game():
    game = Game(moves=[3, 3, 4])
    game.undo()
    game.undo()
    assert game.moves == (3,)
    game.redo()
    assert game.moves == (3, 3)
    game.redo()
    with pytest.raises(NothingToRedo):
        game.redo()


def test_a_new_drop_forgets_what_was_undone():
    game = Game(moves=[3, 3])
    game.undo()
    game.drop(0)
    with pytest.raises(NothingToRedo):
        game.redo()


def test_there_is_nothing_before_the_start():
    with pytest.raises(NothingToUndo):
        Game().undo()


def test_a_refused_drop_leaves_the_game_as_it_was():
    game = Game(Variant(2, 1, 2), [0])
    game.undo()
    game.drop(1)
    with pytest.raises(ColumnFull):
        game.drop(1)
    assert game.moves == (1,)
    assert len(game.positions) == 2


def test_a_game_may_start_anywhere():
    start = Position.from_moves("4453")
    game = Game(start, [0])
    assert game.start == start
    assert game.position == Position.from_moves("44531")


@given(games())
def test_undoing_everything_and_redoing_it_gives_the_same_game(game):
    moves, positions, result = game.moves, game.positions, game.outcome
    for _ in moves:
        game.undo()
    assert game.position == game.start
    for _ in moves:
        game.redo()
    assert (game.moves, game.positions, game.outcome) == (moves, positions, result)
