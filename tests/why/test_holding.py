"""Tests that the complete strategies in the documentation are true from the first disc on."""

import random

import pytest

from connectk.cluster import open_pool
from connectk.rules import Position, Side, Variant
from connectk.why import Claim, Promise, check, parse_explanation
from connectk.why.checker import PageChecker, PageQueue, VisitedBoards
from connectk.why.graph_files import parse_graph
from connectk.why.openings import STRATEGIES_FOLDER
from connectk.why.pool_checker import check_in_pool

FILES = sorted(STRATEGIES_FOLDER.glob("second-holds-*.json"))
GRAPHS = sorted(STRATEGIES_FOLDER.glob("*.json.gz"))
LARGE_FILE_BYTES = 2_000  # the checker takes a while for such a file
CASES = [pytest.param(file, marks=pytest.mark.deep if file.stat().st_size > LARGE_FILE_BYTES else ()) for file in FILES]
CLAIMS = {"first-wins": Claim(Side.FIRST, Promise.WINS), "second-holds": Claim(Side.SECOND, Promise.HOLDS)}
SAMPLE_SIZE = 3_000  # positions


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_a_whole_holding_strategy_is_certified(file):
    """A strategy from the empty board answers every drop of the first player and is certified."""
    explanation = parse_explanation(file.read_text(encoding="utf-8"))
    assert explanation.position == Position(explanation.position.variant)
    assert explanation.claim == Claim(Side.SECOND, Promise.HOLDS)
    assert check(explanation) > 1000


def test_there_are_such_files():
    """At least one strategy file is so small that it is always checked completely."""
    assert len(FILES) >= 2
    assert min(file.stat().st_size for file in FILES) <= LARGE_FILE_BYTES
    assert {file.name for file in GRAPHS} >= {"first-wins-7x6x4.json.gz", "second-holds-8x4x4.json.gz"}


@pytest.mark.parametrize("file", GRAPHS, ids=lambda file: file.name)
def test_a_graph_holds_along_games_at_random(file):
    """Along sample games with random replies of the rival, every page of a graph is checked completely."""
    explanation, dice = parse_graph(file.read_bytes()), random.Random(4)
    claim, variant = file.name.split(".")[0].rsplit("-", 1)
    assert explanation.position == Position(Variant.parse(variant))
    assert explanation.claim == CLAIMS[claim]
    checker = PageChecker(explanation.position.variant, explanation.claim)
    played = 0
    while played < SAMPLE_SIZE:
        queue, boards = PageQueue(explanation), VisitedBoards()
        while queue.pending:
            visit, page = queue.pop()
            queue.push(dice.sample(more := checker.check(page, visit, boards), min(1, len(more))))
        assert boards
        played += len(boards)


@pytest.mark.deep
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("file", GRAPHS, ids=lambda file: file.name)
def test_a_graph_is_certified(file):
    """The checker accepts every page of the graph."""
    explanation = parse_graph(file.read_bytes())
    with open_pool() as pool:
        assert check_in_pool(pool, explanation) > explanation.size // 2
