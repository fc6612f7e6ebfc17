"""Tests `connectk solve -` with positions from a file and answers into a file."""

import json

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from connectk import solve_many
from connectk.cli import app

MOVES = ["4455", "44", "-", "1212", "333333", "4444", "12"]
SCORES = [found.lower for found in solve_many(["" if moves == "-" else moves for moves in MOVES])]


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "moves.txt").write_text("\n".join(MOVES))
    (tmp_path / "moves.jsonl").write_text("".join(json.dumps({"moves": moves}) + "\n" for moves in MOVES))
    pq.write_table(pa.table({"moves": MOVES}), tmp_path / "moves.parquet", row_group_size=2)
    return tmp_path


def solve(*words, stdin=None):
    return CliRunner().invoke(app, ["solve", "-", *words], input=stdin)


@pytest.mark.parametrize("words", [["--from", "moves.txt"], ["--from", "moves.jsonl"], ["--from", "moves.parquet"], []])
def test_a_list_of_any_kind_becomes_a_table(here, words):
    result = solve(*words, "--out", "out.parquet", stdin="\n".join(MOVES))
    table = pq.read_table("out.parquet")
    assert (result.exit_code, result.stdout) == (0, "7 positions, 0 not as expected, 0 unreadable: out.parquet\n")
    assert (table["moves"].to_pylist(), table["score"].to_pylist()) == (MOVES, SCORES)
    assert not (here / "out.parquet.parts").exists()


def test_a_row_holds_its_own_error(here):
    result = solve("--out", "out.jsonl", stdin="44 7\n\n9\n4 x\n4455 18\n")
    rows = [json.loads(line) for line in (here / "out.jsonl").read_text().splitlines()]
    assert result.exit_code == 1
    assert result.stdout == "4 positions, 1 not as expected, 2 unreadable: out.jsonl\n"
    assert [row.get("score") for row in rows] == [1, None, None, 18]
    assert "no column 9" in rows[1]["error"]
    assert "whole number" in rows[2]["error"]


def test_only_the_result_is_compared_with_a_result():
    assert solve("--out", "out.jsonl", "--goal", "result", stdin="4455 18\n44 1\n").exit_code == 0


def test_files_need_a_place_to_write_to_and_a_list(here):
    assert solve("--out", "a.jsonl", "--out", "b.parquet", stdin="").exit_code == 2
    assert CliRunner().invoke(app, ["solve", "44", "--out", "a.jsonl"]).exit_code == 2
    assert "the end of the name says what is written" in str(solve("--out", "a", stdin="").exception)
    assert "cannot be read" in str(solve("--from", "gone.txt", "--out", "out.jsonl").exception)
