"""The catalogues as the page gets them: a visitor waits for every byte, so what it never says stays here, what it
needs only to judge and review without a server comes later, and lessons, puzzles and rooms bring their own."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Literal

Part = Literal["first", "later", "learn", "why", "rooms"]
COMMANDS = {"usage", "setting", "dataset", "measure", "solve", "cluster", "head", "judge", "backup", "purge"}
COMMANDS |= {"connect", "players", "site", "admin", "gui", "new_bot"}
TERMINAL = {"after", "bye", "code", "count", "demo", "dialog", "kept", "key", "mode", "motion", "online", "panel"}
TERMINAL |= {"refusal", "replay", "report", "save", "start", "theme", "typed", "word", "work"}
PYTHON_DRAWING = {"drawn", "outcome"}  # in pictures and diagrams that Python makes
LATER_PREFIXES = {"error", "notation", "reason", "verdict"}
LEARNING = {"learn", "lesson", "puzzle"}
EXPLAINING = {"solve.won", "solve.drawn", "solve.to_move", "solve.to_move_draw"}
# Errors of commands, bots and the server, which comes with its own words.
ERRORS_NOT_ON_PAGE = (
    "Bad",
    "BotForfeit",
    "BotUnusable",
    "Missing",
    "Other",
    "Pool",
    "Task",
    "Unsupported",
    "Work",
    "because",
    "bot_it",
    "needs",
)
TOO_LARGE = {f"error.UnsupportedVariant.{for_whom}" for for_whom in ("choose", "perfect", "solver")}
OPENING_ERRORS = {"error.ColumnFull", "error.ColumnOutOfRange", "error.NothingToUndo", "error.NothingToRedo"}


@cache
def words_of_the_page(language: str, part: Part = "first") -> bytes:
    """The texts as JSON: those that the page opens with, or a part that follows."""
    words = json.loads((Path(__file__).parent / f"{language}.json").read_text(encoding="utf-8"))
    kept = {key: text for key, text in words.items() if part_of(key) == part}
    return json.dumps(kept, ensure_ascii=False, separators=(",", ":")).encode()


def part_of(key: str) -> Part | None:
    """When the page needs this text; None where it never does."""
    prefix, _, rest = key.partition(".")
    if prefix == "why" or key in EXPLAINING:
        return "why"
    if key in TOO_LARGE:
        return "later"
    if prefix in COMMANDS | TERMINAL | PYTHON_DRAWING or (prefix == "error" and rest.startswith(ERRORS_NOT_ON_PAGE)):
        return None
    if prefix in LEARNING:
        return "learn"
    if prefix == "room":
        return "rooms"
    return "later" if prefix in LATER_PREFIXES and key not in OPENING_ERRORS else "first"
