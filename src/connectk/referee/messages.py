"""A verdict as JSON.

`connectk.server.schemas` sends these; below it they are imported for their types alone, so that only the server needs
pydantic.
"""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

from connectk.notation.messages import Cell, SideName


class VerdictFacts(TypedDict):
    """A verdict as plain values, for JSON and tables; columns and rows count from 0, lines from 1."""

    code: Annotated[int, Field(description="0 to 9.")]
    name: str
    line: Annotated[int | None, Field(description="The line of the gravest offence, from 1.")]
    moves: int
    winner: SideName | None
    winning_cells: list[Cell]
    first_code: Annotated[int | None, Field(description="The first offence, where it is another than the gravest.")]
    first_line: int | None
