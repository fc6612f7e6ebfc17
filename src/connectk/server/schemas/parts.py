"""What messages are made of, over HTTP and on the socket alike: checked fields, a match, its state, scores."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from connectk.notation.messages import MomentView
from connectk.notation.messages import ResultView as ResultView
from connectk.notation.messages import SideName as SideName
from connectk.notation.messages import VariantView as VariantView
from connectk.texts import LanguageName

Column = Annotated[int, Field(ge=0, lt=1_000_000, description="A column, counted from 0 on the left.")]
Ply = Annotated[int, Field(ge=0, lt=10_000_000, description="How many discs lie on the board.")]
Key = Annotated[
    str, Field(min_length=1, max_length=64, pattern="^[A-Za-z0-9_.:-]+$", description="Makes a repeat harmless.")
]
Name = Annotated[str, Field(max_length=200, description="Shown to everyone, as it is.")]
Secret = Annotated[str, Field(min_length=1, max_length=200)]
Language = Annotated[LanguageName, Field(description="In which the sentences are.")]
OwnSecret = Annotated[str, Field(min_length=32, max_length=200, pattern="^[A-Za-z0-9_-]+$")]
Start = Annotated[
    str,
    Field(
        max_length=20_000,
        pattern="^[0-9xo.-]*$",
        description="Discs set up before the first move, such as `4xo.5x`: columns from 1, each from the bottom "
        "up, x the first player's, o the second's. Empty: none.",
    ),
]
Moves = Annotated[list[Column], Field(max_length=10_000)]
Seconds = Annotated[
    float,
    Field(
        ge=0.1,
        le=3600,
        description="The most that the answer may take, up to the server's own limit; what is not proved by then is "
        "the engine's estimate.",
    ),
]
TOOK_DESCRIPTION = (
    "Seconds for which you saw the board. Your clock is charged these, at most half a second less than was measured."
)
Took = Annotated[float, Field(ge=0, le=1e6, description=TOOK_DESCRIPTION)]


class Order(BaseModel):
    model_config = ConfigDict(extra="forbid")


SeatKind = Literal["person", "player", "free"]
OfferName = Literal["take_back", "draw", "rematch"]


class RefusedAnswer(TypedDict):
    """Why something was refused; nothing has changed."""

    reason: Annotated[
        str, Field(description="A stable name to rely on, such as `column_full`.", examples=["column_full"])
    ]
    message: Annotated[str, Field(description="A sentence for a person.", examples=["Column 4 is full, pick another."])]


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
    kind: SeatKind
    name: str
    player: Annotated[str | None, Field(description="A computer player, as in /api/players.")]


class SeatsView(TypedDict):
    first: SeatView
    second: SeatView


class MatchView(TypedDict):
    id: str
    seq: Annotated[int, Field(description="The number of the last event.")]
    variant: VariantView
    start: Annotated[str, Field(description="Discs set up before the first move, such as `4xo.5x`; or empty.")]
    moves: Annotated[list[int], Field(description="The columns played, in order.")]
    seats: SeatsView
    public: bool
    previous: Annotated[str | None, Field(description="The match that this is a rematch of.")]
    room: Annotated[str | None, Field(description="The code of the room that has made it.")]
    created: float
    state: StateView


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
