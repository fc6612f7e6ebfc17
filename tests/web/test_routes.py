"""Tests the page's requests to the server without a browser. Requests of matches are tested elsewhere."""

from __future__ import annotations

import json
import re

import pytest

from connectk import Position
from connectk.errors import ConnectkError
from connectk.rules import Game, Side, Variant
from connectk.server.games import GameRequest, game_view, read_game, threat_views
from connectk.server.routes.page import PAGE_FOLDER
from connectk.server.uploads import arena_view, read_file
from connectk.texts import load_texts

ENGLISH = load_texts("en")


def test_a_game_is_shown_with_every_board_on_the_way() -> None:
    """The answer has a view of the start and of the board after each drop. The last view has the winning line."""
    view = game_view(Game(moves=(0, 1, 0, 1, 0, 1, 0)))
    assert view["moves"] == "1212121"
    assert [position["ply"] for position in view["positions"]] == list(range(8))
    assert view["positions"][-1]["winning_lines"] == [[(0, 0), (0, 1), (0, 2), (0, 3)]]
    assert view["positions"][-1]["result"] == {"winner": "first", "reason": "line"}


def test_a_board_that_was_set_up_is_sent_once() -> None:
    """A set-up board is sent once, written as in addresses, files and databases."""
    view = game_view(read_game(GameRequest(variant="7x6x4", start="4xo.5x", moves="4")))
    assert view["start"] == "4xo.5x"
    assert set(view) == {"variant", "start", "moves", "columns", "positions"}


def test_a_disc_that_floats_is_told_by_the_rules() -> None:
    """For an unfinished set-up board with a floating disc, the rules say what is wrong."""
    with pytest.raises(ConnectkError, match="column 4, row 2 has nothing beneath"):
        read_game(GameRequest(start="4-x"))


def test_a_board_too_large_for_a_page_is_refused_in_a_sentence() -> None:
    with pytest.raises(ConnectkError, match="up to 100 columns"):
        read_game(GameRequest(variant="101x6x4"))


def test_threats_come_with_their_line_and_the_playable_first() -> None:
    """Threats come with their lines, and the playable ones first: the win in column 4 before the threat in the cell
    above."""
    views = threat_views(Position.from_moves("112233"))
    assert [(view["column"], view["row"], view["side"], view["now"]) for view in views] == [
        (3, 0, str(Side.FIRST), True),
        (3, 1, str(Side.SECOND), False),
    ]
    assert views[0]["line"] == [(0, 0), (1, 0), (2, 0), (3, 0)]
    assert threat_views(Position.from_moves("1212121")) == []


@pytest.mark.parametrize(
    ("data", "verdict", "moves"),
    [
        (b"7 6 4\n1\n2\n1\n2\n1\n2\n1\n", "Connect-Z code 1: the first player wins.", "1212121"),
        (b"7 6 4\n1\n2\n", "Connect-Z code 3: the game is not finished.", "12"),
        (b"2 2 2\n1\n3\n", "Connect-Z code 6: line 3 names a column that is not there. There is no column 3; ", "1"),
    ],
)
def test_a_connect_z_file_is_judged_and_shown_as_far_as_it_goes(data: bytes, verdict: str, moves: str) -> None:
    answer = read_file(data, ENGLISH)
    assert answer["verdict"].startswith(verdict)
    assert answer["game"]["moves"] == moves


def test_an_impossible_board_has_a_verdict_and_no_game() -> None:
    assert read_file(b"3 3 4\n1\n", ENGLISH)["game"] is None


def test_moves_alone_are_a_game_too() -> None:
    assert read_file(b"4453\n", ENGLISH)["game"] == {"variant": "7x6x4", "moves": "4453", "start": ""}


def test_a_results_file_cut_short_counts_its_whole_lines() -> None:
    header = {"format": "connectk-arena", "version": 2, "players": ["greedy", "random"], "variant": str(Variant()),
              "games": 2, "seed": 1, "gauntlet": False, "openings": ["1212"]}  # fmt: skip
    game = {"number": 1, "first": "greedy", "second": "random", "opening": 0, "moves": "1212121", "winner": "first",
            "reason": "line", "forfeit": None, "seconds": [0.1, 0.1, 0.1], "started": ""}  # fmt: skip
    data = "\n".join([json.dumps(header), json.dumps(game), '{"number": 2, "fi']).encode()
    assert arena_view(data, "results.jsonl")["games"] == 1
    with pytest.raises(ConnectkError, match="not a results file"):
        arena_view(b"{}\n", "results.jsonl")


def test_nothing_is_loaded_from_elsewhere() -> None:
    for file in (*PAGE_FOLDER.rglob("*.js"), *PAGE_FOLDER.rglob("*.css"), *PAGE_FOLDER.rglob("*.html")):
        addresses = set(re.findall(r"https?://[^\s\"'`)]+", file.read_text()))
        assert addresses <= {"http://www.w3.org/2000/svg"}, file.name
