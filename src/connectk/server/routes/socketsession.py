"""What every socket of ours does: hello first, then both directions at once, until one of them ends."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, ClassVar, TypeVar

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import TypeAdapter, ValidationError

from connectk.errors import ConnectkError
from connectk.play.audiences import Subscriber
from connectk.server import monitoring, schemas, views
from connectk.server.errors import refusal_of, refused_answer, validation_message
from connectk.server.host import COME_BACK_MESSAGE, Host
from connectk.server.limits import RateLimited
from connectk.server.monitoring import log

HELLO_TIMEOUT_SECONDS = 10
MAX_RATE_VIOLATIONS = 100  # refused as too fast, before the socket is closed
RATE_VIOLATION_DELAY_SECONDS = 0.25  # seconds after each, in which nothing more is read
CLOSE_GOING_AWAY, CLOSE_POLICY_VIOLATION, CLOSE_TRY_AGAIN_LATER, CLOSE_NOT_FOUND = 1001, 1008, 1013, 4404
Hello = TypeVar("Hello")


async def run_session(
    websocket: WebSocket, parser: TypeAdapter[Any], kind: type[Hello], serve: Callable[[Hello], Awaitable[None]]
) -> None:
    try:
        await websocket.accept()
    except OSError:  # nobody is there any more
        return
    try:
        async with asyncio.timeout(HELLO_TIMEOUT_SECONDS):
            hello = await _hello(websocket, parser, kind)
        if hello:
            await serve(hello)
    except (WebSocketDisconnect, TimeoutError, RuntimeError):
        return


async def _hello(websocket: WebSocket, parser: TypeAdapter[Any], kind: type[Hello]) -> Hello | None:
    try:
        message = parser.validate_json(await _text_of(websocket))
    except ValidationError as error:
        await refuse_and_close(
            websocket, refused_answer("bad_request", validation_message(error.errors()[0])), CLOSE_POLICY_VIOLATION
        )
        return None
    if isinstance(message, kind):
        return message
    await refuse_and_close(websocket, refused_answer("bad_request", "Say hello first."), CLOSE_POLICY_VIOLATION)
    return None


async def _text_of(websocket: WebSocket) -> str | bytes:
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", CLOSE_GOING_AWAY))
    return message.get("text") or message.get("bytes") or ""


async def refuse_and_close(websocket: WebSocket, refusal: schemas.RefusedAnswer, code: int) -> None:
    await websocket.send_text(views.encode({"type": "refused", "id": None, **refusal}))
    await websocket.close(code)


async def _close(websocket: WebSocket, code: int) -> None:
    try:
        async with asyncio.timeout(1):
            await websocket.close(code)
    except (RuntimeError, TimeoutError, WebSocketDisconnect):
        return


def _report(ends: Iterable[BaseException | None]) -> None:
    """What failed while we spoke; that somebody leaves is no failure."""
    for end in ends:
        if isinstance(end, Exception) and not isinstance(end, WebSocketDisconnect | RuntimeError):
            monitoring.failures.labels("socket").inc()
            log.error("socket_failed", failed=monitoring.failure(end))


class SocketSession(ABC):
    """One socket: what its subscriber is told is sent, and what is heard finds its answer."""

    parser: ClassVar[TypeAdapter[Any]]
    answers: ClassVar[Mapping[type, Callable[[Any, Any], Awaitable[None]]]]

    def __init__(self, host: Host, subscriber: Subscriber, address: str, limit: str | None) -> None:
        """`limit`: whose rate of messages counts, where it is known who speaks."""
        self._host, self._subscriber, self._address = host, subscriber, address
        self._limit = limit or f"visit {id(self)}"
        self._offences = 0
        self._is_sending = False
        self._write_now: Callable[[str], bool] = lambda message: False

    @abstractmethod
    def leave(self) -> None:
        """Nobody is there any more."""

    async def hold(self, websocket: WebSocket) -> None:
        sending = self._start_sending(websocket)
        hearing = asyncio.ensure_future(self._hear_all(websocket))
        if self._host.stopping.is_set():  # it came in when the others had been told
            self._say(COME_BACK_MESSAGE)
        try:
            await asyncio.wait({sending, hearing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.leave()
            for task in (sending, hearing):
                task.cancel()
            _report(await asyncio.gather(sending, hearing, return_exceptions=True))
            await _close(websocket, self._close_code)

    @property
    def _close_code(self) -> int:
        if self._offences >= MAX_RATE_VIOLATIONS:
            return CLOSE_POLICY_VIOLATION
        return CLOSE_TRY_AGAIN_LATER if self._subscriber.is_slow else CLOSE_GOING_AWAY

    def _start_sending(self, websocket: WebSocket) -> asyncio.Task[None]:
        sending = asyncio.ensure_future(self._send_all(websocket))
        self._subscriber.on_slow = sending.cancel
        self._write_now = websocket.state.write_now
        self._subscriber.send_now = self._send_now
        return sending

    def _send_now(self, message: str) -> bool:
        """Whether it need not wait in the queue."""
        return not self._is_sending and self._write_now(message)

    async def _send_all(self, websocket: WebSocket) -> None:
        """What could not be sent at once."""
        while (message := await self._subscriber.get()) is not None:
            self._is_sending = True  # nothing may overtake it
            await websocket.send_text(message)  # to one who does not read, for as long as `connections` lets it
            self._is_sending = False

    async def _hear_all(self, websocket: WebSocket) -> None:
        while self._offences < MAX_RATE_VIOLATIONS:
            text = await _text_of(websocket)
            if self._may_speak():
                await self._hear(text)
            else:
                self._offences += 1
                self._refuse(None, refusal_of(RateLimited()))
                await asyncio.sleep(RATE_VIOLATION_DELAY_SECONDS)

    def _may_speak(self) -> bool:
        limits = self._host.limits
        return limits.seats.allows(self._limit) and limits.addresses.allows(self._address)

    async def _hear(self, text: str | bytes) -> None:
        try:
            message = self.parser.validate_json(text)
        except ValidationError as error:
            self._refuse(None, refused_answer("bad_request", validation_message(error.errors()[0])))
            return
        try:
            await self.answers[type(message)](self, message)
        except ConnectkError as error:
            self._refuse(message.id, refusal_of(error))

    def _say(self, message: schemas.ServerMessage | schemas.RoomServerMessage) -> None:
        self._subscriber.put(views.encode(message))

    def _refuse(self, message_id: int | None, refusal: schemas.RefusedAnswer) -> None:
        self._say({"type": "refused", "id": message_id, **refusal})

    def _done(self, message_id: int | None, seq: int) -> None:
        """Comes after the event itself, which everyone is told."""
        self._say({"type": "done", "id": message_id, "seq": seq})

    async def hello(self, message: schemas.Hello | schemas.RoomHello) -> None:
        self._refuse(message.id, refused_answer("bad_request", "You have said hello already."))

    async def ping(self, message: schemas.Ping | schemas.RoomPing) -> None:
        self._say({"type": "pong", "id": message.id, "now": self._host.service.now()})
