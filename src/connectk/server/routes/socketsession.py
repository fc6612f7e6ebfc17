"""The common part of the sockets of matches and rooms. A socket gets a hello message first, and then sends and receives
at the same time."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, ClassVar, TypeVar

from fastapi import WebSocket, WebSocketDisconnect
from pydantic import TypeAdapter, ValidationError

from connectk.errors import ConnectkError
from connectk.play.audiences import Subscriber
from connectk.play.refusals import Busy, NotStored, Refusal
from connectk.server import monitoring, schemas, views
from connectk.server.dependencies import client_address
from connectk.server.errors import refusal_of, refused_answer, validation_message
from connectk.server.host import COME_BACK_MESSAGE, Host
from connectk.server.limits import QuotaExceeded, RateLimited
from connectk.server.monitoring import log
from connectk.server.offences import LOGGED_REASONS
from connectk.server.socket_slots import SocketPriority, SocketSlot

HELLO_TIMEOUT_SECONDS = 10
MAX_RATE_VIOLATIONS = 100  # then the socket is closed
RATE_VIOLATION_DELAY_SECONDS = 0.25  # the wait before the next message is read
CLOSE_GOING_AWAY, CLOSE_POLICY_VIOLATION, CLOSE_TRY_AGAIN_LATER, CLOSE_NOT_FOUND = 1001, 1008, 1013, 4404
Hello = TypeVar("Hello")


async def run_session(
    websocket: WebSocket, parser: TypeAdapter[Any], kind: type[Hello], serve: Callable[[Hello], Awaitable[None]]
) -> None:
    try:
        await websocket.accept()
    except OSError:  # already disconnected
        return
    slot, task = slot_of(websocket), asyncio.current_task()
    assert task
    slot.on_evict = task.cancel
    try:
        async with asyncio.timeout(HELLO_TIMEOUT_SECONDS):
            hello = await _hello(websocket, parser, kind)
        if hello:
            await _serve_or_refuse(websocket, serve(hello))
    except asyncio.CancelledError:
        if not slot.is_evicted:
            raise
        task.uncancel()
        await _close(websocket, CLOSE_TRY_AGAIN_LATER)
    except TimeoutError:
        _note(websocket, "time_is_up")
    except (WebSocketDisconnect, RuntimeError):
        return


def _note(websocket: WebSocket, reason: str) -> None:
    host: Host = websocket.app.state.host
    host.offences.note("socket", reason, client_address(websocket))


def slot_of(websocket: WebSocket) -> SocketSlot:
    slot: SocketSlot = websocket.scope["slot"]
    return slot


async def _serve_or_refuse(websocket: WebSocket, serving: Awaitable[None]) -> None:
    try:
        await serving
    except Refusal as refusal:
        passing = isinstance(refusal, Busy | RateLimited | QuotaExceeded | NotStored)
        closing = CLOSE_TRY_AGAIN_LATER if passing else CLOSE_NOT_FOUND
        await refuse_and_close(websocket, refusal_of(refusal), closing)


async def _hello(websocket: WebSocket, parser: TypeAdapter[Any], kind: type[Hello]) -> Hello | None:
    try:
        message = parser.validate_json(await _receive_text(websocket))
    except ValidationError as error:
        await refuse_and_close(
            websocket, refused_answer("bad_request", validation_message(error.errors()[0])), CLOSE_POLICY_VIOLATION
        )
        return None
    if isinstance(message, kind):
        return message
    await refuse_and_close(websocket, refused_answer("bad_request", "Say hello first."), CLOSE_POLICY_VIOLATION)
    return None


async def _receive_text(websocket: WebSocket) -> str | bytes:
    message = await websocket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", CLOSE_GOING_AWAY))
    return message.get("text") or message.get("bytes") or ""


async def refuse_and_close(websocket: WebSocket, refusal: schemas.RefusedAnswer, code: int) -> None:
    _note(websocket, refusal["reason"])
    await websocket.send_text(views.encode({"type": "refused", "id": None, **refusal}))
    await websocket.close(code)


async def _close(websocket: WebSocket, code: int) -> None:
    try:
        async with asyncio.timeout(1):
            await websocket.close(code)
    except (RuntimeError, TimeoutError, WebSocketDisconnect):
        return


def _log_failures(results: Iterable[BaseException | None]) -> None:
    """Logs the exceptions that have ended a session. If the client has only left, nothing is logged."""
    for result in results:
        if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect | RuntimeError):
            monitoring.failures.labels("socket").inc()
            log.error("socket_failed", failed=monitoring.describe_error(result))


class SocketSession(ABC):
    """One socket. It sends the messages for its subscriber, and passes the client's messages to `handlers`."""

    parser: ClassVar[TypeAdapter[Any]]
    handlers: ClassVar[Mapping[type, Callable[[Any, Any], Awaitable[None]]]]

    def __init__(self, host: Host, subscriber: Subscriber, address: str, rate_key: str | None) -> None:
        """`rate_key` is the hash of the secret of a seat or a member. All sockets with the same `rate_key` share one
        rate limit. Without it, each socket has its own rate limit."""
        self._host, self._subscriber, self._address = host, subscriber, address
        self._rate_key = rate_key or f"session {id(self)}"
        self._slot: SocketSlot | None = None
        self._rate_violations = 0
        self._is_sending = False
        self._write_now: Callable[[str], bool] = lambda message: False

    @abstractmethod
    def leave(self) -> None:
        """Ends the subscription. Called when the socket is closed."""

    def settle(self, websocket: WebSocket, priority: SocketPriority, secret: str | None) -> None:
        """Takes a slot for this socket until the socket is closed. Raises `Busy` if all slots are taken."""
        self._slot = slot_of(websocket)
        close = self._slot.on_evict
        self._host.limits.socket_slots.confirm(self._slot, priority, secret)

        def on_evict() -> None:
            self._refuse(None, refusal_of(Busy()), what="socket")
            close()

        self._slot.on_evict = on_evict

    async def run(self, websocket: WebSocket) -> None:
        sending = self._start_sending(websocket)
        hearing = asyncio.ensure_future(self._receive_all(websocket))
        if self._host.stopping.is_set():  # opened after the shutdown was announced
            self._send(COME_BACK_MESSAGE)
        try:
            await asyncio.wait({sending, hearing}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.leave()
            for task in (sending, hearing):
                task.cancel()
            _log_failures(await asyncio.gather(sending, hearing, return_exceptions=True))
            await _close(websocket, self._close_code)

    @property
    def _close_code(self) -> int:
        if self._rate_violations >= MAX_RATE_VIOLATIONS:
            return CLOSE_POLICY_VIOLATION
        is_evicted = self._slot is not None and self._slot.is_evicted
        return CLOSE_TRY_AGAIN_LATER if is_evicted or self._subscriber.is_slow else CLOSE_GOING_AWAY

    def _start_sending(self, websocket: WebSocket) -> asyncio.Task[None]:
        sending = asyncio.ensure_future(self._send_all(websocket))
        self._subscriber.on_slow = sending.cancel
        self._write_now = websocket.state.write_now
        self._subscriber.send_now = self._send_now
        return sending

    def _send_now(self, message: str) -> bool:
        """Sends a message at once if no other message is being sent. Returns False if the message has to wait in the
        queue."""
        return not self._is_sending and self._write_now(message)

    async def _send_all(self, websocket: WebSocket) -> None:
        """Sends the queued messages."""
        while (message := await self._subscriber.get()) is not None:
            self._is_sending = True  # no message may overtake it
            await websocket.send_text(message)  # waits for a slow client, see `connections`
            self._is_sending = False

    async def _receive_all(self, websocket: WebSocket) -> None:
        while self._rate_violations < MAX_RATE_VIOLATIONS:
            text = await _receive_text(websocket)
            if self._is_within_rate():
                await self._handle(text)
            else:
                self._rate_violations += 1
                self._refuse(None, refusal_of(RateLimited()))
                await asyncio.sleep(RATE_VIOLATION_DELAY_SECONDS)

    def _is_within_rate(self) -> bool:
        limits = self._host.limits
        return limits.seats.allows(self._rate_key) and limits.addresses.allows(self._address)

    async def _handle(self, text: str | bytes) -> None:
        try:
            message = self.parser.validate_json(text)
        except ValidationError as error:
            self._refuse(None, refused_answer("bad_request", validation_message(error.errors()[0])))
            return
        try:
            await self.handlers[type(message)](self, message)
        except ConnectkError as error:
            self._refuse(message.id, refusal_of(error))

    def _send(self, message: schemas.ServerMessage | schemas.RoomServerMessage) -> None:
        self._subscriber.put(views.encode(message))

    def _refuse(self, message_id: int | None, refusal: schemas.RefusedAnswer, what: str = "message") -> None:
        if refusal["reason"] in LOGGED_REASONS:
            self._host.offences.note(what, refusal["reason"], self._address)
        self._send({"type": "refused", "id": message_id, **refusal})

    def _acknowledge(self, message_id: int | None, seq: int) -> None:
        """Tells the client that its request is done. The event of the request was sent before."""
        self._send({"type": "done", "id": message_id, "seq": seq})

    async def hello(self, message: schemas.HelloCommand | schemas.RoomHelloCommand) -> None:
        self._refuse(message.id, refused_answer("bad_request", "You have said hello already."))

    async def ping(self, message: schemas.PingCommand | schemas.RoomPingCommand) -> None:
        self._send({"type": "pong", "id": message.id, "now": self._host.service.now()})
