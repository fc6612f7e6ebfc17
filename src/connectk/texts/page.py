"""The subsets of the texts that the page downloads.

To keep the first load small, texts that the page never shows are left out, and those for review, lessons, puzzles and
rooms are separate parts that load when needed.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Literal

PagePart = Literal["first", "later", "learn", "why", "rooms"]
COMMAND_PREFIXES = {"usage", "setting", "dataset", "measure", "solve", "cluster", "head", "judge", "backup", "purge"}
COMMAND_PREFIXES |= {"connect", "players", "site", "admin", "gui", "new_bot"}
TERMINAL_PREFIXES = {
    "after",
    "bye",
    "code",
    "count",
    "demo",
    "dialog",
    "kept",
    "key",
    "mode",
    "motion",
    "online",
    "panel",
}
TERMINAL_PREFIXES |= {"refusal", "replay", "report", "save", "start", "theme", "typed", "word", "work"}
DRAWING_PREFIXES = {"drawn", "outcome"}  # only in pictures and diagrams drawn by Python
LATER_PREFIXES = {"error", "notation", "reason", "verdict"}
LEARNING_PREFIXES = {"learn", "lesson", "puzzle"}
EXPLANATION_KEYS = {"solve.won", "solve.drawn", "solve.to_move", "solve.to_move_draw"}
# Prefixes of errors that only commands, bots and the server show; the server sends its own texts.
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
TOO_LARGE_ERRORS = {f"error.UnsupportedVariant.{for_whom}" for for_whom in ("choose", "perfect", "solver")}
FIRST_ERRORS = {"error.ColumnFull", "error.ColumnOutOfRange", "error.NothingToUndo", "error.NothingToRedo"}


@cache
def page_texts(language: str, part: PagePart = "first") -> bytes:
    """Return one part of a language's texts as JSON."""
    texts = json.loads((Path(__file__).parent / f"{language}.json").read_text(encoding="utf-8"))
    selected = {key: text for key, text in texts.items() if page_part(key) == part}
    return json.dumps(selected, ensure_ascii=False, separators=(",", ":")).encode()


def page_part(key: str) -> PagePart | None:
    """Return the part that a text belongs to; None if the page never shows it."""
    prefix, _, rest = key.partition(".")
    if prefix == "why" or key in EXPLANATION_KEYS:
        return "why"
    if key in TOO_LARGE_ERRORS:
        return "later"
    if prefix in COMMAND_PREFIXES | TERMINAL_PREFIXES | DRAWING_PREFIXES or (
        prefix == "error" and rest.startswith(ERRORS_NOT_ON_PAGE)
    ):
        return None
    if prefix in LEARNING_PREFIXES:
        return "learn"
    if prefix == "room":
        return "rooms"
    return "later" if prefix in LATER_PREFIXES and key not in FIRST_ERRORS else "first"
