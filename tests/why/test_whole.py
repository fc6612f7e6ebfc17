"""Tests that `bench/why_whole.py` makes one certified graph from the results of its search."""

import sys
from pathlib import Path

import pytest

from connectk.rules import Position, Side, Variant
from connectk.why import Claim, Explanation, Promise, check, parse_explanation
from connectk.why.graph_files import MirroredPages, write_page_line

BENCH = str(Path(__file__).parents[2] / "bench")


@pytest.fixture
def why_whole(monkeypatch):
    monkeypatch.syspath_prepend(BENCH)
    import why_whole

    return why_whole


# What the search writes for 4x4: the keeper's and the rival's discs, a drop, the columns left to other boards, answers.
FOLLOW = "1>2;2>3;3>6,8;6>7;7>8;8>1,3;10>11;12>13;15>16;17>18;"
SOLUTION = ["0:0 -1/1111/", f"0:1 1/0000/{FOLLOW}", f"0:20 0/0000/{FOLLOW}"]


def explained(why_whole, lines: list[str], variant: Variant) -> Explanation:
    pages = MirroredPages([write_page_line(page) for page in why_whole.Graph(variant, lines).pages()], variant)
    return Explanation(Position(variant), Claim(Side.SECOND, Promise.HOLDS), pages)


def test_positions_become_boards_that_are_shared_with_their_mirror_images(why_whole):
    """Positions that are mirror images share a board: here four first drops need a graph of only three boards."""
    explanation = explained(why_whole, SOLUTION, Variant(4, 4, 4))
    assert explanation.size == 2 * 3
    assert dict(explanation.pages[0].replies) == {0: 2, 1: 1, 2: 4, 3: 5}
    assert check(explanation) > 100


def test_tables_that_do_not_contradict_each_other_become_one(why_whole):
    """Tables of answers are joined unless they answer the same disc differently."""
    less = [SOLUTION[0], "0:1 1/0000/5>6;6>7,8", "0:20 1/0000/5>6;6>7;11>12"]
    pages = why_whole.Graph(Variant(4, 4, 4), less).pages()
    assert len(pages) == 2
    assert {tuple(cell): len(some) for cell, some in pages[1].answers.items()} == {(1, 0): 1, (1, 1): 2, (2, 1): 1}
    apart = [*less[:2], "0:20 1/0000/5>6;6>8"]
    assert len(why_whole.Graph(Variant(4, 4, 4), apart).pages()) == 3


def test_a_graph_becomes_an_ordinary_explanation(why_whole):
    """A graph becomes an ordinary explanation with only the pages that a game can reach, and mirror images as separate
    pages."""
    explanation = explained(why_whole, SOLUTION, Variant(4, 4, 4))
    ordinary = why_whole.as_ordinary(explanation)
    assert ordinary.size == 5
    assert check(ordinary) == check(explanation)


@pytest.mark.deep
def test_a_board_is_searched_and_the_search_goes_on_where_it_stopped(tmp_path, monkeypatch, capsys, why_whole):
    """`why_whole.hpp` is compiled, finds a strategy for 5x4 and writes it. A second run finds that nothing is left to
    do."""
    state, saved = tmp_path / "known.txt", tmp_path / "holds.json"
    words = ["why_whole", "5x4x4", "--minutes", "0.2", "--threads", "2", "--state", str(state), "--save", str(saved)]
    monkeypatch.setattr(sys, "argv", [*words, "--set", "discs=0", "efforts=0"])
    why_whole.main()
    explanation = parse_explanation(saved.read_text(encoding="utf-8"))
    assert (explanation.position, explanation.claim.keeper) == (Position(Variant(5, 4, 4)), Side.SECOND)
    assert check(explanation) > 100
    known = state.read_text(encoding="utf-8")
    why_whole.main()
    assert state.read_text(encoding="utf-8") == known
    assert capsys.readouterr().out.count("it holds") == 2
