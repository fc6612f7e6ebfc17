"""Every message of the server, in both directions.

What a client sends is checked, so it is a model; what the server says is made here, so it is a typed dictionary that
costs nothing and that mypy holds to its shape. OpenAPI, the socket's description and the page's types come from these.
"""

from __future__ import annotations

from typing import (
    Annotated,
    Any,
    Literal,
    TypeAlias,
)

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

Column = Annotated[int, Field(ge=0, lt=1_000_000, description="A column, counted from 0 on the left.")]
Ply = Annotated[int, Field(ge=0, lt=10_000_000, description="How many discs lie on the board.")]
Key = Annotated[
    str, Field(min_length=1, max_length=64, pattern="^[A-Za-z0-9_.:-]+$", description="Makes a repeat harmless.")
]
Name = Annotated[str, Field(max_length=200, description="Shown to everyone, as it is.")]
Secret = Annotated[str, Field(min_length=1, max_length=200)]
Language = Annotated[Literal["en", "fi", "sv"], Field(description="In which the sentences are.")]
OwnSecret = Annotated[str, Field(min_length=32, max_length=200, pattern="^[A-Za-z0-9_-]+$")]
Moves = Annotated[list[Column], Field(max_length=10_000)]


class Order(BaseModel):
    model_config = ConfigDict(extra="forbid")


class VariantOrder(Order):
    width: int = Field(default=7, ge=1, le=1_000_000)
    height: int = Field(default=6, ge=1, le=1_000_000)
    run: int = Field(default=4, ge=1, le=1_000_000, description="How many discs in a row win.")


class PositionOrder(Order):
    """A position: a board, discs set up on it, and moves from there."""

    variant: VariantOrder = VariantOrder()
    start: list[Annotated[str, Field(pattern="^[xo.]*$", max_length=1000)]] | None = Field(
        default=None,
        max_length=1000,
        description="Discs set up, each column from the bottom up: x first, o second, . empty.",
    )
    moves: Moves = []

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"moves": [3, 3, 4]}]})


Seconds = Annotated[
    float,
    Field(
        ge=0.1,
        le=3600,
        description="The most that the answer may take, up to the server's own limit; what is not proved by then is "
        "the engine's estimate.",
    ),
]


class ScoresOrder(PositionOrder):
    """A position whose columns shall be scored."""

    seconds: Seconds | None = None


class ReviewOrder(PositionOrder):
    """A game to review: its moves, and the board they begin on."""

    language: Language = "en"
    given: int = Field(default=0, ge=0, le=10_000, description="How many of the first moves nobody chose.")


class SeatOrder(Order):
    """Who sits there: you, someone you invite, or a computer player."""

    kind: Literal["me", "invited", "player"]
    name: Name = ""
    player: str | None = Field(default=None, max_length=60, description="For a computer player: one of /api/players.")


class ClockOrder(Order):
    seconds: float = Field(ge=1, le=86_400, description="For each side, for the whole game.")
    increment: float = Field(default=0, ge=0, le=600, description="Seconds given back after each drop.")


class MatchOrder(PositionOrder):
    """A new match. Two people on one screen: both seats `me`. A demo: both seats `player`."""

    first: SeatOrder = SeatOrder(kind="me")
    second: SeatOrder = SeatOrder(kind="invited")
    public: bool = Field(default=False, description="Listed for everyone to watch, and to join where a seat is free.")
    clock: ClockOrder | None = None

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"first": {"kind": "me", "name": "Ann"}, "second": {"kind": "player", "player": "level:3"}}]
        },
    )


class JoinOrder(Order):
    invitation: Secret | None = Field(default=None, description="The code; a public match needs none.")
    name: Name = ""
    secret: OwnSecret | None = Field(
        default=None,
        description="The secret that your seat shall have, of at least 32 random characters; left out: the server "
        "makes one. With your own you may send the same request again when no answer came: one seat is taken.",
    )


SAW = "Seconds for which you saw the board. Your clock is charged these, at most half a second less than was measured."
Took = Annotated[float, Field(ge=0, le=1e6, description=SAW)]


class DropOrder(Order):
    column: Column
    ply: Ply
    took: Took | None = None

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"column": 3, "ply": 0}]})


class PlyOrder(Order):
    to_ply: Ply | None = Field(
        default=None, description="Where to go back or on to; left out: the asker's own last turn."
    )


WIDEST = 100  # columns, and rows, that a page can show


class Disc(BaseModel):
    """A disc in a cell, both counted from 0."""

    column: int = Field(ge=0, lt=WIDEST)
    row: int = Field(ge=0, lt=WIDEST)
    side: Literal["first", "second"]


class GameOrder(BaseModel):
    """A game in writing. `start` is a board set up, such as `4xo.5x`; or loose discs to check."""

    variant: str = Field("7x6x4", max_length=40)
    moves: str = Field("", max_length=40_000)
    start: str = Field("", max_length=20_000)
    discs: list[Disc] | None = Field(None, max_length=WIDEST * WIDEST)


class SavedOrder(GameOrder):
    """A game to write to a file."""

    players: dict[Literal["first", "second"], str] = Field({}, max_length=2)


class TextOrder(BaseModel):
    """A text to draw; this long, it fits a code however its letters are written."""

    text: str = Field(min_length=1, max_length=500)


# What a client says on the socket, told apart by `type`.


class Message(Order):
    id: int | None = Field(default=None, ge=0, le=2**53, description="Given back in the answer.")


class Hello(Message):
    type: Literal["hello"]
    secret: Secret | None = None
    after: int | None = Field(default=None, ge=0, le=2**53)


class Drop(Message):
    type: Literal["drop"]
    column: Column
    ply: Ply
    key: Key | None = None
    took: Took | None = None


class TakeBack(Message):
    type: Literal["take_back"]
    to_ply: Ply | None = None


class Redo(Message):
    type: Literal["redo"]
    to_ply: Ply | None = None


class Plain(Message):
    """What needs no more than a seat."""

    type: Literal["resign", "offer_draw", "accept", "decline", "rematch"]


class Ping(Message):
    type: Literal["ping"]


class Analyse(Message):
    type: Literal["analyse"]
    ply: Ply | None = Field(default=None, description="The board as it was with so many discs; left out: as it is now.")
    seconds: Seconds | None = None


class Hint(Message):
    type: Literal["hint"]


ClientMessage = Annotated[Hello | Drop | TakeBack | Redo | Plain | Ping | Analyse | Hint, Field(discriminator="type")]


# What the server answers.

SideName = Literal["first", "second"]
ReasonName = Literal["line", "full", "resigned", "agreed", "time", "forfeit"]
OfferName = Literal["take_back", "draw", "rematch"]
Cell = Annotated[tuple[int, int], Field(description="[column, row]")]


class RefusedAnswer(TypedDict):
    """Why something was refused; nothing has changed."""

    reason: Annotated[
        str, Field(description="A stable name to rely on, such as `column_full`.", examples=["column_full"])
    ]
    message: Annotated[str, Field(description="A sentence for a person.", examples=["Column 4 is full, pick another."])]


class VariantView(TypedDict):
    width: int
    height: int
    run: Annotated[int, Field(description="How many discs in a row win.")]


class ResultView(TypedDict):
    winner: Annotated[SideName | None, Field(description="Null for a draw.")]
    reason: ReasonName


class OfferView(TypedDict):
    what: OfferName
    side: Annotated[SideName, Field(description="Who asks.")]
    to_ply: int | None


class ClockView(TypedDict):
    first: Annotated[float, Field(description="Seconds left when the turn began.")]
    second: float
    running: SideName | None
    since: Annotated[float, Field(description="When the turn began, by the server's clock, in seconds since 1970.")]
    increment: float


class MomentView(TypedDict):
    """A position without its discs, which the drops before it tell."""

    ply: Annotated[int, Field(description="How many discs lie on the board.")]
    side_to_move: SideName | None
    legal_columns: list[int]
    winning_lines: list[list[Cell]]
    last_drop: Cell | None


class PositionView(MomentView):
    board: Annotated[
        list[str], Field(description="Each column from the bottom up: x is the first player's disc, o the second's.")
    ]


class StateView(PositionView):
    """What changes with every event."""

    result: Annotated[ResultView | None, Field(description="Null while the match is open.")]
    waiting: Annotated[bool, Field(description="A seat is still free.")]
    offer: OfferView | None
    can_redo: bool
    clock: ClockView | None
    next_match: Annotated[str | None, Field(description="The rematch.")]


class SeatView(TypedDict):
    kind: Literal["person", "player", "free"]
    name: str
    player: Annotated[str | None, Field(description="A computer player, as in /api/players.")]


class SeatsView(TypedDict):
    first: SeatView
    second: SeatView


class MatchView(TypedDict):
    id: str
    seq: Annotated[int, Field(description="The number of the last event.")]
    variant: VariantView
    start: Annotated[list[str] | None, Field(description="Discs set up before the first move, like `board`.")]
    moves: Annotated[list[int], Field(description="The columns played, in order.")]
    seats: SeatsView
    public: bool
    previous: Annotated[str | None, Field(description="The match that this is a rematch of.")]
    created: float
    state: StateView


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


class PlayerView(TypedDict):
    name: Annotated[str, Field(description="To be used as it is, or with another number.")]
    sentence: str


class PlayersAnswer(TypedDict):
    players: list[PlayerView]


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


class ThoughtView(TypedDict, total=False):
    """What a computer player tells about its choice; `score` is from the side to move, in the player's own unit."""

    score: float | None
    line: list[int]
    depth: int | None
    nodes: int | None
    proven: bool


class HintAnswer(TypedDict):
    column: int
    thought: ThoughtView


class GameAnswer(TypedDict):
    """A game that can be played on: send `variant`, `start` and `moves` to make a match of it."""

    variant: VariantView
    start: list[str] | None
    moves: list[int]
    players: dict[SideName, str]
    result: ResultView | None


class VerdictAnswer(TypedDict):
    game: Annotated[GameAnswer | None, Field(description="The game, where the file holds one without offence.")]
    code: Annotated[int, Field(description="0 to 9.")]
    title: str
    line: Annotated[int | None, Field(description="The line of the gravest offence, from 1.")]
    winner: SideName | None
    winning_cells: list[Cell]
    moves: int


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
    board: list[str]
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
    forfeits: list[str]
    mean_length: float


# What the server says on the socket, told apart by `type`; events by `event` as well.


class EventBase(TypedDict):
    type: Literal["event"]
    seq: Annotated[int, Field(description="From 1, without a gap.")]
    at: Annotated[float, Field(description="By the server's clock, in seconds since 1970.")]
    state: StateView


class JoinedEvent(EventBase):
    event: Literal["joined"]
    side: SideName
    name: str
    seats: SeatsView


class DroppedEvent(EventBase):
    event: Literal["dropped"]
    side: SideName
    column: int
    row: int
    ply: Annotated[int, Field(description="How many discs lay on the board before.")]
    thought: Annotated[ThoughtView | None, Field(description="Of a computer player.")]


class TakeBackAskedEvent(EventBase):
    event: Literal["take_back_asked"]
    side: SideName
    to_ply: int


class MovesEvent(EventBase):
    """Moves were taken back, or played again."""

    event: Literal["taken_back", "redone"]
    to_ply: int
    moves: list[int]


class OfferEvent(EventBase):
    event: Literal["draw_offered", "rematch_offered", "declined"]
    side: SideName


class EndedEvent(EventBase):
    event: Literal["ended"]
    result: ResultView


class RematchMadeEvent(EventBase):
    event: Literal["rematch_made"]
    match: Annotated[str, Field(description="The id of the new match.")]


EventMessage: TypeAlias = Annotated[
    JoinedEvent | DroppedEvent | TakeBackAskedEvent | MovesEvent | OfferEvent | EndedEvent | RematchMadeEvent,
    Field(discriminator="event"),
]


class EventsAnswer(TypedDict):
    events: list[EventMessage]
    more: Annotated[bool, Field(description="There are more: ask again, after the last of these.")]


class WelcomeMessage(TypedDict):
    type: Literal["welcome"]
    id: int | None
    sides: list[SideName]
    seq: int
    match: Annotated[MatchView | None, Field(description="Null for one who came back with `after`.")]
    invitation: Annotated[str | None, Field(description="For whoever made the match, while a seat is free.")]
    now: float


class DoneMessage(TypedDict):
    """Comes after the event itself, which everyone is told."""

    type: Literal["done"]
    id: int | None
    seq: int


class RefusedMessage(RefusedAnswer):
    type: Literal["refused"]
    id: int | None


class AnalysisMessage(ScoresAnswer):
    type: Literal["analysis"]
    id: int | None
    ply: int


class HintMessage(HintAnswer):
    type: Literal["hint"]
    id: int | None
    ply: int


class PresenceMessage(TypedDict):
    type: Literal["presence"]
    first: Annotated[bool, Field(description="Whether someone who holds this seat is connected.")]
    second: bool
    watching: Annotated[int, Field(description="How many only watch.")]


class ComeBackMessage(TypedDict):
    """The server restarts; connect again after so many seconds, with `after`."""

    type: Literal["come_back"]
    seconds: int


class PongMessage(TypedDict):
    type: Literal["pong"]
    id: int | None
    now: float


ServerMessage: TypeAlias = (
    WelcomeMessage
    | EventMessage
    | DoneMessage
    | RefusedMessage
    | AnalysisMessage
    | HintMessage
    | PresenceMessage
    | ComeBackMessage
    | PongMessage
)
