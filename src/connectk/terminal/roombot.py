"""A player that plays in a room on a server, while it runs here.

The room sends it to its boards one after the other. A lost connection comes back by itself; a drop that was not
answered is sent again under its key, so that it is played once.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from connectk.errors import BotForfeit, BotUnusable
from connectk.notation import parse_start
from connectk.players.player import Clock, Player, begin_game
from connectk.rules import Game, Side, Variant
from connectk.terminal.invitations import HeldSeat, Json, ServerRefused, address_of, ask_server, harmless
from connectk.terminal.online import FIRST_REST, LONGEST_REST, NOT_FOUND, broken, connector

LAG = 0.3  # seconds of its clock that are left for the way
NOT_NOW, PAUSE = ("too_fast", "busy", "not_stored"), 0.5  # reasons to say the same again, after so many seconds
LEAST = 0.02  # seconds to think, however little is left
HERE = '{"type": "here"}'


@dataclass
class RoomBoard:
    """A match that we play, as the server has told it."""

    game: Game
    side: Side
    other: str
    state: Json
    seen: float = field(default_factory=time.monotonic)

    @property
    def is_ours(self) -> bool:
        return self.state["result"] is None and self.state["side_to_move"] == str(self.side)

    def seconds(self, now: float) -> float | None:
        """What is left on our clock, less what the way takes, by the server's time."""
        clock = self.state["clock"]
        if clock is None:
            return None
        left = float(clock[str(self.side)]) - max(0.0, now - float(clock["since"])) - LAG
        return max(LEAST, left)


class RoomBot:
    """One member of one room. `tell` hears sentences of facts: a name of a text and what belongs in it."""

    def __init__(
        self, server: str, code: str, name: str, player: Player, tell: Callable[..., None], secret: str | None = None
    ) -> None:
        self._server = address_of(server)
        self.code, self._name, self._player, self._tell = code, name, player, tell
        self._secret = secret or secrets.token_urlsafe(32)
        self._boards: dict[str, RoomBoard] = {}
        self._names: dict[int, str] = {}
        self._pending: Json | None = None
        self._welcomed = self._away = self.is_over = False
        self._offset = 0.0
        self.number: int | None = None
        self._connect = connector()

    @property
    def place(self) -> HeldSeat:
        """Where it sits, for whoever starts it again."""
        return HeldSeat(self._server, f"room {self.code} {self._name}", self._secret)

    def join(self) -> None:
        """With a secret of our own making: to ask again, when no answer came, is harmless."""
        order = {"name": self._name, "kind": "bot", "secret": self._secret}
        answer = self._ask(f"/api/rooms/{self.code}/join", order)
        self.code, self.number = str(answer["room"]["code"]), int(answer["you"])
        self._tell("connect.joined", title=harmless(answer["room"]["state"]["title"]) or self.code, name=self._name)

    def _ask(self, path: str, order: Json) -> Json:
        """Again and again, where all that is wrong is the moment: a whole class may come in at once."""
        while True:
            try:
                return ask_server(self._server, path, order)
            except ServerRefused as refused:
                if refused.reason not in NOT_NOW:
                    raise
            time.sleep(PAUSE)

    def play(self) -> None:
        """Until the room is closed, or we are sent away."""
        rest = FIRST_REST
        while not self.is_over:
            self._welcomed = False
            if self._visit() == NOT_FOUND:
                return
            rest = FIRST_REST if self._welcomed else min(2 * rest, LONGEST_REST)
            if not self.is_over:
                self._tell("play.reconnecting")
                time.sleep(rest)

    def _visit(self) -> int | None:
        """One connection from its opening to its end; the code that the server closed it with."""
        address = f"ws{self._server.removeprefix('http')}/api/rooms/{self.code}/socket"
        socket: Any = None
        try:
            with self._connect(address) as socket:
                socket.send(json.dumps({"type": "hello", "secret": self._secret}))
                for text in socket:
                    self._hear(json.loads(text), socket)
                    if self.is_over:
                        return None
                return int(socket.close_code or 0)
        except (OSError, broken(), ValueError, LookupError, TypeError, AttributeError):
            return socket.close_code if socket is not None else None

    def _hear(self, message: Json, socket: Any) -> None:
        match message.get("type"):
            case "welcome":
                self._welcome(message)
            case "changed":
                self._changed(message, socket)
            case "match":
                self._sit_down(message, socket)
            case "board":
                self._event(message, socket)
            case "refused" if message.get("reason") in NOT_NOW:
                self._say_again(socket)
            case "refused" if message.get("id") is None:
                self._tell("connect.refused", reason=harmless(str(message["message"])))
            case "refused" | "done":
                self._pending = None

    def _say_again(self, socket: Any) -> None:
        """A quick bot may be told to wait a little."""
        time.sleep(PAUSE)
        if self._pending:
            socket.send(json.dumps(self._pending))
        elif self._away:
            socket.send(HERE)

    def _welcome(self, message: Json) -> None:
        self._welcomed = True
        self._offset = float(message["now"]) - time.time()
        self._names = {m["number"]: harmless(m["name"]) for m in message["room"]["members"]}
        self.is_over = bool(message["room"]["state"]["closed"]) or message["you"] is None

    def _changed(self, message: Json, socket: Any) -> None:
        for member in message["members"]:
            self._names[member["number"]] = harmless(member["name"])
            if member["number"] == self.number:
                self._away, self.is_over = member["away"], self.is_over or member["left"]
                if self._away:
                    socket.send(HERE)
        if message["event"] == "scored":
            self._told(message["meetings"][0])
        self.is_over = self.is_over or bool(message["state"]["closed"])

    def _told(self, meeting: Json) -> None:
        if self.number not in (meeting["first"], meeting["second"]):
            return
        other = meeting["second"] if meeting["first"] == self.number else meeting["first"]
        word = "draw" if meeting["winner"] is None else "won" if meeting["winner"] == self.number else "lost"
        self._tell(f"connect.{word}", name=self._names.get(other, ""))

    def _sit_down(self, message: Json, socket: Any) -> None:
        match, sides = message["match"], message["sides"]
        if len(sides) != 1:
            return
        variant = Variant(match["variant"]["width"], match["variant"]["height"], match["variant"]["run"])
        side = Side[sides[0].upper()]
        name = harmless(str(match["seats"][str(side.other)]["name"]))
        is_new = match["id"] not in self._boards
        game = Game(parse_start(match["start"], variant), match["moves"])
        self._boards = {match["id"]: RoomBoard(game, side, name, match["state"])}
        if is_new:
            begin_game(self._player)
            self._tell("connect.plays", name=name)
        self._move(match["id"], socket)

    def _event(self, message: Json, socket: Any) -> None:
        board, event = self._boards.get(message["match"]), message["message"]
        if board is None:
            return
        if event["event"] == "dropped" and event["ply"] == board.game.position.ply:
            board.game.drop(event["column"])
        board.state = event["state"]
        if event["event"] == "draw_offered" and event["side"] != str(board.side):
            socket.send(json.dumps({"type": "decline", "match": message["match"]}))
        elif event["event"] == "dropped":
            self._move(message["match"], socket)

    def _move(self, match_id: str, socket: Any) -> None:
        """Think and drop; or say once more what was not answered, without thinking again."""
        board = self._boards[match_id]
        if not board.is_ours:
            return
        ply = board.state["ply"]
        if self._pending is None or (self._pending["match"], self._pending.get("ply")) != (match_id, ply):
            self._pending = self._chosen(match_id, board)
        socket.send(json.dumps(self._pending))

    def _chosen(self, match_id: str, board: RoomBoard) -> Json:
        clock = board.state["clock"]
        seconds = board.seconds(time.time() + self._offset)
        try:
            own = Clock(seconds, increment=clock["increment"] if clock else None)
            column = self._player.choose(board.game.position, own).column
        except (BotForfeit, BotUnusable) as forfeit:
            self._tell("connect.failed", reason=harmless(str(forfeit)))
            return {"type": "resign", "match": match_id, "id": 1}
        key = secrets.token_urlsafe(12)
        return {"type": "drop", "match": match_id, "column": column, "ply": board.state["ply"], "key": key, "id": 1}
