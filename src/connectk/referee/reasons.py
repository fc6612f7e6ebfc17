"""Judges the moves of saved games and explains faults in words, for `connectk judge`."""

from __future__ import annotations

import os
import re
from pathlib import Path

from connectk.errors import ConnectkError, localize_reason, quoted
from connectk.notation import parse_saved_game, write_game_file
from connectk.notation.positions import is_binary
from connectk.referee.judge import STDIN_PATH, judge_bytes
from connectk.referee.verdict import WINNER_CODES, Code, Verdict
from connectk.texts import Texts

MAX_EXPLAINED_BYTES = 1 << 20  # read from a file to describe its fault
MAX_SHOWN_CHARS = 40
SHARD_LINE = re.compile(r"(.+\.jsonl):\d+")  # the name of a game in a file of JSON lines
LINE_END = re.compile(rb"\r\n|\r|\n")


def judged_as_saved(path: str | bytes, verdict: Verdict) -> Verdict:
    """The verdict on a file. If the file is a saved game and no Connect-Z file, the moves of that game are judged
    instead."""
    if verdict.code is not Code.INVALID_FILE or verdict.line != 1 or path == STDIN_PATH:
        return verdict
    data = _read(path)
    if not data.startswith(b"{"):
        return verdict
    try:
        game = parse_saved_game(data.decode()).game
    except (ConnectkError, UnicodeDecodeError):
        return verdict
    if not game.start.ply:
        return judge_bytes(write_game_file(game.variant, game.moves))
    if game.outcome is None:  # a board that was set up has no Connect-Z file
        return Verdict(Code.INCOMPLETE, len(game.moves))
    winner = game.outcome.winner
    return Verdict(WINNER_CODES[winner], len(game.moves), winner=winner, winning_cells=game.position.winning_cells)


def _read(path: str | bytes) -> bytes:
    try:
        with Path(os.fsdecode(path)).open("rb") as file:
            return file.read(MAX_EXPLAINED_BYTES)
    except OSError:
        return b""


def reason_for(path: str, verdict: Verdict, texts: Texts) -> str:
    """A sentence that says what is wrong with a file. It is empty if the file is valid or cannot be read again."""
    if verdict.code.is_valid_game or path == STDIN_PATH:
        return ""
    if verdict.code is Code.FILE_ERROR:
        named = SHARD_LINE.fullmatch(path)
        return texts("judge.reason.no_game") if named and Path(named[1]).is_file() else _unreadable(path, texts)
    data = _read(path)
    if data.startswith(b"{"):
        return _no_saved_game(data, texts)
    lines = LINE_END.split(data)
    if verdict.line is None or verdict.line > len(lines) or len(data) == MAX_EXPLAINED_BYTES:
        return ""
    text = lines[verdict.line - 1].decode("utf-8", "replace").strip()
    if not data.strip():
        return texts("error.empty_file")
    if is_binary(text):
        return texts("judge.reason.no_text")
    head = [*lines[0].decode("ascii", "replace").split(), "", "", ""]
    facts = {
        "text": quoted(text[:MAX_SHOWN_CHARS]),
        "column": text,
        "width": head[0],
        "height": head[1],
        "run": head[2],
    }
    key = (
        "judge.reason.head"
        if verdict.code is Code.INVALID_FILE and verdict.line == 1
        else f"judge.reason.{verdict.code:d}"
    )
    return texts(key, line=verdict.winning_line or "", **facts)


def _unreadable(path: str, texts: Texts) -> str:
    try:
        Path(os.fsdecode(path)).open("rb").close()
    except OSError as error:
        return localize_reason(error.strerror or str(error), texts)
    return ""


def _no_saved_game(data: bytes, texts: Texts) -> str:
    try:
        parse_saved_game(data.decode("utf-8", "replace"))
    except ConnectkError as error:
        return error.localize(texts)
    return ""
