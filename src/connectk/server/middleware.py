"""The middleware of every request: limits, origin check, security headers, logs and metrics."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from connectk.play.keys import is_match_id
from connectk.play.refusals import Busy, Refusal, TooMuch
from connectk.server import monitoring
from connectk.server.errors import STATUS, RefusalException, language_of, refusal_of
from connectk.server.host import Host
from connectk.server.limits import BYTES_PER_TOKEN, AddressBlocked, ForeignOrigin, RateLimited, network_of
from connectk.server.monitoring import log
from connectk.server.schemas import RefusedAnswer
from connectk.texts import load_texts

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
MAX_BODY_BYTES = 64 * 1024
NEW_MATCH_COST = 10.0
MAX_UPLOAD_BYTES = 8 * 1024 * 1024
MAX_DRAINED_BYTES = 2 * MAX_UPLOAD_BYTES  # of a refused body, read so that the client gets to the answer
UPLOAD_PATHS = ("/api/judge", "/api/saved", "/api/page/read", "/api/page/arena")
RETRY_AFTER: Mapping[str, str] = {"retry-after": "1"}
CLIENT_CLOSED_REQUEST = 499  # logged if the client disconnects before the answer
PAGE_POLICY = (
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'; object-src 'none'"
)
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
SECURITY_HEADERS: Mapping[str, str] = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",  # so the page may share memory with its workers
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}


class RequestGuard:
    """Refuses floods, requests from other sites' pages and large bodies; adds the security headers; logs and measures
    requests. An exception is logged as one line."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        scope["client"] = (resolve_client_address(scope, _host(scope).settings.proxies), 0)
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await self._websocket(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, host = time.perf_counter(), _host(scope)
        status = 0
        body = RequestBody(scope, receive)

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _add_headers(scope, message)
            host.limits.addresses.charge(scope["client"][0], len(message.get("body", b"")) / BYTES_PER_TOKEN)
            if _is_last(message) and not body.is_complete:
                await send({**message, "more_body": True})
                await body.drain()
                message = {"type": "http.response.body"}
            await send(message)

        try:
            handler = _check_request(scope, host) or self._app
            await host.limits.scheduler.wait_for_slot(scope["client"][0])
            await handler(scope, body.receive, send_with_headers)
        except ClientDisconnect:
            status = CLIENT_CLOSED_REQUEST
        except Exception as error:
            _log_exception(scope, error)
            if not status:
                await _internal_error(scope)(scope, receive, send_with_headers)
        finally:
            _log_request(scope, status, time.perf_counter() - began)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        host = _host(scope)
        address = scope["client"][0]
        refusal = _check_request(scope, host) or _check_socket_limit(scope, host)
        if refusal:
            await receive()
            await _reject_socket(refusal, scope, send)
            return
        host.limits.sockets[address] += 1
        try:
            await self._app(scope, receive, send)
        except Exception as error:
            _log_exception(scope, error)
        finally:
            host.limits.sockets[address] -= 1
            host.limits.sockets += Counter()  # removes the addresses that have none


def _internal_error(scope: Scope) -> JSONResponse:
    """The answer to an exception, in the shape of a refusal."""
    texts = load_texts(language_of(HTTPConnection(scope)))
    return JSONResponse(RefusedAnswer(reason="failed", message=texts("refused.failed")), 500)


def _log_exception(scope: Scope, error: Exception) -> None:
    monitoring.failures.labels("request").inc()
    log.error("request_failed", route=_route(scope), failed=monitoring.describe_error(error))


def _check_socket_limit(scope: Scope, host: Host) -> JSONResponse | None:
    limits, address = host.limits, scope["client"][0]
    if limits.sockets.total() < limits.max_sockets and limits.sockets[address] < limits.max_sockets_per_address:
        return None
    return _refusal_response(Busy(), scope, RETRY_AFTER)


async def _reject_socket(refusal: JSONResponse, scope: Scope, send: Send) -> None:
    """Rejects a WebSocket with the same status and body as a request, if the server supports that."""
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008})
        return
    await send({"type": "websocket.http.response.start", "status": refusal.status_code, "headers": refusal.raw_headers})
    await send({"type": "websocket.http.response.body", "body": refusal.body})


def _host(scope: Scope) -> Host:
    host: Host = scope["app"].state.host
    return host


def _check_request(scope: Scope, host: Host) -> JSONResponse | None:
    """The refusal of this request, if any."""
    address = scope["client"][0]
    if address in host.blocked:
        return _refusal_response(AddressBlocked(), scope)
    if not host.limits.addresses.allows(address, _cost(scope)):
        return _refusal_response(RateLimited(), scope, RETRY_AFTER)
    headers = Headers(scope=scope)
    changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS")
    if changes and not _is_own_page(headers, host.settings.origins):
        return _refusal_response(ForeignOrigin(), scope)
    if _declared_length(headers) > _max_body_bytes(scope):
        return _refusal_response(TooMuch(), scope)
    return None


def _refusal_response(refusal: Refusal, scope: Scope, headers: Mapping[str, str] | None = None) -> JSONResponse:
    body = refusal_of(refusal, language_of(HTTPConnection(scope)))
    return JSONResponse(body, STATUS[body["reason"]], headers)


def _cost(scope: Scope) -> float:
    """Tokens that a request costs; a new match costs more, because it stays in the store."""
    return NEW_MATCH_COST if scope["path"] == "/api/matches" and scope.get("method") == "POST" else 1.0


def resolve_client_address(scope: Scope, proxies: int) -> str:
    """The client's address. Each proxy appends the address it was called from to X-Forwarded-For; anything further
    left may be forged."""
    direct = network_of(scope["client"][0]) if scope.get("client") else ""
    if not proxies:
        return direct
    forwarded = [part.strip() for line in Headers(scope=scope).getlist("x-forwarded-for") for part in line.split(",")]
    return network_of(forwarded[-proxies]) if len(forwarded) >= proxies else direct


def _is_own_page(headers: Headers, origins: tuple[str, ...]) -> bool:
    """Whether the request comes from this server's page, by its Origin header, which programs do not send."""
    origin = headers.get("origin")
    if origin is None or origin in origins:
        return True
    try:
        return urlsplit(origin).netloc == headers.get("host")
    except ValueError:  # such as "http://["
        return False


def _declared_length(headers: Headers) -> int:
    length = headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() else 0


def _max_body_bytes(scope: Scope) -> int:
    return MAX_UPLOAD_BYTES if scope["path"] in UPLOAD_PATHS else MAX_BODY_BYTES


class RequestBody:
    """The body of a request; its size is checked while it arrives, whatever length the header declares."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._scope, self._receive = scope, receive
        self._received_bytes = 0
        self.is_complete = not _has_body(Headers(scope=scope))

    async def receive(self) -> Message:
        message = await self._receive_message()
        size = len(message.get("body", b""))
        if size:
            self._charge(size)
        if self._received_bytes > _max_body_bytes(self._scope):
            raise RefusalException(TooMuch())
        return message

    def _charge(self, size: int) -> None:
        try:
            _host(self._scope).limits.megabytes.take(self._scope["client"][0], size / 2**20)
        except Refusal as refusal:  # FastAPI reads the body, and only lets an HTTPException through
            raise RefusalException(refusal) from refusal

    async def _receive_message(self) -> Message:
        message = await self._receive()
        self._received_bytes += len(message.get("body", b""))
        self.is_complete = self.is_complete or not message.get("more_body", False)
        return message

    async def drain(self) -> None:
        """Reads and discards the rest of a refused body. A client that is still sending does not read yet, and would
        lose the answer if the connection were closed now."""
        while not self.is_complete and self._received_bytes < MAX_DRAINED_BYTES:
            await self._receive_message()


def _has_body(headers: Headers) -> bool:
    return "transfer-encoding" in headers or _declared_length(headers) > 0


def _is_last(message: Message) -> bool:
    return message["type"] == "http.response.body" and not message.get("more_body", False)


def _add_headers(scope: Scope, message: Message) -> None:
    headers = MutableHeaders(scope=message)
    picture = headers.get("content-type", "").startswith("image/") and scope["path"].startswith("/api/")
    headers.setdefault("content-security-policy", PICTURE_POLICY if picture else PAGE_POLICY)
    if scope["path"].startswith("/api/"):
        headers.setdefault("cache-control", "no-store")
    for name, value in SECURITY_HEADERS.items():
        headers.setdefault(name, value)


def _route(scope: Scope) -> str:
    """The route's pattern for the log; the actual address may contain secrets."""
    route: Any = scope.get("route")
    return getattr(route, "path", "other")


def _log_request(scope: Scope, status: int, seconds: float) -> None:
    method = scope["method"] if scope["method"] in METHODS else "other"
    monitoring.requests.labels(method, _route(scope), str(status)).observe(seconds)
    match_id = scope.get("path_params", {}).get("match_id", "")
    facts = {"match": match_id} if is_match_id(match_id) else {}
    log.info("request", method=method, route=_route(scope), status=status, ms=round(seconds * 1000, 1), **facts)
