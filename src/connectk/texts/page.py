"""Splits the texts of the page into parts.

To keep the first load small, texts that the page never shows are left out. The texts for review, lessons, puzzles,
rooms and strangers are separate parts, which the page loads when it needs them.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Literal

PagePart = Literal["first", "later", "learn", "why", "rooms", "strangers"]
COMMAND_ONLY_KEY_PREFIXES = {"usage", "setting", "dataset", "measure", "check", "solve", "cluster", "head", "judge"}
COMMAND_ONLY_KEY_PREFIXES |= {"backup", "purge", "connect", "rooms", "players", "site", "admin", "gui", "new_bot"}
COMMAND_ONLY_KEY_PREFIXES |= {"config", "takes", "fair", "atlas", "book", "notebook"}
TERMINAL_ONLY_KEY_PREFIXES = {"after", "bye", "code", "count", "demo", "dialog", "kept", "key", "mode", "motion"}
TERMINAL_ONLY_KEY_PREFIXES |= {"online", "panel", "refusal", "replay", "report", "save", "spoken", "start", "theme"}
TERMINAL_ONLY_KEY_PREFIXES |= {"typed", "word", "work"}
DRAWING_KEY_PREFIXES = {"drawn", "outcome", "preview"}  # only in pictures, diagrams and links made by Python
LATER_KEY_PREFIXES = {"arena", "error", "explorer", "ledger", "notation", "reason", "review", "threat", "verdict"}
LEARNING_KEY_PREFIXES = {"learn", "lesson", "puzzle"}
# Texts about a review that only the terminal and commands show.
REPORT_KEYS = {f"review.{name}" for name in ("accuracy", "best", "both", "finest_point", "or")}
REPORT_KEYS |= {
    f"review.{name}"
    for name in ("lost_exactly", "lost_hidden", "plainest", "progress", "thinking", "turning_point", "worse")
}
TERMINAL_ONLY_KEYS = {"help.plain", "help.screen"}
ASK_KEYS = {
    f"ask.{name}" for name in ("close", "close_more", "leave", "leave_more", "not_now", "resign")
}  # questions that the page asks too
EXPLANATION_KEYS = {"solve.won", "solve.drawn", "solve.to_move", "solve.to_move_draw"}
# Prefixes of errors that only commands, bots and the server show; the server sends its own texts.
ERROR_KEYS_NOT_ON_PAGE = {"Bad", "Friend", "BotForfeit", "BotUnusable", "Missing", "Other", "Pool", "Task"}
ERROR_KEYS_NOT_ON_PAGE |= {"Unsupported", "Work", "because", "bot_it", "needs"}
TOO_LARGE_ERROR_KEYS = {f"error.UnsupportedVariant.{for_whom}" for for_whom in ("choose", "perfect", "solver")}
FIRST_KEYS = {"reason.and", "error.ColumnFull", "error.ColumnOutOfRange", "error.NothingToUndo", "error.NothingToRedo"}
FIRST_KEYS |= {"arena.title", "review.speed"}  # a link on the screen of live games, and the speed of the demo


@cache
def page_texts(language: str, part: PagePart = "first") -> bytes:
    """One part of the texts of a language, as JSON."""
    texts = json.loads((Path(__file__).parent / f"{language}.json").read_text(encoding="utf-8"))
    selected = {key: text for key, text in texts.items() if page_part(key) == part}
    return json.dumps(selected, ensure_ascii=False, separators=(",", ":")).encode()


def page_part(key: str) -> PagePart | None:
    """The part to which a text belongs; None if the page never shows the text."""
    prefix, _, rest = key.partition(".")
    if prefix in ("why", "coach") or key in EXPLANATION_KEYS:
        return "why"
    if key in REPORT_KEYS | TERMINAL_ONLY_KEYS or (prefix == "ask" and key not in ASK_KEYS):
        return None
    if key in TOO_LARGE_ERROR_KEYS:
        return "later"
    if prefix in COMMAND_ONLY_KEY_PREFIXES | TERMINAL_ONLY_KEY_PREFIXES | DRAWING_KEY_PREFIXES or (
        prefix == "error" and rest.startswith(tuple(ERROR_KEYS_NOT_ON_PAGE))
    ):
        return None
    if prefix in LEARNING_KEY_PREFIXES:
        return "learn"
    if prefix == "room":
        return "rooms"
    if prefix == "stranger":
        return "strangers"
    return "later" if prefix in LATER_KEY_PREFIXES and key not in FIRST_KEYS else "first"
