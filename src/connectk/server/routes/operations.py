"""Health, readiness and metrics."""

from __future__ import annotations

import asyncio
import signal
from typing import Any

from fastapi import APIRouter, Request, Response

from connectk.play.refusals import Refusal
from connectk.server import monitoring
from connectk.server.dependencies import HostDep, client_address
from connectk.server.routes.matches import REFUSAL_RESPONSES
from connectk.server.schemas import AddressAnswer, HealthAnswer

router = APIRouter(tags=["operations"], responses=REFUSAL_RESPONSES)
METRICS_COST_MOVES = 1000  # writing up to two thousand lines costs as much as replaying this many moves
LOCAL_HOSTS = ("127.0.0.1", "::1", "localhost")


class NotClosable(Refusal):
    reason = "not_closable"


@router.get("/healthz", response_model=HealthAnswer)
async def healthy() -> Any:
    """Say that the process is running."""
    return {"status": "ok"}


@router.get("/readyz", response_model=HealthAnswer, responses={503: {"model": HealthAnswer}})
async def ready(host: HostDep, response: Response) -> Any:
    """Say whether the server can take requests. It can if the database answers and the server is not stopping."""
    status = "ok" if await _database_answers(host) else "not ready"
    if host.stopping.is_set():
        status = "stopping"
    response.status_code = 200 if status == "ok" else 503
    return {"status": status}


@router.post("/api/close", status_code=202, response_model=HealthAnswer)
async def close(request: Request, host: HostDep) -> Any:
    """Stop the server. This is allowed only for a page on the same machine, and only if the server was started with the
    setting `closable`."""
    if not is_local_page(request, host):
        raise NotClosable
    asyncio.get_running_loop().call_later(0.2, signal.raise_signal, signal.SIGTERM)
    return {"status": "stopping"}


@router.post("/api/network", response_model=AddressAnswer)
async def let_in(request: Request, host: HostDep) -> Any:
    """Let other machines on this network reach the server until it stops. This is allowed only for a page that may stop
    the server."""
    if not is_local_page(request, host):
        raise NotClosable
    return {"address": await host.network.open_to_lan()}


def is_local_page(request: Request, host: HostDep) -> bool:
    """Whether the request comes from a page on this machine that may stop the server."""
    return host.settings.closable and is_from_here(request)


def is_from_here(request: Request) -> bool:
    """Whether the request comes from a page on this machine. The page's host must be a name for this machine only, such
    as `localhost`."""
    return request.client is not None and request.client.host in LOCAL_HOSTS and request.url.hostname in LOCAL_HOSTS


async def _database_answers(host: HostDep) -> bool:
    try:
        return await host.store.is_ready()
    except Exception:
        return False


@router.get("/metrics", include_in_schema=False)
async def measured(host: HostDep, request: Request) -> Response:
    host.limits.charge_replay(client_address(request), METRICS_COST_MOVES)
    host.update_metrics()
    body, kind = monitoring.metrics_page()
    return Response(body, media_type=kind)
