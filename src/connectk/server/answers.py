"""What the server answers, for the OpenAPI page and the people who read it."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field

SideName = Literal["first", "second"]
Cell = tuple[int, int]


class VariantView(BaseModel):
    width: int
    height: int
    run: int = Field(description="How many discs in a row win.")


class ResultView(BaseModel):
    winner: SideName | None = Field(description="Null for a draw.")
    reason: Literal["line", "full", "resigned", "agreed", "time", "forfeit"]


class OfferView(BaseModel):
    what: Literal["take_back", "draw", "rematch"]
    side: SideName = Field(description="Who asks.")
    to_ply: int | None


class ClockView(BaseModel):
    first: float = Field(description="Seconds left when the turn began.")
    second: float
    running: SideName | None
    since: float = Field(description="When the turn began, by the server's clock, in seconds since 1970.")
    increment: float


class PositionView(BaseModel):
    ply: int = Field(description="How many discs lie on the board.")
    side_to_move: SideName | None
    legal_columns: list[int]
    board: list[str] = Field(
        description="Each column from the bottom up: x is the first player's disc, o the second's."
    )
    winning_lines: list[list[Cell]] = Field(description="Cells as [column, row].")
    last_drop: Cell | None


class StateView(PositionView):
    result: ResultView | None = Field(description="Null while the match is open.")
    waiting: bool = Field(description="A seat is still free.")
    offer: OfferView | None
    can_redo: bool
    clock: ClockView | None
    next_match: str | None = Field(description="The rematch.")


class SeatView(BaseModel):
    kind: Literal["person", "player", "free"]
    name: str
    player: str | None = Field(description="A computer player, as in /api/players.")


class MatchView(BaseModel):
    id: str
    seq: int = Field(description="The number of the last event.")
    variant: VariantView
    start: list[str] | None = Field(description="Discs set up before the first move, like `board`.")
    moves: list[int] = Field(description="The columns played, in order.")
    seats: dict[SideName, SeatView]
    public: bool
    previous: str | None
    created: float
    state: StateView


class MatchAnswer(BaseModel):
    match: MatchView
    sides: list[SideName] = Field(description="The sides that you play; none when you watch.")


class EntryAnswer(MatchAnswer):
    secret: str | None = Field(description="Send it as `Authorization: Bearer ...`. Shown this once.")
    invitation: str | None = Field(description="For whoever you invite to play or to watch. Shown this once.")


class MatchesAnswer(BaseModel):
    matches: list[MatchView]


class ReceiptAnswer(BaseModel):
    seq: int = Field(description="The number under which it is stored.")
    match: MatchView


class EventView(BaseModel):
    """An event has facts of its own beside these, such as `column` and `row`."""

    model_config = {"extra": "allow"}

    type: Literal["event"]
    seq: int
    event: str
    at: float
    state: StateView


class EventsAnswer(BaseModel):
    events: list[EventView]


class PlayerView(BaseModel):
    name: str = Field(description="To be used as it is, or with another number.")
    sentence: str


class PlayersAnswer(BaseModel):
    players: list[PlayerView]


class ScoresAnswer(BaseModel):
    exact: bool
    scores: list[int | None] | None = Field(description="From the side to move; null where no disc fits.")
    bounds: list[tuple[int, int] | None] = Field(description="Lowest and highest possible score of each column.")


class HintAnswer(BaseModel):
    column: int
    thought: dict[str, Any]


class GameAnswer(BaseModel):
    """A game that can be played on: send `variant`, `start` and `moves` to make a match of it."""

    variant: VariantView
    start: list[str] | None
    moves: list[int]
    players: dict[SideName, str]
    result: ResultView | None


class VerdictAnswer(BaseModel):
    game: GameAnswer | None = Field(description="The game, where the file holds one without offence.")
    code: int = Field(description="0 to 9.")
    title: str
    line: int | None = Field(description="The line of the gravest offence, from 1.")
    winner: SideName | None
    winning_cells: list[Cell]
    moves: int


class Health(BaseModel):
    status: Literal["ok", "stopping", "not ready"]
