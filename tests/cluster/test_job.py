"""A job that is divided into tasks makes each result exactly once, wherever it is stopped and however it is divided."""

import itertools
import subprocess
import sys
import threading
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectk.cluster import PartsFolder, open_pool, run_job
from connectk.cluster.files import Folder
from connectk.cluster.job import Chunk, ChunkSizer, TaskResult
from connectk.errors import JobInUse, JobMismatch, PoolLost
from tests.cluster.jobs import CrashingNumbers, Numbers, numbers_in

PLAN_FILE = {"job": "numbers"}


def done_by(folder, sources, **options):
    """Run the job and return the numbers in its parts."""
    with PartsFolder(Folder(str(folder)), PLAN_FILE) as parts, open_pool(**options) as pool:
        run_job(pool, sources, parts)
        return numbers_in(parts.contents(len(sources)))


@pytest.mark.parametrize("options", [{"jobs": 1}, {"jobs": 3, "threads": True}, {"jobs": 2}], ids=str)
def test_every_unit_is_done_once_and_in_order(tmp_path, options):
    """One process, threads and several processes produce the same units in the same order."""
    assert done_by(tmp_path, [Numbers(200), Numbers(0), Numbers(7)], **options) == [*range(200), *range(7)]


@given(st.sets(st.integers(0, 40)), st.integers(0, 40))
def test_the_gaps_are_what_no_part_covers(tmp_path_factory, cuts, length):
    """The gaps are exactly the units that no saved part contains."""
    folder = Folder(str(tmp_path_factory.mktemp("parts")))
    edges = sorted(cuts)
    with PartsFolder(folder, PLAN_FILE) as parts:
        for start, stop in list(itertools.pairwise(edges))[::2]:
            parts.save(Chunk(0, start, stop), b"")
        covered = {unit for chunk in parts.chunks(0) for unit in range(chunk.start, chunk.stop)}
        missing = [unit for start, stop in parts.gaps(0, length) for unit in range(start, stop)]
    assert missing == [unit for unit in range(length) if unit not in covered]


def test_a_stopped_run_goes_on(tmp_path):
    """After a stop, the next run keeps the finished parts and does only the rest, even in tasks of another size."""
    stop = threading.Event()

    def on_report(report):
        if report.done > 50:
            stop.set()

    with PartsFolder(Folder(str(tmp_path)), PLAN_FILE) as parts, open_pool(jobs=1) as pool:
        run_job(pool, [Numbers(1000)], parts, stop=stop, progress=on_report)
        before = parts.chunks(0)
    assert 50 < before[-1].stop < 1000
    assert done_by(tmp_path, [Numbers(1000)], jobs=2) == list(range(1000))
    with PartsFolder(Folder(str(tmp_path)), PLAN_FILE) as parts:
        assert set(before) <= set(parts.chunks(0))


def test_a_killed_process_is_reported_and_the_same_call_resumes(tmp_path):
    """If a local worker process is killed, the job fails with an error. The same call then continues from the finished
    parts."""
    job = [CrashingNumbers(60, mark=str(tmp_path / "mark"), victim=30)]
    with pytest.raises(PoolLost, match="again"):
        done_by(tmp_path / "parts", job, jobs=2)
    assert done_by(tmp_path / "parts", job, jobs=2) == list(range(60))


def test_parts_of_another_job_are_refused(tmp_path):
    with PartsFolder(Folder(str(tmp_path)), PLAN_FILE):
        pass
    with pytest.raises(JobMismatch, match="other work"):
        PartsFolder(Folder(str(tmp_path)), {"job": "letters"})


def test_a_job_that_is_being_done_is_not_done_twice_at_once(tmp_path):
    with PartsFolder(Folder(str(tmp_path)), PLAN_FILE), pytest.raises(JobInUse, match="in use"):
        PartsFolder(Folder(str(tmp_path)), PLAN_FILE)


@pytest.mark.parametrize("chunks", [[(0, 5), (4, 9)], [(0, 5), (6, 9)]], ids=["twice", "lost"])
def test_parts_that_do_not_meet_are_never_joined(tmp_path, chunks):
    """Overlapping parts are refused, because two runs may have divided the work differently in a folder without
    locks."""
    with PartsFolder(Folder(str(tmp_path)), PLAN_FILE) as parts:
        for start, stop in chunks:
            parts.save(Chunk(0, start, stop), b"")
        with pytest.raises(JobMismatch):
            list(parts.contents(1))


def test_a_task_that_fails_says_why_and_what_is_done_stays(tmp_path):
    class Broken(Numbers):
        def task(self, start, stop):
            return (fail if start > 10 else super().task(start, stop)[0]), super().task(start, stop)[1]

    with pytest.raises(ZeroDivisionError):
        done_by(tmp_path, [Broken(40)], jobs=1)
    assert done_by(tmp_path, [Numbers(40)], jobs=1) == list(range(40))


def fail(start: int, stop: int, seconds: float) -> TaskResult:
    raise ZeroDivisionError


def test_tasks_grow_to_some_seconds_and_shrink_near_the_end():
    sizes = ChunkSizer()
    assert sizes.units("a", 4, 1e9, 2) == 4
    sizes.learn("a", 4, 0.004)
    assert sizes.units("a", 4, 1e9, 2) == 32  # a thousand a second; but one step at a time
    sizes.learn("a", 20_000, 20.0)
    assert sizes.units("a", 4, 1e9, 2) == 3_000  # three seconds
    assert sizes.units("a", 4, 15_000, 2) == 2_500  # a share of the rest
    assert sizes.units("a", 4, 3_000, 2) == 1_000  # one second
    assert sizes.units("b", 7, 1e9, 2) == 7  # another kind is not known yet


def test_one_machine_imports_no_dask():
    """Local work without tables and URLs imports none of Dask, PyArrow and fsspec."""
    code = """
        import sys
        import connectk.cli, connectk.arena, connectk.cluster, connectk.dataset, connectk.referee.game_sources
        import connectk.solver.book.build, connectk.solver.file_jobs, connectk.solver.distributed
        with connectk.cluster.open_pool(jobs=1), connectk.cluster.open_pool(jobs=2, threads=True):
            print({"dask", "distributed", "fsspec", "pyarrow", "numpy"} & set(sys.modules))
    """
    done = subprocess.run([sys.executable, "-c", dedent(code)], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_progress_counts_rows_and_ends_with_all(tmp_path):
    reports = []
    with PartsFolder(Folder(str(tmp_path)), PLAN_FILE) as parts, open_pool(jobs=1) as pool:
        run_job(pool, [Numbers(100)], parts, progress=reports.append)
    assert (reports[0].done, reports[-1].done, reports[-1].total, reports[-1].rows) == (0, 100, 100, 100)
    assert [report.done for report in reports] == sorted(report.done for report in reports)
