"""Starting the server: one process, or several over PostgreSQL."""

from __future__ import annotations

import json
import os
import socket
import tempfile

import uvicorn
from uvicorn.supervisors import Multiprocess

from connectk.server import logs
from connectk.server.app import create_app
from connectk.server.settings import Settings

LARGEST_FRAME = 16 * 1024


def run(settings: Settings) -> None:
    """Serve until told to stop."""
    logs.set_up(settings.log, settings.log_level)
    logs.log.info("settings", **settings.shown())
    if settings.workers == 1:
        config = _config(settings, create_app(settings))
        uvicorn.Server(config).run(sockets=[_listen(config)])
    else:
        _run_workers(settings)


def _run_workers(settings: Settings) -> None:
    """The workers get the settings in their environment, and measure into one folder."""
    for name, value in settings.model_dump().items():
        os.environ[f"CONNECTK_{name.upper()}"] = value if isinstance(value, str) else json.dumps(value)
    with tempfile.TemporaryDirectory(prefix="connectk-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        config = _config(settings, "connectk.server.app:create_from_environment")
        Multiprocess(config, sockets=[_listen(config)]).run()


def _listen(config: uvicorn.Config) -> socket.socket:
    listening = config.bind_socket()
    host, port = listening.getsockname()[:2]
    logs.log.info("serving", url=f"http://{host}:{port}/")
    return listening


def _config(settings: Settings, app: object) -> uvicorn.Config:
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        factory=isinstance(app, str),
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=settings.behind_proxy,
        forwarded_allow_ips="*" if settings.behind_proxy else None,
        ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False,  # it would take some memory for every socket, and messages are small
        timeout_graceful_shutdown=settings.shutdown_seconds,
    )
