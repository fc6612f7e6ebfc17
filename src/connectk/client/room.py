"""Joins a room on a server and plays the assigned matches, for a person at this keyboard or a program on this machine.

If the connection is lost before a drop is answered, the client sends the drop again with the same key, so that it is
played only once.
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
from connectk.players.swapping import SwapTurn, choose_or_swap
from connectk.rules import Game, Side

LAG_MARGIN_SECONDS = 0.3  # taken off the clock for network delays
MIN_THINKING_SECONDS = 0.02  # the time to think when the clock is almost empty
RETRYABLE_REASONS = ("too_fast", "busy", "not_stored")  # the same request is sent again
RETRY_DELAY_SECONDS = 0.5
MAX_SENT_FAILURE_CHARS = 2000  # of the description of a bot's failure


@dataclass
class RoomBoard:
    """The client's copy of the match that it is playing."""

    game: Game
    side: Side
    state: Json

    @property
    def is_ours(self) -> bool:
        return self.state["result"] is None and self.state["turn"] == str(self.side)

    @property
    def is_asked(self) -> bool:
        """Whether the opponent has made an offer that is still open."""
        return bool(self.state["offer"]) and self.state["offer"]["side"] != str(self.side)

    @property
    def swap_turn(self) -> SwapTurn:
        """What the swap rule lets this player do now."""
        if self.state["can_swap"]:
            return SwapTurn.CHOICE
        return SwapTurn.FIRST_DISC if self.state["is_placing"] else SwapTurn.NONE

    def seconds(self, now: float) -> float | None:
        """The seconds that this player has left at the server's time `now`, less a margin for network delays. None
        without a clock."""
        clock = self.state["clock"]
        if clock is None:
            return None
        left = float(clock[str(self.side)]) - max(0.0, now - float(clock["since"])) - LAG_MARGIN_SECONDS
        return max(MIN_THINKING_SECONDS, left)


class RoomMember:
    """One member of a room. `report` is called with the key of a text and the values for that text."""

    kind = "person"

    def __init__(
        self, server: str, code: str, name: str, report: Callable[..., None], secret: str | None = None
    ) -> None:
        self._server = address_of(server)
        self.code, self._name, self._report = code, name, report
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
        """The member's place in the room with its secret. The place is saved, so that the member gets it again after a
        restart."""
        return HeldSeat(self._server, f"room {self.code} {self._name}", self._secret)

    def join(self) -> None:
        """Join the room. The client makes the secret itself, so that it can repeat the request if no answer arrives."""
        order = {"name": self._name, "kind": self.kind, "secret": self._secret}
        answer = self._post_with_retry(f"/api/rooms/{self.code}/join", order)
        self.code, self.number = str(answer["room"]["code"]), int(answer["you"])
        self._report("connect.joined", title=sanitize(answer["room"]["state"]["title"]) or self.code, name=self._name)
        if any(member["number"] == self.number and member["waiting"] for member in answer["room"]["members"]):
            self._report("connect.waits", name=self._name)

    def _post_with_retry(self, path: str, order: Json) -> Json:
        """Send a request, and repeat it while the server is busy, as when a whole class joins at once."""
        from tenacity import retry_if_exception

        return retrying_in_thread(
            first_seconds=RETRY_DELAY_SECONDS, max_seconds=RETRY_DELAY_SECONDS, retry=retry_if_exception(_is_retryable)
        )(post, self._server, path, order)

    def play(self) -> None:
        """Play until the room is closed or this member is removed from it."""
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
        """Wait a moment and send the last message again, because the server was too busy to accept it."""
        time.sleep(RETRY_DELAY_SECONDS)
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
            self._begin_match()
            self._report("connect.plays", name=name)
        self._move(match["id"])

    def _on_event(self, message: Json) -> None:
        board, event = self._boards.get(message["match"]), message["message"]
        if board is None:
            return
        if event["event"] == "dropped" and event["ply"] == board.game.position.ply:
            board.game.drop(event["column"])
        elif event["event"] in ("swapped", "extended"):
            board.side = board.side.other
        board.state = event["state"]
        self._on_board(message["match"], event)

    def _begin_match(self) -> None:
        """Called when the room has assigned a new match."""

    def _on_board(self, match_id: str, event: Json) -> None:
        """Called after each event of the current match."""
        raise NotImplementedError

    def _move(self, match_id: str) -> None:
        """Called when the server has sent the whole match. A bot plays here if it is its turn."""
        raise NotImplementedError

    def _drop_order(self, match_id: str, board: RoomBoard, column: int) -> Json:
        key = secrets.token_urlsafe(12)
        return {"type": "drop", "match": match_id, "column": column, "ply": board.state["ply"], "key": key, "id": 1}


class RoomPerson(RoomMember):
    """A member who is a person. `on_board` is called with the current board after each change."""

    def __init__(
        self,
        server: str,
        code: str,
        name: str,
        report: Callable[..., None],
        on_board: Callable[[RoomBoard], None],
        secret: str | None = None,
    ) -> None:
        super().__init__(server, code, name, report, secret)
        self._show_board = on_board

    def _on_board(self, match_id: str, event: Json) -> None:
        self._move(match_id)

    def _move(self, match_id: str) -> None:
        self._show_board(self._boards[match_id])

    def drop(self, column: int) -> None:
        """Drop a disc on the current board, if it is this member's turn."""
        for match_id, board in self._boards.items():
            if board.is_ours:
                self._pending = self._drop_order(match_id, board, column)
                self._socket.send(self._pending)

    def request(self, kind: str) -> None:
        """Send `swap`, `extend` or `resign`. Send `accept` or `decline` to answer the opponent's offer."""
        for match_id in self._boards:
            self._socket.send({"type": kind, "match": match_id})

    def close(self) -> None:
        """Close the connection; the member stays in the room."""
        self._socket.close()


class RoomBot(RoomMember):
    """A member that is a program on this machine. It declines every offer of a draw."""

    kind = "bot"

    def __init__(
        self, server: str, code: str, name: str, player: Player, report: Callable[..., None], secret: str | None = None
    ) -> None:
        super().__init__(server, code, name, report, secret)
        self._player = player

    def _begin_match(self) -> None:
        start_new_game(self._player)

    def _on_board(self, match_id: str, event: Json) -> None:
        if event["event"] == "draw_offered" and event["side"] != str(self._boards[match_id].side):
            self._socket.send({"type": "decline", "match": match_id})
        elif event["event"] in ("dropped", "swapped", "extended"):
            self._move(match_id)

    def _move(self, match_id: str) -> None:
        """Choose a column and send the drop. If an earlier drop was not answered, send that drop again instead."""
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
            choice = choose_or_swap(self._player, board.game.position, own, board.swap_turn)
        except (BotForfeit, BotUnusable) as forfeit:
            self._report("connect.failed", reason=sanitize(str(forfeit)))
            return {"type": "fail", "match": match_id, "words": str(forfeit)[:MAX_SENT_FAILURE_CHARS], "id": 1}
        if choice is None:
            return {"type": "swap", "match": match_id, "id": 1}
        return self._drop_order(match_id, board, choice.column)


def _is_retryable(error: BaseException) -> bool:
    return isinstance(error, ServerRefused) and error.reason in RETRYABLE_REASONS
