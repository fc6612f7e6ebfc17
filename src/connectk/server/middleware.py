"""Stands before every request: how much, from where, and with which headers it goes out."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from connectk.server import monitoring
from connectk.server.errors import refused
from connectk.server.host import Host
from connectk.server.monitoring import log

LARGEST_BODY = 64 * 1024
COST_OF_A_MATCH = 10.0
LARGEST_UPLOAD = 8 * 1024 * 1024
UPLOADS = ("/api/judge", "/api/saved", "/api/page/read", "/api/page/arena")
PAGE_POLICY = "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'"
PICTURE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"
HEADERS: Mapping[str, str] = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}


class Guard:
    """Refuses floods, foreign pages and large bodies; adds the security headers; logs and measures."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            await self._websocket(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, host = time.perf_counter(), _host(scope)
        status = 500

        async def send_with_headers(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                _add_headers(scope, message)
            await send(message)

        try:
            refusal = _refusal(scope, host)
            handler = refusal or self._app
            await handler(scope, _bounded(scope, receive), send_with_headers)
        finally:
            _report(scope, status, time.perf_counter() - began)

    async def _websocket(self, scope: Scope, receive: Receive, send: Send) -> None:
        if _refusal(scope, _host(scope)):
            await receive()
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._app(scope, receive, send)


def _host(scope: Scope) -> Host:
    host: Host = scope["app"].state.host
    return host


def _refusal(scope: Scope, host: Host) -> JSONResponse | None:
    """Why this request goes no further."""
    if not host.address_limits.allows(address_of(scope), _cost(scope)):
        return JSONResponse(refused("too_fast", "Too many requests; wait a moment."), 429, {"retry-after": "1"})
    headers = Headers(scope=scope)
    changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD", "OPTIONS")
    if changes and not _is_own_page(headers, host.settings.origins):
        return JSONResponse(refused("foreign_origin", "Another site's page may not do this."), 403)
    if _declared_length(headers) > _largest(scope):
        return JSONResponse(refused("too_large", "That is more than this server takes."), 413)
    return None


def _cost(scope: Scope) -> float:
    """A new match stays in the store, so it counts for more."""
    return COST_OF_A_MATCH if scope["path"] == "/api/matches" and scope.get("method") == "POST" else 1.0


def address_of(scope: Scope) -> str:
    return scope["client"][0] if scope.get("client") else ""


def _is_own_page(headers: Headers, origins: tuple[str, ...]) -> bool:
    """Programs send no Origin; a browser sends that of the page, which must be ours."""
    origin = headers.get("origin")
    return origin is None or origin in origins or urlsplit(origin).netloc == headers.get("host")


def _declared_length(headers: Headers) -> int:
    length = headers.get("content-length", "0")
    return int(length) if length.isascii() and length.isdigit() else 0


def _largest(scope: Scope) -> int:
    return LARGEST_UPLOAD if scope["path"] in UPLOADS else LARGEST_BODY


def _bounded(scope: Scope, receive: Receive) -> Receive:
    """A body that does not say its length is counted as it comes."""
    seen = 0

    async def bounded() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > _largest(scope):
            raise HTTPException(413, "That is more than this server takes.")
        return message

    return bounded


def _add_headers(scope: Scope, message: Message) -> None:
    headers = MutableHeaders(scope=message)
    picture = headers.get("content-type", "").startswith("image/") and scope["path"].startswith("/api/")
    headers.setdefault("content-security-policy", PICTURE_POLICY if picture else PAGE_POLICY)
    if scope["path"].startswith("/api/"):
        headers.setdefault("cache-control", "no-store")
    for name, value in HEADERS.items():
        headers.setdefault(name, value)


def _report(scope: Scope, status: int, seconds: float) -> None:
    """The route, not the address as it was typed: a page's address may say more than a log should."""
    route: Any = scope.get("route")
    name = getattr(route, "path", "other")
    monitoring.requests.labels(scope["method"], name, str(status)).observe(seconds)
    facts = {"match": scope.get("path_params", {}).get("match_id")} if scope.get("path_params") else {}
    log.info("request", method=scope["method"], route=name, status=status, ms=round(seconds * 1000, 1), **facts)
