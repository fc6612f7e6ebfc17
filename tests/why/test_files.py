"""An explanation survives writing and reading, and every fact in a stranger's file is checked."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from connectk.errors import NotationError
from connectk.rules import Cell, Position, Side
from connectk.texts import LANGUAGES, load_texts
from connectk.why import Claim, Explanation, Page, Promise, parse_explanation, write_explanation

CELLS = st.builds(Cell, st.integers(0, 6), st.integers(0, 5))
PAGES = st.builds(
    Page,
    drop=st.none() | st.integers(0, 6),
    force=st.lists(st.integers(0, 6), max_size=5).map(tuple),
    answers=st.dictionaries(CELLS, st.lists(CELLS, min_size=1, max_size=3).map(tuple), max_size=6),
    replies=st.dictionaries(st.integers(0, 6), st.integers(0, 9), max_size=4),
)
EXPLANATIONS = st.builds(
    Explanation,
    st.sampled_from(["", "4", "4453"]).map(Position.from_moves),
    st.builds(Claim, st.sampled_from(Side), st.sampled_from(Promise)),
    st.lists(PAGES, max_size=4).map(tuple),
)


@given(EXPLANATIONS)
def test_what_is_written_is_read_back(explanation):
    assert parse_explanation(write_explanation(explanation)) == explanation


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(EXPLANATIONS, st.sampled_from(["format", "version", "variant", "start", "claim", "pages"]), JSON)
def test_a_damaged_file_is_refused_in_a_sentence(explanation, field, junk):
    """A file with any content is either read or refused with a sentence."""
    document = json.loads(write_explanation(explanation)) | {field: junk}
    with suppress(NotationError):
        assert parse_explanation(json.dumps(document)).claim == explanation.claim or field == "claim"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "connectk-game"}', "[" * 100_000, "x" * (5 << 20)])
def test_what_is_no_explanation_is_refused(text):
    with pytest.raises(NotationError):
        parse_explanation(text)


def test_a_board_of_any_size_is_refused_before_it_is_made():
    """A file with a board of a million million cells is refused before that board is created."""
    document = json.loads(write_explanation(Explanation(Position(), Claim(Side.FIRST, Promise.WINS), ())))
    with pytest.raises(NotationError, match="128 bits"):
        parse_explanation(json.dumps(document | {"variant": "1000000x1000000x4"}))


def test_a_newer_version_is_refused_by_its_number():
    document = json.loads(write_explanation(Explanation(Position(), Claim(Side.FIRST, Promise.WINS), ())))
    with pytest.raises(NotationError, match="version 2"):
        parse_explanation(json.dumps(document | {"version": 2}))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_wrong_with_a_file_is_said_in_every_language(language):
    """Each kind of fault in a file has its own sentence in every language."""
    texts = load_texts(language)
    good = json.loads(write_explanation(Explanation(Position(), Claim(Side.FIRST, Promise.WINS), ())))
    changes = ({"format": "x"}, {"version": 9}, {"variant": "9999x9999x4"}, {"pages": 7})
    files = ["x" * (5 << 20), "[", *(json.dumps(good | change) for change in changes)]
    said = []
    for file in files:
        with pytest.raises(NotationError) as refused:
            parse_explanation(file)
        said.append(refused.value.localize(texts))
    assert len(set(said)) == len(files)
    assert not any("why.file" in words or "{" in words for words in said)
    if language != "en":
        assert not any("n explanation" in words or "he explanation" in words for words in said)


@pytest.mark.parametrize(
    "page",
    [
        {"answers": [[[10**30, 0], [[0, 0]]]]},
        {"replies": {str(10**30): 1}},
        {"force": [2**31]},
        {"drop": -(2**40)},
    ],
)
def test_a_number_that_no_board_has_is_refused_when_it_is_read(page):
    """A file with an impossible number is refused, even if the checker would never use that number."""
    claim = {"side": "first", "result": "wins"}
    document = {"format": "connectk-explanation", "version": 1, "variant": "7x6x4", "start": "", "claim": claim}
    with pytest.raises(NotationError):
        parse_explanation(json.dumps({**document, "pages": [page]}))
