"""What the server answers over HTTP."""

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from connectk.server.schemas.parts import Cell, LanguageName, MatchView, MomentView, ResultView, SideName, VariantView
from connectk.server.schemas.socket import EventMessage


class MatchAnswer(TypedDict):
    match: MatchView
    sides: Annotated[list[SideName], Field(description="The sides that you play; none when you watch.")]


class EntryAnswer(MatchAnswer):
    secret: Annotated[str | None, Field(description="Send it as `Authorization: Bearer ...`. Shown this once.")]
    invitation: Annotated[str | None, Field(description="For whoever you invite to play or watch. Shown this once.")]


class MatchesAnswer(TypedDict):
    matches: list[MatchView]


class ReceiptAnswer(TypedDict):
    seq: Annotated[int, Field(description="The number under which it is stored.")]
    match: MatchView


class EventsAnswer(TypedDict):
    events: list[EventMessage]
    more: Annotated[bool, Field(description="There are more: ask again, after the last of these.")]


class PlayerView(TypedDict):
    name: Annotated[str, Field(description="To be used as it is, or with another number.")]
    sentence: str


class PlayersAnswer(TypedDict):
    players: list[PlayerView]


class GameAnswer(TypedDict):
    """A game that can be played on: send `variant`, `start` and `moves` to make a match of it."""

    variant: VariantView
    start: str
    moves: list[int]
    players: dict[SideName, str]
    result: ResultView | None


class VerdictAnswer(TypedDict):
    game: Annotated[GameAnswer | None, Field(description="The game, where the file holds one without offence.")]
    code: Annotated[int, Field(description="0 to 9.")]
    name: str
    line: Annotated[int | None, Field(description="The line of the gravest offence, from 1.")]
    moves: int
    winner: SideName | None
    winning_cells: list[Cell]
    first_code: Annotated[int | None, Field(description="The first offence, where it is another than the gravest.")]
    first_line: int | None


class AccuracyView(TypedDict):
    first: float | None
    second: float | None


class WorthView(TypedDict):
    kind: Literal["wins", "draw", "loses", "about"]
    count: Annotated[int, Field(description="The discs that the winner drops until then.")]
    score: Annotated[float, Field(description="Of an estimate, from -1 for a loss to 1 for a win.")]


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
    reason_facts: dict[str, Any]
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


class WhyStepView(TypedDict):
    """One board and one sentence."""

    page: Annotated[int, Field(description="Which of the boards this step is on, from 0.")]
    board: Annotated[list[str], Field(description="As in a position.")]
    side_to_move: SideName
    last_drop: Cell | None
    kind: Annotated[str, Field(description="What is said; `facts` tells of what, counted from 0.")]
    facts: dict[str, Any]
    words: str
    played: Annotated[list[Cell], Field(description="Drops from this board on, in order, the sides taking turns.")]
    pairs: Annotated[list[tuple[Cell, Cell]], Field(description="The rival's disc, and where it is answered.")]
    lines: Annotated[
        list[list[Cell]], Field(description="Lines that the rival will not complete; in a `win`, the keeper's.")
    ]
    threats: Annotated[list[Cell], Field(description="Of the keeper.")]
    replies: Annotated[list[ReplyView], Field(description="Columns of the rival that have a board of their own.")]


class ExplanationView(TypedDict):
    """An explanation as `connectk why --save` writes it; saved as a file, `connectk why --check` proves it again."""

    format: Literal["connectk-explanation"]
    version: int
    variant: str
    start: str
    claim: ClaimView
    pages: list[dict[str, Any]]


class WhyAnswer(TypedDict):
    """Why a side wins or holds a position. Every explanation that is sent was played through against all replies."""

    variant: VariantView
    claim: Annotated[ClaimView | None, Field(description="Null where no short explanation was found in time.")]
    kind: Literal["force", "strategy", "tree"] | None
    known: Annotated[KnownView | None, Field(description="Where nothing is claimed.")]
    boards: int
    checked: Annotated[int, Field(description="How many positions were played through.")]
    headline: str
    steps: Annotated[
        list[WhyStepView], Field(description="Without an explanation, one step with the line of best play.")
    ]
    explanation: ExplanationView | None


class HealthAnswer(TypedDict):
    status: Literal["ok", "stopping", "not ready"]


# What the page alone asks for.


class NetworkView(TypedDict):
    """For a page on the machine that the server runs on."""

    possible: Annotated[str | None, Field(description="Where others on this network would find the page.")]
    address: Annotated[str | None, Field(description="Where they find it, once they are let in.")]


class AddressAnswer(TypedDict):
    address: Annotated[str, Field(description="Where others on this network find the page.")]


class AboutAnswer(TypedDict):
    version: str
    network: NetworkView | None
    closable: Annotated[bool, Field(description="Whether this page may stop the server.")]


class WrongAnswer(TypedDict):
    wrong: Annotated[str, Field(description="What is wrong, in the asker's language.")]


class GameMomentView(MomentView):
    result: ResultView | None


class WholeGameAnswer(TypedDict):
    """Every moment of a game; `start` and `moves` as they stand in an address."""

    variant: VariantView
    start: str
    moves: str
    columns: list[int]
    positions: list[GameMomentView]


class WrittenGameView(TypedDict):
    variant: str
    start: str
    moves: str


class FileAnswer(TypedDict):
    """The game that a file holds; none where none can be shown. The verdict is a sentence of the referee."""

    game: WrittenGameView | None
    players: dict[SideName, str]
    given: Annotated[int, Field(description="How many of the first moves nobody chose.")]
    verdict: str


class ThreatView(TypedDict):
    column: int
    row: int
    side: SideName
    line: list[Cell]
    now: Annotated[bool, Field(description="Whether the next disc can reach it.")]


class ThreatsAnswer(TypedDict):
    threats: list[ThreatView]


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


class ArenaAnswer(TypedDict):
    lines: list[StandingView]
    crosstable: Annotated[
        dict[str, dict[str, tuple[float, int]]], Field(description="Points and games of each against each other.")
    ]
    games: int
    draws: int
    forfeits: Annotated[list[dict[LanguageName, str]], Field(description="Why bots lost, each reason once.")]
    mean_length: float
