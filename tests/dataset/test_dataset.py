"""Datasets have exact scores, are complete, repeat no position, and are the same on every machine."""

import hashlib
import json
import threading
from contextlib import suppress

import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from typer.testing import CliRunner

from connectk import Position, Variant, solve_many
from connectk.cli import app
from connectk.cluster import open_pool
from connectk.dataset import Mix, Recipe, make_dataset
from connectk.dataset.mix import KINDS_OF_PLAY
from connectk.dataset.sampled_games import key_of, mirrored
from connectk.dataset.splits import SPLITS
from connectk.errors import BadDataset, JobMismatch, SearchStopped
from connectk.solver.bitboards import bitboards_of
from tests.strategies import positions

SMALL = Recipe(Variant(5, 4, 4), positions=300, seed=7, shard=120)


def make(recipe, out, jobs=1, **callbacks):
    with open_pool(jobs=jobs) as pool:
        return make_dataset(recipe, str(out), pool, **callbacks)


def digests(folder):
    """A hash of each file in a folder, by file name."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    out = tmp_path_factory.mktemp("dataset") / "small"
    made = make(SMALL, out)
    assert (made.positions, made.files, made.created) == (300, 5, True)
    return out


@pytest.fixture(scope="module")
def rows(small):
    return pq.read_table(small / "data").to_pylist()


def test_scores_and_best_columns_are_exact(rows):
    """The score of a column is that of the position after the drop. A full column has no score."""
    for row in rows:
        position = Position.from_moves(row["moves"], SMALL.variant)
        after = [position.drop(column) if position.can_drop(column) else None for column in range(5)]
        found = iter(solve_many([child for child in after if child is not None], threads=1))
        scores = [None if child is None else -next(found).lower for child in after]
        assert row["scores"] == scores
        assert row["score"] == max(score for score in scores if score is not None)
        assert row["best"] == [column for column, score in enumerate(scores) if score == row["score"]]
        assert (row["ply"], row["bits"]) == (position.ply, list(bitboards_of(position)))
        assert position.outcome is None


def test_no_position_is_repeated_or_mirrored(rows):
    seen = [Position.from_moves(row["moves"], SMALL.variant) for row in rows]
    assert len({min(bitboards_of(p), bitboards_of(p.mirrored())) for p in seen}) == len(rows) == 300


def test_the_mix_is_by_positions_and_well_mixed(rows):
    plays = [row["play"] for row in rows]
    assert {play: plays.count(play) for play in KINDS_OF_PLAY} == {"perfect": 30, "level": 120, "random": 150}
    assert plays != sorted(plays)


def test_the_same_seed_is_the_same_dataset_on_any_number_of_processes(small, tmp_path):
    make(SMALL, tmp_path / "two", jobs=2)
    assert digests(tmp_path / "two") == digests(small)


def test_another_seed_is_another_dataset(small, tmp_path):
    other = Recipe(SMALL.variant, 300, seed=8, shard=120)
    make(other, tmp_path / "other")
    assert {row["split"] for row in pq.read_table(tmp_path / "other" / "data").to_pylist()} == set(SPLITS)
    assert digests(tmp_path / "other")["data/train-00000.parquet"] != digests(small)["data/train-00000.parquet"]


@pytest.mark.parametrize("seed", [1, 2])
def test_stopped_again_and_again_it_is_the_same_dataset(small, tmp_path, seed):
    """A dataset that is stopped again and again, in both stages of the work, is finally the same as one made without
    stops."""
    runs = 1
    while not (tmp_path / "out" / "dataset.json").exists():
        with suppress(Ended):
            make(SMALL, tmp_path / "out", progress=ending_after(seed + runs))
        runs += 1
    assert runs > 4
    assert digests(tmp_path / "out") == digests(small)


class Ended(BaseException):
    """An error that ends a run in the middle of its work, as Ctrl-C does."""


def ending_after(tasks):
    reports = []

    def on_report(report):
        reports.append(report)
        if len(reports) > tasks:
            raise Ended

    return on_report


def test_a_stop_leaves_no_dataset_that_looks_complete(small, tmp_path):
    """A stop in either stage raises `SearchStopped` and leaves no complete dataset. The next run continues and writes
    the same files."""
    for stage in ("drawing", "solving"):
        stop, reports = threading.Event(), []

        def on_report(report, stage=stage, stop=stop, reports=reports):
            reports.append(report.stage)
            if report.stage == stage:
                stop.set()

        with pytest.raises(SearchStopped):
            make(SMALL, tmp_path / "out", stop=stop, progress=on_report)
        assert reports[-1] == stage
        assert not (tmp_path / "out" / "dataset.json").exists()
    make(SMALL, tmp_path / "out")
    assert digests(tmp_path / "out") == digests(small)


def test_a_complete_dataset_is_checked_not_made_again(small):
    before = digests(small)
    assert make(SMALL, small).created is False
    assert digests(small) == before


def test_a_damaged_file_is_named(small, tmp_path):
    make(Recipe(SMALL.variant, 40, shard=40), tmp_path / "set")
    file = tmp_path / "set" / "data" / "train-00000.parquet"
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    with pytest.raises(BadDataset, match=r"train-00000\.parquet"):
        make(Recipe(SMALL.variant, 40, shard=40), tmp_path / "set")
    file.unlink()
    with pytest.raises(BadDataset, match=r"train-00000\.parquet"):
        make(Recipe(SMALL.variant, 40, shard=40), tmp_path / "set")


def test_the_folder_of_another_dataset_is_refused(small):
    with pytest.raises(JobMismatch):
        make(Recipe(SMALL.variant, 300, seed=9, shard=120), small)


def test_checksums_and_card(small):
    """`sha256sum -c` accepts the checksums, and the card has the counted numbers."""
    found = digests(small)
    sums = dict(reversed(line.split("  ")) for line in (small / "SHA256SUMS").read_text().splitlines())
    assert sums == {name: digest for name, digest in found.items() if name.startswith("data/") or name == "README.md"}
    card = (small / "README.md").read_text()
    assert "# 300 positions of 5x4x4" in card
    assert "| perfect | 30 |" in card
    assert "--seed 7" in card
    assert json.loads((small / "dataset.json").read_text())["made"] == 300


def test_a_board_with_too_few_positions_gives_all_that_games_lead_to(tmp_path, monkeypatch):
    """On 3x2x3, a dataset with too many requested positions gets all open positions, which the test counts itself."""
    board = Variant(3, 2, 3)
    waiting, keys = [Position.start(board)], set()
    while waiting:
        position = waiting.pop()
        if position.outcome is None and key_of(position) not in keys:
            keys.add(key_of(position))
            waiting += [position.drop(column) for column in position.legal_columns]
    made = make(Recipe(board, 10_000, Mix.parse("random=1")), tmp_path / "tiny")
    assert made.positions == len(keys)


def test_only_positions_with_enough_discs(tmp_path):
    make(Recipe(Variant(5, 4, 4), 60, seed=3, min_discs=9), tmp_path / "deep")
    assert min(row["ply"] for row in pq.read_table(tmp_path / "deep" / "data").to_pylist()) >= 9


def test_a_board_of_two_words_has_four_words_of_bits(tmp_path):
    make(Recipe(Variant(10, 7, 4), 12, Mix.parse("random=1"), min_discs=52), tmp_path / "wide")
    for row in pq.read_table(tmp_path / "wide" / "data").to_pylist():
        own, everyone = bitboards_of(Position.from_moves(row["moves"], Variant(10, 7, 4)))
        low, high, all_low, all_high = row["bits"]
        assert (low | high << 64, all_low | all_high << 64) == (own, everyone)


@given(positions())
def test_mirrored_bits_are_the_bits_of_the_mirrored_position(position):
    assume(position.variant.width * (position.variant.height + 1) <= 128)
    assert mirrored(bitboards_of(position), position.variant) == bitboards_of(position.mirrored())
    assert key_of(position) == key_of(position.mirrored())


@given(st.integers(1, 10_000), st.integers(0, 9), st.integers(0, 9), st.integers(1, 9))
def test_quotas_make_up_the_whole(count, level, perfect, rest):
    quotas = Mix(random=rest, level=level, perfect=perfect).quotas(count)
    assert sum(quotas.values()) == count
    assert all(
        abs(quotas[p] - count * getattr(Mix(rest, level, perfect), p) / (rest + level + perfect)) <= 1
        for p in KINDS_OF_PLAY
    )


@pytest.mark.parametrize("text", ["", "random", "random=x", "best=1", "random=-1", "random=0", "random=1,random=2"])
def test_a_mix_that_is_none_is_refused(text):
    with pytest.raises(BadDataset, match="no mix"):
        Mix.parse(text)


def test_the_command(tmp_path):
    command = [
        "dataset",
        "--variant",
        "4x4x4",
        "--positions",
        "30",
        "--splits",
        "train=1",
        "--out",
        str(tmp_path / "set"),
        "--jobs",
        "1",
    ]
    first, second = (CliRunner().invoke(app, command) for _ in range(2))
    assert (first.exit_code, first.stdout) == (0, f"30 positions in 1 file: {tmp_path}/set\n")
    assert "complete and whole already" in second.stdout


def test_ctrl_c_says_what_is_kept(tmp_path, monkeypatch):
    def interrupted(*arguments, **callbacks):
        raise KeyboardInterrupt

    monkeypatch.setattr("connectk.dataset.make_dataset", interrupted)
    result = CliRunner().invoke(app, ["dataset", "--out", str(tmp_path / "set"), "--jobs", "1"])
    assert (result.exit_code, result.stdout) == (130, "")
    assert "the same command goes on" in result.stderr
