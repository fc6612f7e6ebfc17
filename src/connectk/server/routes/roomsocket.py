"""A room over a WebSocket: its events, its standings, and the boards on which the client plays or watches."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial

from fastapi import APIRouter, WebSocket
from pydantic import TypeAdapter

from connectk.aio import BackgroundTasks
from connectk.play.audiences import Subscriber
from connectk.play.refusals import MatchNotFound, Refusal
from connectk.play.ruling import seat_to_play
from connectk.play.secrets_and_codes import hash_secret
from connectk.play.service import Access, Receipt
from connectk.rooms import ruling
from connectk.rooms.events import Event, Paired, Scored
from connectk.rooms.room import Meeting, Room
from connectk.rules import Side
from connectk.server import schemas, views
from connectk.server.dependencies import client_address
from connectk.server.host import Host
from connectk.server.routes.rooms import RoomAccess, room_access
from connectk.server.routes.socket import SEAT_ACTIONS
from connectk.server.routes.socketsession import SocketSession, run_session
from connectk.server.socket_slots import SocketPriority

router = APIRouter()
BOARD_LINGER_SECONDS = 2.0  # a finished board stays subscribed: its last event may come later from another process
EVENT_PREFIX = '{"type":"event"'


@router.websocket("/api/rooms/{code}/socket")
async def socket(websocket: WebSocket, code: str) -> None:
    await run_session(websocket, RoomSession.parser, schemas.RoomHelloCommand, partial(_serve, websocket, code))


async def _serve(websocket: WebSocket, code: str, hello: schemas.RoomHelloCommand) -> None:
    host: Host = websocket.app.state.host
    access = await room_access(host, code, hello.secret, client_address(websocket))
    await host.limits.scheduler.wait_for_slot(client_address(websocket))
    session = RoomSession(host, access, hello, client_address(websocket))
    known = hash_secret(hello.secret) if hello.secret and (access.is_host or access.member) else None
    session.settle(websocket, SocketPriority.MEMBER if known else SocketPriority.WATCHER, known)
    await session.enter(hello)
    await session.run(websocket)


class BoardForwarder(Subscriber):
    """Passes the events of one board on to the socket of a room. The id of the match is added to each event."""

    def __init__(self, sides: frozenset[Side], holder: str | None, match_id: str, into: Subscriber) -> None:
        super().__init__(sides, holder)
        self._head, self._into = f'{{"type":"board","match":"{match_id}","message":', into

    def put(self, message: str) -> None:
        if message.startswith(EVENT_PREFIX):
            self._into.put(f"{self._head}{message}}}")


class RoomSession(SocketSession):
    """One socket that is connected to a room."""

    parser = TypeAdapter(schemas.RoomClientMessage)

    def __init__(self, host: Host, access: RoomAccess, hello: schemas.RoomHelloCommand, address: str) -> None:
        limit = hash_secret(hello.secret) if hello.secret and access.member else None
        super().__init__(host, Subscriber(frozenset()), address, limit)
        self._code, self._secret = access.room.code, hello.secret
        self.is_host, self.member = access.is_host, access.member
        self._all_boards = hello.boards
        self._boards: dict[str, BoardForwarder] = {}
        self._tasks = BackgroundTasks()
        self._disconnected = False

    async def enter(self, hello: schemas.RoomHelloCommand) -> None:
        """Sends the whole room, even after a reconnect, and subscribes to it. A member who was away is then back."""
        host = self._host
        if self.member:
            member = self.member
            await self._change_if_open(lambda room: ruling.come_back(room, member, host.service.now()))
        room = await host.rooms.get(self._code)
        welcome: schemas.RoomWelcomeMessage = {
            "type": "welcome",
            "id": hello.id,
            "room": host.hub.view(room),
            "you": self.member,
            "host": self.is_host,
            "now": host.service.now(),
        }
        self._send(welcome)
        host.hub.enter(self._code, self)
        for meeting in room.open_meetings:
            self._open_board(meeting)

    async def _change_if_open(self, decide: Callable[[Room], Event | None]) -> None:
        try:
            await self._host.rooms.change(self._code, decide)
        except Refusal:
            return

    def leave(self) -> None:
        self._disconnected = True
        self._host.hub.leave(self._code, self)
        for match_id in list(self._boards):
            self._close_board(match_id)
        self._tasks.cancel()

    # --- from the server

    def send(self, message: str) -> None:
        self._subscriber.put(message)

    def disconnect(self) -> None:
        self._subscriber.on_slow()

    def on_event(self, event: Event, room: Room) -> None:
        if isinstance(event, Paired):
            for meeting in room.meetings[-len(event.pairs) :] if event.pairs else ():
                self._open_board(meeting)
        elif isinstance(event, Scored) and (match_id := room.meetings[event.meeting - 1].match):
            asyncio.get_running_loop().call_later(BOARD_LINGER_SECONDS, self._close_board, match_id)

    def _open_board(self, meeting: Meeting) -> None:
        if meeting.match and meeting.is_open and (self._all_boards or self.member in meeting.members):
            self._tasks.spawn(self._load_board(meeting, meeting.match))

    async def _load_board(self, meeting: Meeting, match_id: str) -> None:
        try:
            await self._host.limits.scheduler.wait_for_slot(self._address)  # a wall subscribes to all boards at once
            match = await self._host.service.get(match_id)
            sides = frozenset(s for s in Side if meeting.members[match.original(s).value] == self.member)
            self._host.remember_owner(Access(match, sides), self._address)
            message: schemas.RoomMatchMessage = {
                "type": "match",
                "sides": views.side_names(sides),
                "meeting": meeting.number,
                "match": views.match_view(match),
            }
            self._send(message)
            if sides and self._slot:
                self._host.limits.socket_slots.promote(self._slot, SocketPriority.PLAYER)
            board = self._boards[match_id] = BoardForwarder(
                sides,
                match.seat(side).holder if (side := next(iter(sides), None)) else None,
                match_id,
                self._subscriber,
            )
            await self._host.audiences.enter(match_id, board, match.seq)
        except Refusal:
            return
        if self._disconnected:
            self._close_board(match_id)

    def _close_board(self, match_id: str) -> None:
        board = self._boards.pop(match_id, None)
        if board:
            self._host.audiences.leave(match_id, board)

    # --- from the client

    async def _admit(self, match_id: str) -> Access:
        """The match, and the sides that the member plays in it. Raises `MatchNotFound` if the match does not belong to
        this room."""
        access = await self._host.service.admit(match_id, self._secret)
        if access.match.setup.room != self._code:
            raise MatchNotFound
        return access

    async def drop(self, message: schemas.RoomDropCommand) -> None:
        seat = seat_to_play(*await self._admit(message.match))
        receipt = await self._host.service.drop(
            message.match, seat, message.column, message.ply, key=message.key, took=message.took
        )
        self._acknowledge(message.id, receipt.seq)

    async def plain(self, message: schemas.RoomSeatActionCommand) -> None:
        access = await self._admit(message.match)
        receipt: Receipt = await SEAT_ACTIONS[message.type](self._host.service, message.match, access.sides)
        self._acknowledge(message.id, receipt.seq)

    async def fail(self, message: schemas.RoomFailureCommand) -> None:
        """Stores the reason why the member's bot has failed, and then resigns for it. The reason is stored only
        once."""
        access = await self._admit(message.match)
        member = self.member or 0
        await self._host.rooms.change(
            self._code, lambda room: ruling.fail(room, message.match, member, message.words, self._host.service.now())
        )
        receipt = await self._host.service.resign(message.match, access.sides)
        self._acknowledge(message.id, receipt.seq)

    async def here(self, message: schemas.HereCommand) -> None:
        if self.member is None:
            raise ruling.NotAMember
        member = self.member
        room = await self._host.rooms.change(
            self._code, lambda room: ruling.come_back(room, member, self._host.service.now())
        )
        self._acknowledge(message.id, room.seq)


RoomSession.handlers = {
    schemas.RoomHelloCommand: RoomSession.hello,
    schemas.RoomDropCommand: RoomSession.drop,
    schemas.RoomSeatActionCommand: RoomSession.plain,
    schemas.RoomFailureCommand: RoomSession.fail,
    schemas.HereCommand: RoomSession.here,
    schemas.RoomPingCommand: RoomSession.ping,
}
