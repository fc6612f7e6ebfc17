"""The characters that discs and signs are drawn with, where the terminal can write them."""

from __future__ import annotations

from collections.abc import Mapping

from connectk.rules import Side
from connectk.texts import Texts

Discs = Mapping[Side, str]

ROUND: Discs = {Side.FIRST: "○", Side.SECOND: "●"}
LETTERS: Discs = {Side.FIRST: "x", Side.SECOND: "o"}

SIGNS = str.maketrans("○●·▀│▸▾─╭╮╰╯┄–‹›←→↑↓\u00a0", "xo.-|>v-....--<><>^v ")
UMLAUTS = str.maketrans("åäöÅÄÖé", "aaoAAOe")


def is_ascii_only(encoding: str | None, wanted: bool = False) -> bool:
    """Whether to keep to ASCII signs: on request, or because the encoding has no others."""
    return wanted or not can_write("○▟", encoding)


def discs_for(ascii_only: bool) -> Discs:
    return LETTERS if ascii_only else ROUND


def writable(texts: Texts, encoding: str | None, ascii_only: bool) -> Texts:
    """The texts with signs, and where needed letters, that this terminal has."""
    if not can_write("åäö", encoding):
        return texts.translated({**SIGNS, **UMLAUTS})
    return texts.translated(SIGNS) if ascii_only else texts


def can_write(text: str, encoding: str | None) -> bool:
    try:
        text.encode(encoding or "ascii")
    except (UnicodeError, LookupError):
        return False
    return True
