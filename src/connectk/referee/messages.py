"""A verdict as JSON.

`connectk.server.schemas` sends this message. Other packages import it only for type checking, so that only the server
needs pydantic.
"""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from connectk.notation.messages import Cell, SideName


class VerdictFacts(TypedDict):
    """A verdict as plain values for JSON and tables. Columns and rows count from 0, and lines from 1."""

    code: Annotated[int, Field(description="The Connect-Z code, 0 to 9.")]
    name: str
    line: Annotated[int | None, Field(description="The number of the line with the gravest offence, from 1.")]
    moves: int
    winner: SideName | None
    winning_cells: list[Cell]
    first_code: Annotated[
        int | None, Field(description="The code of the first offence; null if it is also the gravest.")
    ]
    first_line: int | None
