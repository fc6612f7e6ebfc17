"""The messages on a match's socket. `type` tells them apart, and for events also `event`."""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from connectk.server.schemas.parts import (
    ClientModel,
    Column,
    HintAnswer,
    Key,
    MatchView,
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
from connectk.server.schemas.strangers import PhraseName
from connectk.solver.messages import ScoresAnswer

# Messages from clients.


class ClientCommand(ClientModel):
    id: int | None = Field(default=None, ge=0, le=2**53, description="Repeated in the answer to this message.")


class HelloCommand(ClientCommand):
    type: Literal["hello"]
    secret: Secret | None = None
    after: int | None = Field(default=None, ge=0, le=2**53)


class DropCommand(ClientCommand):
    type: Literal["drop"]
    column: Column
    ply: Ply
    key: Key | None = None
    took: Took | None = None


class TakeBackCommand(ClientCommand):
    type: Literal["take_back"]
    to_ply: Ply | None = None


class RedoCommand(ClientCommand):
    type: Literal["redo"]
    to_ply: Ply | None = None


class SeatActionCommand(ClientCommand):
    """An action that needs nothing but a seat."""

    type: Literal["swap", "extend", "resign", "offer_draw", "accept", "decline", "rematch", "fair_rematch"]


class SayCommand(ClientCommand):
    """A ready-made phrase or a face for the opponent. It is shown for a moment and not stored."""

    type: Literal["say"]
    phrase: PhraseName


class PingCommand(ClientCommand):
    type: Literal["ping"]


class AnalyseCommand(ClientCommand):
    type: Literal["analyse"]
    ply: Ply | None = Field(
        default=None, description="The number of discs on the board to analyse; by default the current board."
    )
    seconds: Seconds | None = None


class HintCommand(ClientCommand):
    type: Literal["hint"]


ClientMessage = Annotated[
    HelloCommand
    | DropCommand
    | TakeBackCommand
    | RedoCommand
    | SeatActionCommand
    | SayCommand
    | PingCommand
    | AnalyseCommand
    | HintCommand,
    Field(discriminator="type"),
]


# Messages from the server.


class EventBase(TypedDict):
    type: Literal["event"]
    seq: Annotated[int, Field(description="The number of the event in the match, from 1 without gaps.")]
    at: Annotated[float, Field(description="The time by the server's clock, in seconds since 1970.")]
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
    ply: Annotated[int, Field(description="The number of discs on the board before the drop.")]
    thought: Annotated[
        ThoughtView | None, Field(description="What a computer player reports about its choice; null for a person.")
    ]


class SwappedEvent(EventBase):
    """The second player took over the first player's side. The players exchange their seats and sides."""

    event: Literal["swapped"]
    side: Annotated[SideName, Field(description="The side that was given up.")]
    seats: SeatsView


class ExtendedEvent(EventBase):
    """The second player asked to place two more discs, after which the first player chooses a side. The players
    exchange seats and sides."""

    event: Literal["extended"]
    side: Annotated[SideName, Field(description="The side that was given up.")]
    seats: SeatsView


class TakeBackAskedEvent(EventBase):
    event: Literal["take_back_asked"]
    side: SideName
    to_ply: int


class MovesEvent(EventBase):
    """Moves were taken back or replayed."""

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
    JoinedEvent
    | DroppedEvent
    | SwappedEvent
    | ExtendedEvent
    | TakeBackAskedEvent
    | MovesEvent
    | OfferEvent
    | EndedEvent
    | RematchMadeEvent,
    Field(discriminator="event"),
]


class WelcomeMessage(TypedDict):
    type: Literal["welcome"]
    id: int | None
    sides: Annotated[list[SideName], Field(description="The sides that you play after event `seq`.")]
    seq: int
    match: Annotated[MatchView | None, Field(description="The match; null for a client that reconnected with `after`.")]
    invitation: Annotated[
        str | None, Field(description="The invitation code; only for the match's creator while a seat is free.")
    ]
    now: float


class DoneMessage(TypedDict):
    """The confirmation of a request. It is sent after the request's event has been broadcast."""

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
    first: Annotated[bool, Field(description="Whether the person in this seat is connected.")]
    second: bool
    watching: Annotated[int, Field(description="The number of connected spectators.")]


class SaidMessage(TypedDict):
    """A phrase or a face from a player. It is not an event and is not stored."""

    type: Literal["said"]
    side: SideName
    phrase: PhraseName


class ComeBackMessage(TypedDict):
    """The notice that the server restarts. Reconnect with `after` when this many seconds have passed."""

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
    | SaidMessage
    | ComeBackMessage
    | PongMessage
)
