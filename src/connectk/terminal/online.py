"""A match on a server, played from here: a seat is taken over HTTP, then the match is followed over its socket.

Everything is as `docs/reference/server.md` describes it. A lost connection comes back by itself; what was missed is
asked for by number, and a drop that was not answered is sent again under its key, so that it is played once.
"""

from __future__ import annotations

import json
import re
import secrets
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from connectk.errors import ConnectkError, MissingExtra
from connectk.notation import parse_start, start_from_columns
from connectk.rules import CLASSIC, Game, Position, Side, Variant
from connectk.terminal.match import PERSON, LocalMatch
from connectk.terminal.sentences import Sentences
from connectk.terminal.store import state_folder, write_whole
from connectk.terminal.thinking import work_beside
from connectk.texts import Texts

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

LINK = re.compile(r"(https?://[^/\s#?]+)/?#/?join/([\w-]+)/([\w-]+)/?")
PATIENCE = 10.0  # seconds for a request
FIRST_REST, LONGEST_REST = 0.3, 5.0  # seconds before it is tried again
PING = 4.0  # seconds between pings, and for their answer: a frozen connection is noticed within ten
LARGEST_MESSAGE = 1 << 24
NOT_FOUND, ONCE_MORE = 4404, -1
MOST_SEATS = 100

Json = dict[str, Any]


class NotAnInvitation(ConnectkError):
    """Text that is no link to a match."""

    key = "error.NotAnInvitation"

    def __init__(self, link: str) -> None:
        self.link = link
        super().__init__(link)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"link": self.link}


class ServerAway(ConnectkError):
    """A server that does not answer, or not as a game server does."""

    key = "error.ServerAway"

    def __init__(self, server: str, reason: str) -> None:
        self.server, self.reason = server, reason
        super().__init__(server, reason)

    def facts(self, texts: Texts) -> dict[str, object]:
        return {"server": self.server, "reason": self.reason}


class ServerRefused(ConnectkError):
    """What the server says no to; `reason` never changes, `message` is its sentence in English."""

    def __init__(self, reason: str, message: str) -> None:
        self.reason, self.message = reason, message
        super().__init__(reason, message)

    def __str__(self) -> str:
        return self.message

    def said_in(self, texts: Texts) -> str:
        key = f"refused.{self.reason}"
        return texts(key) if key in texts.catalogue else _harmless(self.message)


@dataclass(frozen=True)
class Seat:
    """A place in a match: whoever has its secret plays there. `link` invites the other, until one has come."""

    server: str
    match: str
    secret: str
    link: str = ""


class Seats:
    """The secrets of the seats taken from here, so that the same link leads back to the same seat."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or state_folder() / "seats.json"

    def find(self, server: str, match: str) -> tuple[str, bool] | None:
        """The secret, and whether the server has said that the seat is ours."""
        match self._all().get(f"{server} {match}"):
            case {"secret": str(secret), "taken": bool(taken)}:
                return secret, taken
        return None

    def keep(self, seat: Seat, taken: bool = True) -> None:
        """For its owner's eyes only; where it cannot be written, leaving means losing the seat."""
        self._write({**self._all(), f"{seat.server} {seat.match}": {"secret": seat.secret, "taken": taken}})

    def forget(self, seat: Seat) -> None:
        self._write({name: known for name, known in self._all().items() if name != f"{seat.server} {seat.match}"})

    def _write(self, known: Json) -> None:
        newest = dict(list(known.items())[-MOST_SEATS:])
        try:
            write_whole(self.path, lambda: json.dumps(newest, indent=2) + "\n", mode=0o600)
        except OSError:
            return

    def _all(self) -> Json:
        try:
            known = json.loads(self.path.read_bytes())
        except (OSError, ValueError):
            return {}
        return known if isinstance(known, dict) else {}


@dataclass(frozen=True)
class Opening:
    """What an inviter may choose: the board, moves already played, and who makes the next one."""

    variant: Variant = CLASSIC
    moves: tuple[int, ...] = ()
    friend_first: bool = False


def join(link: str, name: str | None, seats: Seats) -> Seat:
    """The free seat that a link leads to, or the one taken from here before."""
    found = LINK.fullmatch(link.strip())
    if not found:
        raise NotAnInvitation(link)
    server, match, invitation = found.groups()
    secret, taken = seats.find(server, match) or (secrets.token_urlsafe(32), False)
    seat = Seat(server, match, secret)
    if not taken:
        _take(seat, invitation, name, seats)
    return seat


def _take(seat: Seat, invitation: str, name: str | None, seats: Seats) -> None:
    """Kept before it is asked for: should the answer get lost, asking again gives the same seat."""
    seats.keep(seat, taken=False)
    body = {"invitation": invitation, "secret": seat.secret, **({"name": name} if name else {})}
    try:
        _ask(seat.server, f"/api/matches/{seat.match}/join", body)
    except ServerRefused:
        seats.forget(seat)
        raise
    seats.keep(seat)


def invite(server: str, opening: Opening, name: str | None, seats: Seats) -> Seat:
    """A new match with a free seat, and the link that leads to it."""
    server = server.rstrip("/")
    if not server.startswith(("http://", "https://")):
        server = f"http://{server}"
    me: Json = {"kind": "me", **({"name": name} if name else {})}
    order = [{"kind": "invited"}, me] if opening.friend_first else [me, {"kind": "invited"}]
    variant = opening.variant
    size = {"width": variant.width, "height": variant.height, "run": variant.run}
    made = _ask(
        server, "/api/matches", {"first": order[0], "second": order[1], "variant": size, "moves": list(opening.moves)}
    )
    match = str(made["match"]["id"])
    seat = Seat(server, match, str(made["secret"]), f"{server}/#/join/{match}/{made['invitation']}")
    seats.keep(seat)
    return seat


def _ask(server: str, path: str, body: Json) -> Json:
    request = urllib.request.Request(server + path, json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return dict(json.load(answer))
    except urllib.error.HTTPError as error:
        raise _refusal(server, error) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise ServerAway(server, getattr(reason, "strerror", None) or str(reason)) from error


def _refusal(server: str, error: urllib.error.HTTPError) -> ConnectkError:
    try:
        refusal = json.load(error)
        return ServerRefused(str(refusal["reason"]), str(refusal["message"]))
    except (OSError, ValueError, KeyError, TypeError):
        return ServerAway(server, f"HTTP {error.code}")


class _OnceMore(Exception):
    """The connection is opened anew at once: for the whole match, or for the next one."""


class News(Enum):
    """What there is to show."""

    CHANGED = auto()  # the match, an offer, or who is there
    LOST = auto()  # the connection
    BACK = auto()
    GONE = auto()  # there is no such match, or not for us


@dataclass(frozen=True)
class Table:
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


def status(table: Table, sentences: Sentences) -> str:
    """What is going on, in a sentence: who is waited for, whose turn it is, what is offered, how it ended."""
    texts, offer = sentences.texts, table.state["offer"]
    if offer:
        own = table.side is not None and offer["side"] == str(table.side)
        name = table.names[Side[offer["side"].upper()]]
        return texts(f"offer.own.{offer['what']}") if own else texts(f"offer.{offer['what']}", name=name)
    if table.state["waiting"]:
        return texts("play.waiting")
    return _ending(table, sentences) if table.state["result"] else sentences.turn(table.match(texts))


def _ending(table: Table, sentences: Sentences) -> str:
    result, match = table.state["result"], table.match(sentences.texts)
    if result["reason"] in ("line", "full"):
        return sentences.result(match)
    winner = Side[result["winner"].upper()] if result["winner"] else None
    if winner is None:
        return sentences.texts("result.agreed")
    return sentences.texts(f"result.{result['reason']}", name=sentences.name(match, winner.other))


class OnlineMatch:
    """Follows a match from a thread of its own; `tell` hears what there is to show, and of every refusal."""

    def __init__(self, seat: Seat, tell: Callable[[News | ServerRefused], None]) -> None:
        self.seat, self._tell = seat, tell
        self.table: Table | None = None
        self._seq: int | None = None
        self._socket: ClientConnection | None = None
        self._unanswered: dict[int, Json] = {}
        self._numbers = count(1)
        self._stop = threading.Event()
        self._connect = _connector()
        work_beside(self._follow)

    # --- what we do

    def drop(self, column: int) -> None:
        if self.table:
            ply = self.table.game.position.ply
            self.ask({"type": "drop", "column": column, "ply": ply, "key": secrets.token_urlsafe(12)})

    def ask(self, message: Json) -> None:
        """Sent now, and again after a lost connection until it is answered."""
        number = next(self._numbers)
        self._unanswered[number] = {**message, "id": number}
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
            except (OSError, _broken()):
                return  # the follower notices, too, and sends it again

    # --- what we hear

    def _follow(self) -> None:
        rest = FIRST_REST
        while not self._stop.is_set():
            before = self._seq
            code = self._visit()
            if code == NOT_FOUND:
                self._tell(News.GONE)
                return
            if code == ONCE_MORE:
                continue
            rest = FIRST_REST if self._seq != before else min(2 * rest, LONGEST_REST)
            if not self._stop.is_set():
                self._tell(News.LOST)
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
        except (OSError, _broken(), ValueError, LookupError, TypeError, AttributeError, ConnectkError):
            return socket.close_code if self._socket else None  # gone, or not what a game server says
        finally:
            self._socket = None

    def _hear(self, message: Json) -> None:
        kind = message.get("type")
        if kind == "welcome":
            self._welcome(message)
        elif kind == "event":
            self._event(message)
        elif kind == "presence" and self.table:
            here = {side: bool(message[str(side)]) for side in Side}
            self._show(replace(self.table, here=here))
        elif kind in ("done", "refused"):
            self._unanswered.pop(message.get("id") or 0, None)
            if kind == "refused":
                self._tell(ServerRefused(str(message["reason"]), str(message["message"])))

    def _welcome(self, message: Json) -> None:
        came_back, self._seq = self._seq is not None, int(message["seq"])
        if message["match"]:
            self._show(_table_of(message["match"], message["sides"]))
        for unanswered in list(self._unanswered.values()):
            self._send(unanswered)
        if came_back:
            self._tell(News.BACK)

    def _event(self, message: Json) -> None:
        """Each once and in order; a gap or a board that differs means that the whole match is asked for again."""
        if not self.table or self._seq is None or message["seq"] <= self._seq:
            return
        table = _after(self.table, message)
        if message["seq"] != self._seq + 1 or table.game.position.ply != message["state"]["ply"]:
            self._seq = None
            raise _OnceMore
        self._seq = int(message["seq"])
        if message["event"] == "rematch_made":
            self.seat, self._seq = replace(self.seat, match=str(message["match"]), link=""), None
            raise _OnceMore
        self._show(table)

    def _show(self, table: Table) -> None:
        self.table = table
        self._tell(News.CHANGED)


def _table_of(match: Json, sides: list[str]) -> Table:
    variant = Variant(match["variant"]["width"], match["variant"]["height"], match["variant"]["run"])
    ours = [side for side in Side if str(side) in sides]
    game = Game(_start_of(match["start"], variant), match["moves"])
    return Table(game, ours[0] if len(ours) == 1 else None, _names(match["seats"]), _complete(match["state"]))


def _start_of(start: str | list[str] | None, variant: Variant) -> Position:
    text = start_from_columns(start) if isinstance(start, list) else start or ""
    return parse_start(text, variant)


def _names(seats: Json) -> dict[Side, str]:
    return {side: _harmless(str(seats[str(side)]["name"] or "")) for side in Side}


def _harmless(text: str) -> str:
    """What others wrote, without characters that do something to a terminal."""
    return "".join(character if character.isprintable() else "?" for character in text)[:200]


def _after(table: Table, message: Json) -> Table:
    """The table with one event more."""
    names, game, start = table.names, table.game, table.game.start
    match message["event"]:
        case "joined":
            names = _names(message["seats"])
        case "dropped":
            game = Game(start, (*game.moves, message["column"]))
        case "taken_back" | "redone":
            game = Game(start, message["moves"])
    return replace(table, game=game, names=names, state=_complete(message["state"]))


def _complete(state: Json) -> Json:
    """A state that says all that is asked of it later."""
    return {**state, **{key: state[key] for key in ("ply", "side_to_move", "waiting", "result", "offer")}}


def _connector() -> Callable[[str], ClientConnection]:
    """Opens sockets; says what to install where that cannot be done."""
    try:
        from websockets.sync.client import connect
    except ImportError as error:
        raise MissingExtra("Matches on a server", "online") from error

    def opened(address: str) -> ClientConnection:
        return connect(
            address,
            open_timeout=PATIENCE,
            close_timeout=1,
            ping_interval=PING,
            ping_timeout=PING,
            max_size=LARGEST_MESSAGE,
        )

    return opened


def _broken() -> type[Exception]:
    from websockets.exceptions import WebSocketException

    return WebSocketException
