"""One WebSocket connection: its handshake, its frames and messages, and their limits.

`websockets` parses the frames. A message waits until the application has taken the previous one, which limits the rate
of messages. All other frames (pings, pongs, parts of messages) are counted here, for each connection and each address.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Mapping
from functools import lru_cache
from http import HTTPStatus
from itertools import count
from typing import Any

from starlette.types import Message, Scope
from uvicorn.server import ServerState
from websockets.datastructures import Headers
from websockets.frames import CloseCode, Frame, Opcode
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from connectk.server.connections import BoundedConnection, ConnectionRegistry, ConnectionTimer
from connectk.server.limits import Limits
from connectk.server.monitoring import describe_error, log

READ_BYTES = 512  # small, because all frames of one read are handled without a break
PARSED_FRAME_BYTES = 128  # between two checks of the limit on frames
MAX_CLIENT_MESSAGE_BYTES = 16 * 1024
SEND_TIMEOUT_SECONDS = 20.0  # the time for a client to read what was sent
IDLE_PING_INTERVAL_SECONDS = (
    20.0  # a client silent for this long is pinged; after as long again the connection is closed
)
CLOSE_TIMEOUT_SECONDS = 10.0  # the time for a client to confirm the close
MESSAGE_OPCODES = (Opcode.TEXT, Opcode.BINARY)
CLOSE_REASONS: Mapping[int, str] = {  # why the server closes a connection at once
    CloseCode.POLICY_VIOLATION: "too_fast",
    CloseCode.MESSAGE_TOO_BIG: "too_large",
    CloseCode.PROTOCOL_ERROR: "bad_request",
    CloseCode.INVALID_DATA: "bad_request",
}

_numbers = count()


class WebSocketConnection(BoundedConnection):
    """Takes a connection over from `HttpConnection` and runs the application for it."""

    def __init__(
        self,
        registry: ConnectionRegistry,
        loop: asyncio.AbstractEventLoop,
        server_state: ServerState,
        app: Any,
        scope: Scope,
        on_accept: Callable[[], object],
    ) -> None:
        """`on_accept` is called when the handshake has succeeded, and again when the connection is lost."""
        super().__init__(registry, loop, READ_BYTES)
        self._server_state, self._app, self.scope, self._on_accept = server_state, app, scope, on_accept
        self._name = f"socket {next(_numbers)}"  # identifies this connection to the frame limiter
        self._protocol = ServerProtocol(state=State.OPEN, max_size=MAX_CLIENT_MESSAGE_BYTES)
        self._handshake: Response | None = None  # the answer to the handshake, until it is sent
        # status and headers of a refusal whose body is still to come
        self._refusal: tuple[int, list[tuple[bytes, bytes]]] | None = None
        self._unparsed = b""
        self._messages: deque[Message] = deque([{"type": "websocket.connect"}])
        self._receiver: asyncio.Future[None] | None = None
        self._parts: list[bytes] = []  # the parts of an unfinished message
        self._is_text = True
        self._is_accepted = self._is_open = self._is_disconnected = False
        self._writable = asyncio.Event()
        self._writable.set()
        self._unread_timer, self._close_timer, self._ping_timer = (
            ConnectionTimer(loop),
            ConnectionTimer(loop),
            ConnectionTimer(loop),
        )
        self._has_heard = True  # whether the client has sent anything since the last ping

    def open(self, transport: Any, data: bytes) -> None:
        """Rejects a bad handshake. For a good one, asks the application whether it accepts the connection. `data` are
        the bytes after the request."""
        self.transport = transport
        self._server_state.connections.add(self)  # type: ignore[arg-type]
        scope = self.scope
        fields = Headers([(name.decode("ascii"), value.decode("latin-1")) for name, value in scope["headers"]])
        path = scope["raw_path"].decode("ascii")
        response = ServerProtocol().accept(Request(path, fields, scope.pop("method"), f"HTTP/{scope['http_version']}"))
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            self._note("bad_request")
            transport.write(response.serialize())
            self.linger()
            return
        self._handshake = response
        scope.update(scheme="ws", subprotocols=[], extensions={"websocket.http.response": {}})
        scope["state"]["write_now"] = self.write_now  # used by `routes.socketsession`
        task = self.loop.create_task(self._run())
        self._server_state.tasks.add(task)
        task.add_done_callback(self._server_state.tasks.discard)
        self._unparsed = data
        self.update_reading()

    async def _run(self) -> None:
        try:
            await self._app(self.scope, self.receive, self.send)
        except ConnectionError:
            pass  # the client has left
        except Exception as error:
            log.error("socket_failed", failed=describe_error(error))
        if self._handshake and self.can_write:
            self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, [], b"")
        elif not (self.is_lingering or self._close_timer.is_set):
            self.transport.close()

    # What the server calls

    def shutdown(self) -> None:
        """Called by uvicorn when the server stops."""
        if self._is_open and self._protocol.state is State.OPEN:
            self._protocol.send_close(CloseCode.SERVICE_RESTART)
            self._write_pending()
        self._disconnect(CloseCode.SERVICE_RESTART)
        self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        self._on_accept()
        self._server_state.connections.discard(self)
        for timer in (self._unread_timer, self._close_timer, self._ping_timer):
            timer.stop()
        self._disconnect(CloseCode.ABNORMAL_CLOSURE)
        self._writable.set()

    def pause_writing(self) -> None:
        self._writable.clear()
        self._unread_timer.start(SEND_TIMEOUT_SECONDS, self._abort_unread)
        self.update_reading()

    def _abort_unread(self) -> None:
        self._note("not_read")
        self.transport.abort()

    def _note(self, reason: str) -> None:
        client = self.scope["client"]
        self._app.state.host.offences.note_rejected("socket", reason, client and client[0])

    def resume_writing(self) -> None:
        self._unread_timer.stop()
        self._writable.set()
        self._go_on_reading()

    def _ping(self) -> None:
        """Sends a ping. If the client has sent nothing since the last ping, closes the connection instead."""
        if not self._has_heard:
            self._fail(CloseCode.INTERNAL_ERROR)
        elif self._protocol.state is State.OPEN:
            self._has_heard = False
            self._protocol.send_ping(b"")
            self._write_pending()
            self._ping_timer.start(IDLE_PING_INTERVAL_SECONDS, self._ping)

    # Receiving

    @property
    def has_backlog(self) -> bool:
        return bool(self._unparsed) or not self._may_parse or (self._has_messages and self._receiver is None)

    @property
    def _may_parse(self) -> bool:
        return self._is_accepted and self._writable.is_set()

    @property
    def _has_messages(self) -> bool:
        """Whether messages wait for the application. After the end of the connection it gets no more messages."""
        return self._is_open and bool(self._messages)

    def received(self, data: bytes) -> None:
        self._has_heard = True
        self._unparsed += data
        self._parse()

    def _go_on_reading(self) -> None:
        self._parse()
        self.update_reading()

    def _parse(self) -> None:
        while self._unparsed and self._may_parse and not self._has_messages and self.can_write:
            part, self._unparsed = self._unparsed[:PARSED_FRAME_BYTES], self._unparsed[PARSED_FRAME_BYTES:]
            self._protocol.receive_data(part)
            for frame in self._protocol.events_received():
                self._on_frame(frame)
            self._write_pending()
            if self._protocol.close_expected():
                self._finish()
        if not self.can_write:
            self._unparsed = b""

    def _on_frame(self, frame: Any) -> None:
        is_message = frame.opcode in MESSAGE_OPCODES and frame.fin
        if not is_message and not self._may_send_frame():
            self._fail(CloseCode.POLICY_VIOLATION)
        elif self._is_open and (frame.opcode in MESSAGE_OPCODES or frame.opcode is Opcode.CONT):
            self._on_part(frame)

    def _may_send_frame(self) -> bool:
        limits: Limits = self._app.state.host.limits
        return limits.frames.allows(self._name) and limits.addresses.allows(self.scope["client"][0])

    def _on_part(self, frame: Any) -> None:
        if frame.opcode is not Opcode.CONT:
            self._is_text = frame.opcode is Opcode.TEXT
        self._parts.append(frame.data)
        if not frame.fin:
            return
        data, self._parts = b"".join(self._parts), []
        try:
            content = {"text": data.decode()} if self._is_text else {"bytes": data}
        except UnicodeDecodeError:
            self._fail(CloseCode.INVALID_DATA)
        else:
            self._deliver({"type": "websocket.receive", **content})

    def _deliver(self, message: Message) -> None:
        self._messages.append(message)
        if self._receiver and not self._receiver.done():
            self._receiver.set_result(None)

    async def receive(self) -> Message:
        if self._messages:
            await asyncio.sleep(0)  # others take their turn between two messages of one read
        while not self._messages:
            self._receiver = self.loop.create_future()
            self.update_reading()
            try:
                await self._receiver
            finally:
                self._receiver = None
        message = self._messages.popleft()
        self._go_on_reading()
        return message

    def _disconnect(self, code: int) -> None:
        self._is_open = False
        if not self._is_disconnected:
            self._is_disconnected = True
            self._deliver({"type": "websocket.disconnect", "code": code})

    def _fail(self, code: int) -> None:
        """Closes the connection at once, because the client has broken a rule of the protocol or no longer answers."""
        self._protocol.fail(code)
        self._write_pending()
        self._finish()

    def _finish(self) -> None:
        """Stops sending, because the client has closed the connection or the connection has failed."""
        closing = self._protocol.close_rcvd or self._protocol.close_sent
        if closing and closing is self._protocol.close_sent and closing.code in CLOSE_REASONS:
            self._note(CLOSE_REASONS[closing.code])
        self._disconnect(closing.code if closing else CloseCode.ABNORMAL_CLOSURE)
        if self._protocol.close_rcvd:
            self.transport.close()
        else:
            self.linger()

    # Sending

    def _write_pending(self) -> None:
        data = b"".join(self._protocol.data_to_send())
        if data and self.can_write:
            self.transport.write(data)

    def write_now(self, text: str) -> bool:
        """Writes a message at once. Returns False, without writing, if the client has not read enough of the earlier
        messages.

        This is faster than `send`, which wakes a task and passes through several layers.
        """
        if not (self._is_open and self._writable.is_set() and self.can_write):
            return False
        self.transport.write(_text_frame(text))
        return True

    async def send(self, message: Message) -> None:
        await self._writable.wait()
        if self._is_disconnected or not self.can_write:
            raise ConnectionResetError
        kind = message["type"]
        if self._handshake:
            self._answer_handshake(self._handshake, kind, message)
        elif kind == "websocket.http.response.body" and self._refusal:
            self._refuse(*self._refusal, message.get("body", b""))
        elif kind == "websocket.send" and self._is_open:
            text = message.get("text")
            binary = Frame(Opcode.BINARY, message.get("bytes") or b"")
            self.transport.write(binary.serialize(mask=False) if text is None else _text_frame(text))
        elif kind == "websocket.close" and self._is_open:
            self._close(message.get("code") or CloseCode.NORMAL_CLOSURE, message.get("reason") or "")
        else:
            raise RuntimeError(f"unexpected {kind}")

    def _answer_handshake(self, handshake: Response, kind: str, message: Message) -> None:
        self._handshake = None
        if kind == "websocket.accept":
            headers = [*self._server_state.default_headers, *message.get("headers", ())]
            del handshake.headers["Date"]
            for name, value in headers:
                handshake.headers[name.decode("latin-1")] = value.decode("latin-1")
            self.transport.write(handshake.serialize())
            self._is_open = self._is_accepted = True
            self._on_accept()
            self._ping_timer.start(IDLE_PING_INTERVAL_SECONDS, self._ping)
            self._go_on_reading()
        elif kind == "websocket.http.response.start":
            self._refusal = (message["status"], list(message.get("headers", ())))
        else:
            self._note("forbidden")
            self._refuse(HTTPStatus.FORBIDDEN, [], b"")

    def _refuse(self, status: int, headers: list[tuple[bytes, bytes]], body: bytes) -> None:
        """Answers the handshake with an HTTP response instead of accepting it."""
        self._handshake = self._refusal = None
        fields = Headers((name.decode("latin-1"), value.decode("latin-1")) for name, value in headers)
        fields.setdefault("content-length", str(len(body)))
        fields["connection"] = "close"
        self.transport.write(Response(status, HTTPStatus(status).phrase, fields, body).serialize())
        self._disconnect(CloseCode.ABNORMAL_CLOSURE)
        self.linger()

    def _close(self, code: int, reason: str) -> None:
        """Begins to close the connection. The client must then confirm the close."""
        self._is_open = False
        self._messages.clear()
        self._deliver({"type": "websocket.disconnect", "code": code})
        self._protocol.send_close(code, reason)
        self._write_pending()
        self._close_timer.start(CLOSE_TIMEOUT_SECONDS, self.transport.close)
        self._go_on_reading()


@lru_cache(maxsize=64)
def _text_frame(text: str) -> bytes:
    """The message as a WebSocket frame. It is encoded once for all subscribers. Their frames are equal because no
    extension is used."""
    return Frame(Opcode.TEXT, text.encode()).serialize(mask=False)
