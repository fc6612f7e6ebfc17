"""What every route needs: the host, who asks, and positions made from orders."""

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
from connectk.server.views import saved_of
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


async def admitted(match_id: str, host: HostDep, secret: SecretDep) -> Access:
    """The match, and which sides the asker plays."""
    if secret and not host.limits.seats.allows(hash_of(secret)):
        raise RateLimited
    return await host.service.admit(match_id, secret)


Admitted = Annotated[Access, Depends(admitted)]


def client_address(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else ""


def asker_of(request: Request) -> Requester:
    """Who waits in the fair queue: nothing that the asker could make up."""
    address = client_address(request)
    return Requester(address, request.path_params.get("match_id", address))


AskerDep = Annotated[Requester, Depends(asker_of)]


def check_board(variant: Variant, host: Host) -> None:
    check_cells(variant, host.settings.largest_board)


async def start_of(order: PositionOrder, host: Host, address: str) -> Position:
    """The set-up board of an order."""
    variant = Variant(order.variant.width, order.variant.height, order.variant.run)
    check_board(variant, host)
    host.limits.charge_replay(address, len(order.start))
    return await in_thread_if_long(len(order.start), parse_start, order.start, variant)


async def game_of(order: PositionOrder, host: Host, address: str) -> Game:
    """The game of an order; its length counts."""
    start = await start_of(order, host, address)
    host.limits.charge_replay(address, len(order.moves))
    return await in_thread_if_long(len(order.moves), Game, start, order.moves)


async def position_of(order: PositionOrder, host: Host, address: str) -> Position:
    """The board of an order after its moves."""
    return (await game_of(order, host, address)).position


async def saved_match(admitted: Access, host: Host, address: str) -> SavedGame:
    """The match as a game to keep, every board on the way; its length counts."""
    host.limits.charge_replay(address, len(admitted.match.moves))
    return await in_thread_if_long(len(admitted.match.moves), saved_of, admitted.match)
