"""Every choice as an option."""

import pytest
from typer import Context
from typer.main import get_command

from connectk.cli import app
from connectk.commands.localized import LocalizedGroup
from connectk.errors import ColumnFull, ConnectkError, ImpossibleVariant, NotationError, UnknownPlayer
from connectk.rules import Game, Side, Variant
from connectk.terminal.match import PERSON, LocalMatch, TooLargeForPlayer
from connectk.terminal.settings import ConflictingWishes, Wishes
from connectk.terminal.store import KeptGames, NoSavedGame, save_game
from connectk.texts import LANGUAGES, load_texts


@pytest.fixture
def kept(tmp_path):
    return KeptGames(tmp_path / "games")


@pytest.mark.parametrize(
    ("wishes", "seats"),
    [
        (Wishes(level=3), (PERSON, "level:3")),
        (Wishes(level=3, first="computer"), ("level:3", PERSON)),
        (Wishes(players=("greedy",)), (PERSON, "greedy")),
        (Wishes(two_players=True), (PERSON, PERSON)),
        (Wishes(demo=True), ("level:5", "level:5")),
        (Wishes(demo=True, players=("greedy", "random")), ("greedy", "random")),
        (Wishes(demo=True, players=("greedy",)), ("greedy", "greedy")),
    ],
)
def test_options_fill_the_seats(wishes, seats, kept):
    """First and second, as the options say."""
    assert tuple(wishes.match(kept).seats[side] for side in Side) == seats


def test_a_board_and_a_start(kept):
    """--variant and --start together."""
    match = Wishes(two_players=True, variant="9x7x5", start="99").match(kept)
    assert match.game.variant == Variant(9, 7, 5)
    assert match.position.height_of(8) == 2


@pytest.mark.parametrize(
    ("wishes", "error"),
    [
        (Wishes(two_players=True, demo=True), ConflictingWishes),
        (Wishes(two_players=True, level=3), ConflictingWishes),
        (Wishes(two_players=True, first="you"), ConflictingWishes),
        (Wishes(level=3, players=("greedy",)), ConflictingWishes),
        (Wishes(players=("greedy", "random")), ConflictingWishes),
        (Wishes(resume=True, start="4"), ConflictingWishes),
        (Wishes(players=("nobody",)), UnknownPlayer),
        (Wishes(variant="7x6"), NotationError),
        (Wishes(variant="3x3x4"), ImpossibleVariant),
        (Wishes(start="4444444"), ColumnFull),
        (Wishes(start="x"), NotationError),
        (Wishes(resume=True), NoSavedGame),
        (Wishes(players=("perfect",), variant="20x20x5"), TooLargeForPlayer),
        (Wishes(demo=True, players=("greedy", "perfect"), variant="20x20x5"), TooLargeForPlayer),
    ],
)
def test_wishes_that_cannot_be_had_are_refused(wishes, error, kept):
    """By name, before anything starts."""
    with pytest.raises(error):
        wishes.match(kept)


def test_a_saved_game_opens_with_its_players_or_others(tmp_path, kept):
    """--load takes the players from the file; other options put someone else there."""
    file = tmp_path / "saved.json"
    save_game(LocalMatch(Game(moves=(3,)), {Side.FIRST: PERSON, Side.SECOND: "greedy"}), file)
    assert Wishes(load=file).match(kept).seats[Side.SECOND] == "greedy"
    assert Wishes(load=file, two_players=True).match(kept).seats[Side.SECOND] == PERSON
    assert Wishes(load=file, level=2).match(kept).seats == {Side.SECOND: PERSON, Side.FIRST: "level:2"}


def test_refusals_are_of_the_family():
    """So that the command tells them in one sentence."""
    assert issubclass(ConflictingWishes, ConnectkError)


def test_of_several_kept_games_none_is_taken_unasked(kept):
    """--resume takes the only one; of two the person picks."""
    seats = {Side.FIRST: PERSON, Side.SECOND: PERSON}
    kept.keep(LocalMatch(Game(moves=(3,)), seats))
    assert Wishes(resume=True).match(kept).game.moves == (3,)
    kept.keep(LocalMatch(Game(moves=(4,)), seats))
    assert Wishes(resume=True).match(kept) is None


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_option_is_explained_in_every_language(language, monkeypatch):
    """`connectk play --help` has a sentence for each."""
    monkeypatch.setenv("CONNECTK_LANGUAGE", language)
    command = LocalizedGroup.get_command(get_command(app), Context(get_command(app)), "play")
    texts = load_texts(language)
    for option in command.params:
        known = [key for key in (f"usage.play.{option.name}", f"usage.option.{option.name}") if key in texts.catalogue]
        assert option.help == texts(known[0]), option.name
