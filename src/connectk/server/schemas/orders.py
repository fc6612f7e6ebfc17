"""What a client sends over HTTP."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from connectk.server.schemas.parts import (
    Column,
    Language,
    Moves,
    Name,
    Order,
    OwnSecret,
    Ply,
    Seconds,
    Secret,
    SideName,
    Start,
    Took,
)


class VariantOrder(Order):
    width: int = Field(default=7, ge=1, le=1_000_000)
    height: int = Field(default=6, ge=1, le=1_000_000)
    run: int = Field(default=4, ge=1, le=1_000_000, description="How many discs in a row win.")


class PositionOrder(Order):
    """A position: a board, discs set up on it, and moves from there."""

    variant: VariantOrder = VariantOrder()
    start: Start = ""
    moves: Moves = Field(default=[])

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"moves": [3, 3, 4]}]})


class ScoresOrder(PositionOrder):
    """A position whose columns shall be scored."""

    seconds: Seconds | None = None


class ReviewOrder(PositionOrder):
    """A game to review: its moves, and the board they begin on."""

    language: Language = "en"
    given: int = Field(default=0, ge=0, le=10_000, description="How many of the first moves nobody chose.")


class WhyOrder(PositionOrder):
    """A position to explain."""

    side: SideName | None = Field(
        default=None, description="In a drawn position, the side whose holding shall be explained."
    )
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
    took: Took | None = None

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"column": 3, "ply": 0}]})


class PlyOrder(Order):
    to_ply: Ply | None = Field(default=None, description="Where to go back or on to; left out: your own last turn.")


MAX_SHOWN_SIDE = 100  # columns, and rows, that a page can show


class GameOrder(BaseModel):
    """A game in writing. `start` is a board set up, such as `4xo.5x`; `-` is an empty cell below a disc: `4-x`."""

    variant: str = Field("7x6x4", max_length=40)
    moves: str = Field("", max_length=40_000)
    start: str = Field("", max_length=20_000)


class SavedOrder(GameOrder):
    """A game to write to a file."""

    players: dict[Literal["first", "second"], str] = Field({}, max_length=2)


class TextOrder(BaseModel):
    """A text to draw; this long, it fits a code however its letters are written."""

    text: str = Field(min_length=1, max_length=500)
