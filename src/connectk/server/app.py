"""The application: routes over a host, guarded."""

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
from connectk.server.errors import answer_refusals
from connectk.server.host import Host
from connectk.server.middleware import Guard
from connectk.server.routes import docs, matches, operations, page, positions, rooms, roomsocket, socket
from connectk.server.settings import Settings, load_settings
from connectk.system import die_with_parent, give_memory_back

SHARING = 0.002  # seconds
# New objects, looks at the newest, and looks at the newer ones before the next kind of look. Each drop takes the place
# of older objects, so when there are two hundred more, thousands are new: to look at them takes two milliseconds.
COLLECTING = (200, 100, 40)
DESCRIPTION = """
Play Connect Four and every connect-k game. Make a match, keep the secret it answers with, and send it as
`Authorization: Bearer ...`. Columns and rows count from 0; row 0 is at the bottom. What is refused is answered with a
stable `reason` and a sentence. The socket of a match is at `/api/matches/{match_id}/socket`.
"""


def create_app(settings: Settings) -> FastAPI:
    """The application for these settings; opens its database when it starts."""
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
    answer_refusals(app)
    app.add_middleware(Guard)
    page.add_files(app)
    return app


def _routes() -> list[BaseRoute]:
    """All that can be asked for. A router included in another would work out each of its routes once more."""
    parts = (matches, rooms, positions, operations, docs, socket, roomsocket, page)
    return [route for router in (*(part.router for part in parts), positions.pictures) for route in router.routes]


def create_from_environment() -> FastAPI:
    """What each worker process calls; the settings come in its environment."""
    die_with_parent()  # or a worker would hold the port, and nobody would look after it
    settings = load_settings()
    monitoring.set_up_logs(settings.log, settings.log_level)
    app = create_app(settings)
    keep_calm()
    return app


def keep_calm() -> None:
    """Python stops everything, for a tenth of a second and more, while it looks through all objects for those that
    nobody needs: let it leave alone what is there from the start, and look at everything less often. And a thread that
    reads a long match keeps the interpreter for five milliseconds whenever the loop wants it back: let it be less. And
    what large files take goes back to the system."""
    give_memory_back()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTING)
    sys.setswitchinterval(SHARING)


def _lifespan(settings: Settings) -> Callable[[FastAPI], Any]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        host = app.state.host = Host(settings)
        if server := getattr(app.state, "server", None):
            host.network.serve_with(server)
        await host.start()
        _say_goodbye_on_signals(host)
        monitoring.log.info("started", process=os.getpid())
        try:
            yield
        finally:
            await host.close()
            monitoring.log.info("stopped")

    return lifespan


def _say_goodbye_on_signals(host: Host) -> None:
    """Tell the sockets to come back, and only then let uvicorn close them."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()

    def stop(number: int, before: Any) -> None:
        host.say_goodbye()
        if callable(before):
            before(number, None)

    for number in (signal.SIGINT, signal.SIGTERM):
        handler = partial(loop.call_soon_threadsafe, stop, number, signal.getsignal(number))
        signal.signal(number, lambda *_, handler=handler: handler())
