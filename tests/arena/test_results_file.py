"""A damaged results file is either read or refused with a sentence."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from connectk.arena import ResultsFile
from connectk.arena.results_reader import read_results
from connectk.errors import BadTournament
from tests.arena.tournaments import SMALL, played

DAMAGES: dict[str, tuple[int, Callable[[str], str], str]] = {
    "not JSON": (3, lambda line: line[:-5], "line 3: it is not JSON"),
    "no object": (3, lambda line: "[]", "line 3: it is not an object"),
    "something missing": (4, lambda line: line.replace('"seconds"', '"second"'), "line 4: something is missing"),
    "another player": (2, lambda line: line.replace("greedy", "perfect"), "line 2: the game is of other players"),
    "the other winner": (
        2,
        lambda line: (
            line.replace('"winner": "first"', '"winner": "second"')
            if '"winner": "first"' in line
            else line.replace('"winner": "second"', '"winner": "first"').replace('"winner": null', '"winner": "first"')
        ),
        "line 2: its moves end with",
    ),
    "a move too few": (2, lambda line: re.sub(r'"moves": "(\d+)\d"', r'"moves": "\1"', line), "line 2: "),
    "another opening": (
        2,
        lambda line: re.sub(r'"opening": 0', '"opening": 1', line),
        "line 2: the moves do not begin",
    ),
    "an opening that is not there": (
        2,
        lambda line: line.replace('"opening": 0', '"opening": 99'),
        "line 2: something",
    ),
    "a version of the future": (
        1,
        lambda line: line.replace('"version": 2', '"version": 9'),
        "line 1: it has version 9",
    ),
    "the same game twice": (3, lambda line: "TWICE", "line 3: the same game is there twice"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_file_is_a_sentence_with_the_line(damage: str, tmp_path: Path) -> None:
    """A damaged results file is refused with a sentence that names the line. There is no traceback, and the file is
    unchanged."""
    path = tmp_path / "results"
    played(SMALL, path)
    number, change, sentence = DAMAGES[damage]
    lines = path.read_text().splitlines()
    lines[number - 1] = lines[1] if change("") == "TWICE" else change(lines[number - 1])
    path.write_text("\n".join(lines) + "\n")

    with pytest.raises(BadTournament, match=re.escape(f"{path} is damaged in {sentence}")):
        ResultsFile(path, SMALL)

    assert path.read_text().splitlines() == lines


@given(st.data())
@settings(max_examples=60)
def test_no_damage_is_a_traceback(data: st.DataObject) -> None:
    """A good results file with any bytes inserted anywhere is either read or refused with a sentence."""
    good = GOOD_FILE
    start = data.draw(st.integers(0, len(good)))
    end = data.draw(st.integers(start, len(good)))
    with contextlib.suppress(BadTournament):
        read_results(good[:start] + data.draw(st.binary(max_size=20)) + good[end:], "a file")


GOOD_FILE = (
    b'{"format": "connectk-arena", "version": 2, "players": ["a", "b"], "bots": {}, "variant": "4x4x3", "games": 2, '
    b'"seconds": null, "seed": 1, "gauntlet": false, "clock": null, "openings_from": "balanced", "openings": ["12"]}\n'
    b'{"number": 1, "first": "a", "second": "b", "opening": 0, "moves": "12121", "winner": "first", "reason": "line", '
    b'"forfeit": null, "seconds": [0.1, 0.1, 0.1], "started": "2026-11-15T12:00:00+00:00"}\n'
)


def test_a_good_file_is_read() -> None:
    assert len(read_results(GOOD_FILE, "a file").records) == 1


def test_a_file_of_the_first_version_is_read() -> None:
    """A results file of version 1, which has no clock and no source of its openings, can still be read."""
    old = GOOD_FILE.replace(b'"version": 2', b'"version": 1').replace(
        b'"clock": null, "openings_from": "balanced", ', b""
    )

    assert read_results(old, "a file").tournament.players == ("a", "b")
