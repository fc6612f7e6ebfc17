"""The values that FastAPI passes to the routes: the host, the client's rights, and the position in a request.

All these functions are coroutines. FastAPI calls a plain function in a thread, and a thread has to wait while the event
loop is busy.
"""

from __future__ import annotations

import re
from typing import Annotated

from fastapi import Depends, Header, Request
from fastapi.requests import HTTPConnection
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from connectk.notation.saved_game import SavedGame
from connectk.notation.start import parse_start
from connectk.play.match_cache import in_thread_if_long
from connectk.play.secrets_and_codes import hash_secret
from connectk.play.service import Access
from connectk.rules import Game, Position, Variant
from connectk.server.games import check_cells
from connectk.server.host import Host
from connectk.server.limits import RateLimited
from connectk.server.schemas import PositionRequest
from connectk.server.views import saved_game_of
from connectk.thinking.queue import Requester

HOST_PATTERN = re.compile(r"[A-Za-z0-9.:\[\]-]{1,255}")
bearer = HTTPBearer(auto_error=False, description="A seat's secret, or a private match's invitation.")
IdempotencyKey = Annotated[
    str | None,
    Header(alias="Idempotency-Key", min_length=1, max_length=64, pattern="^[A-Za-z0-9_.:-]+$"),
]


async def host_of(request: Request) -> Host:
    host: Host = request.app.state.host
    return host


HostDep = Annotated[Host, Depends(host_of)]


async def secret_of(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]) -> str | None:
    return credentials.credentials if credentials else None


SecretDep = Annotated[str | None, Depends(secret_of)]


async def match_access(match_id: str, host: HostDep, secret: SecretDep) -> Access:
    """The match in the request's address, and the sides that the client's secret allows it to play."""
    if secret and not host.limits.seats.allows(hash_secret(secret)):
        raise RateLimited
    return await host.service.admit(match_id, secret)


MatchAccessDep = Annotated[Access, Depends(match_access)]


def client_address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


def origin_of(connection: HTTPConnection, host: Host) -> str:
    """The address of this server as the client knows it. Behind a proxy, it has the scheme of the proxy."""
    name = connection.headers.get("host", "")
    forwarded = connection.headers.get("x-forwarded-proto", "") if host.settings.proxies else ""
    scheme = forwarded if forwarded in ("http", "https") else connection.url.scheme
    return f"{scheme}://{name}" if HOST_PATTERN.fullmatch(name) else ""


def requester_of(request: Request) -> Requester:
    """The client as the fair queue knows it: its address and its match, which a client cannot forge."""
    address = client_address(request)
    return Requester(address, request.path_params.get("match_id", address))


async def _requester(request: Request) -> Requester:
    return requester_of(request)


RequesterDep = Annotated[Requester, Depends(_requester)]


def check_board(variant: Variant, host: Host) -> None:
    check_cells(variant, host.settings.max_board_cells)


async def start_of(body: PositionRequest, host: Host, address: str) -> Position:
    """The board in a request, before the request's moves."""
    variant = Variant(body.variant.width, body.variant.height, body.variant.run)
    check_board(variant, host)
    host.limits.charge_replay(address, len(body.start))
    return await in_thread_if_long(len(body.start), parse_start, body.start, variant)


async def game_of(body: PositionRequest, host: Host, address: str) -> Game:
    """The game in a request. A long game counts as several requests in the client's rate limit."""
    start = await start_of(body, host, address)
    host.limits.charge_replay(address, len(body.moves))
    return await in_thread_if_long(len(body.moves), Game, start, body.moves)


async def position_of(body: PositionRequest, host: Host, address: str) -> Position:
    """The position in a request, after the request's moves."""
    return (await game_of(body, host, address)).position


async def saved_match(access: Access, host: Host, address: str) -> SavedGame:
    """The match as a saved game. A long match counts as several requests in the client's rate limit."""
    host.limits.charge_replay(address, len(access.match.moves))
    return await in_thread_if_long(len(access.match.moves), saved_game_of, access.match)
