"""The application: routes over a host, guarded."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from types import FrameType
from typing import Any

from fastapi import FastAPI

import connectk
from connectk.server import apipage, logs, matches, operations, pictures, questions, socket
from connectk.server.guard import Guard
from connectk.server.host import Host
from connectk.server.page import routes as page
from connectk.server.page.static import add_page
from connectk.server.refusing import answer_refusals
from connectk.server.settings import Settings, load_settings

COLLECTING = (5_000, 5, 40)  # new objects, looks at the newest and at the newer ones before the next kind of look
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
        lifespan=_lifespan(settings),
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
    )
    for part in (matches, questions, pictures, operations, apipage, socket, page):
        app.include_router(part.router)
    answer_refusals(app)
    app.add_middleware(Guard)
    add_page(app)
    return app


def create_from_environment() -> FastAPI:
    """What each worker process calls; the settings come in its environment."""
    settings = load_settings()
    logs.set_up(settings.log, settings.log_level)
    app = create_app(settings)
    collect_calmly()
    return app


def collect_calmly() -> None:
    """Python stops everything, for a tenth of a second and more, while it looks through all objects for those that
    nobody needs. Let it leave alone what is there from the start, and look at everything less often."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECTING)


def _lifespan(settings: Settings) -> Callable[[FastAPI], Any]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        host = app.state.host = Host(settings)
        await host.start()
        _say_goodbye_on_signals(host)
        logs.log.info("started", process=os.getpid())
        try:
            yield
        finally:
            await host.close()
            logs.log.info("stopped")

    return lifespan


def _say_goodbye_on_signals(host: Host) -> None:
    """Before uvicorn closes the sockets, tell them to come back; then let it do as it would."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        before = signal.getsignal(number)

        def tell(number: int, frame: FrameType | None, before: Any = before) -> None:
            loop.call_soon_threadsafe(host.say_goodbye)
            if callable(before):
                before(number, frame)

        signal.signal(number, tell)
