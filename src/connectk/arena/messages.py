"""The standings of a tournament as JSON.

`connectk.server.schemas` sends them. Other modules import them for type checking only, so that only the server needs
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
    elo: Annotated[
        float | None,
        Field(description="The rating, where 0 is the mean of the player's group; null for a player without games."),
    ]
    margin: float | None
    games: int
    points: float
    wins: int
    draws: int
    losses: int
    forfeits: int
    seconds: Annotated[float, Field(description="The mean thinking time for a move.")]
    slowest: float


class TableView(TypedDict):
    lines: list[StandingView]
    crosstable: Annotated[
        dict[str, dict[str, tuple[float, int]]],
        Field(description="For each pair of players, the points and the number of games."),
    ]
    groups: Annotated[
        list[list[str]],
        Field(description="Players whose ratings can be compared; different groups never met."),
    ]
    games: int
    different_games: Annotated[
        int, Field(description="The number of games with different moves; ratings count only these.")
    ]
    draws: int
    mean_length: float


class FaultView(TypedDict):
    reason: str
    games: int


class TableFacts(TableView):
    """The standings in the form that the commands write. The reasons for forfeits are the English sentences of the
    results file."""

    forfeits: list[FaultView]
