"""What connectk says to a person, in every language it speaks.

Each language is one JSON file and one line of LANGUAGES, from which commands, messages and the page take their lists.
A text has `{facts}` in braces; one that counts has the forms of its language (`plurals.py`), chosen by `count`.

    >>> load_texts("sv")("error.ColumnFull", column=4)
    'Kolumn 4 är full, välj en annan.'
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Literal, cast

from connectk.texts.plurals import plural_category

LANGUAGES = {
    "en": "English",
    "fi": "Suomi",
    "sv": "Svenska",
}

if TYPE_CHECKING:
    LanguageName = str
else:
    LanguageName = Literal[tuple(LANGUAGES)]  # so that commands and messages accept these and no other

Catalogue = Mapping[str, str | Mapping[str, str]]


class Texts:
    """The catalogue of one language."""

    def __init__(self, language: str, catalogue: Catalogue, table: Mapping[int, int] | None = None) -> None:
        self.language, self.catalogue, self._table = language, catalogue, table or {}

    def __call__(self, key: str, **facts: object) -> str:
        """The text with its facts filled in."""
        text = self.catalogue[key]
        if isinstance(text, Mapping):
            text = text[plural_category(self.language, cast(int, facts["count"]))]
        return text.format_map(facts).translate(self._table)

    def plain(self, key: str) -> str | None:
        """The text, if there is one and it needs no facts."""
        text = self.catalogue.get(key)
        return self(key) if isinstance(text, str) and "{" not in text else None

    def translated(self, table: Mapping[int, int]) -> Texts:
        """The same texts with some characters exchanged, for a terminal that lacks them."""
        return Texts(self.language, self.catalogue, table)


@cache
def load_texts(language: str = "en") -> Texts:
    """The texts of a language in LANGUAGES."""
    from importlib.resources import files  # slow to import, and many programs say nothing

    text = files(__package__).joinpath(f"{language}.json").read_text(encoding="utf-8")
    return Texts(language, json.loads(text))


def language_of(environment: Mapping[str, str]) -> str:
    """The language that `CONNECTK_LANGUAGE` or the locale asks for, where we speak it; else English."""
    if (named := environment.get("CONNECTK_LANGUAGE", "")) in LANGUAGES:
        return named
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if locale := environment.get(name):
            return locale[:2] if locale[:2] in LANGUAGES else "en"
    return "en"
