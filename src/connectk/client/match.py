"""Follows one match on a server over a WebSocket, and sends the player's requests.

`docs/reference/server.md` describes the messages. After a lost connection the client asks for the events after the last
event that it has. If a drop was not answered, the client sends it again with the same key, so that it is played only
once.
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


class ServerEvent(Enum):
    """A kind of news that the client reports to its user interface."""

    CHANGED = auto()  # the match, an offer or presence has changed, or a request was answered
    DISCONNECTED = auto()
    RECONNECTED = auto()
    NOT_FOUND = auto()  # no such match, or no permission to watch it


@dataclass(frozen=True)
class MatchSnapshot:
    """The client's copy of a match: its game, the players' names, and the state that the server sends."""

    game: Game
    side: Side | None  # the side of this client; None for a spectator or for both sides
    names: Mapping[Side, str]
    state: Json
    connected: Mapping[Side, bool] = field(default_factory=dict)

    @property
    def is_our_turn(self) -> bool:
        return self.is_open and self.state["turn"] == str(self.side)

    @property
    def may_swap(self) -> bool:
        """Whether this client may take over the other side now."""
        return self.is_our_turn and bool(self.state.get("can_swap"))

    @property
    def may_extend(self) -> bool:
        """Whether this client may now place two more discs and let the opponent choose a side."""
        return self.is_our_turn and bool(self.state.get("can_extend"))

    @property
    def is_asked(self) -> bool:
        """Whether the opponent has made an offer or a request that this client may answer."""
        offer = self.state["offer"]
        return bool(offer and self.side and offer["side"] != str(self.side))

    @property
    def is_open(self) -> bool:
        return not self.state["waiting"] and self.state["result"] is None

    @property
    def is_running(self) -> bool:
        return self.is_open and self.side is not None and bool(self.game.moves)

    @property
    def opponent_is_connected(self) -> bool:
        return self.side is None or self.connected.get(self.side.other, True)


class OnlineMatch:
    """One match on a server. `notify` is called after every change, and when the server refuses a request."""

    def __init__(self, seat: HeldSeat, notify: Callable[[ServerEvent | ServerRefused], None]) -> None:
        self.seat, self._notify = seat, notify
        self.snapshot: MatchSnapshot | None = None
        self._seq: int | None = None
        self._send_lock = threading.Lock()  # so that a request made during the welcome is sent only once
        self._pending_requests: dict[int, Json] = {}
        self._numbers = count(1)
        self._socket = ReconnectingSocket(
            self._address, self._hello, self._on_message, lambda: notify(ServerEvent.DISCONNECTED)
        )

    def follow(self) -> None:
        """Follow the match in the calling thread, until `close` is called or the server says that there is no such
        match."""
        try:
            self._socket.run()
        except NotFound:
            self._notify(ServerEvent.NOT_FOUND)

    # --- requests

    def drop(self, column: int) -> None:
        if self.snapshot:
            ply = self.snapshot.game.position.ply
            self.request({"type": "drop", "column": column, "ply": ply, "key": secrets.token_urlsafe(12)})

    @property
    def has_pending_requests(self) -> bool:
        """Whether any request is still unanswered."""
        return bool(self._pending_requests)

    def request(self, message: Json) -> None:
        """Send a request now. Until the server answers it, send it again after each new connection."""
        number = next(self._numbers)
        with self._send_lock:
            self._pending_requests[number] = {**message, "id": number}
            if self._socket.is_welcomed:
                self._socket.send(self._pending_requests[number])

    def close(self) -> None:
        self._socket.close()

    # --- messages from the server

    def _address(self) -> str:
        return socket_address(self.seat.server, f"matches/{self.seat.match}")

    def _hello(self) -> Json:
        return {"type": "hello", "secret": self.seat.secret, **({} if self._seq is None else {"after": self._seq})}

    def _on_message(self, message: Json) -> None:
        kind = message.get("type")
        if kind == "welcome":
            self._welcome(message)
        elif kind == "event":
            self._event(message)
        elif kind == "presence" and self.snapshot:
            connected = {side: bool(message[str(side)]) for side in Side}
            self._update(replace(self.snapshot, connected=connected))
        elif kind in ("done", "refused"):
            self._pending_requests.pop(message.get("id") or 0, None)
            if kind == "refused":
                self._notify(ServerRefused(str(message["reason"]), str(message["message"])))
            else:
                self._notify(ServerEvent.CHANGED)

    def _welcome(self, message: Json) -> None:
        came_back, self._seq = self._seq is not None, int(message["seq"])
        if message["match"]:
            self._update(_snapshot_of(message["match"], message["sides"]))
        elif self.snapshot:
            self.snapshot = replace(self.snapshot, side=_own_side(message["sides"]))
        with self._send_lock:
            self._socket.is_welcomed = True
            for request in list(self._pending_requests.values()):
                self._socket.send(request)
        if came_back:
            self._notify(ServerEvent.RECONNECTED)

    def _event(self, message: Json) -> None:
        """Apply each event once and in order. If an event is missing or does not fit, connect again and load the whole
        match."""
        if not self.snapshot or self._seq is None or message["seq"] <= self._seq:
            return
        snapshot = _after(self.snapshot, message)
        if message["seq"] != self._seq + 1 or snapshot.game.position.ply != message["state"]["ply"]:
            self._seq = None
            raise Reconnect
        self._seq = int(message["seq"])
        if message["event"] == "rematch_made":
            self.seat, self._seq = replace(self.seat, match=str(message["match"]), link=""), None
            self._pending_requests.clear()  # the requests belong to the previous match
            raise Reconnect
        self._update(snapshot)

    def _update(self, snapshot: MatchSnapshot) -> None:
        self.snapshot = snapshot
        self._notify(ServerEvent.CHANGED)


def _snapshot_of(match: Json, sides: list[str]) -> MatchSnapshot:
    return MatchSnapshot(game_of(match), _own_side(sides), _names(match["seats"]), _require_fields(match["state"]))


def _own_side(sides: list[str]) -> Side | None:
    ours = [side for side in Side if str(side) in sides]
    return ours[0] if len(ours) == 1 else None


def _names(seats: Json) -> dict[Side, str]:
    return {side: sanitize(str(seats[str(side)]["name"] or "")) for side in Side}


def _after(snapshot: MatchSnapshot, message: Json) -> MatchSnapshot:
    """The snapshot after one more event."""
    names, game, start, side = snapshot.names, snapshot.game, snapshot.game.start, snapshot.side
    match message["event"]:
        case "joined":
            names = _names(message["seats"])
        case "swapped" | "extended":
            names, side = _names(message["seats"]), side and side.other
        case "dropped":
            game = Game(start, (*game.moves, message["column"]))
        case "taken_back" | "redone":
            game = Game(start, message["moves"])
    return replace(snapshot, game=game, side=side, names=names, state=_require_fields(message["state"]))


def _require_fields(state: Json) -> Json:
    """Return the state of a match. Raises `KeyError` if a field that the client needs is missing."""
    return {**state, **{key: state[key] for key in ("ply", "side_to_move", "turn", "waiting", "result", "offer")}}
