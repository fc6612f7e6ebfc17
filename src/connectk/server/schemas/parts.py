"""The parts of messages that HTTP and the sockets share: checked fields, a match, its state, scores."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from connectk.notation.messages import MomentView
from connectk.notation.messages import ResultView as ResultView
from connectk.notation.messages import SideName as SideName
from connectk.notation.messages import VariantView as VariantView
from connectk.texts import LanguageName

Column = Annotated[int, Field(ge=0, lt=1_000_000, description="A column, counted from 0 on the left.")]
Ply = Annotated[int, Field(ge=0, lt=10_000_000, description="The number of discs on the board.")]
Key = Annotated[
    str,
    Field(
        min_length=1,
        max_length=64,
        pattern="^[A-Za-z0-9_.:-]+$",
        description="An identifier of your choice: a repeated message with the same key has no second effect.",
    ),
]
Name = Annotated[str, Field(max_length=200, description="A name that everyone sees.")]
Secret = Annotated[str, Field(min_length=1, max_length=200)]
Language = Annotated[LanguageName, Field(description="The language of the sentences.")]
OwnSecret = Annotated[str, Field(min_length=32, max_length=200, pattern="^[A-Za-z0-9_-]+$")]
Start = Annotated[
    str,
    Field(
        max_length=20_000,
        pattern="^[0-9xo.-]*$",
        description="Discs set up before the first move, such as `4xo.5x`: columns count from 1, each "
        "is written "
        "from the bottom up, x is a disc of the first player, o of the "
        "second. Empty for none.",
    ),
]
Moves = Annotated[list[Column], Field(max_length=10_000, fail_fast=True)]  # ten thousand faults take long to describe
Seconds = Annotated[
    float,
    Field(
        ge=0.1,
        le=3600,
        description="The time limit for the answer, at most the server's own; scores not proved by "
        "then are "
        "the engine's estimates.",
    ),
]
TOOK_DESCRIPTION = (
    "How many seconds you saw the board. Your clock is charged this time, but at most half a second less than measured."
)
Took = Annotated[float, Field(ge=0, le=1e6, description=TOOK_DESCRIPTION)]


class ClientModel(BaseModel):
    model_config = ConfigDict(extra="forbid")


SeatKind = Literal["person", "player", "free"]
OfferName = Literal["take_back", "draw", "rematch", "fair_rematch"]


class RefusedAnswer(TypedDict):
    """The reason why a request was refused. A refused request changes nothing."""

    reason: Annotated[
        str, Field(description="A stable name for programs, such as `column_full`.", examples=["column_full"])
    ]
    message: Annotated[
        str, Field(description="The reason as a sentence for people.", examples=["Column 4 is full, pick another."])
    ]


class OfferView(TypedDict):
    what: OfferName
    side: Annotated[SideName, Field(description="The side that makes the offer.")]
    to_ply: int | None


class ClockView(TypedDict):
    first: Annotated[float, Field(description="Seconds left at the beginning of the turn.")]
    second: float
    running: SideName | None
    since: Annotated[float, Field(description="When the turn began, by the server's clock, in seconds since 1970.")]
    increment: float


class PositionView(MomentView):
    board: Annotated[
        list[str], Field(description="Each column from the bottom up: x is the first player's disc, o the second's.")
    ]


class StateView(PositionView):
    """The part of a match that changes with its events."""

    result: Annotated[ResultView | None, Field(description="The result; null while the match is open.")]
    waiting: Annotated[bool, Field(description="Whether a seat is still free.")]
    offer: OfferView | None
    can_redo: bool
    turn: Annotated[
        SideName | None,
        Field(
            description="The side whose player is to act; null when the match is over. It is not `side_to_move`, the "
            "colour of the next disc, while one player places the discs of both."
        ),
    ]
    can_swap: Annotated[bool, Field(description="Whether the side to move may swap sides instead of dropping a disc.")]
    can_extend: Annotated[
        bool, Field(description="Whether the side to move may place two more discs and give the choice of a side back.")
    ]
    is_placing: Annotated[bool, Field(description="Whether a side is chosen after the next disc or a later one.")]
    clock: ClockView | None
    next_match: Annotated[str | None, Field(description="The id of the rematch.")]


class SeatView(TypedDict):
    kind: SeatKind
    name: str
    player: Annotated[
        str | None, Field(description="The computer player's name, as in /api/players; null for a person.")
    ]


class SeatsView(TypedDict):
    first: SeatView
    second: SeatView


class MatchView(TypedDict):
    id: str
    seq: Annotated[int, Field(description="The number of the last event.")]
    variant: VariantView
    start: Annotated[str, Field(description="Discs set up before the first move, such as `4xo.5x`; empty for none.")]
    moves: Annotated[list[int], Field(description="The columns played, in order.")]
    seats: SeatsView
    public: bool
    previous: Annotated[str | None, Field(description="The id of the match before, if this is a rematch.")]
    room: Annotated[str | None, Field(description="The code of the room that made the match.")]
    strangers: Annotated[
        bool, Field(description="Whether the server has paired two people who do not know each other.")
    ]
    swap: Annotated[
        bool, Field(description="Whether the second player may take over the first player's side after its first disc.")
    ]
    swap_discs: Annotated[
        int,
        Field(
            description="How many discs the first player places before that choice: 1, or 3 with a three-disc start."
        ),
    ]
    swapped: Annotated[bool, Field(description="Whether the second player has done so.")]
    extended: Annotated[bool, Field(description="Whether two more discs are placed and the choice was given back.")]
    created: float
    state: StateView


class ThoughtView(TypedDict, total=False):
    """A computer player's report about its choice. `score` is for the side to move, in the player's own unit."""

    score: float | None
    line: list[int]
    depth: int | None
    nodes: int | None
    proven: bool


class HintAnswer(TypedDict):
    column: int
    thought: ThoughtView
