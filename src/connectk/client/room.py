"""A client that joins a room on a server and plays its matches with a local player.

The room assigns its matches one after the other. A drop that was not answered before the connection was lost is sent
again under the same key, so that it is played once.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass

from connectk.aio import retrying_in_thread
from connectk.client.api import Json, ServerRefused, address_of, game_of, post, sanitize, socket_address
from connectk.client.seats import HeldSeat
from connectk.client.socket import NotFound, ReconnectingSocket
from connectk.errors import BotForfeit, BotUnusable
from connectk.players.player import Clock, Player, start_new_game
from connectk.rules import Game, Side

LAG_MARGIN_SECONDS = 0.3  # taken off the clock for the network
MIN_THINKING_SECONDS = 0.02  # even when the clock is almost empty
RETRYABLE_REASONS = ("too_fast", "busy", "not_stored")  # send the same request again
RETRY_SECONDS = 0.5


@dataclass
class RoomBoard:
    """The client's copy of a match in which it plays."""

    game: Game
    side: Side
    state: Json

    @property
    def is_ours(self) -> bool:
        return self.state["result"] is None and self.state["side_to_move"] == str(self.side)

    def seconds(self, now: float) -> float | None:
        """Seconds left on this player's clock at server time `now`, minus the margin for the network."""
        clock = self.state["clock"]
        if clock is None:
            return None
        left = float(clock[str(self.side)]) - max(0.0, now - float(clock["since"])) - LAG_MARGIN_SECONDS
        return max(MIN_THINKING_SECONDS, left)


class RoomBot:
    """One member of one room. `report` is called with a text key and the values for its placeholders."""

    def __init__(
        self, server: str, code: str, name: str, player: Player, report: Callable[..., None], secret: str | None = None
    ) -> None:
        self._server = address_of(server)
        self.code, self._name, self._player, self._report = code, name, player, report
        self._secret = secret or secrets.token_urlsafe(32)
        self._boards: dict[str, RoomBoard] = {}
        self._names: dict[int, str] = {}
        self._pending: Json | None = None
        self._away = self.is_over = False
        self._clock_offset = 0.0
        self.number: int | None = None
        self._socket = ReconnectingSocket(
            lambda: socket_address(self._server, f"rooms/{self.code}"),
            lambda: {"type": "hello", "secret": self._secret},
            self._on_message,
            lambda: report("play.reconnecting"),
        )

    @property
    def seat(self) -> HeldSeat:
        """Its seat, to be saved for the next start."""
        return HeldSeat(self._server, f"room {self.code} {self._name}", self._secret)

    def join(self) -> None:
        """Join with a secret made by the client, so that the request can be repeated safely."""
        order = {"name": self._name, "kind": "bot", "secret": self._secret}
        answer = self._post_with_retry(f"/api/rooms/{self.code}/join", order)
        self.code, self.number = str(answer["room"]["code"]), int(answer["you"])
        self._report("connect.joined", title=sanitize(answer["room"]["state"]["title"]) or self.code, name=self._name)

    def _post_with_retry(self, path: str, order: Json) -> Json:
        """Retry while the server is busy: a whole class may join at once."""
        from tenacity import retry_if_exception

        return retrying_in_thread(
            first_seconds=RETRY_SECONDS, max_seconds=RETRY_SECONDS, retry=retry_if_exception(_is_retryable)
        )(post, self._server, path, order)

    def play(self) -> None:
        """Run until the room is closed or this player is removed from it."""
        with suppress(NotFound):
            self._socket.run()

    def _on_message(self, message: Json) -> None:
        match message.get("type"):
            case "welcome":
                self._on_welcome(message)
            case "changed":
                self._on_change(message)
            case "match":
                self._on_match(message)
            case "board":
                self._on_event(message)
            case "refused" if message.get("reason") in RETRYABLE_REASONS:
                self._resend()
            case "refused" if message.get("id") is None:
                self._report("connect.refused", reason=sanitize(str(message["message"])))
            case "refused" | "done":
                self._pending = None
        if self.is_over:
            self._socket.close()

    def _resend(self) -> None:
        """Wait and repeat the last message after a refusal such as `too_fast`."""
        time.sleep(RETRY_SECONDS)
        if self._pending:
            self._socket.send(self._pending)
        elif self._away:
            self._socket.send({"type": "here"})

    def _on_welcome(self, message: Json) -> None:
        self._socket.is_welcomed = True
        self._clock_offset = float(message["now"]) - time.time()
        self._names = {m["number"]: sanitize(m["name"]) for m in message["room"]["members"]}
        self.is_over = bool(message["room"]["state"]["closed"]) or message["you"] is None

    def _on_change(self, message: Json) -> None:
        for member in message["members"]:
            self._names[member["number"]] = sanitize(member["name"])
            if member["number"] == self.number:
                self._away, self.is_over = member["away"], self.is_over or member["left"]
                if self._away:
                    self._socket.send({"type": "here"})
        if message["event"] == "scored":
            self._report_result(message["meetings"][0])
        self.is_over = self.is_over or bool(message["state"]["closed"])

    def _report_result(self, meeting: Json) -> None:
        if self.number not in (meeting["first"], meeting["second"]):
            return
        other = meeting["second"] if meeting["first"] == self.number else meeting["first"]
        word = "draw" if meeting["winner"] is None else "won" if meeting["winner"] == self.number else "lost"
        self._report(f"connect.{word}", name=self._names.get(other, ""))

    def _on_match(self, message: Json) -> None:
        match, sides = message["match"], message["sides"]
        if len(sides) != 1:
            return
        side = Side[sides[0].upper()]
        name = sanitize(str(match["seats"][str(side.other)]["name"]))
        is_new = match["id"] not in self._boards
        self._boards = {match["id"]: RoomBoard(game_of(match), side, match["state"])}
        if is_new:
            start_new_game(self._player)
            self._report("connect.plays", name=name)
        self._move(match["id"])

    def _on_event(self, message: Json) -> None:
        board, event = self._boards.get(message["match"]), message["message"]
        if board is None:
            return
        if event["event"] == "dropped" and event["ply"] == board.game.position.ply:
            board.game.drop(event["column"])
        board.state = event["state"]
        if event["event"] == "draw_offered" and event["side"] != str(board.side):
            self._socket.send({"type": "decline", "match": message["match"]})
        elif event["event"] == "dropped":
            self._move(message["match"])

    def _move(self, match_id: str) -> None:
        """Choose a column and send it; or resend the choice that was not answered."""
        board = self._boards[match_id]
        if not board.is_ours:
            return
        ply = board.state["ply"]
        if self._pending is None or (self._pending["match"], self._pending.get("ply")) != (match_id, ply):
            self._pending = self._choose(match_id, board)
        self._socket.send(self._pending)

    def _choose(self, match_id: str, board: RoomBoard) -> Json:
        clock = board.state["clock"]
        seconds = board.seconds(time.time() + self._clock_offset)
        try:
            own = Clock(seconds, increment=clock["increment"] if clock else None)
            column = self._player.choose(board.game.position, own).column
        except (BotForfeit, BotUnusable) as forfeit:
            self._report("connect.failed", reason=sanitize(str(forfeit)))
            return {"type": "resign", "match": match_id, "id": 1}
        key = secrets.token_urlsafe(12)
        return {"type": "drop", "match": match_id, "column": column, "ply": board.state["ply"], "key": key, "id": 1}


def _is_retryable(error: BaseException) -> bool:
    return isinstance(error, ServerRefused) and error.reason in RETRYABLE_REASONS
