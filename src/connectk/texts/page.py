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
COMMANDS = {"usage", "setting", "dataset", "measure", "solve", "cluster", "head", "judge", "backup", "purge"}
COMMANDS |= {"connect", "players", "site", "admin", "gui", "new_bot"}
TERMINAL = {"after", "bye", "code", "count", "demo", "dialog", "kept", "key", "mode", "motion", "online", "panel"}
TERMINAL |= {"refusal", "replay", "report", "save", "start", "theme", "typed", "word", "work"}
PYTHON_DRAWING = {"drawn", "outcome"}  # only in pictures and diagrams drawn by Python
LATER_PREFIXES = {"error", "notation", "reason", "verdict"}
LEARNING = {"learn", "lesson", "puzzle"}
EXPLAINING = {"solve.won", "solve.drawn", "solve.to_move", "solve.to_move_draw"}
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
TOO_LARGE = {f"error.UnsupportedVariant.{for_whom}" for for_whom in ("choose", "perfect", "solver")}
OPENING_ERRORS = {"error.ColumnFull", "error.ColumnOutOfRange", "error.NothingToUndo", "error.NothingToRedo"}


@cache
def page_texts(language: str, part: PagePart = "first") -> bytes:
    """Return one part of a language's texts as JSON."""
    texts = json.loads((Path(__file__).parent / f"{language}.json").read_text(encoding="utf-8"))
    selected = {key: text for key, text in texts.items() if page_part(key) == part}
    return json.dumps(selected, ensure_ascii=False, separators=(",", ":")).encode()


def page_part(key: str) -> PagePart | None:
    """Return the part that a text belongs to; None if the page never shows it."""
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
