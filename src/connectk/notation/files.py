"""Reads a game from the bytes of a file. The file is a saved game, a Connect-Z file or a list of moves."""

from __future__ import annotations

import re
from enum import Enum
from pathlib import Path

from connectk.errors import FileNotReadable, NotationError
from connectk.notation.connect_z_file import parse_game_file
from connectk.notation.moves import parse_moves, play_moves
from connectk.notation.saved_game import SavedGame, parse_saved_game
from connectk.rules.variant import CLASSIC, Variant

CONNECT_Z_HEADER_PATTERN = re.compile(rb"\s*[0-9]+[ \t]+[0-9]+[ \t]+[0-9]+[ \t]*(\r|\n|$)")


class FileKind(Enum):
    """The format of a game file."""

    SAVED = "saved"
    CONNECT_Z = "connect-z"
    MOVES = "moves"


def kind_of(data: bytes) -> FileKind:
    """The format of a file. A saved game begins with `{`, and the first line of a Connect-Z file has three numbers."""
    if data.lstrip().startswith(b"{"):
        return FileKind.SAVED
    return FileKind.CONNECT_Z if CONNECT_Z_HEADER_PATTERN.match(data) else FileKind.MOVES


def parse_game(data: bytes, variant: Variant = CLASSIC) -> SavedGame:
    """The game in the content of a file. If the file has only moves, they are played on the board `variant`."""
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
    """The content of a file. Raises `FileNotReadable` if the file cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise FileNotReadable(str(path), error.strerror or str(error)) from error


def read_text(path: Path) -> str:
    """The content of a text file. Raises `FileNotReadable` if the file cannot be read."""
    try:
        return read_bytes(path).decode("utf-8")
    except UnicodeDecodeError as error:
        raise FileNotReadable(str(path), "error.because.no_text") from error
