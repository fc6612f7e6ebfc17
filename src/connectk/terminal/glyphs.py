"""The characters that discs are drawn with, where the terminal can write them."""

from __future__ import annotations

from collections.abc import Mapping

from connectk.rules import Side

Discs = Mapping[Side, str]

ROUND: Discs = {Side.FIRST: "○", Side.SECOND: "●"}
LETTERS: Discs = {Side.FIRST: "x", Side.SECOND: "o"}


def discs_for(encoding: str | None, ascii_only: bool = False) -> Discs:
    """Round discs, or letters where the encoding has none."""
    return ROUND if not ascii_only and can_write("○●", encoding) else LETTERS


def can_write(text: str, encoding: str | None) -> bool:
    try:
        text.encode(encoding or "ascii")
    except (UnicodeError, LookupError):
        return False
    return True
