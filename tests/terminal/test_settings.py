"""Tests the command-line options of a game."""

import pytest

from connectk.errors import ConnectkError, ImpossibleVariant, NotationError, UnknownPlayer, UnplayableMove
from connectk.rules import Game, Side, Variant
from connectk.terminal.match import PERSON_SEAT, LocalMatch, TooLargeForPlayer
from connectk.terminal.settings import ConflictingOptions, FriendNotInvited, GameOptions
from connectk.terminal.store import Autosaves, NoSavedGame, save_game


@pytest.fixture
def autosaves(tmp_path):
    return Autosaves(tmp_path / "games")


@pytest.mark.parametrize(
    ("options", "seats"),
    [
        (GameOptions(level=3), (PERSON_SEAT, "level:3")),
        (GameOptions(level=3, first="computer"), ("level:3", PERSON_SEAT)),
        (GameOptions(players=("greedy",)), (PERSON_SEAT, "greedy")),
        (GameOptions(two_players=True), (PERSON_SEAT, PERSON_SEAT)),
        (GameOptions(demo=True), ("level:5", "level:5")),
        (GameOptions(demo=True, players=("greedy", "random")), ("greedy", "random")),
        (GameOptions(demo=True, players=("greedy",)), ("greedy", "greedy")),
    ],
)
def test_options_fill_the_seats(options, seats, autosaves):
    """The options decide who is the first and who is the second player."""
    assert tuple(options.match(autosaves).seats[side] for side in Side) == seats


def test_a_board_and_a_start(autosaves):
    """--variant and --start can be combined."""
    match = GameOptions(two_players=True, variant="9x7x5", start="99").match(autosaves)
    assert match.game.variant == Variant(9, 7, 5)
    assert match.position.height_of(8) == 2


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (GameOptions(two_players=True, demo=True), ConflictingOptions),
        (GameOptions(two_players=True, level=3), ConflictingOptions),
        (GameOptions(two_players=True, first="you"), ConflictingOptions),
        (GameOptions(level=3, players=("greedy",)), ConflictingOptions),
        (GameOptions(players=("greedy", "random")), ConflictingOptions),
        (GameOptions(resume=True, start="4"), ConflictingOptions),
        (GameOptions(players=("nobody",)), UnknownPlayer),
        (GameOptions(variant="7x6"), NotationError),
        (GameOptions(variant="3x3x4"), ImpossibleVariant),
        (GameOptions(start="4444444"), UnplayableMove),
        (GameOptions(first="friend"), FriendNotInvited),
        (GameOptions(start="x"), NotationError),
        (GameOptions(resume=True), NoSavedGame),
        (GameOptions(players=("perfect",), variant="20x20x5"), TooLargeForPlayer),
        (GameOptions(demo=True, players=("greedy", "perfect"), variant="20x20x5"), TooLargeForPlayer),
    ],
)
def test_invalid_options_are_refused(options, error, autosaves):
    """Invalid options are refused before anything starts."""
    with pytest.raises(error):
        options.match(autosaves)


def test_a_saved_game_opens_with_its_players_or_others(tmp_path, autosaves):
    """`--from` takes the players from the file, unless other options replace them."""
    file = tmp_path / "saved.json"
    save_game(LocalMatch(Game(moves=(3,)), {Side.FIRST: PERSON_SEAT, Side.SECOND: "greedy"}), file)
    assert GameOptions(load=str(file)).match(autosaves).seats[Side.SECOND] == "greedy"
    assert GameOptions(load=str(file), two_players=True).match(autosaves).seats[Side.SECOND] == PERSON_SEAT
    assert GameOptions(load=str(file), level=2).match(autosaves).seats == {
        Side.SECOND: PERSON_SEAT,
        Side.FIRST: "level:2",
    }


def test_option_errors_are_connectk_errors():
    """Errors in options are `ConnectkError`s, which the command prints as one sentence."""
    assert issubclass(ConflictingOptions, ConnectkError)


def test_resume_with_several_autosaves_picks_none(autosaves):
    """--resume opens the only autosave. If there are two, the person picks one."""
    seats = {Side.FIRST: PERSON_SEAT, Side.SECOND: PERSON_SEAT}
    autosaves.update(LocalMatch(Game(moves=(3,)), seats))
    assert GameOptions(resume=True).match(autosaves).game.moves == (3,)
    autosaves.update(LocalMatch(Game(moves=(4,)), seats))
    assert GameOptions(resume=True).match(autosaves) is None
