"""Reads UCI's connect-4 data set and solves its positions with the same results."""

import os
from collections import Counter
from pathlib import Path

import pytest

from connectk import Position, solve_many
from connectk.dataset import read_uci
from connectk.dataset.sampled_games import key_of
from connectk.errors import BadDataset
from connectk.players.candidate_columns import urgent_drop
from connectk.rules import CLASSIC, Cell, Side
from tests.solver.shared_data import FOLDER

FILE = Path(os.environ.get("CONNECTK_UCI", FOLDER / "connect-4.data"))
BY_HAND = """\
x,x,b,b,b,b,o,o,b,b,b,b,x,o,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,x,o,b,b,b,b,{}

b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,b,x,o,x,o,b,b,x,o,x,o,b,b,b,b,b,b,b,b,b,b,b,b,b,b,{}
"""


def line_of(position: Position, result: str) -> str:
    """A position in the form of the data set: columns a to g, each from the bottom up."""
    discs = {Side.FIRST: "x", Side.SECOND: "o", None: "b"}
    board = dict(position.discs())
    cells = [discs[board.get(Cell(column, row))] for column in range(7) for row in range(6)]
    return ",".join([*cells, result])


def test_lines_are_columns_from_the_bottom_up(tmp_path):
    """Lines of the UCI set list columns a to g from the bottom up. The test has two positions that are written by
    hand."""
    file = tmp_path / "connect-4.data"
    file.write_text(BY_HAND.format("win", "draw"))
    one, other = read_uci(file)
    assert one.position == Position.from_moves("12123377")
    assert other.position == Position.from_moves("44445555")
    assert (one.result, other.result) == ("win", "draw")


@pytest.mark.parametrize(
    "line", ["x,o,win", BY_HAND.format("perhaps", "win"), BY_HAND.format("win", "win").replace("x,x,b", "b,x,x")]
)
def test_a_malformed_line_is_reported_with_its_number(tmp_path, line):
    file = tmp_path / "connect-4.data"
    file.write_text(line_of(Position.from_moves("11223377"), "draw") + "\n" + line)
    with pytest.raises(BadDataset, match="line 2"):
        list(read_uci(file))


def test_the_solver_agrees_with_the_set():
    """The solver agrees with every result of the UCI set. The test runs only if `CONNECTK_UCI` names the file."""
    if not FILE.is_file():
        pytest.skip(f"there is no {FILE}")
    rows = list(read_uci(FILE))
    assert len(rows) == 67_557
    assert [found.result for found in solve_many([row.position for row in rows])] == [row.result for row in rows]


@pytest.mark.deep
def test_the_set_made_by_ourselves_has_the_published_counts(tmp_path):
    """A set made by UCI's description has the published counts: all positions of 8 discs, without mirror images, in
    which nobody can win with the next disc."""
    layer = {Position.start(CLASSIC)}
    for _ in range(8):
        layer = {p.drop(c) for p in layer for c in p.legal_columns}
    distinct = {key_of(p): p for p in layer if p.outcome is None}.values()
    quiet = [p for p in distinct if urgent_drop(p) is None]
    results = [found.result or "" for found in solve_many(quiet)]
    assert Counter(results) == {"win": 44_473, "loss": 16_635, "draw": 6_449}
    file = tmp_path / "connect-4.data"
    file.write_text("".join(f"{line_of(p, result)}\n" for p, result in zip(quiet, results, strict=True)))
    assert [(row.position, row.result) for row in read_uci(file)] == list(zip(quiet, results, strict=True))
