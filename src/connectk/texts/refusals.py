"""Refusals in the player's language: the error's class picks the text, its facts fill it in."""

from __future__ import annotations

from connectk.errors import (
    ColumnFull,
    ColumnOutOfRange,
    ConnectkError,
    GameAlreadyOver,
    ImpossibleVariant,
    NothingToRedo,
    NothingToUndo,
)
from connectk.texts import Texts


def explain(error: ConnectkError, texts: Texts) -> str:
    """One sentence for the person who asked; what has no text of its own keeps its English one."""
    match error:
        case ColumnFull():
            return texts("error.ColumnFull", column=error.column + 1)
        case ColumnOutOfRange():
            return texts("error.ColumnOutOfRange", column=error.column + 1, width=error.width)
        case GameAlreadyOver():
            return texts("error.GameAlreadyOver")
        case ImpossibleVariant():
            return _explain_variant(error, texts)
        case NothingToUndo():
            return texts("error.NothingToUndo")
        case NothingToRedo():
            return texts("error.NothingToRedo")
    return str(error)


def _explain_variant(error: ImpossibleVariant, texts: Texts) -> str:
    if min(error.width, error.height, error.run) < 1:
        return texts("error.ImpossibleVariant.small")
    return texts("error.ImpossibleVariant.run", width=error.width, height=error.height, run=error.run)
