"""The whole strategies that the documentation shows hold from the first disc on."""

import random
from pathlib import Path

import pytest

from connectk.cluster import open_pool
from connectk.rules import Position, Side, Variant
from connectk.why import Claim, Promise, check, parse_explanation
from connectk.why.checker import Boards, PageChecker, Turns
from connectk.why.graphs import parse_graph
from connectk.why.large import check_in

FOLDER = Path(__file__).parents[2] / "docs" / "why"
FILES = sorted(FOLDER.glob("second-holds-*.json"))
GRAPHS = sorted(FOLDER.glob("*.json.gz"))
LARGE = 2_000  # bytes: such a file takes the checker a while
CASES = [pytest.param(file, marks=pytest.mark.deep if file.stat().st_size > LARGE else ()) for file in FILES]
CLAIMS = {"first-wins": Claim(Side.FIRST, Promise.WINS), "second-holds": Claim(Side.SECOND, Promise.HOLDS)}
ENOUGH = 3_000  # positions of a sample


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_a_whole_holding_strategy_is_certified(file):
    """From the empty board, whatever the first player does."""
    explanation = parse_explanation(file.read_text(encoding="utf-8"))
    assert explanation.position == Position(explanation.position.variant)
    assert explanation.claim == Claim(Side.SECOND, Promise.HOLDS)
    assert check(explanation) > 1000


def test_there_are_such_files():
    """And one of them is so small that it is always certified."""
    assert len(FILES) >= 2
    assert min(file.stat().st_size for file in FILES) <= LARGE
    assert {file.name for file in GRAPHS} >= {"first-wins-7x6x4.json.gz", "second-holds-8x4x4.json.gz"}


@pytest.mark.parametrize("file", GRAPHS, ids=lambda file: file.name)
def test_a_graph_holds_along_games_at_random(file):
    """A sample: from the empty board on, page after page, the rival's replies by chance; each page is played whole."""
    explanation, dice = parse_graph(file.read_bytes()), random.Random(4)
    claim, variant = file.name.split(".")[0].rsplit("-", 1)
    assert explanation.position == Position(Variant.parse(variant))
    assert explanation.claim == CLAIMS[claim]
    checker = PageChecker(explanation.position.variant, explanation.claim)
    played = 0
    while played < ENOUGH:
        turns, boards = Turns(explanation), Boards()
        while turns.left:
            turn, page = turns.take()
            turns.add(dice.sample(more := checker.play(page, turn, boards), min(1, len(more))))
        assert boards
        played += len(boards)


@pytest.mark.deep
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("file", GRAPHS, ids=lambda file: file.name)
def test_a_graph_is_certified(file):
    """Every page of it, against everything that the rival can do."""
    explanation = parse_graph(file.read_bytes())
    with open_pool() as pool:
        assert check_in(pool, explanation) > explanation.size // 2
