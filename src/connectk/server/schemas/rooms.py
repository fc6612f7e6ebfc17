"""The messages about rooms, over HTTP and over a room's socket."""

from typing import Annotated, Literal, TypeAlias

from pydantic import ConfigDict, Field
from typing_extensions import TypedDict

from connectk.players.registry import BEST_LEVEL
from connectk.server.schemas.parts import (
    ClientModel,
    Column,
    Key,
    MatchView,
    Moves,
    Name,
    OwnSecret,
    Ply,
    Secret,
    SideName,
    Took,
    VariantView,
)
from connectk.server.schemas.requests import ClockInput, VariantInput
from connectk.server.schemas.socket import (
    ClientCommand,
    ComeBackMessage,
    DoneMessage,
    EventMessage,
    PongMessage,
    RefusedMessage,
)

FormatName = Literal["challenges", "round_robin", "swiss", "ladder", "knockout", "arena", "teams"]
WhoName = Literal["everyone", "people", "bots"]
KindName = Literal["person", "bot", "level"]
RoomEventName = Literal[
    "joined",
    "admitted",
    "team_changed",
    "renamed",
    "left",
    "returned",
    "challenged",
    "accepted",
    "declined",
    "begun",
    "paused",
    "resumed",
    "locked",
    "unlocked",
    "host_invited",
    "host_added",
    "host_left",
    "paired",
    "round_stopped",
    "failed",
    "scored",
    "closed",
]
MemberNumber = Annotated[int, Field(ge=1, le=100_000, description="A member of the room, counted from 1.")]
MemberReference = Annotated[int, Field(ge=1, description="A member's number.")]
TeamNumber = Annotated[int, Field(ge=1, le=2, description="A team of the room, counted from 1.")]
TeamName = Annotated[str, Field(min_length=1, max_length=40)]


class NewRoomRequest(ClientModel):
    """A new room. Its games always have a clock, so that every game ends."""

    title: str = Field(default="", max_length=40)
    format: FormatName = "challenges"
    variant: VariantInput = VariantInput()
    clock: ClockInput = ClockInput(seconds=180, increment=2)
    who: WhoName = Field(default="everyone", description="Who may enter; computer levels always may.")
    rounds: int = Field(
        default=5, ge=1, le=50, description="The number of rounds of a Swiss tournament or between two teams."
    )
    games: int = Field(default=1, ge=1, le=10, description="How many games each pair plays in a round robin.")
    minutes: float = Field(default=30, ge=1, le=600, description="The length of an arena tournament.")
    teams: Annotated[list[TeamName], Field(min_length=2, max_length=2)] | None = Field(
        default=None, description="The names of the two teams; without them they are `A` and `B`."
    )
    approval: bool = Field(default=False, description="Whether people and bots wait until the host lets them in.")
    gone_seconds: float | None = Field(
        default=None, ge=10, le=3600, description="Whoever is not connected for so long loses the game; null: nobody."
    )
    show_seconds: float = Field(
        default=60, ge=1, le=3600, description="The time in which each side must drop its first disc."
    )
    rest_seconds: float = Field(default=5, ge=0, le=600, description="A person's pause between two games.")
    openings: Literal["empty", "balanced", "fair"] | Annotated[list[Moves], Field(min_length=1, max_length=64)] = Field(
        default="empty",
        description="The moves that each game starts with: none, balanced openings drawn by the "
        "server, starts that are proven to be draws, or one of these.",
    )
    swap: bool = Field(
        default=False, description="Whether the second player of a game may take over the first disc that is dropped."
    )
    swap_discs: Literal[1, 3] = Field(
        default=1,
        description="With `swap`, how many discs the first player places before the second player chooses a side.",
    )

    model_config = ConfigDict(
        extra="forbid", json_schema_extra={"examples": [{"title": "Class 7B", "format": "swiss"}]}
    )


class JoinRoomRequest(ClientModel):
    """A new member of a room. A client that sends its own secret can repeat the request if no answer arrives."""

    name: Name
    kind: Literal["person", "bot"] = "person"
    secret: OwnSecret | None = None
    team: TeamNumber | None = Field(default=None, description="Between teams; null: the one with fewer members.")


class AddLevelRequest(ClientModel):
    level: int = Field(ge=1, le=BEST_LEVEL)
    team: TeamNumber | None = None


class TeamRequest(ClientModel):
    team: TeamNumber


class AdmitRequest(ClientModel):
    members: list[MemberNumber] = Field(min_length=1, max_length=1000)


class HostCodeRequest(ClientModel):
    """The code that another host has read out. A client that sends its own secret can repeat the request if no answer
    arrives."""

    code: str = Field(min_length=1, max_length=20)
    secret: OwnSecret | None = None


class PromoteRequest(ClientModel):
    instead: bool = Field(default=False, description="Whether you hand over, so that you are a host no longer.")


class RenameRequest(ClientModel):
    name: Name


class ChallengeRequest(ClientModel):
    to: MemberNumber


class ChallengeReplyRequest(ClientModel):
    by: MemberNumber
    yes: bool


class RoomClockView(TypedDict):
    seconds: float
    increment: float


class MemberView(TypedDict):
    number: int
    name: str
    kind: KindName
    player: Annotated[str | None, Field(description="The computer level, such as `level:3`; null for people and bots.")]
    left: bool
    away: Annotated[
        bool, Field(description="Whether the member missed a game; they are paired again after sending `here`.")
    ]
    waiting: Annotated[
        bool, Field(description="Whether the host has yet to let the member in; hide the name until then.")
    ]
    host: Annotated[bool, Field(description="Whether the member is a host of the room, too.")]
    team: Annotated[int | None, Field(description="The member's team, counted from 1; null if there are no teams.")]


class MeetingView(TypedDict):
    number: int
    round: int
    first: MemberReference
    second: MemberReference
    match: Annotated[
        str | None, Field(description="The id of the match; null if it was not played because a player was absent.")
    ]
    winner: Annotated[int | None, Field(description="The winner's number; null for a draw and while the game is open.")]
    reason: Annotated[
        str | None, Field(description="Why the game ended; null while it is open, `void` if it counts for nobody.")
    ]
    no_show: int | None
    failure: Annotated[str | None, Field(description="Why a bot could not go on, in its own words.")]
    gone: Annotated[int | None, Field(description="The member who lost because the connection was lost for too long.")]


class ChallengeView(TypedDict):
    by: MemberReference
    to: MemberReference
    accepted: bool


class RoomStateView(TypedDict):
    """The part of a room that changes with its events."""

    title: str
    begun: bool
    locked: Annotated[bool, Field(description="Whether new members are refused.")]
    closed: bool
    paused: Annotated[bool, Field(description="Whether no new games start.")]
    ends: Annotated[float | None, Field(description="The time at which an arena ends; null while it is not running.")]
    round: Annotated[int, Field(description="The round of a tournament in rounds, from 1.")]
    rounds: Annotated[int, Field(description="The number of rounds; of a knock-out tournament once it has begun.")]
    challenges: list[ChallengeView]
    byes: Annotated[
        list[int],
        Field(description="The members who had a bye, listed once for each bye; in a Swiss tournament one point each."),
    ]
    resting: Annotated[list[int], Field(description="Members who rest in this round.")]
    out: Annotated[list[int], Field(description="Members who no longer play in a knock-out tournament.")]


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
    direct: Annotated[float, Field(description="The points from games against members with equally many points.")]
    sonneborn_berger: Annotated[
        float, Field(description="The points of all beaten opponents plus half the points of those who drew.")
    ]
    elo: Annotated[
        float | None, Field(description="The rating on a scale where level n has 200 n; null while unknown.")
    ]
    margin: Annotated[float | None, Field(description="Half the width of the rating's 95% interval.")]
    provisional: Annotated[bool, Field(description="The rating is a guess: it comes from fewer than ten games.")]
    streak: Annotated[bool, Field(description="Whether the next game in an arena counts double.")]


class RoomTeamView(TypedDict):
    name: str
    points: float


class TieView(TypedDict):
    """A tie in the bracket of a knock-out tournament. A member is null while the place is empty."""

    first: int | None
    second: int | None
    winner: Annotated[int | None, Field(description="Who goes on; null while it is open, and if nobody does.")]


class RoomView(TypedDict):
    """A room as every member and spectator sees it."""

    code: str
    seq: int
    format: FormatName
    variant: VariantView
    clock: RoomClockView
    who: WhoName
    rounds: int
    games: int
    minutes: float
    approval: bool
    gone_seconds: float | None
    show_seconds: float
    swap: bool
    swap_discs: int
    created: float
    state: RoomStateView
    members: list[MemberView]
    meetings: Annotated[list[MeetingView], Field(description="All open meetings, and the latest of those that ended.")]
    standings: list[RoomStandingView]
    teams: Annotated[list[RoomTeamView], Field(description="The teams with their points; empty without teams.")]
    bracket: Annotated[
        list[list[TieView]], Field(description="The ties of each round of a knock-out tournament that has begun.")
    ]
    here: Annotated[list[int], Field(description="Members who are connected.")]


class RoomAnswer(TypedDict):
    room: RoomView
    you: Annotated[int | None, Field(description="Your member number; null if you are not a member.")]
    host: Annotated[bool, Field(description="Whether you are the room's host.")]


class RoomEntryAnswer(RoomAnswer):
    secret: Annotated[str, Field(description="The secret to send as `Authorization: Bearer ...`. Sent only once.")]


class HostCodeAnswer(TypedDict):
    """A code that makes one more person a host. It works once."""

    code: str
    seconds: Annotated[float, Field(description="How long the code is valid.")]


class RoomGameView(TypedDict):
    """A game that was played. `variant`, `start` and `moves` are in the notation of the page's addresses."""

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
    more: Annotated[bool, Field(description="Whether there are more games; request those after the last of these.")]


class CrosstableLineView(TypedDict):
    """One member's results against every member in the table."""

    rank: int
    member: MemberReference
    name: str
    points: float
    results: Annotated[list[list[float]], Field(description="The points of each game, for each line of the table.")]


class CrosstableAnswer(TypedDict):
    lines: list[CrosstableLineView]


class MemberGradeView(TypedDict):
    """A member's grade over all reviewed games."""

    member: MemberReference
    name: str
    games: int
    moves: Annotated[int, Field(description="The moves that had a choice; the accuracy is the mean of their marks.")]
    accuracy: Annotated[float | None, Field(description="From 0 to 100; null without a move that had a choice.")]
    missed_wins: int
    missed_blocks: int
    blunders: Annotated[int, Field(description="Other than missed wins and blocks.")]


class RoomGradesAnswer(TypedDict):
    members: list[MemberGradeView]
    reviewed: Annotated[int, Field(description="The number of games that have been reviewed.")]
    left: Annotated[int, Field(description="The number of games that are still to be reviewed; ask again.")]


class RoomDeletedAnswer(TypedDict):
    """The data that was deleted for good."""

    room: str
    members: Annotated[list[int], Field(description="The numbers of the deleted members.")]
    matches: Annotated[int, Field(description="The number of deleted games.")]


# The messages on a room's socket.


class RoomHelloCommand(ClientCommand):
    """The first message on a room's socket. It has the secret of a member or the host. A spectator sends no secret."""

    type: Literal["hello"]
    secret: Secret | None = None
    boards: bool = Field(default=False, description="Whether to send the events of all boards, for a wall display.")


class RoomDropCommand(ClientCommand):
    type: Literal["drop"]
    match: str = Field(max_length=32)
    column: Column
    ply: Ply
    key: Key | None = None
    took: Took | None = None


class RoomSeatActionCommand(ClientCommand):
    type: Literal["swap", "extend", "resign", "offer_draw", "accept", "decline"]
    match: str = Field(max_length=32)


class RoomFailureCommand(ClientCommand):
    """This bot cannot continue, for the given reason. It loses its game."""

    type: Literal["fail"]
    match: str = Field(max_length=32)
    words: str = Field(max_length=2000)


class HereCommand(ClientCommand):
    """The member is here again and wants to be paired."""

    type: Literal["here"]


class RoomPingCommand(ClientCommand):
    type: Literal["ping"]


RoomClientMessage = Annotated[
    RoomHelloCommand | RoomDropCommand | RoomSeatActionCommand | RoomFailureCommand | HereCommand | RoomPingCommand,
    Field(discriminator="type"),
]


class RoomWelcomeMessage(RoomAnswer):
    type: Literal["welcome"]
    id: int | None
    now: float


class RoomChangedMessage(TypedDict):
    """An event of the room, with the members and meetings that the event has changed."""

    type: Literal["changed"]
    seq: Annotated[int, Field(description="The number of the event in the room, from 1 without gaps.")]
    at: float
    event: RoomEventName
    by: Annotated[int | None, Field(description="The member who acted or whom the event concerns.")]
    to: int | None
    byes: list[int]
    state: RoomStateView
    members: list[MemberView]
    meetings: list[MeetingView]


class RoomMatchMessage(TypedDict):
    """The current state of a board that you play at or watch."""

    type: Literal["match"]
    sides: list[SideName]
    meeting: int
    match: MatchView


class BoardMessage(TypedDict):
    """An event on a board, in the same form as on the match's own socket."""

    type: Literal["board"]
    match: str
    message: EventMessage


class StandingsMessage(TypedDict):
    type: Literal["standings"]
    lines: list[RoomStandingView]
    teams: list[RoomTeamView]
    bracket: list[list[TieView]]


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
