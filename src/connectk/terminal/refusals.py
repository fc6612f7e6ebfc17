"""Refusals that only the terminal knows, in the player's language; all others as everywhere."""

from __future__ import annotations

from connectk.players.registry import REGISTRY
from connectk.errors import ConnectkError, UnknownPlayer
from connectk.terminal.settings import ConflictingWishes
from connectk.terminal.store import NoSavedGame
from connectk.texts import Texts
from connectk.texts.refusals import explain as explain_rule


def explain(error: ConnectkError, texts: Texts) -> str:
    """One sentence for the person who asked."""
    match error:
        case NoSavedGame():
            return _explain_file(error, texts)
        case ConflictingWishes():
            return texts("error.ConflictingWishes", one=error.one, other=error.other)
        case UnknownPlayer() if error.name.partition(":")[0] not in REGISTRY:
            known = ", ".join(entry.example for entry in REGISTRY.values())
            return texts("error.UnknownPlayer", name=error.name, known=known)
    return explain_rule(error, texts)


def _explain_file(error: NoSavedGame, texts: Texts) -> str:
    return texts("error.file", file=error.path) if error.path else texts("error.NothingToResume")
