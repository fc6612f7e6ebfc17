"""The game to review, from whatever it is written in."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from connectk.errors import NotationError
from connectk.notation import SavedGame, parse_game, parse_moves
from connectk.notation.moves import play_moves
from connectk.rules import Variant


def read_game(source: str, variant: Variant) -> SavedGame:
    """A file (saved game, Connect-Z file, or moves), `-` for the same from standard input, or a move string."""
    if source == "-":
        return parse_game(sys.stdin.buffer.read(), variant)
    if Path(source).is_file():
        return parse_game(_bytes_of(Path(source)), variant)
    if re.search(r"[./\\]|[A-Za-z]", source):
        raise NotationError(f"There is no file {source!r}; give a saved game, a Connect-Z file or moves such as 4453.")
    return SavedGame(play_moves(variant, parse_moves(source, variant)))


def _bytes_of(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise NotationError(f"{path} cannot be read: {error.strerror}.") from error
