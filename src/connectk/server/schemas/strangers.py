"""The messages about profiles, seeks and encounters, over HTTP."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from connectk.server.schemas.parts import ClientModel, Name, OwnSecret, SideName, VariantView
from connectk.server.schemas.requests import ClockInput, VariantInput

PhraseName = Literal[
    "hello",
    "good_luck",
    "good_move",
    "oops",
    "thanks",
    "good_game",
    "one_more",
    "bye",
    "smile",
    "think",
    "surprised",
    "sad",
    "cool",
]
ReportReason = Literal["left", "stalled", "name", "programs", "other"]
BestOf = Literal[1, 3, 5]
SwapDiscs = Literal[0, 1, 3]
SeekState = Literal["waiting", "paired"]

# Requests.


class NewProfileRequest(ClientModel):
    """A new profile. The client makes the secret, so that it can repeat the request if no answer arrives."""

    secret: OwnSecret
    name: Name = Field(default="", description="A name that everyone sees; empty for a guest.")


class ProfileNameRequest(ClientModel):
    name: Name


class ClaimProfileRequest(ClientModel):
    code: str = Field(min_length=1, max_length=40, description="The code that another device shows.")
    secret: OwnSecret = Field(description="The secret with which this device uses the profile from now on.")


class TakeSeekRequest(ClientModel):
    """A request to take somebody's challenge."""

    secret: OwnSecret = Field(description="A secret of your own making, which opens your seat in the match.")
    device: OwnSecret = Field(description="A random text that this device keeps: it is not paired with itself.")
    rated: bool = True


class NewSeekRequest(TakeSeekRequest):
    """A request to wait for somebody who wants to play on the same board with the same clock."""

    variant: VariantInput = VariantInput()
    clock: ClockInput = ClockInput(seconds=180, increment=2)
    public: bool = Field(default=True, description="Whether others may watch the match.")
    best_of: BestOf = 1
    takes_level: bool = Field(
        default=True, description="Whether a computer level steps in if nobody comes within twenty seconds."
    )
    listed: bool = Field(default=True, description="Whether others see the challenge; if not, only its link takes it.")
    swap_discs: SwapDiscs = Field(
        default=0, description="After so many discs the second player may choose a side; 0 without the swap rule."
    )


class MuteRequest(ClientModel):
    muted: bool = True


class ReportRequest(ClientModel):
    reason: ReportReason


# Answers.


class RatingView(TypedDict):
    rating: int
    deviation: int
    provisional: Annotated[bool, Field(description="Whether the rating is still uncertain.")]


class ProfileAnswer(TypedDict):
    id: str
    name: Annotated[str, Field(description="Empty for a guest.")]
    rating: RatingView
    wins: int
    draws: int
    losses: int
    paused_seconds: Annotated[
        int, Field(description="Seconds until this person may play strangers again, after abandoned games.")
    ]


class TransferAnswer(TypedDict):
    code: Annotated[str, Field(description="Type it on the other device; it works once.")]
    seconds: int


class SeekView(TypedDict):
    id: str
    name: str
    rating: RatingView
    variant: VariantView
    clock: Annotated[list[float], Field(description="The seconds of each side, and those added after each drop.")]
    rated: bool
    public: bool
    best_of: int
    swap_discs: int
    waited: Annotated[float, Field(description="Seconds since this person began to wait.")]


class SeekAnswer(TypedDict):
    seek: SeekView
    state: SeekState
    match: Annotated[str | None, Field(description="The match, once there is one; the seek's secret opens your seat.")]
    level: Annotated[bool, Field(description="Whether a computer level has stepped in, because nobody came.")]
    waiting: Annotated[int, Field(description="How many people wait for an opponent now, you included.")]
    level_in: Annotated[float | None, Field(description="Seconds until a computer level steps in; null if none will.")]


class SeeksAnswer(TypedDict):
    seeks: list[SeekView]


class EncounterPlayerView(TypedDict):
    name: str
    before: RatingView
    after: Annotated[RatingView | None, Field(description="The rating after the match; null if it does not count.")]
    ceiling: Annotated[
        int | None,
        Field(description="The rating that this win has reached and that only more opponents raise; else null."),
    ]


class EncounterAnswer(TypedDict):
    """The players of a match between strangers, whether it is rated, and its place in a series."""

    first: EncounterPlayerView
    second: EncounterPlayerView
    rated: bool
    settled: Annotated[bool, Field(description="Whether the result has been entered.")]
    counted: Annotated[bool, Field(description="Whether the result has changed the ratings.")]
    abandoned: Annotated[SideName | None, Field(description="The side that left the game.")]
    best_of: int
    game: Annotated[int, Field(description="The number of this game in the series, from 1.")]
    points: Annotated[list[float], Field(description="The points of both sides in the series so far.")]
    series_over: bool
    muted: Annotated[bool, Field(description="Whether you have muted your opponent.")]


class DoneAnswer(TypedDict):
    done: bool
