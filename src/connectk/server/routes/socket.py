"""A match over a WebSocket: say hello, then hear everything and ask for anything."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Set
from typing import Any

from fastapi import APIRouter, WebSocket, WebSocketDisconnect
from pydantic import TypeAdapter, ValidationError

from connectk.errors import ConnectkError
from connectk.play.audiences import Subscriber
from connectk.play.keys import hash_of
from connectk.play.match import Match
from connectk.play.refusals import Busy, Refusal, RoomDecides
from connectk.play.ruling import MOST_REDONE
from connectk.play.service import PAGE, Admission, MatchService, Receipt
from connectk.play.thinking import Asker
from connectk.rules import Position, Side
from connectk.server import schemas, views
from connectk.server.dependencies import address_of
from connectk.server.errors import refusal_of, refused, sentence_of
from connectk.server.host import Host
from connectk.server.limits import TooFast
from connectk.server.monitoring import log
from connectk.server.routes.matches import seat_to_play

router = APIRouter()
PARSER: TypeAdapter[Any] = TypeAdapter(schemas.ClientMessage)
HELLO_SECONDS = 10
SEND_SECONDS = 20
MOST_QUESTIONS = 4  # analyses asked at once over one socket
MOST_OFFENCES = 100  # refused as too fast, before the socket is closed
PAUSE = 0.25  # seconds after each, in which nothing more is read
GOING_AWAY, TOO_MUCH, COME_BACK, NOT_FOUND = 1001, 1008, 1013, 4404


@router.websocket("/api/matches/{match_id}/socket")
async def socket(websocket: WebSocket, match_id: str) -> None:
    host: Host = websocket.app.state.host
    await websocket.accept()
    try:
        async with asyncio.timeout(HELLO_SECONDS):
            hello = await _hello(websocket)
        if hello:
            await _serve(websocket, host, match_id, hello)
    except (WebSocketDisconnect, TimeoutError, RuntimeError):
        return


async def _hello(websocket: WebSocket) -> schemas.Hello | None:
    try:
        message = PARSER.validate_json(await text_of(websocket))
    except ValidationError as error:
        await refuse_and_close(websocket, refused("bad_request", sentence_of(error.errors()[0])), TOO_MUCH)
        return None
    if isinstance(message, schemas.Hello):
        return message
    await refuse_and_close(websocket, refused("bad_request", "Say hello first."), TOO_MUCH)
    return None


async def text_of(websocket: WebSocket) -> str | bytes:
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", GOING_AWAY))
    return message.get("text") or message.get("bytes") or ""


async def refuse_and_close(websocket: WebSocket, refusal: schemas.RefusedAnswer, code: int) -> None:
    await websocket.send_text(views.encode({"type": "refused", "id": None, **refusal}))
    await websocket.close(code)


async def _serve(websocket: WebSocket, host: Host, match_id: str, hello: schemas.Hello) -> None:
    try:
        admission = await host.service.admit(match_id, hello.secret)
    except Refusal as refusal:
        await refuse_and_close(websocket, refusal_of(refusal), NOT_FOUND)
        return
    if not host.store.is_shared:
        host.attendant.attend(admission.match)  # after a restart, whoever is to move is woken by the first who looks
    await host.limits.one_by_one.turn(address_of(websocket))
    visit = Visit(host, admission, hello, address_of(websocket))
    host.remember_owner(admission, address_of(websocket))
    await visit.enter(websocket, hello)
    sending = visit.start_sending(websocket)
    hearing = asyncio.ensure_future(visit.hear_all(websocket))
    try:
        await asyncio.wait({sending, hearing}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        visit.leave()
        for task in (sending, hearing):
            task.cancel()
        await asyncio.gather(sending, hearing, return_exceptions=True)
        await close(websocket, visit.close_code)


async def close(websocket: WebSocket, code: int) -> None:
    try:
        async with asyncio.timeout(1):
            await websocket.close(code)
    except (RuntimeError, TimeoutError, WebSocketDisconnect):
        return


class Visit:
    """One socket at one match."""

    def __init__(self, host: Host, admission: Admission, hello: schemas.Hello, address: str) -> None:
        self._host, self._admission = host, admission
        self._id = admission.match.id
        self._subscriber = Subscriber(admission.sides)
        self._limit = hash_of(hello.secret) if admission.sides and hello.secret else f"visit {id(self)}"
        self._asker = Asker(address, self._id)
        self._questions: set[asyncio.Task[None]] = set()
        self._looking: asyncio.Task[None] | None = None
        self._offences = 0
        self._offended = False

    @property
    def close_code(self) -> int:
        if self._offended:
            return TOO_MUCH
        return COME_BACK if self._subscriber.is_slow else GOING_AWAY

    async def enter(self, websocket: WebSocket, hello: schemas.Hello) -> None:
        """Welcome: the whole match for a newcomer; for one who comes back, what was missed."""
        match, after = self._admission.match, hello.after
        if after is not None and not self._can_tell_since(after):
            after = None
        seq = match.seq if after is None else after
        welcome: schemas.WelcomeMessage = {
            "type": "welcome",
            "id": hello.id,
            "sides": views.side_names(self._admission.sides),
            "seq": seq,
            "match": views.match_view(match) if after is None else None,
            "invitation": self._host.service.invitation_for(match, hello.secret),
            "now": self._host.service.now(),
        }
        await websocket.send_text(views.encode(welcome))
        await self._host.audiences.enter(self._id, self._subscriber, seq)
        log.debug("socket_opened", match=self._id, sides=views.side_names(self._admission.sides))

    def _can_tell_since(self, after: int) -> bool:
        """Not to one who is far behind, asks for more than its share, or comes from a time that this server does not
        know, before a backup was restored."""
        host, match = self._host, self._admission.match
        if not 0 <= match.seq - after <= PAGE:
            return False
        try:
            host.limits.replay(self._asker.address, host.service.events_to_replay(match, after))
        except TooFast:
            return False
        return True

    def leave(self) -> None:
        self._host.audiences.leave(self._id, self._subscriber)
        for question in self._questions:
            question.cancel()

    def start_sending(self, websocket: WebSocket) -> asyncio.Task[None]:
        sending = asyncio.ensure_future(self._send_all(websocket))
        self._subscriber.on_slow = sending.cancel
        return sending

    async def _send_all(self, websocket: WebSocket) -> None:
        while (message := await self._subscriber.get()) is not None:
            async with asyncio.timeout(SEND_SECONDS):
                await websocket.send_text(message)

    async def hear_all(self, websocket: WebSocket) -> None:
        while self._offences < MOST_OFFENCES:
            text = await text_of(websocket)
            if self._may_speak():
                await self._hear(text)
            else:
                self._offences += 1
                self._refuse(None, refusal_of(TooFast()))
                await asyncio.sleep(PAUSE)
        self._offended = True

    def _may_speak(self) -> bool:
        limits = self._host.limits
        return limits.seats.allows(self._limit) and limits.addresses.allows(self._asker.address)

    async def _hear(self, text: str | bytes) -> None:
        try:
            message = PARSER.validate_json(text)
        except ValidationError as error:
            self._refuse(None, refused("bad_request", sentence_of(error.errors()[0])))
            return
        try:
            await ANSWERS[type(message)](self, message)
        except ConnectkError as error:
            self._refuse(message.id, refusal_of(error))

    def _say(self, message: schemas.ServerMessage) -> None:
        self._subscriber.put(views.encode(message))

    def _refuse(self, message_id: int | None, refusal: schemas.RefusedAnswer) -> None:
        self._say({"type": "refused", "id": message_id, **refusal})

    def _done(self, message_id: int | None, receipt: Receipt) -> None:
        """Comes after the event itself, which everyone is told."""
        self._say({"type": "done", "id": message_id, "seq": receipt.seq})

    async def hello(self, message: schemas.Hello) -> None:
        self._refuse(message.id, refused("bad_request", "You have said hello already."))

    async def drop(self, message: schemas.Drop) -> None:
        service, admission = self._host.service, self._admission
        if len(admission.sides) == 2:
            admission = Admission(await service.get(self._id), admission.sides)
        seat = seat_to_play(admission)
        drop = service.drop(self._id, seat, message.column, message.ply, key=message.key, took=message.took)
        self._done(message.id, await drop)

    async def take_back(self, message: schemas.TakeBack) -> None:
        self._done(message.id, await self._host.service.take_back(self._id, self._admission.sides, message.to_ply))

    async def redo(self, message: schemas.Redo) -> None:
        undone = (await self._host.service.get(self._id)).undone
        self._host.limits.replay(self._asker.address, min(len(undone), MOST_REDONE))
        self._done(message.id, await self._host.service.redo(self._id, self._admission.sides, message.to_ply))

    async def plain(self, message: schemas.Plain) -> None:
        answer = self._host.answer(self._asker.address, PLAIN[message.type], self._admission)
        self._done(message.id, await answer)

    async def ping(self, message: schemas.Ping) -> None:
        self._say({"type": "pong", "id": message.id, "now": self._host.service.now()})

    async def _unaided(self) -> Match:
        """The match, unless it is played in a room, where nobody is helped."""
        match = await self._host.service.get(self._id)
        if match.setup.room and match.result is None:
            raise RoomDecides
        return match

    async def analyse(self, message: schemas.Analyse) -> None:
        match = await self._unaided()
        position = match.position if message.ply is None else match.at_ply(message.ply)
        if message.seconds is not None and self._looking:
            self._looking.cancel()  # who is in a hurry looks at another board by now
        self._looking = self._ask(message.id, self._analysis(message.id, position, message.seconds))

    async def _analysis(
        self, message_id: int | None, position: Position, seconds: float | None
    ) -> schemas.AnalysisMessage:
        scores = await self._host.analyst.scores(self._asker, position, seconds)
        return {"type": "analysis", "id": message_id, "ply": position.ply, **scores}

    async def hint(self, message: schemas.Hint) -> None:
        match = await self._unaided()
        self._ask(message.id, self._hint(message.id, match.position))

    async def _hint(self, message_id: int | None, position: Position) -> schemas.HintMessage:
        hint = await self._host.analyst.hint(self._asker, position)
        return {"type": "hint", "id": message_id, "ply": position.ply, **hint}

    def _ask(self, message_id: int | None, work: Coroutine[Any, Any, schemas.ServerMessage]) -> asyncio.Task[None]:
        """Answer later; drops need not wait for it."""
        if len(self._questions) >= MOST_QUESTIONS:
            work.close()
            raise Busy
        question = asyncio.ensure_future(self._answer(message_id, work))
        self._questions.add(question)

        def done(question: asyncio.Task[None]) -> None:
            self._questions.discard(question)
            work.close()  # it may never have begun
            if question.cancelled():
                self._refuse(message_id, refusal_of(Busy()))

        question.add_done_callback(done)
        return question

    async def _answer(self, message_id: int | None, work: Awaitable[schemas.ServerMessage]) -> None:
        try:
            self._say(await work)
        except ConnectkError as error:
            self._refuse(message_id, refusal_of(error))


PLAIN: Mapping[str, Callable[[MatchService, str, Set[Side]], Awaitable[Receipt]]] = {
    "resign": MatchService.resign,
    "offer_draw": MatchService.offer_draw,
    "accept": MatchService.accept,
    "decline": MatchService.decline,
    "rematch": MatchService.rematch,
}
ANSWERS: dict[type, Callable[[Visit, Any], Awaitable[None]]] = {
    schemas.Hello: Visit.hello,
    schemas.Drop: Visit.drop,
    schemas.TakeBack: Visit.take_back,
    schemas.Redo: Visit.redo,
    schemas.Plain: Visit.plain,
    schemas.Ping: Visit.ping,
    schemas.Analyse: Visit.analyse,
    schemas.Hint: Visit.hint,
}
