"""The ASGI application: routes, middleware and the lifespan of a `Host`."""

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
from connectk.server.errors import add_refusal_handlers
from connectk.server.host import Host
from connectk.server.middleware import RequestGuard
from connectk.server.routes import docs, matches, operations, page, positions, rooms, roomsocket, socket
from connectk.server.settings import Settings, load_settings
from connectk.system import die_with_parent, tune_malloc

SWITCH_INTERVAL_SECONDS = 0.002
# The thresholds of the three generations. Each drop also frees older objects, so by the time there are 200 more,
# thousands are new; collecting the youngest generation then takes two milliseconds.
GC_THRESHOLDS = (200, 100, 40)
DESCRIPTION = """
Play Connect Four and every connect-k game. Make a match, keep the secret it answers with, and send it as
`Authorization: Bearer ...`. Columns and rows count from 0; row 0 is at the bottom. What is refused is answered with a
stable `reason` and a sentence. The socket of a match is at `/api/matches/{match_id}/socket`.
"""


def create_app(settings: Settings) -> FastAPI:
    """The application for these settings; it opens its database on startup."""
    app = FastAPI(
        title="connectk",
        version=connectk.__version__,
        description=DESCRIPTION,
        routes=_routes(),
        lifespan=_lifespan(settings),
        openapi_url=None,  # `docs` writes it once
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    app.state.settings = settings
    app.state.descriptions, app.state.describing = {}, asyncio.Lock()
    add_refusal_handlers(app)
    app.add_middleware(RequestGuard)
    page.mount_files(app)
    return app


def _routes() -> list[BaseRoute]:
    """The routes of all routers, in one list: `include_router` would build each of them a second time."""
    parts = (matches, rooms, positions, operations, docs, socket, roomsocket, page)
    return [route for router in (*(part.router for part in parts), positions.pictures) for route in router.routes]


def create_from_environment() -> FastAPI:
    """The entry point of a worker process; its settings are in its environment."""
    die_with_parent()  # or an orphaned worker would keep the port
    settings = load_settings()
    monitoring.configure_logging(settings.log, settings.log_level)
    app = create_app(settings)
    tune_gc()
    return app


def tune_gc() -> None:
    """Shortens the pauses of the event loop. A full garbage collection takes a tenth of a second and more, so the
    objects of the start are frozen and full collections are rarer. A thread that replays a long match gives the
    interpreter back sooner than after the default of five milliseconds. Freed memory is returned to the system."""
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
