"""Every language says everything, and nothing is said that nobody asks for."""

import re
from pathlib import Path
from string import Formatter

import pytest

import connectk
from connectk.errors import (
    ColumnFull,
    ColumnOutOfRange,
    GameAlreadyOver,
    ImpossibleVariant,
    NothingToRedo,
    NothingToUndo,
    UnknownPlayer,
)
from connectk.rules import DRAW
from connectk.texts import LANGUAGES, language_of, load_texts
from connectk.texts.refusals import explain

SOURCES = Path(connectk.__file__).parent
CATALOGUES = {language: load_texts(language).catalogue for language in LANGUAGES}
ENGLISH = CATALOGUES["en"]
TRANSLATIONS = [language for language in LANGUAGES if language != "en"]
CODE = "\n".join(file.read_text("utf-8") for kind in ("*.py", "*.js", "*.html") for file in SOURCES.rglob(kind))
QUOTED_KEY = re.compile(r"""["'`]([a-z_]+(?:\.\w+)+)(?<!\.html)(?<!\.json)["'`]""")
BEGINNING = re.compile(r"""["'`]((?:[a-z_]+\.)+)\$?\{""")  # of a key that is put together: `label.${move.label}`


def keys_in_use() -> set[str]:
    """Every quoted word of the code that begins like a key: `ask.column` does, as there are keys in `ask`."""
    groups = {key.partition(".")[0] for key in ENGLISH}
    return {word for word in QUOTED_KEY.findall(CODE) if word.partition(".")[0] in groups}


def keys_put_together() -> set[str]:
    return {key for key in ENGLISH if key.startswith(tuple(BEGINNING.findall(CODE)))}


def forms(text: object) -> list[str]:
    return list(text.values()) if isinstance(text, dict) else [str(text)]


def facts(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_no_text_is_missing():
    """Every key that the code asks for exists."""
    assert keys_in_use() - ENGLISH.keys() == set()


def test_no_text_is_unused():
    """Every key is asked for by some code."""
    assert ENGLISH.keys() - keys_in_use() - keys_put_together() == set()


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_language_has_the_same_texts(language):
    """A text that English has and another language lacks, or the other way round, is named."""
    assert CATALOGUES[language].keys() ^ ENGLISH.keys() == set()


@pytest.mark.parametrize("language", TRANSLATIONS)
def test_every_language_tells_the_same_facts(language):
    """A translation loses no number and no name, in any of its forms."""
    for key, text in ENGLISH.items():
        told = set().union(*map(facts, forms(text)))
        for form in forms(CATALOGUES[language][key]):
            assert facts(form) | {"count"} == told | {"count"}, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_that_counts_has_two_forms(language):
    """One and other; no text is empty."""
    for key, text in CATALOGUES[language].items():
        assert not isinstance(text, dict) or text.keys() == {"one", "other"}, key
        assert all(form.strip() for form in forms(text)), key


def test_counting_chooses_the_form():
    """One move, two moves."""
    texts = load_texts("en")
    assert texts("panel.moves", count=1) == "1 move"
    assert texts("panel.moves", count=2) == "2 moves"


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "fi_FI.UTF-8"}, "fi"),
        ({"LANG": "fi_FI.UTF-8", "LC_ALL": "sv_SE.UTF-8"}, "sv"),
        ({"LANG": "fi_FI.UTF-8", "LC_ALL": ""}, "fi"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C"}, "en"),
        ({}, "en"),
    ],
)
def test_the_locale_chooses_the_language(environment, language):
    """The more particular variable wins, and what we do not speak is English."""
    assert language_of(environment) == language


@pytest.mark.parametrize("language", TRANSLATIONS)
@pytest.mark.parametrize(
    "error",
    [
        ColumnFull(3),
        ColumnOutOfRange(9, 7),
        GameAlreadyOver(DRAW),
        ImpossibleVariant(0, 6, 4, "English."),
        ImpossibleVariant(3, 3, 4, "English."),
        NothingToUndo(),
        NothingToRedo(),
    ],
)
def test_refusals_are_translated(error, language):
    """What a player can run into is said in the player's language, not in English."""
    said = explain(error, load_texts(language))
    assert said != str(error)
    assert said != explain(error, load_texts("en"))


def test_a_refusal_without_a_text_keeps_its_own_words():
    """A rare one is better understood in English than not told."""
    error = UnknownPlayer("nobody", "There is no player 'nobody'.")
    assert explain(error, load_texts("fi")) == str(error)
