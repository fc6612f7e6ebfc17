"""Tests the swap rule in the terminal: as text, on the screen, and on a server."""

from __future__ import annotations

import json

import pytest

from connectk.errors import NothingToUndo
from connectk.notation import parse_saved_game, parse_start, write_saved_game
from connectk.play.refusals import NoSwap
from connectk.rules import Game, Side, Variant
from connectk.terminal.match import PERSON_SEAT, LocalMatch, NewGame
from tests.terminal.command import pipe
from tests.terminal.screens import playing

SWAP_QUESTION = "Drop a disc, or take over the disc that lies there"


def match_after(*moves: int, computer: Side = Side.FIRST) -> LocalMatch:
    seats = {computer: "perfect", computer.other: PERSON_SEAT}
    return LocalMatch(Game(Variant(), moves), seats, took_over=False)


def test_the_first_disc_is_taken_over_once_and_for_good() -> None:
    """After a swap, the seats are exchanged and undo stops there. The next game has the rule again."""
    match = match_after(3)
    match.swap_sides()
    assert match.seats == {Side.FIRST: PERSON_SEAT, Side.SECOND: "perfect"}
    assert match.computer_to_move == "perfect"
    with pytest.raises(NoSwap):
        match.swap_sides()
    match.game.drop(3)
    with pytest.raises(NothingToUndo):
        match.undo()
    again = match.swapped()
    assert (again.seats[Side.FIRST], again.took_over) == (PERSON_SEAT, False)


@pytest.mark.parametrize("moves", [(), (3, 3)])
def test_only_the_second_players_first_turn_is_a_choice(moves: tuple[int, ...]) -> None:
    with pytest.raises(NoSwap):
        match_after(*moves).swap_sides()


def test_without_the_rule_there_is_no_choice() -> None:
    match = NewGame().match()
    match.game.drop(3)
    assert not match.can_swap


def test_with_an_odd_number_of_discs_set_up_the_choice_comes_first() -> None:
    assert NewGame(start=parse_start("4xox", Variant()), swap=True).match().can_swap


def test_a_saved_game_continues_with_the_sides_that_were_swapped() -> None:
    match = match_after(3)
    match.swap_sides()
    resumed = LocalMatch.of(parse_saved_game(write_saved_game(match.saved())))
    assert (resumed.seats, resumed.can_swap, resumed.took_over) == (match.seats, False, True)


def test_a_choice_in_sentences(tmp_path) -> None:
    """As text, the question about a swap appears only when one is possible. The answer w swaps once, and the saved game
    records it."""
    done = pipe(tmp_path, "--plain", "--two-players", "--swap", answers="w\n4\nw\nw\n4\nq\nyes\n")
    assert done.stdout.count(f"{SWAP_QUESTION} (w).") == 1
    assert done.stdout.count("You have swapped sides: the first disc is yours now.") == 1
    assert done.stdout.count("Sides cannot be swapped now.") == 2
    [saved] = (tmp_path / "connectk").rglob("*.json")
    assert json.loads(saved.read_text(encoding="utf-8"))["swap"] is True


def test_a_perfect_player_takes_a_winning_disc_over_in_sentences(tmp_path) -> None:
    done = pipe(tmp_path, "--plain", "--player", "perfect", "--swap", answers="4\n4\nq\nyes\n")
    assert "perfect has swapped sides and takes over the first disc." in done.stdout
    assert "You dropped in column 4, row 2." in done.stdout


@pytest.mark.anyio
async def test_a_choice_on_the_screen(tmp_path) -> None:
    """On the screen, the key for a swap works only while a swap is possible."""
    async with playing(tmp_path, two_players=True, swap=True) as user:
        await user.press("4")
        assert SWAP_QUESTION in user.side_text
        await user.press("w")
        assert "the first disc is yours now" in user.side_text
        await user.press("4", "w", "3")
        assert user.moves == (3, 3, 2)
        assert SWAP_QUESTION not in user.side_text


@pytest.mark.anyio
async def test_a_perfect_player_takes_a_winning_disc_over_on_the_screen(tmp_path) -> None:
    async with playing(tmp_path, players=("perfect",), swap=True) as user:
        await user.press("4")
        await user.wait_until(lambda: user.match.took_over)
        assert user.match.seats[Side.FIRST] == "perfect"
        await user.press("4")
        await user.wait_until(lambda: user.moves[:2] == (3, 3))
