"""The scores of a position as JSON.

`connectk.server.schemas` sends this message. Other packages import it only for type checking, so that only the server
needs pydantic.
"""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

__all__ = [
    "ScoresAnswer",
]


class ScoresAnswer(TypedDict):
    exact: bool
    scores: Annotated[
        list[int | None] | None,
        Field(description="The score of each column for the side to move; null for a full column."),
    ]
    discs: Annotated[
        list[int | None] | None,
        Field(description="How many discs the winner still drops; null for a draw and for a full column."),
    ]
    bounds: Annotated[
        list[tuple[int, int] | None], Field(description="Lowest and highest possible score of each column.")
    ]
    estimates: Annotated[
        list[float | None] | None,
        Field(
            description="The engine's expected result of each column, from -1 to 1; only if the scores are not exact."
        ),
    ]
