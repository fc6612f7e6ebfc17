"""The documentation gives one number of nodes for each empty board, and a search of this build needs exactly that
many."""

import re
from pathlib import Path

import pytest

import connectk
from connectk import Position, Variant, _native

PAGES = sorted((Path(__file__).parents[2] / "docs").rglob("*.md"))
TABLE_ROW = re.compile(r"^\| (\d+x\d+) \| [\d.]+ s (?:\\\* )?\| ([\d,]+) \|", re.MULTILINE)
SENTENCE = re.compile(r"([\d,]{6,}) on (\d+x\d+)\b")
MAX_QUICK_NODES = 300_000


def written_counts() -> list[tuple[str, int]]:
    """All pairs of a board and a number of nodes in the documentation."""
    texts = [page.read_text("utf-8") for page in PAGES]
    rows = [(board, count) for text in texts for board, count in TABLE_ROW.findall(text)]
    rows += [(board, count) for text in texts for count, board in SENTENCE.findall(text)]
    return sorted({(board, int(count.replace(",", ""))) for board, count in rows})


def test_a_board_has_one_number():
    boards = [board for board, _ in written_counts()]
    assert len(boards) == len(set(boards)) > 20


@pytest.mark.parametrize(
    ("board", "count"),
    [
        pytest.param(board, count, marks=pytest.mark.deep if count > MAX_QUICK_NODES else ())
        for board, count in written_counts()
    ],
)
def test_python_and_the_core_search_the_written_number_of_nodes(board, count):
    variant = Variant.parse(f"{board}x4")
    solution = connectk.solve(Position.start(variant), book=False)
    assert solution.nodes == count
    assert _native.Solver(variant.width, variant.height, variant.run).solve(0, 0).nodes == count
