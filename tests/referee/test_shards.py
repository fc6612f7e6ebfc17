"""Many games from files, JSON lines, tables and archives, local or at a URL, are each judged once."""

import io
import json
import os
import tarfile
import threading
import uuid

import fsspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from connectk.cli import app
from connectk.cluster import PartsFolder, open_pool, run_job
from connectk.cluster.files import Folder
from connectk.errors import JobMismatch
from connectk.referee import find_game_files, judge_bytes
from connectk.referee.game_sources import GameCollection, GameFiles, judge_all
from tests.referee.cases import FIRST_WINS, SECOND_WINS, game_file

GAMES = {
    f"game{number:03}.txt": game_file(" ".join(moves.split()[: number % 9]) + (" 9" if number % 5 == 0 else ""))
    for number, moves in enumerate([FIRST_WINS, SECOND_WINS] * 30)
}
CODES = [int(judge_bytes(game).code) for game in GAMES.values()]


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def as_jsonl(path):
    lines = [json.dumps({"path": name, "game": game.decode()}) for name, game in GAMES.items()]
    path.write_text("\n".join(lines) + "\n")


def as_parquet(path):
    table = pa.table({"path": list(GAMES), "game": [game.decode() for game in GAMES.values()]})
    pq.write_table(table, path, row_group_size=7)


def as_tar(path):
    with tarfile.open(path, "w:gz" if path.suffix == ".tgz" else "w") as archive:
        for name, game in GAMES.items():
            member = tarfile.TarInfo(name)
            member.size = len(game)
            archive.addfile(member, io.BytesIO(game))


def as_folder(path):
    for number, (name, game) in enumerate(GAMES.items()):
        folder = path / f"{number // 20}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(game)


WRITERS = {
    "games.jsonl": as_jsonl,
    "games.parquet": as_parquet,
    "games.tar": as_tar,
    "games.tgz": as_tar,
    "games": as_folder,
}


@pytest.fixture(params=WRITERS)
def games(request, here):
    WRITERS[request.param](here / request.param)
    return request.param


def judge(*arguments):
    return CliRunner().invoke(app, ["judge", *map(str, arguments)])


def test_a_pile_of_any_kind_becomes_one_table(games, here):
    """Games from any source give the same verdicts in the same order. Temporary parts are removed, and the summary
    counts each code."""
    result = judge(games, "--out", "out.parquet")
    table = pq.read_table("out.parquet")

    assert result.exit_code == 1
    assert table["code"].to_pylist() == CODES
    assert [name.rpartition("/")[2] for name in table["path"].to_pylist()] == list(GAMES)
    assert "60 files" in result.stdout
    assert not (here / "out.parquet.parts").exists()


def test_a_pile_of_any_kind_becomes_lines_or_is_printed(games):
    judge(games, "--out", "out.jsonl")
    with open("out.jsonl", encoding="utf-8") as file:  # noqa: PTH123
        written = file.read()
    assert [json.loads(line)["code"] for line in written.splitlines()] == CODES
    assert judge(games, "--json").stdout == written


def test_shards_out(here):
    as_jsonl(here / "games.jsonl")
    judge("games.jsonl", "--out", "out.parquet/")
    assert [file.name for file in (here / "out.parquet").iterdir()] == ["00000.parquet"]
    assert pq.read_table(here / "out.parquet")["code"].to_pylist() == CODES


def test_files_behind_a_url():
    """Workers read files from a URL and write the verdicts there."""
    place = f"memory://{uuid.uuid4().hex}"
    with fsspec.open(f"{place}/games.jsonl", "wt") as file:
        file.writelines(json.dumps({"path": name, "game": game.decode()}) + "\n" for name, game in GAMES.items())
    for name, game in GAMES.items():
        with fsspec.open(f"{place}/loose/{name}", "wb") as file:
            file.write(game)
    judge(f"{place}/*.jsonl", f"{place}/loose", f"{place}/nothing.txt", "--out", f"{place}/out.parquet")
    with fsspec.open(f"{place}/out.parquet", "rb") as file:
        assert pq.read_table(file)["code"].to_pylist() == [*CODES, *CODES, 9]


def test_what_cannot_be_read_has_a_verdict_that_says_so(here):
    (here / "bad.jsonl").write_text('{"path": "a"}\nno json\n{"path": "b", "game": 7}\n')
    (here / "bad.tar").write_bytes(b"no archive")
    (here / "bad.parquet").write_bytes(b"no table")
    pq.write_table(pa.table({"other": [1]}), here / "other.parquet")
    as_tar(here / "cut.tar")
    (here / "cut.tar").write_bytes((here / "cut.tar").read_bytes()[:5000])
    paths = ["bad.jsonl", "bad.tar", "bad.parquet", "other.parquet", "gone.jsonl"]
    judge(*paths, "--out", "out.parquet")
    codes = pq.read_table("out.parquet")["code"].to_pylist()
    assert codes == [9, 9, 9, 9, 8, 8, 9]  # a broken table counts as a game file with nonsense in it
    assert [verdict.code for _, verdict in judge_all(["cut.tar"])][-1] == 9


def test_loose_files_come_in_the_order_of_find_game_files(here):
    """Any range of game files comes in the order of `find_game_files`, even with folders between the files."""
    for name in ("b.txt", "a/2.txt", "a/1.txt", "a/z/9.txt", "a/x.txt", "c/0.txt", "d.txt"):
        (here / name).parent.mkdir(parents=True, exist_ok=True)
        (here / name).write_bytes(game_file(FIRST_WINS))
    os.mkfifo(here / "pipe")
    files = GameFiles([str(here), "gone.txt"], "jsonl")
    names = [*find_game_files([str(here)]), "gone.txt"]
    assert list(files.paths(0, files.length)) == names
    for start in range(files.length):
        for stop in range(start, files.length + 1):
            assert list(files.paths(start, stop)) == names[start:stop]


def test_a_folder_that_changed_is_not_mixed_with_what_was_done(here):
    as_folder(here / "games")
    stop = threading.Event()
    games = GameCollection(["games"], "jsonl")
    with PartsFolder(Folder("out.jsonl.parts"), games.plan | {"form": "jsonl"}) as parts, open_pool(jobs=1) as pool:
        run_job(pool, games.sources, parts, stop=stop, progress=lambda report: stop.set() if report.done else None)
    (here / "games" / "new.txt").touch()
    result = judge("games", "--out", "out.jsonl")
    assert isinstance(result.exception, JobMismatch)


def test_a_stopped_run_goes_on(here, monkeypatch):
    """After Ctrl-C, the same command finishes the work, and no verdict occurs twice."""
    monkeypatch.setattr("connectk.referee.game_sources.GameFiles.first", 7)
    as_folder(here / "games")

    def interrupt(bar, report):
        if report.done:
            raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr("connectk.commands.console.ProgressBar.show", interrupt)
        assert judge("games", "--out", "out.parquet").exit_code == 130
    kept = sorted(file.name for file in (here / "out.parquet.parts").glob("*.part"))
    assert kept
    judge("games", "--out", "out.parquet")
    assert pq.read_table("out.parquet")["code"].to_pylist() == CODES


def test_a_cluster_needs_a_file_to_write_to(here):
    as_jsonl(here / "games.jsonl")
    result = judge("games.jsonl", "--cluster", "local:2")
    assert result.exit_code == 2
    assert "--out" in result.stderr
