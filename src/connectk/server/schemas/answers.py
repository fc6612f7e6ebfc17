"""What the server answers over HTTP."""

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
    sides: Annotated[list[SideName], Field(description="The sides that you play; none when you watch.")]


class EntryAnswer(MatchAnswer):
    secret: Annotated[str | None, Field(description="Send it as `Authorization: Bearer ...`. Shown this once.")]
    invitation: Annotated[str | None, Field(description="For whoever you invite to play or watch. Shown this once.")]


class MatchesAnswer(TypedDict):
    matches: list[MatchView]


class ReceiptAnswer(TypedDict):
    seq: Annotated[int, Field(description="The number under which it is stored.")]
    match: MatchView


class EventsAnswer(TypedDict):
    events: list[EventMessage]
    more: Annotated[bool, Field(description="There are more: ask again, after the last of these.")]


class PlayerView(TypedDict):
    name: Annotated[str, Field(description="To be used as it is, or with another number.")]
    sentence: str


class PlayersAnswer(TypedDict):
    players: list[PlayerView]


class GameAnswer(TypedDict):
    """A game that can be played on: send `variant`, `start` and `moves` to make a match of it."""

    variant: VariantView
    start: str
    moves: list[int]
    players: dict[SideName, str]
    result: ResultView | None


class VerdictAnswer(referee.VerdictFacts):
    game: Annotated[GameAnswer | None, Field(description="The game, where the file holds one without offence.")]


class HealthAnswer(TypedDict):
    status: Literal["ok", "stopping", "not ready"]


# What the page alone asks for.


class NetworkView(TypedDict):
    """For a page on the machine that the server runs on."""

    possible: Annotated[str | None, Field(description="Where others on this network would find the page.")]
    address: Annotated[str | None, Field(description="Where they find it, once they are let in.")]


class AddressAnswer(TypedDict):
    address: Annotated[str, Field(description="Where others on this network find the page.")]


class AboutAnswer(TypedDict):
    version: str
    network: NetworkView | None
    closable: Annotated[bool, Field(description="Whether this page may stop the server.")]


class WrongAnswer(TypedDict):
    wrong: Annotated[str, Field(description="What is wrong, in the language of the request.")]


class WrittenGameView(TypedDict):
    variant: str
    start: str
    moves: str


class FileAnswer(TypedDict):
    """The game that a file holds; none where none can be shown. The verdict is a sentence of the referee."""

    game: WrittenGameView | None
    players: dict[SideName, str]
    given: Annotated[int, Field(description="How many of the first moves nobody chose.")]
    verdict: str


class ThreatsAnswer(TypedDict):
    threats: list[ThreatView]


class ArenaAnswer(arena.TableView):
    forfeits: Annotated[list[dict[LanguageName, str]], Field(description="Why bots lost, each reason once.")]
