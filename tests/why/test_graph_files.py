"""Tests graphs of many boards: compact files in which mirror images share a page, read by page, checked by several
processes."""

import gzip
import json
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from connectk.cli import app
from connectk.cluster import open_pool
from connectk.errors import ExplanationRefused, NotationError
from connectk.rules import Cell, Position, Side, Variant
from connectk.texts import LANGUAGES, load_texts
from connectk.watch import Progress, Report, Stop
from connectk.why import Claim, Explanation, Page, Promise, check, parse_explanation
from connectk.why.graph_files import GZIP_MAGIC, MirroredPages, mirrored, parse_graph, write_graph, write_page_line
from connectk.why.openings import STRATEGIES_FOLDER
from connectk.why.pool_checker import check_in_pool
from tests.why.test_files import PAGES

HOLDS = Claim(Side.SECOND, Promise.HOLDS)
NARROW = Variant(3, 4, 4)
FOLLOW = {Cell(column, row): (Cell(column, row + 1),) for column in range(3) for row in (0, 2)}
# A disc at the left has its own page. The page for a disc at the right is the mirror image.
LEFT = Page(drop=0, answers=FOLLOW)
SHARED = (Page(answers=FOLLOW, replies={0: 1, 2: -2}), LEFT)


def graph_of(*pages: Page, variant: Variant = NARROW) -> tuple[Explanation, MirroredPages]:
    lines = MirroredPages([write_page_line(page) for page in pages], variant)
    return Explanation(Position(variant), HOLDS, lines), lines


def file_of(*pages: Page) -> bytes:
    return write_graph(*graph_of(*pages))


def checked(explanation: Explanation, jobs: int = 1, stop: Stop | None = None, progress: Progress | None = None) -> int:
    with open_pool(jobs=jobs) as pool:
        return check_in_pool(pool, explanation, stop=stop, progress=progress)


def test_a_reply_below_zero_is_a_page_in_a_mirror():
    """A negative page number means a mirrored page, which becomes an ordinary page with its own number."""
    explanation = parse_graph(file_of(*SHARED))
    first, left, first_mirrored, right = explanation.pages
    assert dict(first.replies) == {0: 1, 2: 3}
    assert dict(first_mirrored.replies) == {0: 1, 2: 3}
    assert (left, right) == (LEFT, mirrored(LEFT, NARROW))
    assert right.drop == 2
    assert check(explanation) > 3**3


@given(st.lists(PAGES, min_size=1, max_size=4))
def test_what_is_written_is_read_back(pages):
    explanation, lines = graph_of(*pages, variant=Variant())
    again = parse_graph(write_graph(explanation, lines))
    assert (again.position, again.claim) == (explanation.position, explanation.claim)
    assert list(again.pages) == list(lines)
    for page, other in zip(again.pages[: len(pages)], again.pages[len(pages) :], strict=True):
        turned = {number: (number + len(pages)) % (2 * len(pages)) for number in page.replies.values() if number >= 0}
        replies = {column: turned.get(number, -1) for column, number in page.replies.items()}
        assert other == mirrored(replace(page, replies=replies), Variant())


def test_a_page_that_is_not_there_is_refused():
    for number in (2, 9, -3, -9):
        explanation, _ = graph_of(Page(answers=FOLLOW, replies={0: number}), LEFT)
        for judge in (check, checked):
            with pytest.raises(ExplanationRefused, match="missing"):
                judge(explanation)


@pytest.mark.parametrize("jobs", [1, 2])
def test_workers_accept_what_the_checker_accepts(jobs):
    """The workers and the checker reach the same pages. The workers check a page from each position that leads to
    it."""
    explanation = parse_explanation((STRATEGIES_FOLDER / "second-holds-6x4x4.json").read_text(encoding="utf-8"))
    reports: list[Report] = []
    assert checked(explanation, jobs, progress=reports.append) >= check(explanation)
    assert reports[-1].done == reports[-1].total >= explanation.size


@pytest.mark.parametrize("jobs", [1, 2])
def test_workers_refuse_what_does_not_hold(jobs):
    """If one page of many lacks an answer, the workers refuse the graph and name that page."""
    explanation = parse_explanation((STRATEGIES_FOLDER / "second-holds-6x4x4.json").read_text(encoding="utf-8"))
    last = explanation.pages[-1]
    broken = replace(
        explanation, pages=(*explanation.pages[:-1], replace(last, answers=dict(list(last.answers.items())[:2])))
    )
    with pytest.raises(ExplanationRefused) as refusal:
        checked(broken, jobs)
    assert refusal.value.line


def test_a_stop_is_no_proof():
    from connectk.errors import SearchStopped

    explanation, _ = graph_of(*SHARED)
    with pytest.raises(SearchStopped):
        checked(explanation, stop=lambda: True)


@given(st.binary(max_size=200), st.integers(0, 200))
def test_a_damaged_file_is_refused_in_a_sentence(junk, at):
    """A graph file with any content is read or refused with a sentence, at once or when the damaged page is needed."""
    good = file_of(*SHARED)
    for data in (
        GZIP_MAGIC + junk,
        good[:at] + junk,
        gzip.compress(junk),
        gzip.compress(gzip.decompress(good)[:at] + junk),
    ):
        with suppress(NotationError):
            list(parse_graph(data).pages)


def test_a_file_that_grows_too_large_is_refused(monkeypatch):
    monkeypatch.setattr("connectk.why.graph_files.MAX_GRAPH_BYTES", 100)
    with pytest.raises(NotationError, match="100"):
        parse_graph(gzip.compress(b" " * 101))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_command_checks_a_graph(tmp_path, language):
    file = tmp_path / "holds.json.gz"
    file.write_bytes(file_of(*SHARED))
    texts, count = load_texts(language), check(graph_of(*SHARED)[0])
    done = CliRunner().invoke(app, ["why", "--check", str(file), "--language", language], catch_exceptions=False)
    assert done.stdout.split("\n")[0] == " ".join(
        [texts("why.claim.second.holds"), texts("why.mirrored", count=2), texts("why.checked", count=count)]
    )


def test_the_command_tells_of_a_graph_in_json(tmp_path):
    file = tmp_path / "holds.json.gz"
    file.write_bytes(file_of(*SHARED))
    done = CliRunner().invoke(app, ["why", "--check", str(file), "--json"], catch_exceptions=False)
    assert json.loads(done.stdout) == {
        "variant": "3x4x4",
        "start": "",
        "claim": {"side": "second", "result": "holds"},
        "boards": 2,
        "checked": check(graph_of(*SHARED)[0]),
    }


def test_a_graph_is_not_drawn(tmp_path):
    file = tmp_path / "holds.json.gz"
    file.write_bytes(file_of(*SHARED))
    with pytest.raises(NotationError):
        CliRunner().invoke(app, ["why", "--check", str(file), "--out", str(tmp_path / "x.svg")], catch_exceptions=False)
