"""Builds the ASGI application: its routes, its middleware, and the `Host` that lives as long as the server."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

from fastapi import FastAPI
from starlette.routing import BaseRoute

import connectk
from connectk.server import monitoring
from connectk.server.connections import connection_registry
from connectk.server.errors import add_refusal_handlers
from connectk.server.host import Host
from connectk.server.middleware import RequestGuard
from connectk.server.routes import (
    docs,
    links,
    matches,
    operations,
    page,
    positions,
    profiles,
    roomgrades,
    roomhosts,
    roomresults,
    rooms,
    roomsocket,
    seeks,
    socket,
)
from connectk.server.settings import Settings, load_settings
from connectk.system import die_with_parent, tune_malloc

SWITCH_INTERVAL_SECONDS = 0.002
# The thresholds of the three generations. A collection starts when there are 200 more objects than after the last one.
# Each drop also frees old objects, so thousands are new by then, and collecting them takes two milliseconds.
GC_THRESHOLDS = (200, 100, 40)
DESCRIPTION = """
Play Connect Four and every connect-k game. Make a match, keep the secret it answers with, and send it as
`Authorization: Bearer ...`. Columns and rows count from 0; row 0 is at the bottom. What is refused is answered with a
stable `reason` and a sentence. The socket of a match is at `/api/matches/{match_id}/socket`.
"""


def create_app(settings: Settings) -> FastAPI:
    """The application for these settings. It opens its database when it starts, not before."""
    app = FastAPI(
        title="connectk",
        version=connectk.__version__,
        description=DESCRIPTION,
        routes=_routes(),
        lifespan=_lifespan(settings),
        openapi_url=None,  # `routes.docs` serves it from a cache
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.settings, app.state.connections = settings, connection_registry(settings)
    app.state.descriptions, app.state.describing = {}, asyncio.Lock()
    add_refusal_handlers(app)
    app.add_middleware(RequestGuard)
    page.mount_files(app)
    return app


def _routes() -> list[BaseRoute]:
    """All routes in one list. `include_router` is not used, because it builds each route a second time."""
    strangers = profiles, seeks
    room_routes = rooms, roomhosts, roomresults, roomgrades
    parts = (matches, *strangers, *room_routes, positions, operations, docs, socket, roomsocket, page, links)
    return [route for router in (*(part.router for part in parts), positions.pictures) for route in router.routes]


def create_from_environment() -> FastAPI:
    """The application of a worker process. Its settings come from the environment."""
    die_with_parent()  # or an orphaned worker would keep the port
    settings = load_settings()
    monitoring.configure_logging(settings.log, settings.log_level)
    app = create_app(settings)
    tune_gc()
    return app


def tune_gc() -> None:
    """Make the pauses of the event loop shorter.

    A full garbage collection takes a tenth of a second or more, so it skips the objects that exist now and runs less
    often. A thread that replays a long match lets other threads run after less than the default of five milliseconds.
    Freed memory goes back to the operating system.
    """
    tune_malloc()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)


def _lifespan(settings: Settings) -> Callable[[FastAPI], Any]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        host = app.state.host = Host(settings)
        if server := getattr(app.state, "server", None):
            host.network.attach_server(server)
        await host.start()
        _announce_shutdown_on_signals(host)
        monitoring.log.info("started", process=os.getpid())
        try:
            yield
        finally:
            await host.close()
            monitoring.log.info("stopped")

    return lifespan


def _announce_shutdown_on_signals(host: Host) -> None:
    """Tells the sockets to reconnect before uvicorn closes them."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()

    def stop(number: int, previous: Any) -> None:
        host.announce_shutdown()
        if callable(previous):
            previous(number, None)

    for number in (signal.SIGINT, signal.SIGTERM):
        handler = partial(loop.call_soon_threadsafe, stop, number, signal.getsignal(number))
        signal.signal(number, lambda *_, handler=handler: handler())
