"""A search that is interrupted or killed continues from its checkpoint, and what a table has saved is true."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import pytest

from connectk import Position, Variant, _native
from connectk.errors import FileNotReadable, FileNotWritable, JobInUse
from connectk.solver import checkpoint as checkpoints
from connectk.solver.bitboards import bitboards_of, position_from_bitboards
from connectk.solver.checkpoint import SAVED_POSITION_BYTES, Checkpoint, SavedSearch
from connectk.solver.long_search import LongSearch
from connectk.solver.solver import Solver
from tests.solver.plain import plain_score
from tests.solver.test_core import random_position
from tests.terminal.command import run_in_process

EMPTY_6X6 = Position.start(Variant(6, 6, 4))  # the second player wins with the last disc


def core_for(variant: Variant, **options) -> _native.Solver:
    return _native.Solver(variant.width, variant.height, variant.run, **options)


def saved_entries(saved: bytes) -> list[tuple[int, int, int]]:
    """The key and the bounds of each saved position."""
    entries = [saved[i : i + SAVED_POSITION_BYTES] for i in range(0, len(saved), SAVED_POSITION_BYTES)]
    signed = [tuple(byte - 256 if byte > 127 else byte for byte in entry[16:18]) for entry in entries]
    return [(int.from_bytes(entry[:16], "little"), *bounds) for entry, bounds in zip(entries, signed, strict=True)]


def position_of_key(key: int, variant: Variant) -> Position:
    """A key has the discs of the side to move, and in each column a bit above its discs."""
    own = everyone = 0
    for column in range(variant.width):
        bits = key >> column * (variant.height + 1) & (1 << variant.height + 1) - 1
        discs = (1 << bits.bit_length() - 1) - 1
        own |= (bits & discs) << column * (variant.height + 1)
        everyone |= discs << column * (variant.height + 1)
    return position_from_bitboards(own, everyone, variant)


@pytest.mark.parametrize("path", ["automatic", "wide_word"])
def test_all_that_a_table_saves_is_true(path):
    variant = Variant(4, 4, 4)
    core, known = core_for(variant, path=path), {}
    core.solve(0, 0)
    entries = [(position_of_key(key, variant), bounds) for key, *bounds in saved_entries(core.save_positions(10_000))]
    late = [(position, bounds) for position, bounds in entries if position.ply >= 7]
    assert len(late) > 100
    for position, (lower, upper) in late:
        assert lower <= plain_score(position, known) <= upper


@pytest.mark.parametrize("variant", [Variant(5, 5, 4), Variant(6, 6, 5), Variant(9, 3, 4), Variant(13, 5, 5)], ids=str)
def test_saved_positions_spare_the_work_in_another_table(variant):
    """The tables of these boards have entries of each kind: one word with or without joined positions, and several
    words. The other table is of another size."""
    discs = 0 if variant.cells <= 30 else variant.cells - 20
    bits = bitboards_of(random_position(random.Random(38), variant, discs))
    first, second = core_for(variant), core_for(variant, table_bytes=8 << 20)
    found = first.solve(*bits)
    before = second.recorded_bounds(*bits)
    saved = first.save_positions(1 << 20)
    assert second.load_positions(saved) == len(saved) // SAVED_POSITION_BYTES > 0
    lower, upper = second.recorded_bounds(*bits)
    assert before[0] <= lower <= found.lower == found.upper <= upper <= before[1]
    assert (lower, upper) != before
    again = second.solve(*bits)
    assert (again.lower, again.upper) == (found.lower, found.upper)
    assert again.nodes < found.nodes / 10


def test_only_the_positions_with_the_most_work_are_saved():
    core = core_for(Variant(5, 5, 4))
    core.solve(0, 0)
    everything = core.save_positions(1 << 20)
    work = sorted(everything[SAVED_POSITION_BYTES - 1 :: SAVED_POSITION_BYTES])
    some = core.save_positions(100)
    assert 0 < len(some) <= 100 * SAVED_POSITION_BYTES
    assert min(some[SAVED_POSITION_BYTES - 1 :: SAVED_POSITION_BYTES]) >= work[-len(some) // SAVED_POSITION_BYTES]


def test_positions_of_another_board_are_not_loaded():
    core = core_for(Variant(5, 5, 4))
    core.solve(0, 0)
    saved = core.save_positions(1000)
    assert len(saved) > 1000
    assert core_for(Variant(4, 4, 4)).load_positions(saved) == 0
    with pytest.raises(ValueError, match="no saved positions"):
        core.load_positions(saved[:-1])


def test_a_table_is_read_while_it_is_searched():
    """All three readers are called during a search with two threads, and what they say is true."""
    variant = Variant(9, 8, 5)  # entries of several words
    position = random_position(random.Random(3), variant, 40)
    solver = Solver(variant, threads=2, table_mb=16)
    solver.allow_readers()
    seen = []

    def read(report) -> None:
        seen.append((solver.table_fill, solver.recorded_bounds(position), len(solver.save_positions(1000))))

    score = solver.solve(position, progress=read, stop=lambda: len(seen) >= 5)
    for fill, (lower, upper), size in seen:
        assert 0 <= fill <= 1
        assert lower <= score.upper
        assert score.lower <= upper
        assert size <= 1000 * SAVED_POSITION_BYTES


def test_an_interrupted_search_continues(tmp_path):
    """The search is stopped again and again. Together the runs search hardly more than one run."""
    alone = core_for(EMPTY_6X6.variant).solve(0, 0).nodes
    runs, statuses, path = 0, [], tmp_path / "search"
    while True:
        runs += 1
        with LongSearch(EMPTY_6X6, path, table_mb=16, book=False, progress=statuses.append) as search:
            enough = search.status().nodes + alone // 8 if runs > 1 else 0  # the first run is stopped at once
            solution = search.solve(stop=lambda at=enough: not at or bool(statuses and statuses[-1].nodes > at))
            if solution.found.exact:
                break
    assert solution.score == -1
    assert runs > 1
    saved = Checkpoint(path, EMPTY_6X6)
    nodes = saved.load().nodes
    saved.close()
    assert nodes < 3 * alone
    assert [status.nodes for status in statuses] == sorted(status.nodes for status in statuses)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["search"]


KILLED = """
import sys
from connectk.solver import checkpoint
checkpoint.SAVE_INTERVAL_SECONDS = checkpoint.MAX_SAVE_INTERVAL_SECONDS = 0
from connectk.cli import main
sys.argv[1:] = ["solve", "--variant", "7x7x4", "--table", "16", "--jobs", "2", "--checkpoint", sys.argv[1]]
main()
"""


def test_a_killed_search_continues(tmp_path):
    """The process is killed at some moment after its first save, perhaps while it saves. The file is whole,
    and what it says is true."""
    path, position = tmp_path / "search", Position.start(Variant(7, 7, 4))
    for seed in range(2):
        process = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(path)], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        before = path.stat().st_mtime_ns if path.exists() else 0
        while not (path.exists() and path.stat().st_mtime_ns > before):
            assert process.poll() is None
            time.sleep(0.01)
        time.sleep(random.Random(seed).uniform(0, 0.2))
        process.kill()
        process.wait()
    with LongSearch(position, path, table_mb=16) as search:
        status = search.status()
        assert status.nodes > 0
        assert status.lower <= 0 <= status.upper  # 7x7 is a draw
    assert sorted(name.name for name in tmp_path.iterdir()) == ["search"]


def test_a_file_that_is_no_checkpoint_of_this_search_is_refused(tmp_path):
    path = tmp_path / "search"
    with LongSearch(EMPTY_6X6, path, table_mb=1):
        pass
    with pytest.raises(FileNotReadable, match="another position"):
        LongSearch(Position.from_moves("1", EMPTY_6X6.variant), path)
    content = path.read_bytes()
    for damaged in (content[:-1], content[:-1] + b"?", b"", b"44"):
        path.write_bytes(damaged)
        with pytest.raises(FileNotReadable, match="damaged"):
            LongSearch(EMPTY_6X6, path)
    assert sorted(name.name for name in tmp_path.iterdir()) == ["search"]


def test_one_process_at_a_time(tmp_path):
    with LongSearch(EMPTY_6X6, tmp_path / "search", table_mb=1), pytest.raises(JobInUse):
        LongSearch(EMPTY_6X6, tmp_path / "search", table_mb=1)
    with LongSearch(EMPTY_6X6, tmp_path / "search", table_mb=1):
        pass
    with pytest.raises(FileNotWritable, match="folder"):
        LongSearch(EMPTY_6X6, tmp_path)


def test_a_failed_save_is_tried_again(tmp_path, monkeypatch):
    """A disk that is full for a while does not end a search of hours."""
    monkeypatch.setattr(checkpoints, "SAVE_INTERVAL_SECONDS", 0)
    monkeypatch.setattr(checkpoints, "MAX_SAVE_INTERVAL_SECONDS", 0)
    checkpoint = Checkpoint(tmp_path / "search", EMPTY_6X6)
    checkpoint._next_save = 0
    with monkeypatch.context() as full:

        def refuse(path, content):
            raise FileNotWritable(str(path), "error.because.disk_full")

        full.setattr(checkpoints, "write_file", refuse)
        checkpoint.save_if_due(SavedSearch)
        assert "full" in str(checkpoint.error)
        assert checkpoint.seconds_since_save is None
    checkpoint.save_if_due(lambda: SavedSearch(5))
    assert checkpoint.error is None
    assert checkpoint.load().nodes == 5
    checkpoint.close()


def test_the_time_between_saves():
    assert checkpoints.next_interval(0.1) == 60
    assert checkpoints.next_interval(5) == 100
    assert checkpoints.next_interval(60) == 240


HARD = ("solve", "--variant", "8x8x4", "--table", "1", "--limit", "1s", "--checkpoint")


def test_the_command_prints_what_is_known_and_continues(tmp_path):
    path = str(tmp_path / "search")
    first = run_in_process(*HARD, path)
    assert first.returncode == 1
    assert "The time is up. The score is between" in first.stdout
    assert "column 8" in first.stdout
    assert first.stderr.endswith(f"What was found is kept in {path}; the same command continues.\n")
    second = run_in_process("--json", *HARD, path)
    facts = json.loads(second.stdout)
    assert facts["score"] is None
    assert len(facts["column_bounds"]) == 8
    status = json.loads(second.stderr.splitlines()[0])
    assert facts["nodes"] >= status["nodes"] > 0
    assert status["bounds"][0] <= facts["bounds"][0] < facts["bounds"][1] <= status["bounds"][1]


def test_the_command_solves_and_answers_at_once_the_next_time(tmp_path):
    words = ("solve", "--json", "--variant", "6x5x4", "--checkpoint", str(tmp_path / "search"))
    plain = json.loads(run_in_process(*words[:4]).stdout)
    first, second = (json.loads(run_in_process(*words).stdout) for _ in range(2))
    for facts in (first, second):
        assert (facts["score"], facts["columns"], facts["best_columns"]) == (0, plain["columns"], plain["best_columns"])
    assert second["nodes"] < first["nodes"] / 10


@pytest.mark.parametrize(("language", "words"), [("en", "settled"), ("fi", "selvillä"), ("sv", "avgjorda")])
def test_the_progress_in_words(tmp_path, language, words):
    done = run_in_process("--language", language, *HARD, str(tmp_path / "search"))
    assert words in done.stderr.splitlines()[0]


def test_a_list_has_no_checkpoint():
    done = run_in_process("solve", "-", "--checkpoint", "x", answers="44\n")
    assert (done.returncode, "--checkpoint: is for one position" in done.stderr) == (2, True)


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as a signal")
def test_ctrl_c_keeps_what_was_found(tmp_path):
    path = tmp_path / "search"
    command = [sys.executable, "-m", "connectk", *HARD[:-3], "--checkpoint", str(path)]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    process.stderr.readline()  # the first progress, when the search begins
    process.send_signal(signal.SIGINT)
    _, rest = process.communicate()
    assert process.returncode == 130
    assert "the same command continues" in rest
    assert "Traceback" not in rest
    assert [name.name for name in tmp_path.iterdir()] == ["search"]
    saved = Checkpoint(path, Position.start(Variant(8, 8, 4)))
    saved.load()
    saved.close()
