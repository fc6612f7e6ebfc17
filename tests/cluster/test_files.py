"""Tests the files of jobs: atomic writes to folders and URLs, parts of a file by their byte range, and joined
tables."""

import itertools
import json
import uuid

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectk.cluster import tables
from connectk.cluster.files import Folder, expand_path, lines_between, open_to_read
from connectk.cluster.tables import from_parquet, join, to_parquet
from connectk.errors import FileNotWritable


@pytest.fixture(params=["here", "memory"])
def place(request, tmp_path):
    """A folder on this machine, or a folder in memory behind one of fsspec's URLs."""
    return str(tmp_path / "folder") if request.param == "here" else f"memory://{uuid.uuid4().hex}"


def test_a_file_appears_only_when_it_is_complete(place):
    folder = Folder(place)
    folder.make()
    with folder.writing("a.txt") as file:
        file.write(b"half")
        assert folder.names() == []
    assert folder.names() == ["a.txt"]
    assert folder.read("a.txt") == b"half"


def test_a_failed_write_leaves_no_file(place):
    folder = Folder(place)
    folder.make()
    folder.write("a.txt", b"before")
    with pytest.raises(TypeError), folder.writing("a.txt") as file:
        file.write("half")
    assert folder.names() == ["a.txt"]
    assert folder.read("a.txt") == b"before"
    folder.remove_all()
    assert folder.names() == []


def test_a_folder_that_cannot_be_made_is_reported(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(FileNotWritable):
        Folder(str(tmp_path / "file" / "below")).make()


def test_a_url_with_a_star_or_of_a_folder_means_its_files():
    place = f"memory://{uuid.uuid4().hex}"
    folder = Folder(place)
    folder.make()
    for name in ("b.jsonl", "a.jsonl", "c.txt"):
        folder.write(name, name.encode())
    assert [path.rpartition("/")[2] for path in expand_path(f"{place}/*.jsonl")] == ["a.jsonl", "b.jsonl"]
    assert len(expand_path(place)) == 3
    with open_to_read(expand_path(place)[0]) as file:
        assert file.read() == b"a.jsonl"


@given(st.lists(st.text("ab", max_size=4)), st.lists(st.integers(0, 60)))
def test_however_a_file_is_cut_each_line_is_read_once(tmp_path_factory, lines, cuts):
    path = tmp_path_factory.mktemp("lines") / "file"
    text = "\n".join(lines).encode()
    path.write_bytes(text)
    edges = sorted({0, len(text), *(cut for cut in cuts if cut < len(text))})
    read = [line for start, stop in itertools.pairwise(edges) for line in lines_between(str(path), start, stop)]
    assert read == text.splitlines()


@given(st.lists(st.integers(1, 9), max_size=12), st.lists(st.integers(1, 9), max_size=12))
def test_a_table_does_not_show_how_it_was_cut(tmp_path_factory, cuts, others):
    """The same rows give the same bytes, however they are divided into parts, because groups and shards have fixed
    sizes."""
    folder = tmp_path_factory.mktemp("tables")
    rows = list(range(30))
    schema = pa.schema([("number", pa.int64())])
    written = []
    for name, sizes in (("a", cuts), ("b", others)):
        join(iter(parts_folder_of(rows, sizes, schema)), str(folder / name), "parquet", schema)
        written.append((folder / name).read_bytes())
    assert written[0] == written[1]
    assert pq.read_table(folder / "a")["number"].to_pylist() == rows


def parts_folder_of(rows, sizes, schema):
    start = 0
    for size in [*sizes, len(rows)]:
        yield to_parquet(pa.table([rows[start : start + size]], schema))
        start += size


@pytest.mark.parametrize("rows", [0, 4, 10, 11])
@pytest.mark.parametrize("form", ["parquet", "jsonl"])
def test_a_name_that_ends_with_a_slash_is_a_folder_of_shards(tmp_path, monkeypatch, form, rows):
    monkeypatch.setattr(tables, "MAX_ROWS_PER_SHARD", 5)
    monkeypatch.setattr(tables, "ROW_GROUP_ROWS", 3)
    numbers, schema = list(range(rows)), pa.schema([("number", pa.int64())])
    if form == "parquet":
        contents = parts_folder_of(numbers, [4, 4], schema)
    else:
        contents = ("".join(f"{json.dumps({'number': n})}\n" for n in numbers[i : i + 4]).encode() for i in (0, 4, 8))
    files = join(iter(contents), f"{tmp_path}/out/", form, schema)

    read = [row["number"] for file in files for row in read_rows(file, form)]
    assert read == numbers
    assert [len(read_rows(file, form)) for file in files] == ([5] * (rows // 5) + [rows % 5] * (rows % 5 > 0) or [0])


def read_rows(file, form):
    with open_to_read(file) as stream:
        content = stream.read()
    return from_parquet(content).to_pylist() if form == "parquet" else [json.loads(x) for x in content.splitlines()]
