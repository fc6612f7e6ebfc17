"""Tests local matches: seats, undo and redo."""

import pytest

from connectk.errors import GameAlreadyOver, NothingToRedo, NothingToUndo
from connectk.notation import SavedGame
from connectk.rules import Game, Position, Side, Variant
from connectk.terminal.match import PERSON_SEAT, LocalMatch, Mode, NewGame, TooLargeForPlayer

AGAINST_COMPUTER = {Side.FIRST: PERSON_SEAT, Side.SECOND: "greedy"}
COMPUTER_STARTS = {Side.FIRST: "greedy", Side.SECOND: PERSON_SEAT}
TWO_PEOPLE = {Side.FIRST: PERSON_SEAT, Side.SECOND: PERSON_SEAT}
DEMO = {Side.FIRST: "greedy", Side.SECOND: "random"}


def match(seats, moves=()):
    return LocalMatch(Game(moves=moves), seats)


def test_undo_returns_to_the_persons_turn():
    """Against the computer, undo takes back the computer's answer and the person's own move together."""
    game = match(AGAINST_COMPUTER, (3, 3, 4, 4))
    game.undo()
    assert game.game.moves == (3, 3)


def test_undo_while_the_computer_is_to_move_takes_one_back():
    """If the computer has not answered yet, undo takes back only the person's move."""
    game = match(AGAINST_COMPUTER, (3, 3, 4))
    game.undo()
    assert game.game.moves == (3, 3)


def test_the_computers_first_move_stays():
    """The computer's first move cannot be taken back, because the computer would only move again."""
    with pytest.raises(NothingToUndo):
        match(COMPUTER_STARTS, (3,)).undo()


def test_redo_plays_the_answer_too():
    """One redo plays all the drops that one undo took back."""
    game = match(AGAINST_COMPUTER, (3, 3, 4, 4))
    game.undo()
    game.redo()
    assert game.game.moves == (3, 3, 4, 4)
    with pytest.raises(NothingToRedo):
        game.redo()


@pytest.mark.parametrize("seats", [TWO_PEOPLE, DEMO])
def test_undo_takes_one_move_without_a_computer_opponent(seats):
    """In a game of two people and in a demo, undo takes back one disc."""
    game = match(seats, (3, 3, 4, 4))
    game.undo()
    assert game.game.moves == (3, 3, 4)


def test_a_lost_game_can_be_undone():
    """Undo also works after the end of a game."""
    game = match(AGAINST_COMPUTER, (0, 3, 0, 4, 1, 5, 1, 6))
    assert game.is_over
    game.undo()
    assert not game.is_over
    assert game.computer_to_move is None


def test_swapping_exchanges_the_seats():
    """The start of the game stays, and the players change sides."""
    assert match(AGAINST_COMPUTER, (3, 3)).swapped().seats == COMPUTER_STARTS


def test_the_starter_is_the_side_to_move():
    """If the second player is to move at the start, a computer that starts is the second player."""
    start = Position.from_moves("4")
    seats = NewGame(Mode.COMPUTER, True, ("greedy", "greedy"), start).match().seats
    assert seats == {Side.FIRST: PERSON_SEAT, Side.SECOND: "greedy"}


def test_a_finished_position_is_refused_as_a_start():
    """A position in which the game is over is refused as a start."""
    with pytest.raises(GameAlreadyOver):
        NewGame(start=Position.from_moves("1212121")).match()


def test_a_saved_game_starts_no_programs():
    """Opening a saved game starts no programs: only names from the registry become computer players, all others
    persons."""
    saved = SavedGame(Game(Variant()), {Side.FIRST: "level:3", Side.SECOND: "./program"})
    assert LocalMatch.of(saved).seats == {Side.FIRST: "level:3", Side.SECOND: PERSON_SEAT}


@pytest.mark.parametrize(("player", "shape"), [("perfect", (20, 20, 5)), ("mybot.py", (1000, 1000, 4))])
def test_a_player_that_does_not_support_the_board_is_refused(player, shape):
    """A player that does not support the board is refused, for every kind of player and without starting a bot."""
    with pytest.raises(TooLargeForPlayer):
        NewGame(players=(player, "greedy"), start=Position.start(Variant(*shape))).match()
