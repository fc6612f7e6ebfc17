"""What is said on a match's socket, told apart by `type`; events by `event` as well."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from connectk.server.schemas.parts import (
    Column,
    HintAnswer,
    Key,
    MatchView,
    Order,
    Ply,
    RefusedAnswer,
    ResultView,
    SeatsView,
    Seconds,
    Secret,
    SideName,
    StateView,
    ThoughtView,
    Took,
)
from connectk.solver.messages import ScoresAnswer

# What a client says.


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


# And what the server says.


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
