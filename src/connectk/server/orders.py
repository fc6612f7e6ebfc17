"""What a client may send, with words for the OpenAPI page."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

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


class ReviewOrder(PositionOrder):
    """A game to review: its moves, and the board they begin on."""

    language: Language = "en"


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


class DropOrder(Order):
    column: Column
    ply: Ply

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"column": 3, "ply": 0}]})


class PlyOrder(Order):
    to_ply: Ply | None = Field(
        default=None, description="Where to go back or on to; left out: the asker's own last turn."
    )


# Messages of the socket, told apart by `type`.


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


class TakeBack(Message):
    type: Literal["take_back"]
    to_ply: Ply | None = None


class Redo(Message):
    type: Literal["redo"]
    to_ply: Ply | None = None


class Plain(Message):
    type: Literal["resign", "offer_draw", "accept", "decline", "rematch", "ping"]


class Analyse(Message):
    type: Literal["analyse"]
    ply: Ply | None = Field(default=None, description="The board as it was with so many discs; left out: as it is now.")


class Hint(Message):
    type: Literal["hint"]


ClientMessage = Annotated[Hello | Drop | TakeBack | Redo | Plain | Analyse | Hint, Field(discriminator="type")]
