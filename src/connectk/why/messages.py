"""An explanation as JSON.

`connectk.server.schemas` sends these; below it they are imported for their types alone, so that only the server needs
pydantic.
"""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from connectk.notation.messages import Cell, SideName, VariantView
from connectk.why.explanation import Kind

__all__ = [
    "ClaimView",
    "ExplanationPageView",
    "ExplanationView",
    "KnownView",
    "ReplyView",
    "StepFacts",
    "WhyAnswer",
    "WhyStepView",
]

Answers = tuple[Cell, list[Cell]]


class ClaimView(TypedDict):
    side: Annotated[SideName, Field(description="The keeper: the side that the explanation is for.")]
    result: Annotated[Literal["wins", "holds"], Field(description="`holds`: at least a draw.")]


class KnownView(TypedDict):
    """What is known of a position without an explanation; `side` is to move, or has won."""

    kind: Literal["win", "draw", "loss", "unknown", "won", "drawn"]
    side: SideName


class ReplyView(TypedDict):
    column: int
    page: Annotated[int, Field(description="The board that tells what to do about it, from 0.")]


class StepFacts(TypedDict, total=False):
    """What a step tells of, counted from 0; each kind of step has some of these."""

    column: int
    columns: list[int]
    line: list[int]
    answers: Annotated[list[Answers], Field(description="The rival's disc, and where it may be answered.")]
    rule: str
    cells: Annotated[list[list[Cell]], Field(description="Where the rule holds.")]
    count: Annotated[int, Field(description="Of lines.")]


class UnsaidStep(TypedDict):
    page: Annotated[int, Field(description="Which of the boards this step is on, from 0.")]
    board: Annotated[list[str], Field(description="As in a position.")]
    side_to_move: SideName
    last_drop: Cell | None
    kind: Annotated[str, Field(description="What is said; `facts` tells of what, counted from 0.")]
    facts: StepFacts
    played: Annotated[list[Cell], Field(description="Drops from this board on, in order, the sides taking turns.")]
    pairs: Annotated[list[tuple[Cell, Cell]], Field(description="The rival's disc, and where it is answered.")]
    lines: Annotated[
        list[list[Cell]], Field(description="Lines that the rival will not complete; in a `win`, the keeper's.")
    ]
    threats: Annotated[list[Cell], Field(description="Of the keeper.")]
    replies: Annotated[list[ReplyView], Field(description="Columns of the rival that have a board of their own.")]


class WhyStepView(UnsaidStep):
    """One board and one sentence."""

    words: str


class ExplanationPageView(TypedDict, total=False):
    """What is empty is left out."""

    drop: int
    force: list[int]
    answers: Annotated[list[Answers], Field(description="The rival's disc, and where it is answered.")]
    replies: Annotated[dict[str, int], Field(description="A column of the rival, and its page.")]


class ExplainedView(TypedDict):
    """What is explained, and what is claimed of it."""

    variant: str
    start: str
    claim: ClaimView


class ExplanationView(ExplainedView):
    """An explanation as `connectk why --save` writes it; saved as a file, `connectk why --check` proves it again."""

    format: Literal["connectk-explanation"]
    version: int
    pages: list[ExplanationPageView]


class WhyFound(TypedDict):
    variant: VariantView
    claim: Annotated[ClaimView | None, Field(description="Null where no short explanation was found in time.")]
    kind: Kind | None
    known: Annotated[KnownView | None, Field(description="Where nothing is claimed.")]
    boards: int
    checked: Annotated[int, Field(description="How many positions were played through.")]
    explanation: ExplanationView | None


class WhyFacts(WhyFound):
    """An answer before its words are said in a language."""

    steps: list[UnsaidStep]


class WhyAnswer(WhyFound):
    """Why a side wins or holds a position. Every explanation that is sent was played through against all replies."""

    headline: str
    steps: Annotated[
        list[WhyStepView], Field(description="Without an explanation, one step with the line of best play.")
    ]
