"""The game to review, from whatever it is written in."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from connectk.errors import NotationError, quoted
from connectk.notation import SavedGame, parse_game, parse_moves, read_bytes
from connectk.notation.moves import play_moves
from connectk.rules import Variant


def read_game(source: str, variant: Variant) -> SavedGame:
    """A file (saved game, Connect-Z file, or moves), `-` for the same from standard input, or a move string."""
    if source == "-":
        return parse_game(sys.stdin.buffer.read(), variant)
    if Path(source).is_file():
        return parse_game(read_bytes(Path(source)), variant)
    if re.search(r"[./\\]|[A-Za-z]", source):
        raise NotationError("error.no_game_file", file=quoted(source))
    return SavedGame(play_moves(variant, parse_moves(source, variant)))
