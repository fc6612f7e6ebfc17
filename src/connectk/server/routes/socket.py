"""A match over a WebSocket. After its hello message a client gets all events and may send requests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Set
from functools import partial
from typing import Any

from fastapi import APIRouter, WebSocket
from pydantic import TypeAdapter

from connectk.aio import BackgroundTasks
from connectk.errors import ConnectkError
from connectk.play.audiences import Subscriber
from connectk.play.match import Match
from connectk.play.refusals import Busy, FairPlay, NoSeat, RoomDecides
from connectk.play.ruling import MAX_REDONE_DISCS, seat_to_play
from connectk.play.secrets_and_codes import hash_secret
from connectk.play.service import EVENTS_PAGE_SIZE, Access, MatchService, Receipt
from connectk.rules import Position, Side
from connectk.server import schemas, views
from connectk.server.dependencies import client_address
from connectk.server.errors import refusal_of
from connectk.server.host import Host
from connectk.server.limits import RateLimited
from connectk.server.monitoring import log
from connectk.server.routes.socketsession import SocketSession, run_session
from connectk.server.socket_slots import SocketPriority
from connectk.thinking.queue import Requester

router = APIRouter()
MAX_PENDING_ANALYSES = 4  # for each socket


@router.websocket("/api/matches/{match_id}/socket")
async def socket(websocket: WebSocket, match_id: str) -> None:
    await run_session(websocket, MatchSession.parser, schemas.HelloCommand, partial(_serve, websocket, match_id))


async def _serve(websocket: WebSocket, match_id: str, hello: schemas.HelloCommand) -> None:
    host: Host = websocket.app.state.host
    access = await host.service.admit(match_id, hello.secret)
    if not host.store.is_shared:
        host.driver.attend(access.match)  # after a restart, the first connection wakes the computer player
    await host.limits.scheduler.wait_for_slot(client_address(websocket))
    session = MatchSession(host, access, hello, client_address(websocket))
    seat = hash_secret(hello.secret) if access.sides and hello.secret else None
    session.settle(websocket, SocketPriority.PLAYER if seat else SocketPriority.WATCHER, seat)
    host.remember_owner(access, client_address(websocket))
    try:
        await session.enter(websocket, hello)
        await session.run(websocket)
    finally:
        session.leave()  # `enter` may fail after it has subscribed


class MatchSession(SocketSession):
    """One socket that is connected to a match."""

    parser = TypeAdapter(schemas.ClientMessage)

    def __init__(self, host: Host, access: Access, hello: schemas.HelloCommand, address: str) -> None:
        limit = hash_secret(hello.secret) if access.sides and hello.secret else None
        super().__init__(host, Subscriber(access.sides, limit), address, limit)
        self._access, self._id = access, access.match.id
        self._requester = Requester(address, self._id)
        self._analyses = BackgroundTasks()
        self._live_analysis: asyncio.Task[None] | None = None

    async def enter(self, websocket: WebSocket, hello: schemas.HelloCommand) -> None:
        """Sends the whole match. After a reconnect it sends only the missed events, if that is possible."""
        match, after = self._access.match, hello.after
        if after is not None and not self._can_resume_after(after):
            after = None
        seq = match.seq if after is None else after
        welcome: schemas.WelcomeMessage = {
            "type": "welcome",
            "id": hello.id,
            "sides": views.side_names(match.sides_at(seq, self._access.sides)),
            "seq": seq,
            "match": views.match_view(match) if after is None else None,
            "invitation": self._host.service.invitation_for(match, hello.secret),
            "now": self._host.service.now(),
        }
        await websocket.send_text(views.encode(welcome))
        await self._host.audiences.enter(self._id, self._subscriber, seq)
        if self._subscriber.holder:  # a swap may have been stored while the socket was opened
            self._subscriber.sides = (await self._host.service.get(self._id)).sides_held_by(self._subscriber.holder)
        log.debug("socket_opened", match=self._id, sides=views.side_names(self._access.sides))

    def _can_resume_after(self, after: int) -> bool:
        """Whether it is enough to send the events after the number `after`.

        They must be few and within the rate limit. The match must also have the event `after`, which may be missing
        after a backup was restored.
        """
        host, match = self._host, self._access.match
        if not 0 <= match.seq - after <= EVENTS_PAGE_SIZE:
            return False
        try:
            host.limits.charge_replay(self._address, host.service.events_to_replay(match, after))
        except RateLimited:
            return False
        return True

    def leave(self) -> None:
        self._host.audiences.leave(self._id, self._subscriber)
        self._analyses.cancel()

    async def drop(self, message: schemas.DropCommand) -> None:
        service, sides = self._host.service, self._subscriber.sides
        seat = seat_to_play(await service.get(self._id) if len(sides) == 2 else self._access.match, sides)
        drop = service.drop(self._id, seat, message.column, message.ply, key=message.key, took=message.took)
        self._acknowledge(message.id, (await drop).seq)

    async def take_back(self, message: schemas.TakeBackCommand) -> None:
        self._acknowledge(
            message.id, (await self._host.service.take_back(self._id, self._subscriber.sides, message.to_ply)).seq
        )

    async def redo(self, message: schemas.RedoCommand) -> None:
        undone = (await self._host.service.get(self._id)).undone
        self._host.limits.charge_replay(self._address, min(len(undone), MAX_REDONE_DISCS))
        self._acknowledge(
            message.id, (await self._host.service.redo(self._id, self._subscriber.sides, message.to_ply)).seq
        )

    async def plain(self, message: schemas.SeatActionCommand) -> None:
        access = Access(self._access.match, self._subscriber.sides)
        if message.type == "fair_rematch":
            answer = self._host.run_fair_rematch(self._address, access)
        else:
            answer = self._host.run_offer_action(self._address, SEAT_ACTIONS[message.type], access)
        self._acknowledge(message.id, (await answer).seq)

    async def say(self, message: schemas.SayCommand) -> None:
        """Passes on a phrase or a face to the opponent. Both players must be people, and the match must not belong to a
        room."""
        match, sides = await self._host.service.get(self._id), self._subscriber.sides
        if len(sides) != 1 or match.has_one_person:
            raise NoSeat
        if match.setup.room:
            raise RoomDecides
        if not self._host.limits.phrases.allows(self._rate_key):
            raise RateLimited
        self._host.phrases.say(self._id, views.side_names(sides)[0], message.phrase)
        self._acknowledge(message.id, match.seq)

    async def _match_for_analysis(self) -> Match:
        """The match for an analysis. An open match of a room or between strangers is refused, because its players must
        not get help."""
        match = await self._host.service.get(self._id)
        if match.setup.room and match.result is None:
            raise RoomDecides
        if match.setup.strangers and match.result is None:
            raise FairPlay
        return match

    async def analyse(self, message: schemas.AnalyseCommand) -> None:
        match = await self._match_for_analysis()
        position = match.position if message.ply is None else match.at_ply(message.ply)
        if message.seconds is not None and self._live_analysis:
            self._live_analysis.cancel()  # a quick analysis replaces the last one: the client shows another board now
        self._live_analysis = self._start_analysis(message.id, self._analysis(message.id, position, message.seconds))

    async def _analysis(
        self, message_id: int | None, position: Position, seconds: float | None
    ) -> schemas.AnalysisMessage:
        scores = await self._host.analysis.scores(self._requester, position, seconds)
        return {"type": "analysis", "id": message_id, "ply": position.ply, **scores}

    async def hint(self, message: schemas.HintCommand) -> None:
        match = await self._match_for_analysis()
        self._start_analysis(message.id, self._hint(message.id, match.position))

    async def _hint(self, message_id: int | None, position: Position) -> schemas.HintMessage:
        hint = await self._host.analysis.hint(self._requester, position)
        return {"type": "hint", "id": message_id, "ply": position.ply, **hint}

    def _start_analysis(
        self, message_id: int | None, work: Coroutine[Any, Any, schemas.ServerMessage]
    ) -> asyncio.Task[None]:
        """Runs an analysis in the background, so that drops do not wait for it."""
        if len(self._analyses) >= MAX_PENDING_ANALYSES:
            work.close()
            raise Busy
        question = self._analyses.spawn(self._send_result(message_id, work))

        def done(question: asyncio.Task[None]) -> None:
            work.close()  # it may not have started
            if question.cancelled():
                self._refuse(message_id, refusal_of(Busy()))

        question.add_done_callback(done)
        return question

    async def _send_result(self, message_id: int | None, work: Awaitable[schemas.ServerMessage]) -> None:
        try:
            self._send(await work)
        except ConnectkError as error:
            self._refuse(message_id, refusal_of(error))


SEAT_ACTIONS: Mapping[str, Callable[[MatchService, str, Set[Side]], Awaitable[Receipt]]] = {
    "swap": MatchService.swap,
    "extend": MatchService.extend,
    "resign": MatchService.resign,
    "offer_draw": MatchService.offer_draw,
    "accept": MatchService.accept,
    "decline": MatchService.decline,
    "rematch": MatchService.rematch,
}
MatchSession.handlers = {
    schemas.HelloCommand: MatchSession.hello,
    schemas.DropCommand: MatchSession.drop,
    schemas.TakeBackCommand: MatchSession.take_back,
    schemas.RedoCommand: MatchSession.redo,
    schemas.SeatActionCommand: MatchSession.plain,
    schemas.SayCommand: MatchSession.say,
    schemas.PingCommand: MatchSession.ping,
    schemas.AnalyseCommand: MatchSession.analyse,
    schemas.HintCommand: MatchSession.hint,
}
