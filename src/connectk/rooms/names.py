"""Defines how members' names are written and compared, and which names are reserved for computer players."""

from __future__ import annotations

import unicodedata
from functools import cache

from connectk.play.refusals import BadName
from connectk.play.ruling import check_name
from connectk.players.registry import BEST_LEVEL, PLAYER_REGISTRY
from connectk.texts import LANGUAGES, Texts, load_texts

MAX_COMBINING_MARKS = 2  # on one letter; more marks would cover other lines of the page


def clean_name(name: str) -> str:
    """The name as the room shows it. Raises `BadName` if it has no letter or digit, or more than two accents on one
    letter."""
    name = check_name(unicodedata.normalize("NFC", name))
    marks = 0
    for letter in name:
        marks = marks + 1 if unicodedata.combining(letter) else 0
        if marks > MAX_COMBINING_MARKS:
            raise BadName
    if not any(letter.isalnum() for letter in name):
        raise BadName
    return name


def normalized(name: str) -> str:
    """The form in which names are compared. It is the same for names that differ only in case, width, spaces or the
    encoding of accents."""
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def is_reserved(name: str) -> bool:
    """Whether people could mistake this name for a computer player's, in any language."""
    return normalized(name) in _reserved_names()


@cache
def _reserved_names() -> frozenset[str]:
    names = [*PLAYER_REGISTRY, *(kind.example for kind in PLAYER_REGISTRY.values())]
    for language in LANGUAGES:
        names += _names_in(load_texts(language))
    return frozenset(map(normalized, names))


def _names_in(texts: Texts) -> list[str]:
    """The names of the computer players in one language, and the names that a room shows for their levels."""
    names = [texts(f"player.{kind}") for kind in PLAYER_REGISTRY if kind != "level"]
    for level in range(1, BEST_LEVEL + 1):
        shown = texts("room.level", level=level, name=texts(f"level.name.{level}"))
        names += [f"level:{level}", f"level {level}", texts(f"level.name.{level}"), shown, shown.partition(":")[0]]
    return names
