"""The scores of a position as JSON.

`connectk.server.schemas` sends these; below it they are imported for their types alone, so that only the server needs
pydantic.
"""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

__all__ = [
    "ScoresAnswer",
]


class ScoresAnswer(TypedDict):
    exact: bool
    scores: Annotated[list[int | None] | None, Field(description="From the side to move; null where no disc fits.")]
    discs: Annotated[
        list[int | None] | None,
        Field(description="How many discs the winner still drops; null for a draw and where no disc fits."),
    ]
    bounds: Annotated[
        list[tuple[int, int] | None], Field(description="Lowest and highest possible score of each column.")
    ]
    estimates: Annotated[
        list[float | None] | None,
        Field(description="Where the scores are not exact: the engine's expected result of each column, from -1 to 1."),
    ]
