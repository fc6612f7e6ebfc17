"""A game, its threats and its review as JSON.

`connectk.server.schemas` sends these; below it they are imported for their types alone, so that only the server needs
pydantic.
"""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from connectk.notation.messages import Cell, MomentView, ResultView, SideName, VariantView
from connectk.solver.words import WorthKind

__all__ = [
    "AccuracyView",
    "GameMomentView",
    "MoveReviewView",
    "ReasonFacts",
    "ReviewAnswer",
    "ThreatView",
    "WholeGameAnswer",
    "WorthView",
]


class GameMomentView(MomentView):
    result: ResultView | None


class WholeGameAnswer(TypedDict):
    """Every moment of a game; `start` and `moves` as they stand in an address."""

    variant: VariantView
    start: str
    moves: str
    columns: list[int]
    positions: list[GameMomentView]


class ThreatView(TypedDict):
    column: int
    row: int
    side: SideName
    line: list[Cell]
    now: Annotated[bool, Field(description="Whether the next disc can reach it.")]


class AccuracyView(TypedDict):
    first: float | None
    second: float | None


class WorthView(TypedDict):
    kind: WorthKind
    count: Annotated[int, Field(description="The discs that the winner drops until then.")]
    score: Annotated[float, Field(description="Of an estimate, from -1 for a loss to 1 for a win.")]


class ReasonFacts(TypedDict, total=False):
    """What a reason tells of, counted from 0; each kind of reason has some of these."""

    columns: list[int]
    column: int
    threat_column: int
    row: int
    run: int
    move: Annotated[int, Field(description="The number of a disc, from 1.")]
    winner: SideName
    loser: SideName
    why: Annotated[Literal["parity", "squeezed"], Field(description="Why the loser has to drop beneath the threat.")]
    cells_left: int


class MoveReviewView(TypedDict):
    number: Annotated[int, Field(description="From 1.")]
    side: SideName
    column: int
    row: int
    before: Annotated[float, Field(description="The score before the move, from the mover's side.")]
    after: float
    worth_before: WorthView
    worth_after: WorthView
    before_words: str
    after_words: str
    exact: bool
    proven: Annotated[bool, Field(description="Whether both are certain: exact, or seen to their end.")]
    best_columns: list[int]
    scores: list[float | None]
    label: Literal["best", "slip", "blunder", "given"]
    advantage: Annotated[float, Field(description="For the graph: 1 first wins, -1 second wins.")]
    reason: str | None
    reason_kind: str | None
    reason_facts: ReasonFacts
    cells: list[Cell]
    better_line: Annotated[list[int], Field(description="How play should have gone on.")]
    refutation: Annotated[list[int], Field(description="How the move is met.")]
    better_cells: Annotated[list[Cell], Field(description="Where the first discs of the better line come to lie.")]
    refutation_cells: Annotated[list[Cell], Field(description="And those of the answer.")]


class ReviewAnswer(TypedDict):
    variant: str
    players: dict[SideName, str]
    winner: SideName | None
    given: Annotated[int, Field(description="How many of the first discs were nobody's choice.")]
    exact: bool
    accuracy: AccuracyView
    turning_point: Annotated[int | None, Field(description="The number of the move that decided the game.")]
    advantage: Annotated[float, Field(description="Before the first move.")]
    moves: list[MoveReviewView]
