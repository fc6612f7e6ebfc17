"""The server's answers over HTTP."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

import connectk.arena.messages as arena
import connectk.referee.messages as referee
from connectk.review.messages import ThreatView
from connectk.server.schemas.parts import MatchView, ResultView, SideName, VariantView
from connectk.server.schemas.socket import EventMessage
from connectk.texts import LanguageName


class MatchAnswer(TypedDict):
    match: MatchView
    sides: Annotated[list[SideName], Field(description="The sides that you play; empty for a spectator.")]


class EntryAnswer(MatchAnswer):
    secret: Annotated[
        str | None, Field(description="The secret to send as `Authorization: Bearer ...`. Sent only once.")
    ]
    invitation: Annotated[
        str | None, Field(description="The invitation code for people who join or watch. Sent only once.")
    ]


class MatchesAnswer(TypedDict):
    matches: list[MatchView]


class ReceiptAnswer(TypedDict):
    seq: Annotated[int, Field(description="The number of the stored event.")]
    match: MatchView


class EventsAnswer(TypedDict):
    events: list[EventMessage]
    more: Annotated[bool, Field(description="Whether there are more events; request those after the last of these.")]


class PlayerView(TypedDict):
    name: Annotated[str, Field(description="The name to use for a seat; the number in it can be changed.")]
    sentence: str


class PlayersAnswer(TypedDict):
    players: list[PlayerView]


class GameAnswer(TypedDict):
    """A game that can be continued. To make a match of it, send `variant`, `start` and `moves`."""

    variant: VariantView
    start: str
    moves: list[int]
    players: dict[SideName, str]
    result: ResultView | None


class VerdictAnswer(referee.VerdictFacts):
    game: Annotated[GameAnswer | None, Field(description="The game; null if it breaks a rule.")]


class HealthAnswer(TypedDict):
    status: Literal["ok", "stopping", "not ready"]


# Answers that only the page requests.


class NetworkView(TypedDict):
    """The address at which the local network reaches the server. It is sent only to a page on the server's own
    machine."""

    possible: Annotated[
        str | None,
        Field(description="The page's address on this network if this page allowed access from it; null if it cannot."),
    ]
    address: Annotated[
        str | None, Field(description="The page's address on this network; null while access from it is not allowed.")
    ]


class AddressAnswer(TypedDict):
    address: Annotated[str, Field(description="The page's address for other devices on this network.")]


class AboutAnswer(TypedDict):
    version: str
    network: NetworkView | None
    closable: Annotated[bool, Field(description="Whether this page is allowed to stop the server.")]


class WrongAnswer(TypedDict):
    wrong: Annotated[str, Field(description="The error message, in the language of the request.")]


class WrittenGameView(TypedDict):
    variant: str
    start: str
    moves: str


class FileAnswer(TypedDict):
    """The game in a file (null if the page cannot show it), and the referee's verdict as a sentence."""

    game: WrittenGameView | None
    players: dict[SideName, str]
    given: Annotated[int, Field(description="How many of the first moves were given rather than chosen by a player.")]
    verdict: str


class ThreatsAnswer(TypedDict):
    threats: list[ThreatView]


class LocalizedFaultView(TypedDict):
    reason: dict[LanguageName, str]
    games: int


class ArenaAnswer(arena.TableView):
    forfeits: Annotated[
        list[LocalizedFaultView],
        Field(description="The reasons why bots forfeited games, each with its number of games."),
    ]


class OpeningCountsView(TypedDict):
    """The results of the players who played a column."""

    wins: int
    draws: int
    losses: int


class ExploredColumnView(TypedDict):
    column: int
    people: OpeningCountsView
    computers: OpeningCountsView


class ExplorerAnswer(TypedDict):
    """The columns that were played in a position on this server. Mirror images count as one position."""

    columns: list[ExploredColumnView]
