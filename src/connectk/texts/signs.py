"""Replaces characters that a terminal cannot show."""

from __future__ import annotations

from connectk.system import can_encode
from connectk.texts import Texts

ASCII_SIGNS: dict[int, int | str] = {
    **str.maketrans("○●·▀│▸▾─╭╮╰╯┄–‹›←→↑↓×…\u00a0", "xo.-|>v-....--<><>^vx. "),
    ord("±"): "+-",
}
ASCII_LETTERS = str.maketrans("åäöÅÄÖé", "aaoAAOe")


def is_ascii_only(encoding: str | None, wanted: bool = False) -> bool:
    """Whether to write only ASCII, because the user wants it or the terminal's encoding has no discs or blocks."""
    return wanted or not can_encode("○▟", encoding)


def printable_texts(texts: Texts, encoding: str | None, wants_ascii: bool) -> Texts:
    """The texts with other characters in place of those that the terminal cannot show or the user does not want."""
    if wants_ascii or not can_encode("åäö", encoding):
        return texts.translated({**ASCII_SIGNS, **ASCII_LETTERS})
    return texts.translated(ASCII_SIGNS) if is_ascii_only(encoding) else texts
