"""The translated texts of connectk.

Each language has a JSON file and a line in LANGUAGES, the list that commands, messages and the page use. A text may
contain `{facts}` to fill in. A text with a number has plural forms (`plurals.py`), and `count` selects one of them.

    >>> load_texts("sv")("error.ColumnFull", column=4)
    'Kolumn 4 är full, välj en annan.'
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
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
    LanguageName = Literal[tuple(LANGUAGES)]  # commands and messages accept only these

Catalogue = Mapping[str, str | Mapping[str, str]]


class Texts:
    """All texts of one language."""

    def __init__(self, language: str, catalogue: Catalogue, table: Mapping[int, int | str] | None = None) -> None:
        self.language, self.catalogue, self._table = language, catalogue, table or {}

    def __call__(self, key: str, **facts: object) -> str:
        """The text with this key, with the values filled in."""
        text = self.catalogue[key]
        if isinstance(text, Mapping):
            text = text[plural_category(self.language, cast(int, facts["count"]))]
        return text.format_map(facts).translate(self._table)

    def plain(self, key: str) -> str | None:
        """The text with this key. None if there is no such text, or if the text needs values to be filled in."""
        text = self.catalogue.get(key)
        return self(key) if isinstance(text, str) and "{" not in text else None

    def replaced(self, texts: Catalogue) -> Texts:
        """The same texts, where these texts replace those with the same keys."""
        return Texts(self.language, {**self.catalogue, **texts}, self._table)

    def translated(self, table: Mapping[int, int | str]) -> Texts:
        """The same texts with some characters replaced, for a terminal that cannot show them."""
        return Texts(self.language, self.catalogue, table)


@cache
def load_texts(language: str = "en") -> Texts:
    """Load the texts of a language in LANGUAGES."""
    from importlib.resources import files  # imported late because it is slow and many programs need no texts

    text = files(__package__).joinpath(f"{language}.json").read_text(encoding="utf-8")
    return Texts(language, json.loads(text))


def list_words(words: Sequence[str], key: str, texts: Texts) -> str:
    """Words as a list, such as '2, 3 and 5'. `key` names the text that joins the last word to the others."""
    *most, last = words
    return texts(key, most=", ".join(most), last=last) if most else last


def preferred_language(environment: Mapping[str, str]) -> str:
    """The language that `CONNECTK_LANGUAGE` or the locale names. English, if connectk has no texts in that language."""
    if (named := environment.get("CONNECTK_LANGUAGE", "")) in LANGUAGES:
        return named
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if locale := environment.get(name):
            return locale[:2] if locale[:2] in LANGUAGES else "en"
    return "en"
