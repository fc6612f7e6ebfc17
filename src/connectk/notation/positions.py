"""Reads a position or a game from a command's argument or a line of a list, in any of these forms:

    4453                  moves from the empty board, columns counted from 1
    4xo.5x                a board that was set up
    . . x o . . .         a drawn board
    {"variant": ...}      a saved game, or the JSON that commands print
    7 6 4                 a Connect-Z file

>>> parse_any("4xo.5x").game.position.ply
3
>>> parse_any("445").game.moves
(3, 3, 4)
"""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

from connectk.errors import FileNotReadable, NotationError, quoted
from connectk.notation.diagram import SIDE_OF_SYMBOL, parse_diagram
from connectk.notation.files import FileKind, kind_of, parse_game, read_bytes
from connectk.notation.moves import parse_moves, parse_variant, play_moves
from connectk.notation.named_starts import is_named_start, named_start
from connectk.notation.saved_game import SAVED_GAME_FORMAT, SavedGame
from connectk.notation.start import parse_start
from connectk.rules.game import Game
from connectk.rules.position import Position
from connectk.rules.variant import CLASSIC, Variant

STANDARD_INPUT = "-"
START_PATTERN = re.compile(r"[0-9]+[xo-]+(\.[0-9]+[xo-]+)*")
DIAGRAM_SYMBOLS = set(SIDE_OF_SYMBOL) - set("012-")  # symbols that only a drawn board has
CONTROL_CHARACTERS = re.compile(r"[\x00-\x08\x0e-\x1f]")


def read_game(source: str, variant: Variant | None = None) -> SavedGame:
    """Read the game that a command's argument names or contains. The argument is a file, `-` for standard input, the
    name of a start, or the text of the game itself.

    The board is `variant` (by default the classic board) unless the text names another board.
    """
    if source == STANDARD_INPUT:
        return _parse_bytes(sys.stdin.buffer.read(), source, variant)
    if _is_file(source):
        return _parse_bytes(read_bytes(Path(source).expanduser()), source, variant)
    if _is_folder(source):
        raise FileNotReadable(source, "error.because.folder")
    if is_named_start(source):
        start = named_start(source, variant)
        return SavedGame(play_moves(start.variant, start.moves), given=len(start.moves))
    if _looks_like_a_path(source):
        raise NotationError("error.no_game_file", file=quoted(source))
    return parse_any(source, variant)


def read_position(source: str, variant: Variant | None = None) -> Position:
    """Read a game as `read_game` does, and return its last position."""
    return read_game(source, variant).game.position


def _is_file(source: str) -> bool:
    try:
        path = Path(source).expanduser()
        return path.exists() and not path.is_dir()  # a FIFO or a device is accepted too
    except (OSError, ValueError, RuntimeError):  # a name that no file can have
        return False


def _is_folder(source: str) -> bool:
    """Whether the text names a folder. A text of digits is read as moves, even if there is a folder of this name."""
    try:
        return bool(re.search(r"[^0-9\s,]", source)) and Path(source).expanduser().is_dir()
    except (OSError, ValueError, RuntimeError):
        return False


def _looks_like_a_path(source: str) -> bool:
    """Whether the text looks like the name of a missing file, rather than like a board or moves."""
    one_word = source.strip() and not re.search(r"[\s,{]", source.strip())
    return bool(one_word and not START_PATTERN.fullmatch(source) and re.search(r"[./\\~]|[A-Za-z]", source))


def _parse_bytes(data: bytes, source: str, variant: Variant | None) -> SavedGame:
    text = data.decode("utf-8-sig", "replace")
    if is_binary(text):
        raise FileNotReadable(source, "error.because.no_text")
    if not text.strip():
        raise NotationError("error.empty_file")
    return parse_any(text, variant)


def is_binary(text: str) -> bool:
    """Whether the text was decoded from binary data. Bytes that are not UTF-8 appear in it as replacement
    characters."""
    return bool(CONTROL_CHARACTERS.search(text)) or "\ufffd" in text


def parse_any(text: str, variant: Variant | None = None) -> SavedGame:
    """Parse the game in this text, which may have any of the forms that this module reads."""
    words = text.strip()
    kind = kind_of(words.encode())
    if kind is FileKind.SAVED:
        return _parse_json(words)
    if words.startswith("["):
        raise NotationError("notation.whole")
    if kind is FileKind.CONNECT_Z and "\n" in words:
        return parse_game(words.encode())
    if START_PATTERN.fullmatch(words):
        return SavedGame(Game(parse_start(words, variant or CLASSIC)))
    if DIAGRAM_SYMBOLS & set(words):
        return SavedGame(Game(parse_diagram(_drawn_board(words), variant)))
    board = variant or CLASSIC
    return SavedGame(play_moves(board, parse_moves(words, board)))


def _drawn_board(text: str) -> str:
    """The drawn board without the text below its column numbers. Commands print such text below a board."""
    lines = text.splitlines()
    for number, line in enumerate(lines[1:-1], start=1):
        columns = line.split()
        if len(columns) > 2 and columns == [str(column + 1) for column in range(len(columns))]:
            return "\n".join(lines[: number + 1]) if not lines[number + 1].strip() else text
    return text


def _parse_json(text: str) -> SavedGame:
    """Parse a saved game, or the JSON that commands print: an object with `variant`, `start` and `moves`."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        document = {}
    if not document and len(_lines_of_json(text)) > 1:
        raise NotationError("notation.several")
    if document.get("format") == SAVED_GAME_FORMAT or not document.keys() & {"start", "moves"}:
        return parse_game(text.encode())
    return _parse_facts(document)


def _lines_of_json(text: str) -> list[str]:
    """The lines of the text if each of them is a JSON document; otherwise an empty list."""
    lines = [line for line in text.splitlines() if line.strip()]
    return lines if all(map(_is_json, lines)) else []


def _parse_facts(document: dict[str, Any]) -> SavedGame:
    start, moves = document.get("start") or "", document.get("moves") or ""
    if not isinstance(start, str):
        raise NotationError("notation.start")
    variant = parse_variant(str(document.get("variant", CLASSIC)))
    columns = parse_moves(moves, variant) if isinstance(moves, str) else _columns_of(moves)
    return SavedGame(play_moves(parse_start(start, variant), columns))


def _columns_of(moves: Any) -> tuple[int, ...]:
    """The columns of the moves in the JSON of a review."""
    try:
        return tuple(int(move["column"]) for move in moves)
    except (TypeError, KeyError, ValueError) as error:
        raise NotationError("notation.moves") from error


def is_many_lines(line: str) -> bool:
    """Whether this line begins a text of several lines, such as a drawn board or a saved game."""
    words = line.strip()
    if words.startswith("{"):
        return not _is_json(words)
    if kind_of(words.encode()) is FileKind.CONNECT_Z:
        return True
    first = words.split()[0] if words else ""
    return not START_PATTERN.fullmatch(first) and bool(DIAGRAM_SYMBOLS & set(words))


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True
