"""Health, readiness and metrics."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Response

from connectk.server import metrics
from connectk.server.answers import Health
from connectk.server.asking import HostHere

router = APIRouter(tags=["operations"])


@router.get("/healthz", response_model=Health)
async def healthy() -> Any:
    """The process answers."""
    return {"status": "ok"}


@router.get("/readyz", response_model=Health, responses={503: {"model": Health}})
async def ready(host: HostHere, response: Response) -> Any:
    """The database answers and the server is not stopping: send people here."""
    status = "ok" if await _database_answers(host) else "not ready"
    if host.stopping.is_set():
        status = "stopping"
    response.status_code = 200 if status == "ok" else 503
    return {"status": status}


async def _database_answers(host: HostHere) -> bool:
    try:
        return await host.store.is_ready()
    except Exception:
        return False


@router.get("/metrics", include_in_schema=False)
async def measured(host: HostHere) -> Response:
    host.measure()
    body, kind = metrics.page()
    return Response(body, media_type=kind)
