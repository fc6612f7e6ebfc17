"""The requests that clients send over HTTP."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from connectk.server.schemas.parts import (
    ClientModel,
    Column,
    Language,
    Moves,
    Name,
    OwnSecret,
    Ply,
    Seconds,
    Secret,
    SideName,
    Start,
    Took,
)


class VariantInput(ClientModel):
    width: int = Field(default=7, ge=1, le=1_000_000)
    height: int = Field(default=6, ge=1, le=1_000_000)
    run: int = Field(default=4, ge=1, le=1_000_000, description="How many discs in a row win.")


class PositionRequest(ClientModel):
    """A position: a board, the discs set up on it, and the moves after that."""

    variant: VariantInput = VariantInput()
    start: Start = ""
    moves: Moves = Field(default=[])

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"moves": [3, 3, 4]}]})


class ScoresRequest(PositionRequest):
    """A position whose columns should be scored."""

    seconds: Seconds | None = None


class ReviewRequest(PositionRequest):
    """A game to review: its moves, and the board before the first move."""

    language: Language = "en"
    given: int = Field(
        default=0, ge=0, le=10_000, description="How many of the first moves were given rather than chosen by a player."
    )


class WhyRequest(PositionRequest):
    """A position to explain."""

    side: SideName | None = Field(default=None, description="In a drawn position, the side whose defence is explained.")
    language: Language = "en"


class SeatInput(ClientModel):
    """The player who gets a seat: the client itself, an invited person, or a computer player."""

    kind: Literal["me", "invited", "player"]
    name: Name = ""
    player: str | None = Field(
        default=None, max_length=60, description="The computer player: a name from /api/players."
    )


class ClockInput(ClientModel):
    seconds: float = Field(ge=1, le=86_400, description="Each side's time for the whole game.")
    increment: float = Field(default=0, ge=0, le=600, description="Seconds added to the clock after each drop.")


class NewMatchRequest(PositionRequest):
    """A new match. For two people on one screen, both seats are `me`. For a demo, both seats are `player`."""

    first: SeatInput = SeatInput(kind="me")
    second: SeatInput = SeatInput(kind="invited")
    public: bool = Field(
        default=False,
        description="Whether the match is listed for everyone to watch, and to join while a seat is free.",
    )
    clock: ClockInput | None = None
    swap: bool = Field(
        default=False,
        description="Whether the second player may take over the first player's side after its first disc. If an odd "
        "number of discs is set up, the second player may do so before the first drop.",
    )
    swap_discs: Literal[1, 3] = Field(
        default=1,
        description="With `swap`, how many discs the first player places, of both colours in turn, before the second "
        "player chooses a side. After three the second player may instead place two more and give the choice back. "
        "That needs an empty board and a run of at least 4.",
    )

    model_config = ConfigDict(
        extra="forbid",
        json_schema_extra={
            "examples": [{"first": {"kind": "me", "name": "Ann"}, "second": {"kind": "player", "player": "level:3"}}]
        },
    )


class JoinMatchRequest(ClientModel):
    invitation: Secret | None = Field(default=None, description="The invitation code; not needed for a public match.")
    name: Name = ""
    secret: OwnSecret | None = Field(
        default=None,
        description="A secret for your seat, of at least 32 random characters; by default the server "
        "makes one. "
        "With a secret of your own you can repeat the request after a lost "
        "answer without taking a second seat.",
    )


class DropRequest(ClientModel):
    column: Column
    ply: Ply
    took: Took | None = None

    model_config = ConfigDict(extra="forbid", json_schema_extra={"examples": [{"column": 3, "ply": 0}]})


class ToPlyRequest(ClientModel):
    to_ply: Ply | None = Field(
        default=None, description="The number of discs to go back or forward to; by default, your last turn."
    )


MAX_SHOWN_SIDE = 100  # the most columns and rows that the page can show


class GameRequest(BaseModel):
    """A game as text. `start` is a board set up before the first move, such as `4xo.5x`. In it, `-` is an empty cell
    below a disc, as in `4-x`."""

    variant: str = Field("7x6x4", max_length=40)
    moves: str = Field("", max_length=40_000)
    start: str = Field("", max_length=20_000)


class SavedGameRequest(GameRequest):
    """A game to write to a file."""

    players: dict[Literal["first", "second"], str] = Field({}, max_length=2)


class QrCodeRequest(BaseModel):
    """A text to show as a QR code. Every text within the length limit fits into one code."""

    text: str = Field(min_length=1, max_length=500)
