"""Tests splits without leakage, results beside scores, balance, growth, loading, and continuing after a kill."""

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import assume, given

from connectk import Position, Variant
from connectk.arrays import Boards
from connectk.dataset import Mix, Recipe, Splits, load
from connectk.dataset.making import even_quotas
from connectk.dataset.sampled_games import key_of
from connectk.errors import BadDataset, JobMismatch
from tests.dataset.test_dataset import digests, make
from tests.strategies import positions

SMALL = Recipe(Variant(5, 4, 4), positions=200, seed=7, shard=60, planes=True)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    out = tmp_path_factory.mktemp("splits") / "small"
    make(SMALL, out)
    return out


def rows_of(folder):
    return [row for file in sorted((folder / "data").iterdir()) for row in pq.read_table(file).to_pylist()]


@given(positions())
def test_a_position_and_its_mirror_image_are_in_one_split(position):
    assume(position.variant.width * (position.variant.height + 1) <= 128)
    splits = Splits(40, 30, 30)
    assert splits.split_of(key_of(position)) == splits.split_of(key_of(position.mirrored()))


def test_shares_of_splits_are_about_those_asked_for():
    """Splits of 4,000 keys have the requested shares, within five standard deviations. A split of weight 0 stays
    empty."""
    found = Counter(Splits(70, 0, 30).split_of((number, number)) for number in range(4000))
    assert found["validation"] == 0
    assert abs(found["test"] - 1200) < 5 * (4000 * 0.3 * 0.7) ** 0.5


@pytest.mark.parametrize("text", ["", "train", "train=x", "dev=1", "train=-1", "train=0", "train=1,train=2"])
def test_splits_that_are_none_are_refused(text):
    with pytest.raises(BadDataset, match="no splits"):
        Splits.parse(text)


def test_each_file_has_one_split_and_two_datasets_never_leak(small, tmp_path):
    """No position of one dataset's test part is in the training part of another dataset with a different seed."""
    for file in (small / "data").iterdir():
        assert set(pq.read_table(file)["split"].to_pylist()) == {file.name.partition("-")[0]}
    make(Recipe(SMALL.variant, positions=200, seed=8), tmp_path / "other")

    def keys(folder, split):
        moves = [row["moves"] for row in rows_of(folder) if row["split"] == split]
        return {key_of(Position.from_moves(one, SMALL.variant)) for one in moves}

    assert keys(small, "test")
    assert not keys(small, "test") & keys(tmp_path / "other", "train")


def test_results_are_the_signs_of_the_scores(small):
    for row in rows_of(small):
        assert row["wdl"] == np.sign(row["score"])
        assert row["results"] == [None if score is None else np.sign(score) for score in row["scores"]]


def test_planes_are_those_of_the_arrays(small):
    rows = rows_of(small)
    boards = Boards.from_moves([row["moves"] for row in rows], SMALL.variant)
    assert np.array_equal(np.array([row["planes"] for row in rows], np.uint8), boards.planes().reshape(len(rows), -1))


def test_what_is_loaded_is_what_is_in_the_files(small):
    rows = [row for row in rows_of(small) if row["split"] == "train"]
    loaded = load(str(small), split="train")
    assert loaded["bits"].tolist() == [row["bits"] for row in rows]
    assert loaded["wdl"].tolist() == [row["wdl"] for row in rows]
    assert [np.flatnonzero(best).tolist() for best in loaded["best"]] == [row["best"] for row in rows]
    for name in ("scores", "results"):
        assert loaded[name].dtype == np.int8
        filled = [[-128 if value is None else value for value in row[name]] for row in rows]
        assert loaded[name].tolist() == filled
    assert loaded["planes"].reshape(len(rows), -1).tolist() == [row["planes"] for row in rows]
    assert len(load(str(small), planes=False)["ply"]) == 200
    assert "planes" not in load(str(small), planes=False)


def test_what_cannot_be_loaded_is_refused(small, tmp_path):
    with pytest.raises(BadDataset, match=r"has no split dev; it has train, validation, test\."):
        load(str(small), split="dev")
    with pytest.raises(BadDataset, match="no finished dataset"):
        load(str(tmp_path))
    with pytest.raises(ValueError, match="'numpy', 'torch' or 'datasets'"):
        load(str(small), form="jax")


def test_tensors_are_loaded(small):
    torch = pytest.importorskip("torch", reason="PyTorch is not part of the dev extra")
    tensors = load(str(small), split="train", form="torch")
    assert tensors["planes"].dtype is torch.uint8
    assert np.array_equal(tensors["scores"].numpy(), load(str(small), split="train")["scores"])


def test_hugging_face_reads_the_splits(small):
    pytest.importorskip("datasets", reason="datasets is not part of the dev extra")
    found = load(str(small), form="datasets")
    assert {split: len(rows) for split, rows in found.items()} == Counter(row["split"] for row in rows_of(small))
    assert load(str(small), split="test", form="datasets")[:] == found["test"][:]


def test_a_dataset_grows_and_what_was_there_stays(small, tmp_path):
    """When a dataset grows, the old files keep every byte and new files have other positions. Growing in the same steps
    gives the same dataset."""
    for name in ("one", "two"):
        make(SMALL, tmp_path / name)
        larger = Recipe(**{**fields(SMALL), "positions": 330})
        made = make(larger, tmp_path / name)
        assert (made.positions, made.created) == (330, True)
    before, after = digests(small), digests(tmp_path / "one")
    assert all(after[name] == digest for name, digest in before.items() if name.startswith("data/"))
    assert after == digests(tmp_path / "two")
    moves = [row["moves"] for row in rows_of(tmp_path / "one")]
    assert len({key_of(Position.from_moves(one, SMALL.variant)) for one in moves}) == 330
    assert make(larger, tmp_path / "one").created is False
    assert "in steps, with 200, 330 positions" in (tmp_path / "one" / "README.md").read_text()
    with pytest.raises(JobMismatch):
        make(SMALL, tmp_path / "one")
    with pytest.raises(JobMismatch):
        make(Recipe(**{**fields(larger), "seed": 8, "positions": 400}), tmp_path / "one")


def fields(recipe):
    return {name: getattr(recipe, name) for name in recipe.__slots__}


def test_a_balanced_dataset_has_as_many_positions_with_each_number_of_discs(tmp_path):
    """From three discs on, a balanced dataset has about equally many positions with each number of discs, if the board
    has enough. An unbalanced dataset has fewer where positions are rare."""
    plain = Recipe(Variant(5, 4, 4), positions=170, seed=3, mix=Mix.parse("random=1"))
    make(plain, tmp_path / "plain")
    make(Recipe(**{**fields(plain), "balance": "ply"}), tmp_path / "even")
    counts = {name: Counter(row["ply"] for row in rows_of(tmp_path / name)) for name in ("plain", "even")}
    enough = [counts["even"][ply] for ply in range(3, 19)]
    assert max(enough) - min(enough) <= 1
    assert min(enough) > min(counts["plain"][ply] for ply in range(3, 19))
    assert counts["even"].total() == counts["plain"].total() == 170
    assert "each number of discs is equally frequent" in (tmp_path / "even" / "README.md").read_text()
    with pytest.raises(BadDataset, match="no balance"):
        Recipe(balance="result")


def test_quotas_are_as_even_as_what_there_is():
    assert even_quotas({0: 1, 5: 100, 6: 100}, 21) == {0: 1, 5: 10, 6: 10}
    assert even_quotas({0: 1, 1: 2}, 9) == {0: 1, 1: 2}
    assert sum(even_quotas({ply: ply for ply in range(42)}, 500).values()) == 500
    assert even_quotas({}, 5) == {}


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGKILL")
def test_killed_while_solving_it_goes_on_to_the_same_files(small, tmp_path):
    """Two runs are killed after solving two parts each. The next run does not solve these parts again and makes the
    same files."""
    out, kills = tmp_path / "out", 0
    draft = out / "data" / ".train-00000.parquet-draft"  # as a kill in the middle of writing leaves it
    draft.parent.mkdir(parents=True)
    draft.write_bytes(b"half")
    while not (out / "dataset.json").exists():
        with subprocess.Popen([sys.executable, "-c", SLOWLY_SOLVED, str(out)]) as running:
            known = parts_of(out)
            while running.poll() is None and (kills == 2 or len(parts_of(out) - known) < 2):
                time.sleep(0.01)
            if running.poll() is None:
                running.send_signal(signal.SIGKILL)
                kills += 1
        assert known <= parts_of(out) or (out / "dataset.json").exists()
    assert kills == 2
    assert digests(out) == digests(small)


def parts_of(out):
    return {file.name for file in (out / "solving.parts").glob("[0-9]*.part")}


SLOWLY_SOLVED = """
import sys, time
import connectk.dataset.worker_tasks as tasks
from connectk import Variant
from connectk.cluster import job, open_pool
from connectk.dataset import Recipe, make_dataset
job.MAX_TASK_SECONDS = job.MIN_TASK_SECONDS = 0.05
solve = tasks._row
tasks._row = lambda *row: time.sleep(0.002) or solve(*row)
with open_pool(jobs=1) as pool:
    make_dataset(Recipe(Variant(5, 4, 4), positions=200, seed=7, shard=60, planes=True), sys.argv[1], pool)
"""


def test_the_facts_are_for_programs(small):
    facts = json.loads((small / "dataset.json").read_text())
    assert facts["splits"] == "train=90,validation=5,test=5"
    assert facts["grown_from"] == []
    assert (facts["planes"], facts["balance"]) == (True, "none")
