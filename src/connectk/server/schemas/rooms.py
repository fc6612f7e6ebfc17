"""What is said about rooms, over HTTP and on a room's socket."""

from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field
from typing_extensions import TypedDict

from connectk.players.registry import BEST_LEVEL
from connectk.server.schemas.orders import ClockOrder, VariantOrder
from connectk.server.schemas.parts import (
    Column,
    Key,
    MatchView,
    Moves,
    Name,
    Order,
    OwnSecret,
    Ply,
    Secret,
    SideName,
    Took,
    VariantView,
)
from connectk.server.schemas.socket import (
    ComeBackMessage,
    DoneMessage,
    EventMessage,
    Message,
    PongMessage,
    RefusedMessage,
)

FormatName = Literal["challenges", "round_robin", "swiss", "ladder"]
WhoName = Literal["everyone", "people", "bots"]
KindName = Literal["person", "bot", "level"]
RoomEventName = Literal[
    "joined",
    "renamed",
    "left",
    "returned",
    "challenged",
    "accepted",
    "declined",
    "begun",
    "paired",
    "scored",
    "closed",
]
MemberNumber = Annotated[int, Field(ge=1, le=100_000, description="A member of the room, counted from 1.")]
MemberReference = Annotated[int, Field(ge=1, description="A member's number.")]


class RoomOrder(Order):
    """A new room. Games always have a clock, so that they end without anybody's help."""

    title: str = Field(default="", max_length=40)
    format: FormatName = "challenges"
    variant: VariantOrder = VariantOrder()
    clock: ClockOrder = ClockOrder(seconds=180, increment=2)
    who: WhoName = Field(default="everyone", description="Who may come in; computer levels always may.")
    rounds: int = Field(default=5, ge=1, le=50, description="Of a Swiss tournament.")
    games: int = Field(default=1, ge=1, le=10, description="Of each pair in a round robin.")
    show_seconds: float = Field(default=60, ge=1, le=3600, description="For each side's first disc.")
    rest_seconds: float = Field(default=5, ge=0, le=600, description="Between two games of a person.")
    openings: Literal["empty", "balanced"] | Annotated[list[Moves], Field(min_length=1, max_length=64)] = Field(
        default="empty", description="Discs that lie on the board when a game begins: none, drawn, or these."
    )

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"title": "Class 7B", "format": "swiss"}]}
    )


class MemberOrder(Order):
    """Someone who comes in. Bring a secret of your own making, and you may ask again when no answer came."""

    name: Name
    kind: Literal["person", "bot"] = "person"
    secret: OwnSecret | None = None


class LevelOrder(Order):
    level: int = Field(ge=1, le=BEST_LEVEL)


class RenameOrder(Order):
    name: Name


class ChallengeOrder(Order):
    to: MemberNumber


class ReplyOrder(Order):
    by: MemberNumber
    yes: bool


class RoomClockView(TypedDict):
    seconds: float
    increment: float


class MemberView(TypedDict):
    number: int
    name: str
    kind: KindName
    player: Annotated[str | None, Field(description="Of a computer level, such as `level:3`.")]
    left: bool
    away: Annotated[bool, Field(description="Did not show up; is paired again when they say that they are here.")]


class MeetingView(TypedDict):
    number: int
    round: int
    first: MemberReference
    second: MemberReference
    match: Annotated[str | None, Field(description="Null where nobody played, because one never came.")]
    winner: Annotated[int | None, Field(description="A member; null for a draw and while it is open.")]
    reason: Annotated[str | None, Field(description="Null while it is open; `void` where it counts for nobody.")]
    no_show: int | None


class ChallengeView(TypedDict):
    by: MemberReference
    to: MemberReference
    accepted: bool


class RoomStateView(TypedDict):
    """What changes about the room as a whole."""

    title: str
    begun: bool
    closed: bool
    round: Annotated[int, Field(description="Of a Swiss tournament, from 1.")]
    challenges: list[ChallengeView]
    byes: Annotated[list[int], Field(description="Members who rested with a point, once for each time.")]


class RoomStandingView(TypedDict):
    rank: int
    member: MemberReference
    points: float
    games: int
    wins: int
    draws: int
    losses: int
    byes: int
    opposition: Annotated[float, Field(description="The sum of the opponents' points.")]
    elo: Annotated[float | None, Field(description="Level n stands at 200 n; null where it is not known yet.")]
    margin: Annotated[float | None, Field(description="The rating lies within so much of it, 95 times of 100.")]


class RoomView(TypedDict):
    """A room as everyone in it may see it."""

    code: str
    seq: int
    format: FormatName
    variant: VariantView
    clock: RoomClockView
    who: WhoName
    rounds: int
    games: int
    show_seconds: float
    created: float
    state: RoomStateView
    members: list[MemberView]
    meetings: Annotated[list[MeetingView], Field(description="All that are open, and the last that are not.")]
    standings: list[RoomStandingView]
    here: Annotated[list[int], Field(description="Members who are connected.")]


class RoomAnswer(TypedDict):
    room: RoomView
    you: Annotated[int | None, Field(description="Your number, where you are a member.")]
    host: Annotated[bool, Field(description="Whether the room is yours.")]


class RoomEntryAnswer(RoomAnswer):
    secret: Annotated[str, Field(description="Send it as `Authorization: Bearer ...`. Shown this once.")]


class RoomGameView(TypedDict):
    """A game that was played: `variant`, `start` and `moves` as they stand in an address of the page."""

    number: int
    round: int
    first: str
    second: str
    variant: str
    start: str
    moves: str
    winner: SideName | None
    reason: str


class RoomGamesAnswer(TypedDict):
    games: list[RoomGameView]
    more: Annotated[bool, Field(description="There are more: ask again, after the last of these.")]


# What is said on a room's socket.


class RoomHello(Message):
    """A member's or the host's secret, or none for one who looks on."""

    type: Literal["hello"]
    secret: Secret | None = None
    boards: bool = Field(default=False, description="Tell me of every board, as a wall wants it.")


class RoomDrop(Message):
    type: Literal["drop"]
    match: str = Field(max_length=32)
    column: Column
    ply: Ply
    key: Key | None = None
    took: Took | None = None


class RoomPlain(Message):
    type: Literal["resign", "offer_draw", "accept", "decline"]
    match: str = Field(max_length=32)


class Here(Message):
    """I am here: pair me again."""

    type: Literal["here"]


class RoomPing(Message):
    type: Literal["ping"]


RoomClientMessage = Annotated[RoomHello | RoomDrop | RoomPlain | Here | RoomPing, Field(discriminator="type")]


class RoomWelcomeMessage(RoomAnswer):
    type: Literal["welcome"]
    id: int | None
    now: float


class RoomChangedMessage(TypedDict):
    """Something has happened; with it come the members and meetings that it has changed."""

    type: Literal["changed"]
    seq: Annotated[int, Field(description="Of the room, from 1, without a gap.")]
    at: float
    event: RoomEventName
    by: Annotated[int | None, Field(description="The member whom it is about, or who did it.")]
    to: int | None
    byes: list[int]
    state: RoomStateView
    members: list[MemberView]
    meetings: list[MeetingView]


class RoomMatchMessage(TypedDict):
    """A board that you play at, or look at, as it stands."""

    type: Literal["match"]
    sides: list[SideName]
    meeting: int
    match: MatchView


class BoardMessage(TypedDict):
    """What happened at a board: the same as on the match's own socket."""

    type: Literal["board"]
    match: str
    message: EventMessage


class StandingsMessage(TypedDict):
    type: Literal["standings"]
    lines: list[RoomStandingView]


class WhoIsHereMessage(TypedDict):
    type: Literal["present"]
    here: Annotated[list[int], Field(description="Members who are connected.")]
    watching: int


RoomServerMessage: TypeAlias = (
    RoomWelcomeMessage
    | RoomChangedMessage
    | RoomMatchMessage
    | BoardMessage
    | StandingsMessage
    | WhoIsHereMessage
    | DoneMessage
    | RefusedMessage
    | ComeBackMessage
    | PongMessage
)
