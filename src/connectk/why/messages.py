"""An explanation as JSON.

`connectk.server.schemas` sends these messages. Other packages import them only for type checking, so that only the
server needs pydantic.
"""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from connectk.notation.messages import Cell, SideName, VariantView
from connectk.why.explanation import Kind

__all__ = [
    "ClaimView",
    "CoachSentenceView",
    "CoachView",
    "ExplanationPageView",
    "ExplanationView",
    "KnownView",
    "ReplyView",
    "StatementView",
    "StepFacts",
    "WhyAnswer",
    "WhyStepView",
]

Answers = tuple[Cell, list[Cell]]


class ClaimView(TypedDict):
    side: Annotated[SideName, Field(description="The keeper: the side that the explanation is for.")]
    result: Annotated[Literal["wins", "holds"], Field(description="`holds` means that the side gets at least a draw.")]


class KnownView(TypedDict):
    """The known facts about a position without an explanation. `side` is the winner of a finished game, otherwise the
    side to move."""

    kind: Literal["win", "draw", "loss", "unknown", "won", "drawn"]
    side: SideName


class ReplyView(TypedDict):
    column: int
    page: Annotated[int, Field(description="The number of the board that answers this column, from 0.")]


class StepFacts(TypedDict, total=False):
    """The facts of a step. Each kind of step has some of these fields. Columns and rows count from 0."""

    column: int
    columns: list[int]
    line: list[int]
    answers: Annotated[list[Answers], Field(description="Each cell of the rival with the cells that answer it.")]
    rule: str
    cells: Annotated[list[list[Cell]], Field(description="The cells that the rule is about.")]
    count: Annotated[int, Field(description="The number of lines.")]


class StatementCounts(TypedDict, total=False):
    """The numbers that some kinds of statements have."""

    count: int
    of: int


class StatementView(StatementCounts):
    """One claim of a sentence, as data that lines of play can prove or refute. Columns and rows count from 0."""

    kind: Annotated[
        Literal[
            "wins",
            "holds",
            "zugzwang",
            "zugzwang_in_one",
            "never_all",
            "never_completes",
            "threat",
            "fork",
            "completes",
            "loses_at_once",
            "best_play",
            "forced",
            "gives_away",
            "rest_left",
            "on_top",
            "ends_at",
            "column_wins",
            "column_draws",
            "column_loses",
            "must_play",
            "open_two",
            "middle",
            "wins_without",
            "holds_without",
        ],
        Field(
            description="`zugzwang`: `side` ends up in the first cell, unless it has lost elsewhere before, and "
            "the other side then wins in the second. `zugzwang_in_one`: the same for pairs of cells, one of which "
            "decides each line; the other side gives up `count` of the pairs. `never_all`: `side` never has discs "
            "in all of these cells. `never_completes`: `side` completes none of these lines. `threat`: any "
            "reply in another column lets `side` win in this cell at once. `fork`: whatever the "
            "reply, `side` then wins in one of these cells. `completes`: the last disc completed a "
            "line. `loses_at_once`: a disc of `side` in the first cell lets the other side win in the"
            " second. `wins_without`, `holds_without`: if all but the first of these cells were empty, "
            "a disc of `side` in the first would win, or get at least a draw."
        ),
    ]
    side: SideName
    cells: list[Cell]
    lines: Annotated[list[list[Cell]], Field(description="The lines that the claim is about.")]
    page: Annotated[int, Field(description="The board of the explanation whose answers the keeper follows.")]
    moves: Annotated[
        list[int], Field(description="The columns played from the explained position to the claim's board.")
    ]
    unless: Annotated[
        list[int], Field(description="Columns of the rival that lead to another board, where the claim may not hold.")
    ]
    holds: Annotated[
        Literal["every_line", "one_line"],
        Field(description="Whether the claim holds in every line of play from there, or only in the one shown."),
    ]


class CoachView(TypedDict):
    """One of the coach's sentences as statements, without words. These sentences come before the steps."""

    kind: Literal[
        "win_now",
        "must_block",
        "lost",
        "fork",
        "sequence",
        "drop",
        "beneath",
        "several",
        "count",
        "endings",
        "answers_win",
        "answers_hold",
        "middle",
        "must_play",
        "open_two",
        "fates",
        "certified",
        "nearest",
    ]
    statements: list[StatementView]


class CoachSentenceView(CoachView):
    """One of the coach's sentences with its words."""

    words: str


class UnlocalizedStep(TypedDict):
    """A step without its sentence."""

    page: Annotated[int, Field(description="The number of the step's board, from 0.")]
    board: Annotated[list[str], Field(description="The board, written as in a position.")]
    side_to_move: SideName
    last_drop: Cell | None
    kind: Annotated[str, Field(description="The kind of sentence, whose details are in `facts`.")]
    facts: StepFacts
    played: Annotated[list[Cell], Field(description="The drops that follow on this board, the sides taking turns.")]
    pairs: Annotated[
        list[tuple[Cell, Cell]], Field(description="Each cell of the rival with the cell that answers it.")
    ]
    lines: Annotated[
        list[list[Cell]], Field(description="Lines that the rival will not complete; in a `win`, the keeper's.")
    ]
    threats: Annotated[list[Cell], Field(description="The keeper's threats.")]
    replies: Annotated[list[ReplyView], Field(description="The columns of the rival that lead to another board.")]
    statements: Annotated[list[StatementView], Field(description="The claims of the sentence as data.")]


class WhyStepView(UnlocalizedStep):
    """One step of an explanation: one board and one sentence."""

    words: str


class ExplanationPageView(TypedDict, total=False):
    """A page of an explanation. Empty fields are left out."""

    drop: int
    force: list[int]
    answers: Annotated[list[Answers], Field(description="Each cell of the rival with the cell that answers it.")]
    replies: Annotated[dict[str, int], Field(description="The number of the page for each column of the rival.")]


class ExplainedView(TypedDict):
    """The position that an explanation is about, and the claim."""

    variant: str
    start: str
    claim: ClaimView


class ExplanationView(ExplainedView):
    """An explanation in the format of the files that `connectk why --out` writes and `connectk why --check` checks
    again."""

    format: Literal["connectk-explanation"]
    version: int
    pages: list[ExplanationPageView]


class OpeningAnswerView(TypedDict):
    """A reply of the rival, and the answer of a certified strategy."""

    reply: Cell
    answer: Cell
    wins: Annotated[bool, Field(description="Whether the answer completes a line.")]


class OpeningView(TypedDict):
    """The moves in a position of a certified strategy for the whole board."""

    claim: ClaimView
    boards: Annotated[int, Field(description="The number of boards of the whole strategy.")]
    drop: Annotated[Cell | None, Field(description="The cell where the claim's side drops; null if it is not to move.")]
    answers: Annotated[list[OpeningAnswerView], Field(description="The answer to each reply after that.")]


class WhyResult(TypedDict):
    """The part of an answer that is the same in every language."""

    variant: VariantView
    claim: Annotated[ClaimView | None, Field(description="The claim; null if no short explanation was found in time.")]
    kind: Kind | None
    known: Annotated[KnownView | None, Field(description="What is known of the position if there is no claim.")]
    opening: Annotated[
        OpeningView | None,
        Field(description="The certified strategy's play, for positions that have no short explanation."),
    ]
    boards: int
    checked: Annotated[int, Field(description="The number of positions that the checker visited.")]
    explanation: ExplanationView | None


class WhyFacts(WhyResult):
    """An answer without its sentences."""

    steps: list[UnlocalizedStep]
    coach: list[CoachView]


class WhyAnswer(WhyResult):
    """Why a side wins or holds a position. Every explanation that is sent has been checked against all replies."""

    headline: str
    coach: Annotated[
        list[CoachSentenceView], Field(description="At most three sentences that summarize the explanation.")
    ]
    steps: Annotated[
        list[WhyStepView], Field(description="The steps; without an explanation, one step with the line of best play.")
    ]
