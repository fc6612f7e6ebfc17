"""A side, a cell, a board and a result as JSON.

`connectk.server.schemas` sends these messages. Other packages import them only for type checking, so that only the
server needs pydantic.
"""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

__all__ = [
    "Cell",
    "MomentView",
    "ReasonName",
    "ResultView",
    "SideName",
    "VariantView",
]

SideName = Literal["first", "second"]
ReasonName = Literal["line", "full", "resigned", "agreed", "time", "forfeit"]
Cell = Annotated[tuple[int, int], Field(description="[column, row]")]


class VariantView(TypedDict):
    width: int
    height: int
    run: Annotated[int, Field(description="How many discs in a row win.")]


class ResultView(TypedDict):
    winner: Annotated[SideName | None, Field(description="The winner; null for a draw.")]
    reason: ReasonName


class MomentView(TypedDict):
    """A position without its discs. The client already knows the discs from the earlier drops."""

    ply: Annotated[int, Field(description="The number of discs on the board.")]
    side_to_move: SideName | None
    legal_columns: list[int]
    winning_lines: list[list[Cell]]
    last_drop: Cell | None
