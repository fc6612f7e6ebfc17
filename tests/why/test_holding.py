"""The strategies of the second player that the documentation shows hold from the first disc on."""

from pathlib import Path

import pytest

from connectk.rules import Position, Side
from connectk.why import Claim, Promise, check, parse_explanation

FILES = sorted((Path(__file__).parents[2] / "docs" / "why").glob("second-holds-*.json"))
LARGE = 50_000  # bytes: such a file takes the checker a while
CASES = [pytest.param(file, marks=pytest.mark.deep if file.stat().st_size > LARGE else ()) for file in FILES]


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_a_whole_holding_strategy_is_certified(file):
    """From the empty board, whatever the first player does."""
    explanation = parse_explanation(file.read_text(encoding="utf-8"))
    assert explanation.position == Position(explanation.position.variant)
    assert explanation.claim == Claim(Side.SECOND, Promise.HOLDS)
    assert check(explanation) > 1000


def test_there_are_such_files():
    assert len(FILES) >= 2
