"""Dependencies of the routes: the host, the client's access, and positions made from request bodies."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Header, Request
from fastapi.requests import HTTPConnection
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from connectk.notation.saved import SavedGame
from connectk.notation.start import parse_start
from connectk.play.keys import hash_of
from connectk.play.live import in_thread_if_long
from connectk.play.service import Access
from connectk.rules import Game, Position, Variant
from connectk.server.games import check_cells
from connectk.server.host import Host
from connectk.server.limits import RateLimited
from connectk.server.schemas import PositionOrder
from connectk.server.views import saved_game_of
from connectk.thinking.queue import Requester

bearer = HTTPBearer(auto_error=False, description="A seat's secret, or a private match's invitation.")
IdempotencyKey = Annotated[
    str | None,
    Header(alias="Idempotency-Key", min_length=1, max_length=64, pattern="^[A-Za-z0-9_.:-]+$"),
]


def host_of(request: Request) -> Host:
    host: Host = request.app.state.host
    return host


HostDep = Annotated[Host, Depends(host_of)]


def secret_of(credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]) -> str | None:
    return credentials.credentials if credentials else None


SecretDep = Annotated[str | None, Depends(secret_of)]


async def match_access(match_id: str, host: HostDep, secret: SecretDep) -> Access:
    """The match, and the sides that the client plays."""
    if secret and not host.limits.seats.allows(hash_of(secret)):
        raise RateLimited
    return await host.service.admit(match_id, secret)


MatchAccessDep = Annotated[Access, Depends(match_access)]


def client_address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


def requester_of(request: Request) -> Requester:
    """The client as the fair queue counts it, by address and match, which it cannot forge."""
    address = client_address(request)
    return Requester(address, request.path_params.get("match_id", address))


RequesterDep = Annotated[Requester, Depends(requester_of)]


def check_board(variant: Variant, host: Host) -> None:
    check_cells(variant, host.settings.largest_board)


async def start_of(order: PositionOrder, host: Host, address: str) -> Position:
    """The start position of a request."""
    variant = Variant(order.variant.width, order.variant.height, order.variant.run)
    check_board(variant, host)
    host.limits.charge_replay(address, len(order.start))
    return await in_thread_if_long(len(order.start), parse_start, order.start, variant)


async def game_of(order: PositionOrder, host: Host, address: str) -> Game:
    """The game of a request; charged by its length."""
    start = await start_of(order, host, address)
    host.limits.charge_replay(address, len(order.moves))
    return await in_thread_if_long(len(order.moves), Game, start, order.moves)


async def position_of(order: PositionOrder, host: Host, address: str) -> Position:
    """The position of a request after its moves."""
    return (await game_of(order, host, address)).position


async def saved_match(access: Access, host: Host, address: str) -> SavedGame:
    """The match as a saved game; charged by its length."""
    host.limits.charge_replay(address, len(access.match.moves))
    return await in_thread_if_long(len(access.match.moves), saved_game_of, access.match)
