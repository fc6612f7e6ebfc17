"""The JSON messages for a game, its threats and its review.

`connectk.server.schemas` sends them. Other packages import them only for type checking, so that only the server needs
pydantic.
"""

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from connectk.notation.messages import Cell, MomentView, ResultView, SideName, VariantView
from connectk.solver.worth import WorthKind

__all__ = [
    "AccuracyView",
    "GameMomentView",
    "HarmlessCountView",
    "LedgerView",
    "MarksBySide",
    "MarksView",
    "MoveReviewView",
    "ReasonView",
    "ReviewAnswer",
    "ThreatCellsView",
    "ThreatView",
    "ThreatsBySide",
    "WholeGameAnswer",
    "WorthView",
]

ReasonKind = Literal[
    "missed_win",
    "missed_block",
    "allowed_win",
    "allowed_win_on_top",
    "missed_fork",
    "allowed_fork",
    "missed_force",
    "allowed_force",
    "missed_line",
    "allowed_line",
    "missed_line_beneath",
    "allowed_line_beneath",
]


class GameMomentView(MomentView):
    result: ResultView | None


class WholeGameAnswer(TypedDict):
    """Every position of a game, one after each move. `start` and `moves` have the same format as in the page's
    addresses."""

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
    now: Annotated[bool, Field(description="Whether the next disc can be dropped into the cell.")]


class AccuracyView(TypedDict):
    first: float | None
    second: float | None


class MarksView(TypedDict):
    """The number of a side's moves that count for its accuracy, and how many of these moves were judged by an
    estimate."""

    count: int
    estimated: int


class MarksBySide(TypedDict):
    first: MarksView
    second: MarksView


class WorthView(TypedDict):
    kind: WorthKind
    count: Annotated[int, Field(description="How many discs the winner still drops.")]
    score: Annotated[float, Field(description="The estimated result, from -1 for a loss to 1 for a win.")]


class ReasonView(TypedDict):
    """One reason why a move was worse than another. Columns and rows count from 0."""

    kind: ReasonKind
    side: Annotated[SideName, Field(description="The side that completes a line, or would have completed it.")]
    cells: Annotated[list[Cell], Field(description="The cells to highlight; the line is completed in the first one.")]
    line: Annotated[
        list[int],
        Field(
            description="The drops of both sides; for a missed chance they start before the move, otherwise after it."
        ),
    ]
    holds: Annotated[
        Literal["every_line", "one_line"],
        Field(description="Whether it holds whatever the other side plays, rather than in one line of play only."),
    ]
    run: int
    columns: list[int]
    disc: NotRequired[Annotated[int, Field(description="The number of the disc that completes the line, from 1.")]]
    last_column: NotRequired[
        Annotated[
            bool, Field(description="Whether the column is the last open one when the loser drops beneath the cell.")
        ]
    ]


class ThreatCellsView(TypedDict):
    """The empty cells where a side would complete a line, grouped into odd and even rows. Here the rows count from
    1."""

    odd: list[Cell]
    even: list[Cell]


class ThreatsBySide(TypedDict):
    first: ThreatCellsView
    second: ThreatCellsView


class HarmlessCountView(TypedDict):
    """The side that must drop beneath a threat first, if no new threat appears and both sides first fill all harmless
    cells."""

    cells: Annotated[int, Field(description="The number of remaining harmless cells.")]
    runs_out: SideName
    winner: Annotated[
        SideName | None,
        Field(
            description="The side that then completes a line; null if the other side can give up "
            "a "
            "threat of its own first."
        ),
    ]


class LedgerView(TypedDict):
    threats: ThreatsBySide
    count: Annotated[
        HarmlessCountView | None, Field(description="Null if there is no threat, or if a side can complete a line now.")
    ]


class MoveReviewView(TypedDict):
    number: Annotated[int, Field(description="The number of the move, from 1.")]
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
    proven: Annotated[
        bool, Field(description="Whether both worths are certain: exact, or found by a search to the end of the game.")
    ]
    best_columns: list[int]
    scores: list[float | None]
    label: Literal["missed_win", "missed_block", "blunder", "mistake", "fine_point", "good", "best", "given"]
    seen_by: Annotated[int | None, Field(description="How many of the levels 1 to 9 see what the move threw away.")]
    was_lost: Annotated[bool, Field(description="Whether most levels would already have seen an unavoidable loss.")]
    advantage: Annotated[
        float, Field(description="The height of the graph: 1 if the first player wins, -1 if the second player wins.")
    ]
    reason: str | None
    reasons: list[ReasonView]
    better_line: Annotated[
        list[int], Field(description="The better line: good play from the position before the move.")
    ]
    refutation: Annotated[
        list[int], Field(description="The refutation: a good answer to the move and how play continues.")
    ]
    better_cells: Annotated[list[Cell], Field(description="The cells of the first discs of the better line.")]
    refutation_cells: Annotated[list[Cell], Field(description="The cells of the first discs of the refutation.")]
    ledger: Annotated[LedgerView, Field(description="The threats of both sides after the move.")]


class ReviewAnswer(TypedDict):
    variant: str
    players: dict[SideName, str]
    winner: SideName | None
    given: Annotated[int, Field(description="How many of the first discs were given rather than chosen by a player.")]
    exact: bool
    accuracy: AccuracyView
    marks: MarksBySide
    turning_point: Annotated[
        int | None, Field(description="The number of the move that decided the game, the one a coach would discuss.")
    ]
    lost_at: Annotated[
        int | None,
        Field(description="The number of the last move that turned a win or a draw into a loss for the losing side."),
    ]
    advantage: Annotated[float, Field(description="The height of the graph before the first move.")]
    moves: list[MoveReviewView]
