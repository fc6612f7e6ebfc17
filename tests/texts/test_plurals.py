"""Plural forms are the same in Python and in the page."""

import pytest

from connectk.texts import LANGUAGES, Texts
from connectk.texts.plurals import PLURAL_RULES, plural_category
from tests.core.asking import ask

COUNTS = [*range(1200), 10_001, 100_000, 1_000_002]
POLISH = {"discs": {"one": "{count} krążek", "few": "{count} krążki", "many": "{count} krążków"}}


def test_python_knows_the_categories_of_the_browser():
    languages = sorted({*LANGUAGES, *PLURAL_RULES})
    theirs = ask(["plurals", language, COUNTS] for language in languages)
    for language, categories in zip(languages, theirs, strict=True):
        assert [plural_category(language, count) for count in COUNTS] == categories, language


@pytest.mark.parametrize(
    ("count", "words"), [(1, "1 krążek"), (3, "3 krążki"), (5, "5 krążków"), (13, "13 krążków"), (22, "22 krążki")]
)
def test_a_language_may_have_more_than_two_forms(count, words):
    _, from_the_page = ask([["speak", "pl", POLISH], ["text", "discs", {"count": count}]])
    assert Texts("pl", POLISH)("discs", count=count) == from_the_page == words
