"""The steps around every request: limits, the check of its origin, security headers, logs and metrics."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect, HTTPConnection
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from connectk.play.refusals import Busy, Refusal, TooMuch
from connectk.play.secrets_and_codes import is_match_id
from connectk.server import monitoring
from connectk.server.errors import REASON_BY_STATUS, STATUS_BY_ERROR, RefusalException, language_of, refusal_of
from connectk.server.host import Host
from connectk.server.limits import (
    BYTES_PER_TOKEN,
    REQUEST_BYTES_PER_TOKEN,
    SOCKET_COST,
    AddressBlocked,
    ForeignHost,
    ForeignOrigin,
    RateLimited,
    network_of,
)
from connectk.server.monitoring import log
from connectk.server.offences import LOGGED_REASONS
from connectk.server.schemas import RefusedAnswer
from connectk.server.settings import Settings
from connectk.texts import load_texts

ALLOWED_METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
MAX_BODY_BYTES = 64 * 1024
NEW_MATCH_COST = 10.0
MAX_UPLOAD_BYTES = 8 * 1024 * 1024
MAX_DRAINED_BYTES = 2 * MAX_UPLOAD_BYTES  # the most that is read of a refused body, see `RequestBody.drain`
UPLOAD_PATHS = ("/api/judge", "/api/saved", "/api/why/check", "/api/page/read", "/api/page/arena")
MAX_ADDRESS_LENGTH = 45  # of an IPv6 address; what a proxy forwards may be longer
PORT_PATTERN = re.compile(r":\d*$")
RETRY_AFTER_HEADER: Mapping[str, str] = {"retry-after": "1"}
CLIENT_CLOSED_REQUEST = 499  # logged if the client disconnects before the answer
PAGE_POLICY = (  # `blob:` for the same reason as in site.py
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; img-src 'self' blob:; base-uri 'none'; "
    "form-action 'self'; frame-ancestors 'none'; object-src 'none'"
)
EMBED_PATHS = ("/embed/",)  # the page in a form that other sites' pages may show in a frame
EMBED_POLICY = PAGE_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *")
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
SECURITY_HEADERS: Mapping[str, str] = {
    "x-content-type-options": "nosniff",
    "cross-origin-resource-policy": "same-origin",
}
# Browsers need these headers only in documents and workers. The page has dozens of other scripts and styles, which are
# sent without them to save bytes.
DOCUMENT_HEADERS: Mapping[str, str] = {
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-embedder-policy": "require-corp",  # so that the page may share memory with its workers
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}
WORKER_SCRIPTS = ("/worker.js", "/helper.js", "/sw.js")


class RequestGuard:
    """Refuses requests that come too fast, come from another site's page or are too large. It also adds security
    headers, and logs and measures requests. It logs an exception as one line."""

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
        refusal = _check_request(scope, host) or _take_slot(scope, host)
        if refusal:
            host.offences.note("socket", scope["state"]["refused"], scope["client"][0])
            await receive()
            await _reject_socket(refusal, scope, send)
            return
        try:
            await self._app(scope, receive, send)
        except Exception as error:
            _log_exception(scope, error)
        finally:
            host.limits.socket_slots.leave(scope["slot"])


def _internal_error(scope: Scope) -> JSONResponse:
    """The answer after an unexpected exception, in the same form as a refusal."""
    texts = load_texts(language_of(HTTPConnection(scope)))
    return JSONResponse(RefusedAnswer(reason="failed", message=texts("refused.failed")), 500)


def _log_exception(scope: Scope, error: Exception) -> None:
    monitoring.failures.labels("request").inc()
    log.error("request_failed", route=_route(scope), failed=monitoring.describe_error(error))


def _take_slot(scope: Scope, host: Host) -> JSONResponse | None:
    try:
        scope["slot"] = host.limits.socket_slots.enter(scope["client"][0])
    except Busy as refusal:
        return _refusal_response(refusal, scope, RETRY_AFTER_HEADER)
    return None


async def _reject_socket(refusal: JSONResponse, scope: Scope, send: Send) -> None:
    """Answers the handshake of a WebSocket with the HTTP status and body of a refusal. If the server does not support
    this, the socket is only closed."""
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 1008})
        return
    await send({"type": "websocket.http.response.start", "status": refusal.status_code, "headers": refusal.raw_headers})
    await send({"type": "websocket.http.response.body", "body": refusal.body})


def _host(scope: Scope) -> Host:
    host: Host = scope["app"].state.host
    return host


def _check_request(scope: Scope, host: Host) -> JSONResponse | None:
    """The answer that refuses this request. None if the request is allowed."""
    address = scope["client"][0]
    if not host.limits.addresses.allows(address, _cost(scope)):
        scope.setdefault("state", {})["is_rate_limited"] = True  # read by `httpconnection`
        return _refusal_response(RateLimited(), scope, RETRY_AFTER_HEADER)
    if address in host.blocked:
        return _refusal_response(AddressBlocked(), scope)
    headers = Headers(scope=scope)
    if not is_own_host(headers.get("host", ""), host.settings):
        return _refusal_response(ForeignHost(), scope)
    changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS")
    if changes and not _is_own_page(headers, host.settings.origins):
        return _refusal_response(ForeignOrigin(), scope)
    if _declared_length(headers) > _max_body_bytes(scope):
        return _refusal_response(TooMuch(), scope)
    return None


def _refusal_response(refusal: Refusal, scope: Scope, headers: Mapping[str, str] | None = None) -> JSONResponse:
    body = refusal_of(refusal, language_of(HTTPConnection(scope)))
    scope.setdefault("state", {})["refused"] = body["reason"]
    return JSONResponse(body, STATUS_BY_ERROR[body["reason"]], headers)


def _cost(scope: Scope) -> float:
    """The tokens that a request costs. A new match costs more, because it stays in the store."""
    size = (
        len(scope.get("raw_path", b"")) + len(scope["query_string"]) + sum(len(value) for _, value in scope["headers"])
    )
    if scope["type"] == "websocket":
        cost = SOCKET_COST
    else:
        cost = NEW_MATCH_COST if scope["path"] == "/api/matches" and scope["method"] == "POST" else 1.0
    return cost + size // REQUEST_BYTES_PER_TOKEN


def resolve_client_address(scope: Scope, proxies: int) -> str:
    """The address of the client, from X-Forwarded-For.

    Each proxy appends the address of its caller, so only the entries of our own proxies are reliable.
    """
    direct = network_of(scope["client"][0]) if scope.get("client") else ""
    if not proxies:
        return direct
    forwarded = [part.strip() for line in Headers(scope=scope).getlist("x-forwarded-for") for part in line.split(",")]
    return network_of(forwarded[-proxies][:MAX_ADDRESS_LENGTH]) if len(forwarded) >= proxies else direct


def is_own_host(host: str, settings: Settings) -> bool:
    """Whether the Host header of a request names this server.

    This stops DNS rebinding, in which a foreign page redirects its own domain to this machine. Such a page sends its
    own domain, and never an address or `localhost`.
    """
    if not (settings.allowed_hosts or settings.closable):
        return True
    name = PORT_PATTERN.sub("", host.lower())
    bare = name[1:-1] if name.startswith("[") and name.endswith("]") else name
    return not name or name in ("localhost", *map(str.lower, settings.allowed_hosts)) or _is_address(bare)


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_own_page(headers: Headers, origins: tuple[str, ...]) -> bool:
    """Whether the Origin header names this server's own page. A request without that header comes from a program and is
    accepted."""
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
    """The body of a request. Its size is checked while it arrives, because the length declared by the client may be
    wrong."""

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
        if self._scope["path"] not in UPLOAD_PATHS:  # files are read in worker processes
            _host(self._scope).limits.addresses.charge(self._scope["client"][0], size / REQUEST_BYTES_PER_TOKEN)
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
        """Reads the rest of a refused body and throws it away. Many clients read the answer only after they have sent
        everything. If the connection were closed earlier, they would lose the answer."""
        while not self.is_complete and self._received_bytes < MAX_DRAINED_BYTES:
            await self._receive_message()


def _has_body(headers: Headers) -> bool:
    return "transfer-encoding" in headers or _declared_length(headers) > 0


def _is_last(message: Message) -> bool:
    return message["type"] == "http.response.body" and not message.get("more_body", False)


def _add_headers(scope: Scope, message: Message) -> None:
    headers, path = MutableHeaders(scope=message), scope["path"]
    if path.startswith("/api/"):
        headers.setdefault("cache-control", "no-store")
    if _is_document(path, headers):
        _add_document_headers(path, headers)
    for name, value in SECURITY_HEADERS.items():
        headers.setdefault(name, value)


def _is_document(path: str, headers: MutableHeaders) -> bool:
    """Whether a browser may open the answer as a document or a worker. Stylesheets and other scripts are only parts of
    the page."""
    is_code = headers.get("content-type", "").startswith(("text/css", "text/javascript"))
    return not is_code or path.endswith(WORKER_SCRIPTS)


def _add_document_headers(path: str, headers: MutableHeaders) -> None:
    picture = headers.get("content-type", "").startswith("image/") and path.startswith("/api/")
    page_policy = EMBED_POLICY if path in EMBED_PATHS else PAGE_POLICY
    headers.setdefault("content-security-policy", PICTURE_POLICY if picture else page_policy)
    for name, value in DOCUMENT_HEADERS.items():
        headers.setdefault(name, value)
    if headers["content-security-policy"] == EMBED_POLICY:
        headers.setdefault("cross-origin-resource-policy", "cross-origin")
        del headers["x-frame-options"]


def _route(scope: Scope) -> str:
    """The pattern of the route, for the log. The full address may contain a secret."""
    route: Any = scope.get("route")
    return getattr(route, "path", "other")


def _log_request(scope: Scope, status: int, seconds: float) -> None:
    """Logs a request. An offence is counted, but logged only at the debug level, so that nobody can fill the log with
    refused requests."""
    method, route = scope["method"] if scope["method"] in ALLOWED_METHODS else "other", _route(scope)
    monitoring.requests.labels(method, route, str(status)).observe(seconds)
    offence = _offence(scope, status)
    if offence:
        _host(scope).offences.note("request", offence, scope["client"][0])
    match_id = scope.get("path_params", {}).get("match_id", "")
    facts = {"match": match_id} if is_match_id(match_id) else {}
    write = log.debug if offence else log.info
    write("request", method=method, route=route, status=status, ms=round(seconds * 1000, 1), **facts)


def _offence(scope: Scope, status: int) -> str | None:
    """The reason of a refusal if it counts as an offence, else None. A request for an address that does not exist
    counts as one too."""
    reason: str | None = scope.get("state", {}).get("refused") or REASON_BY_STATUS.get(status)
    is_lost = 400 <= status < 500 and _route(scope) == "other"
    return reason if reason in LOGGED_REASONS or is_lost else None
