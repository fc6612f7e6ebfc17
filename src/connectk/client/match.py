"""A match on a server, followed over its socket and played from here.

Everything is as `docs/reference/server.md` describes it. What was missed while a connection was lost is asked for by
number, and a drop that was not answered is sent again under its key, so that it is played once.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from itertools import count

from connectk.client.api import Json, ServerRefused, game_of, sanitize, socket_address
from connectk.client.seats import HeldSeat
from connectk.client.socket import NotFound, Reconnect, ReconnectingSocket
from connectk.rules import Game, Side


class ServerNews(Enum):
    """What there is to show."""

    CHANGED = auto()  # the match, an offer, who is there, or that all is answered
    LOST = auto()  # the connection
    BACK = auto()
    GONE = auto()  # there is no such match, or not for us


@dataclass(frozen=True)
class KnownMatch:
    """What is known of a match: its game, who plays, and what the server says besides."""

    game: Game
    side: Side | None  # ours; None for who only watches
    names: Mapping[Side, str]
    state: Json
    here: Mapping[Side, bool] = field(default_factory=dict)

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


class OnlineMatch:
    """`tell` hears what there is to show, and of every refusal."""

    def __init__(self, seat: HeldSeat, tell: Callable[[ServerNews | ServerRefused], None]) -> None:
        self.seat, self._tell = seat, tell
        self.known: KnownMatch | None = None
        self._seq: int | None = None
        self._sending = threading.Lock()  # what is asked while we are welcomed is sent once
        self._unanswered: dict[int, Json] = {}
        self._numbers = count(1)
        self._socket = ReconnectingSocket(self._address, self._hello, self._hear, lambda: tell(ServerNews.LOST))

    def follow(self) -> None:
        """In the thread that calls it, until the match is closed or gone; the first news may come at once."""
        try:
            self._socket.run()
        except NotFound:
            self._tell(ServerNews.GONE)

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
            if self._socket.is_welcomed:
                self._socket.send(self._unanswered[number])

    def close(self) -> None:
        self._socket.close()

    # --- what we hear

    def _address(self) -> str:
        return socket_address(self.seat.server, f"matches/{self.seat.match}")

    def _hello(self) -> Json:
        return {"type": "hello", "secret": self.seat.secret, **({} if self._seq is None else {"after": self._seq})}

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
            self._socket.is_welcomed = True
            for unanswered in list(self._unanswered.values()):
                self._socket.send(unanswered)
        if came_back:
            self._tell(ServerNews.BACK)

    def _event(self, message: Json) -> None:
        """Each once and in order; a gap or a board that differs means that the whole match is asked for again."""
        if not self.known or self._seq is None or message["seq"] <= self._seq:
            return
        known = _after(self.known, message)
        if message["seq"] != self._seq + 1 or known.game.position.ply != message["state"]["ply"]:
            self._seq = None
            raise Reconnect
        self._seq = int(message["seq"])
        if message["event"] == "rematch_made":
            self.seat, self._seq = replace(self.seat, match=str(message["match"]), link=""), None
            self._unanswered.clear()  # that was about the match before
            raise Reconnect
        self._show(known)

    def _show(self, known: KnownMatch) -> None:
        self.known = known
        self._tell(ServerNews.CHANGED)


def _known_of(match: Json, sides: list[str]) -> KnownMatch:
    ours = [side for side in Side if str(side) in sides]
    side = ours[0] if len(ours) == 1 else None
    return KnownMatch(game_of(match), side, _names(match["seats"]), _require_fields(match["state"]))


def _names(seats: Json) -> dict[Side, str]:
    return {side: sanitize(str(seats[str(side)]["name"] or "")) for side in Side}


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
    return replace(known, game=game, names=names, state=_require_fields(message["state"]))


def _require_fields(state: Json) -> Json:
    """The state, if it has everything that is asked of it later; `KeyError` otherwise."""
    return {**state, **{key: state[key] for key in ("ply", "side_to_move", "waiting", "result", "offer")}}
