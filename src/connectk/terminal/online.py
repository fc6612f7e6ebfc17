"""A match on a server, followed over its socket and played from here.

Everything is as `docs/reference/server.md` describes it. A lost connection comes back by itself; what was missed is
asked for by number, and a drop that was not answered is sent again under its key, so that it is played once.
"""

from __future__ import annotations

import json
import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from itertools import count
from typing import TYPE_CHECKING

from connectk.errors import ConnectkError, MissingExtra
from connectk.notation import parse_start, start_from_columns
from connectk.rules import Game, Position, Side, Variant
from connectk.terminal.invitations import PATIENCE, HeldSeat, Json, ServerRefused, harmless
from connectk.terminal.match import PERSON, LocalMatch
from connectk.terminal.sentences import Sentences
from connectk.terminal.thinking import work_beside
from connectk.texts import Texts

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

FIRST_REST, LONGEST_REST = 0.3, 5.0  # seconds before it is tried again
PING = 4.0  # seconds between pings, and for their answer: a frozen connection is noticed within ten
LARGEST_MESSAGE = 1 << 24
MOST_WAITING = 4096  # messages that come while a player thinks
NOT_FOUND, ONCE_MORE = 4404, -1


class _OnceMore(Exception):
    """The connection is opened anew at once: for the whole match, or for the next one."""


class ServerNews(Enum):
    """What there is to show."""

    CHANGED = auto()  # the match, an offer, who is there, or that all is answered
    LOST = auto()  # the connection
    BACK = auto()
    GONE = auto()  # there is no such match, or not for us


SAID = {ServerNews.LOST: "play.reconnecting", ServerNews.BACK: "play.back", ServerNews.GONE: "refused.not_found"}


def words_of(news: ServerNews | ServerRefused, texts: Texts) -> str:
    """What is said of news other than a change, which is shown."""
    return news.said_in(texts) if isinstance(news, ServerRefused) else texts(SAID[news])


@dataclass(frozen=True)
class KnownMatch:
    """What is known of a match: its game, who plays, and what the server says besides."""

    game: Game
    side: Side | None  # ours; None for who only watches
    names: Mapping[Side, str]
    state: Json
    here: Mapping[Side, bool] = field(default_factory=dict)

    def match(self, texts: Texts) -> LocalMatch:
        """The same as a match at this keyboard, in which the friend goes by name."""
        names = {side: self.names[side] or texts("play.free_seat") for side in Side}
        return LocalMatch(self.game, {side: PERSON if side is self.side else names[side] for side in Side})

    @property
    def our_turn(self) -> bool:
        return self.is_open and self.state["side_to_move"] == str(self.side)

    @property
    def is_open(self) -> bool:
        return not self.state["waiting"] and self.state["result"] is None

    @property
    def is_running(self) -> bool:
        return self.is_open and self.side is not None and bool(self.game.moves)

    @property
    def friend_is_here(self) -> bool:
        return self.side is None or self.here.get(self.side.other, True)


def status(known: KnownMatch, sentences: Sentences) -> str:
    """What is going on, in a sentence: who is waited for, whose turn it is, what is offered, how it ended."""
    texts, offer = sentences.texts, known.state["offer"]
    if offer:
        own = known.side is not None and offer["side"] == str(known.side)
        name = known.names[Side[offer["side"].upper()]]
        return texts(f"offer.own.{offer['what']}") if own else texts(f"offer.{offer['what']}", name=name)
    if known.state["waiting"]:
        return texts("play.waiting")
    return _ending(known, sentences) if known.state["result"] else sentences.turn(known.match(texts))


def _ending(known: KnownMatch, sentences: Sentences) -> str:
    result, match = known.state["result"], known.match(sentences.texts)
    if result["reason"] in ("line", "full"):
        return sentences.result(match)
    winner = Side[result["winner"].upper()] if result["winner"] else None
    if winner is None:
        return sentences.texts("result.agreed")
    return sentences.texts(f"result.{result['reason']}", name=sentences.name(match, winner.other))


class OnlineMatch:
    """Follows a match from a thread of its own; `tell` hears what there is to show, and of every refusal."""

    def __init__(self, seat: HeldSeat, tell: Callable[[ServerNews | ServerRefused], None]) -> None:
        self.seat, self._tell = seat, tell
        self.known: KnownMatch | None = None
        self._seq: int | None = None
        self._socket: ClientConnection | None = None
        self._is_welcome = False
        self._sending = threading.Lock()  # what is asked while we are welcomed is sent once
        self._unanswered: dict[int, Json] = {}
        self._numbers = count(1)
        self._stop = threading.Event()
        self._connect = connector()

    def begin(self) -> None:
        """Once whoever is told can hear: the first news may come at once."""
        work_beside(self._follow)

    # --- what we do

    def drop(self, column: int) -> None:
        if self.known:
            ply = self.known.game.position.ply
            self.ask({"type": "drop", "column": column, "ply": ply, "key": secrets.token_urlsafe(12)})

    @property
    def is_asking(self) -> bool:
        """Whether something that we have asked for is not answered yet."""
        return bool(self._unanswered)

    def ask(self, message: Json) -> None:
        """Sent now, and again after a lost connection until it is answered."""
        number = next(self._numbers)
        with self._sending:
            self._unanswered[number] = {**message, "id": number}
            if self._is_welcome:
                self._send(self._unanswered[number])

    def close(self) -> None:
        self._stop.set()
        if self._socket:
            self._socket.close_socket()

    def _send(self, message: Json) -> None:
        socket = self._socket
        if socket:
            try:
                socket.send(json.dumps(message))
            except (OSError, broken()):
                return  # the follower notices, too, and sends it again

    # --- what we hear

    def _follow(self) -> None:
        rest = FIRST_REST
        while not self._stop.is_set():
            before = self._seq
            code = self._visit()
            if code == NOT_FOUND:
                self._tell(ServerNews.GONE)
                return
            if code == ONCE_MORE:
                continue
            rest = FIRST_REST if self._seq != before else min(2 * rest, LONGEST_REST)
            if not self._stop.is_set():
                self._tell(ServerNews.LOST)
            self._stop.wait(rest)

    def _visit(self) -> int | None:
        """One connection from its opening to its end; the code that the server closed it with."""
        address = f"ws{self.seat.server.removeprefix('http')}/api/matches/{self.seat.match}/socket"
        try:
            with self._connect(address) as socket:
                self._socket = socket
                after = {} if self._seq is None else {"after": self._seq}
                socket.send(json.dumps({"type": "hello", "secret": self.seat.secret, **after}))
                for text in socket:
                    self._hear(json.loads(text))
                return socket.close_code
        except _OnceMore:
            return ONCE_MORE
        except (OSError, broken(), ValueError, LookupError, TypeError, AttributeError, ConnectkError):
            return socket.close_code if self._socket else None  # gone, or not what a game server says
        finally:
            self._socket, self._is_welcome = None, False

    def _hear(self, message: Json) -> None:
        kind = message.get("type")
        if kind == "welcome":
            self._welcome(message)
        elif kind == "event":
            self._event(message)
        elif kind == "presence" and self.known:
            here = {side: bool(message[str(side)]) for side in Side}
            self._show(replace(self.known, here=here))
        elif kind in ("done", "refused"):
            self._unanswered.pop(message.get("id") or 0, None)
            if kind == "refused":
                self._tell(ServerRefused(str(message["reason"]), str(message["message"])))
            else:
                self._tell(ServerNews.CHANGED)

    def _welcome(self, message: Json) -> None:
        came_back, self._seq = self._seq is not None, int(message["seq"])
        if message["match"]:
            self._show(_known_of(message["match"], message["sides"]))
        with self._sending:
            self._is_welcome = True
            for unanswered in list(self._unanswered.values()):
                self._send(unanswered)
        if came_back:
            self._tell(ServerNews.BACK)

    def _event(self, message: Json) -> None:
        """Each once and in order; a gap or a board that differs means that the whole match is asked for again."""
        if not self.known or self._seq is None or message["seq"] <= self._seq:
            return
        known = _after(self.known, message)
        if message["seq"] != self._seq + 1 or known.game.position.ply != message["state"]["ply"]:
            self._seq = None
            raise _OnceMore
        self._seq = int(message["seq"])
        if message["event"] == "rematch_made":
            self.seat, self._seq = replace(self.seat, match=str(message["match"]), link=""), None
            self._unanswered.clear()  # that was about the match before
            raise _OnceMore
        self._show(known)

    def _show(self, known: KnownMatch) -> None:
        self.known = known
        self._tell(ServerNews.CHANGED)


def _known_of(match: Json, sides: list[str]) -> KnownMatch:
    variant = Variant(match["variant"]["width"], match["variant"]["height"], match["variant"]["run"])
    ours = [side for side in Side if str(side) in sides]
    game = Game(_start_of(match["start"], variant), match["moves"])
    return KnownMatch(game, ours[0] if len(ours) == 1 else None, _names(match["seats"]), _complete(match["state"]))


def _start_of(start: str | list[str] | None, variant: Variant) -> Position:
    text = start_from_columns(start) if isinstance(start, list) else start or ""
    return parse_start(text, variant)


def _names(seats: Json) -> dict[Side, str]:
    return {side: harmless(str(seats[str(side)]["name"] or "")) for side in Side}


def _after(known: KnownMatch, message: Json) -> KnownMatch:
    """The known with one event more."""
    names, game, start = known.names, known.game, known.game.start
    match message["event"]:
        case "joined":
            names = _names(message["seats"])
        case "dropped":
            game = Game(start, (*game.moves, message["column"]))
        case "taken_back" | "redone":
            game = Game(start, message["moves"])
    return replace(known, game=game, names=names, state=_complete(message["state"]))


def _complete(state: Json) -> Json:
    """A state that says all that is asked of it later."""
    return {**state, **{key: state[key] for key in ("ply", "side_to_move", "waiting", "result", "offer")}}


def connector() -> Callable[[str], ClientConnection]:
    """Opens sockets; says what to install where that cannot be done."""
    try:
        from websockets.sync.client import connect
    except ImportError as error:
        raise MissingExtra("online", "online") from error

    def opened(address: str) -> ClientConnection:
        return connect(
            address,
            open_timeout=PATIENCE,
            close_timeout=1,
            ping_interval=PING,
            ping_timeout=PING,
            max_size=LARGEST_MESSAGE,
            max_queue=MOST_WAITING,
        )

    return opened


def broken() -> type[Exception]:
    from websockets.exceptions import WebSocketException

    return WebSocketException
