"""Refusals in the player's language: the error's class picks the text, its facts fill it in."""

from __future__ import annotations

from connectk.errors import (
    BothSidesWon,
    ColumnFull,
    ColumnOutOfRange,
    ConnectkError,
    FloatingDisc,
    GameAlreadyOver,
    ImpossibleVariant,
    NothingToRedo,
    NothingToUndo,
    PlayedAfterWin,
    TooManyDiscs,
    WrongDiscCount,
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
        case FloatingDisc():
            return texts("error.FloatingDisc", column=error.column + 1, row=error.row + 1)
        case TooManyDiscs():
            return texts("error.TooManyDiscs", column=error.column + 1, discs=error.discs, height=error.height)
        case WrongDiscCount():
            return texts("error.WrongDiscCount", first=error.first, second=error.second)
        case BothSidesWon():
            return texts("error.BothSidesWon")
        case PlayedAfterWin():
            return texts("error.PlayedAfterWin", side=texts(f"board.{error.winner}"))
        case NothingToUndo():
            return texts("error.NothingToUndo")
        case NothingToRedo():
            return texts("error.NothingToRedo")
    return str(error)


def _explain_variant(error: ImpossibleVariant, texts: Texts) -> str:
    if min(error.width, error.height, error.run) < 1:
        return texts("error.ImpossibleVariant.small")
    return texts("error.ImpossibleVariant.run", width=error.width, height=error.height, run=error.run)
