"""Tournaments with the swap rule."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from connectk import Variant
from connectk.arena import GameRecord, Sprt, Tournament
from connectk.arena.games_csv import games_csv
from connectk.arena.results_reader import read_results
from connectk.arena.standings import standings
from connectk.notation import parse_saved_game, write_saved_game
from connectk.rules import Side
from tests.arena.tournaments import played

SWAPPING_BOT = "def choose(position): return position.legal_columns[0]\n\ndef swap(position): return True\n"
PLAIN_BOT = "def choose(position): return position.legal_columns[0]\n"
CLASS_BOT = """
class Bot:
    def choose(self, position): return position.legal_columns[-1]
    def swap(self, position, clock): return clock.left > 0
"""
EXAMPLES = Path(__file__).parents[2] / "examples"


def swap_games(folder: Path, *players: str, variant: str = "5x4x4", games: int = 4) -> list[GameRecord]:
    tournament = Tournament(players, Variant.parse(variant), games=games, openings="empty", swap=True)
    return played(tournament, folder / "results.jsonl")


def bot(folder: Path, name: str, text: str) -> str:
    (folder / name).write_text(text, encoding="utf-8")
    return str(folder / name)


def test_each_opening_is_played_once_and_the_players_take_turns_to_begin() -> None:
    tournament = Tournament(("a", "b"), games=5, swap=True)
    seats = [(game.opening, game.first) for game in tournament.fixtures(((),) * 5)]
    assert seats == [(0, "a"), (1, "b"), (2, "a"), (3, "b"), (4, "a")]


def test_bots_say_whether_they_swap_and_one_that_does_not_know_the_rule_never_does(tmp_path: Path) -> None:
    """A bot can decide about a swap in a function `swap` or in a method of its class. A bot with neither never
    swaps."""
    always, never, method = (
        bot(tmp_path, name, text) for name, text in (("a.py", SWAPPING_BOT), ("n.py", PLAIN_BOT), ("c.py", CLASS_BOT))
    )
    records = swap_games(tmp_path, always, never, method)
    assert Counter((record.second, record.swapped) for record in records) == Counter(
        {(always, True): 4, (never, False): 4, (method, True): 4}
    )
    assert all(record.forfeit is None for record in records)


def test_after_a_swap_the_winner_is_whoever_plays_the_winning_side(tmp_path: Path) -> None:
    """After a swap, the results file, the saved game and the table all name the same winner."""
    always, never = bot(tmp_path, "a.py", SWAPPING_BOT), bot(tmp_path, "n.py", PLAIN_BOT)
    records = swap_games(tmp_path, never, always, variant="4x5x3", games=2)
    [taken] = [record for record in records if record.swapped]
    saved = parse_saved_game(write_saved_game(taken.saved_game(Variant(4, 5, 3))))
    assert (saved.swapped, saved.players) == (True, {Side.FIRST: always, Side.SECOND: never})
    assert saved.result
    assert saved.result.winner
    assert saved.players[saved.result.winner] == getattr(taken, str(taken.winner))
    data = (tmp_path / "results.jsonl").read_bytes()
    assert sorted(read_results(data, "r").records.values(), key=lambda record: record.number) == records
    assert games_csv([taken]).decode("utf-8-sig").splitlines()[1].endswith(",yes")
    table = standings((never, always), Variant(4, 5, 3), records)
    assert sum(line.points for line in table.lines) == 2


def test_the_time_of_a_move_belongs_to_whoever_made_it(tmp_path: Path) -> None:
    """After a swap, one player has dropped the first two discs. The times of both count for that player."""
    always, never = bot(tmp_path, "a.py", SWAPPING_BOT), bot(tmp_path, "n.py", PLAIN_BOT)
    taken = next(record for record in swap_games(tmp_path, never, always) if record.swapped)
    marked = replace(taken, seconds=(5.0, 7.0, 1.0)[: len(taken.seconds)], moves="111", winner=None)
    slowest = {line.name: line.slowest for line in standings((never, always), Variant(5, 4, 4), [marked]).lines}
    assert slowest == {never: 7.0, always: 1.0}


def test_two_openings_make_a_pair_for_the_sequential_test(tmp_path: Path) -> None:
    records = swap_games(tmp_path, "perfect", "random", games=5)
    assert Sprt().judge("perfect", records, swap=True).pairs <= 2
    assert Sprt().judge("perfect", records).pairs == 0


def test_a_perfect_player_wins_from_either_seat_where_the_first_disc_may_be_taken(tmp_path: Path) -> None:
    """On the classic board, the perfect player takes over a winning first disc, and itself begins with a disc that
    draws."""
    records = swap_games(tmp_path, "perfect", "greedy", variant="7x6x4", games=4)
    assert all(record.columns(Variant())[0] in (2, 4) for record in records if record.first == "perfect")
    assert all(record.winner != ("second" if record.first == "perfect" else "first") for record in records)


@pytest.mark.skipif(shutil.which("cc") is None, reason="no C compiler")
def test_the_examples_in_c_and_python_know_the_rule(tmp_path: Path) -> None:
    """The example bots use the swap rule. The one in C takes over a disc in the middle third, and the one in Python a
    disc that lies in many lines."""
    program = tmp_path / "bot_c"
    subprocess.run(["cc", "-O2", "-o", str(program), str(EXAMPLES / "bot_c.c")], check=True)
    records = swap_games(tmp_path, str(program), str(EXAMPLES / "bot_python.py"), variant="7x6x4", games=2)
    assert all(record.forfeit is None for record in records)
    firsts = {record.second: (record.columns(Variant())[0], record.swapped) for record in records}
    column, swapped = firsts[str(program)]
    assert swapped == (2 <= column <= 4)
    assert firsts[str(EXAMPLES / "bot_python.py")][1]
