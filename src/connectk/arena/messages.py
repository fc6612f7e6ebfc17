"""The standings of a tournament as JSON.

`connectk.server.schemas` sends these; below it they are imported for their types alone, so that only the server needs
pydantic.
"""

from typing import Annotated

from pydantic import Field
from typing_extensions import TypedDict

__all__ = [
    "StandingView",
]


class StandingView(TypedDict):
    name: str
    elo: float
    margin: float
    games: int
    points: float
    wins: int
    draws: int
    losses: int
    forfeits: int
    seconds: Annotated[float, Field(description="The mean time for a move.")]
    slowest: float


class TableView(TypedDict):
    lines: list[StandingView]
    crosstable: Annotated[
        dict[str, dict[str, tuple[float, int]]], Field(description="Points and games of each against each other.")
    ]
    games: int
    draws: int
    mean_length: float


class TableFacts(TableView):
    """As the commands write it, the reasons as they were recorded."""

    forfeits: list[str]
