"""The atlas has the published values and agrees with the solver. A stopped command can be continued."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from tools.make_atlas_page import ATLAS_PAGE, page

from connectk.atlas import AtlasRow, read_atlas, shipped_atlas, solve_board
from connectk.errors import NotationError
from connectk.rules import Variant
from tests.terminal.command import run_in_process

PUBLISHED = json.loads((Path(__file__).parent / "data" / "empty_boards.json").read_text())
MAX_NODES = 200_000  # of a row that is computed again here
QUICK = [variant for variant, row in shipped_atlas().items() if row.nodes < MAX_NODES]


@pytest.mark.parametrize("board", [name for name in PUBLISHED if Variant.parse(name) in shipped_atlas()])
def test_the_rows_are_the_published_values(board: str) -> None:
    row, fact = shipped_atlas()[Variant.parse(board)], PUBLISHED[board]
    winner = row.outcome.winner
    assert (str(winner) if winner else "draw", row.last_disc) == (fact["value"], fact["last_ply"])


def test_the_published_boards_of_run_4_are_there() -> None:
    assert {board for board in PUBLISHED if board.endswith("x4")} <= set(map(str, shipped_atlas()))


def test_the_first_moves_of_the_classic_board_are_published_too() -> None:
    assert shipped_atlas()[Variant(7, 6, 4)].first_moves == (-2, -1, 0, 1, 0, -1, -2)


@pytest.mark.parametrize("variant", QUICK, ids=str)
def test_a_row_is_computed_again(variant: Variant) -> None:
    """Computing a row of the atlas again gives the same scores and the same number of positions."""
    row, again = shipped_atlas()[variant], solve_board(variant)
    assert again is not None
    assert (again.first_moves, again.nodes) == (row.first_moves, row.nodes)


@pytest.mark.parametrize("row", shipped_atlas().values(), ids=lambda row: str(row.variant))
def test_a_board_is_worth_the_same_in_the_mirror(row: AtlasRow) -> None:
    assert row.first_moves == row.first_moves[::-1]


def test_all_runs_are_there() -> None:
    assert {variant.run for variant in shipped_atlas()} == {3, 4, 5, 6}


def test_the_page_has_the_rows() -> None:
    assert ATLAS_PAGE.read_text(encoding="utf-8") == page()


def test_a_stopped_run_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A stopped run continues and does not solve the rows in the file again. Even a wrong row that the test adds
    stays."""
    monkeypatch.chdir(tmp_path)
    mine = AtlasRow(Variant(9, 9, 4), (0,) * 9, 7, 0.5)
    Path("mine.jsonl").write_text(json.dumps(mine.to_json()) + "\n")
    done = run_in_process("atlas", "5x4x4", "9x9x4", "9x9x5", "--out", "mine.jsonl", "--limit", "1s")
    assert done.returncode == 1
    assert done.stderr == "Not solved in the time given: 9x9x5. --limit gives more.\n"
    assert set(map(str, read_atlas(Path("mine.jsonl")))) == {"5x4x4", "9x9x4"}
    assert read_atlas(Path("mine.jsonl"))[Variant(9, 9, 4)] == mine


def test_a_wrong_row_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    wrong = AtlasRow(Variant(5, 4, 4), (1, 0, 0, 0, 1), 7, 0.5)
    Path("mine.jsonl").write_text(json.dumps(wrong.to_json()) + "\n")
    done = run_in_process("atlas", "5x4x4", "4x4x4", "--out", "mine.jsonl", "--check")
    assert done.returncode == 1
    assert done.stdout.startswith("5x4x4 differs: -1 0 0 0 -1 now, 1 0 0 0 1 in the row.\n1 row is")


def test_one_row_as_json() -> None:
    row = json.loads(run_in_process("atlas", "6x4x4", "--json").stdout)
    assert (row["winner"], row["last_disc"]) == ("second", 24)


@pytest.mark.parametrize("line", ["no JSON", "[]", "{}", '{"variant": "5x4x4"}'])
def test_a_damaged_row_is_named(line: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.jsonl"
    file.write_text(f"{json.dumps(shipped_atlas()[Variant(4, 4, 4)].to_json())}\n{line}\n")
    with pytest.raises(NotationError, match=r"Line 2: \S+ holds no row"):
        read_atlas(file)


def test_a_board_beyond_the_solver_is_refused_before_any_work() -> None:
    done = run_in_process("atlas", "5x4x4", "40x40x4")
    assert (done.returncode, done.stdout) == (2, "")
    assert "the solver takes boards of up to 128 bits" in done.stderr
