"""Reads a game from a file of any kind: a saved game, a Connect-Z file or moves."""

from __future__ import annotations

import re
import sys
from enum import Enum
from pathlib import Path

from connectk.errors import FileNotReadable, NotationError, quoted
from connectk.notation.gamefile import parse_game_file
from connectk.notation.moves import parse_moves, play_moves
from connectk.notation.saved import SavedGame, parse_saved_game
from connectk.rules.variant import CLASSIC, Variant

CONNECT_Z = re.compile(rb"\s*[0-9]+[ \t]+[0-9]+[ \t]+[0-9]+[ \t]*(\r|\n|$)")


class FileKind(Enum):
    """What a file holds."""

    SAVED = "saved"
    CONNECT_Z = "connect-z"
    MOVES = "moves"


def kind_of(data: bytes) -> FileKind:
    """The kind of a file: a saved game begins with `{`, a Connect-Z file with three numbers on the first line."""
    if data.lstrip().startswith(b"{"):
        return FileKind.SAVED
    return FileKind.CONNECT_Z if CONNECT_Z.match(data) else FileKind.MOVES


def parse_game(data: bytes, variant: Variant = CLASSIC) -> SavedGame:
    """The game that a file holds; moves alone are played on this variant."""
    kind = kind_of(data)
    if not data.strip():
        raise NotationError("error.empty_file")
    if kind is FileKind.CONNECT_Z:
        width, height, run, columns = parse_game_file(data)
        return SavedGame(play_moves(Variant(width, height, run), columns))
    text = data.decode("utf-8", "replace")
    return (
        parse_saved_game(text) if kind is FileKind.SAVED else SavedGame(play_moves(variant, parse_moves(text, variant)))
    )


def read_bytes(path: Path) -> bytes:
    """The content of a file; raises `FileNotReadable`."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileNotReadable(str(path), error.strerror or str(error)) from error


def read_text(path: Path) -> str:
    """The content of a text file; raises `FileNotReadable`."""
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileNotReadable(str(path), "error.because.no_text") from error


def read_game(source: str, variant: Variant) -> SavedGame:
    """A file (saved game, Connect-Z file, or moves), `-` for the same from standard input, or a move string."""
    if source == "-":
        return parse_game(sys.stdin.buffer.read(), variant)
    if Path(source).is_file():
        return parse_game(read_bytes(Path(source)), variant)
    if re.search(r"[./\\]|[A-Za-z]", source):
        raise NotationError("error.no_game_file", file=quoted(source))
    return SavedGame(play_moves(variant, parse_moves(source, variant)))
