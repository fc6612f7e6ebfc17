"""Starts the server: one process, or several workers with PostgreSQL."""

from __future__ import annotations

import os
import socket
import tempfile
import time
from contextlib import suppress

import uvicorn
from uvicorn.supervisors import Multiprocess

from connectk.server import monitoring
from connectk.server.app import create_app, tune_gc
from connectk.server.connections import HttpProtocol, WebSocketProtocol
from connectk.server.host import CLOCK_OFFSET_VARIABLE
from connectk.server.settings import BadSettings, Settings, to_environment
from connectk.storage.database import prepare
from connectk.system import blocking_signals_in_children

MAX_WS_MESSAGE_BYTES = 16 * 1024
WORKER_HEALTH_TIMEOUT_SECONDS = 30  # a worker that does not answer for so long is replaced


def run(settings: Settings) -> None:
    """Serves until a signal stops it."""
    monitoring.configure_logging(settings.log, settings.log_level)
    monitoring.log.info("settings", **settings.shown())
    lock = prepare(settings.database)
    listening = listen(settings.host, settings.port)
    monitoring.log.info("serving", url=f"http://{settings.host}:{listening.getsockname()[1]}/")
    with suppress(KeyboardInterrupt):  # uvicorn raises it again after the shutdown
        if settings.workers == 1:
            app = create_app(settings)
            server = app.state.server = uvicorn.Server(config_for(settings, app))
            tune_gc()
            server.run(sockets=[listening])
        else:
            _run_workers(settings, listening)
    if lock:
        lock.close()


def listen(host: str, port: int) -> socket.socket:
    """A listening socket that worker processes inherit; raises `BadSettings` if the port is taken."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
    except OSError as error:
        listening.close()
        reason = error.strerror or error
        raise BadSettings("error.BadSettings.listen", host=host, port=port, reason=reason) from error
    listening.set_inheritable(True)
    return listening


def _run_workers(settings: Settings, listening: socket.socket) -> None:
    """Starts the workers with the settings in their environment and one folder for their metrics."""
    os.environ.update(to_environment(settings))
    os.environ[CLOCK_OFFSET_VARIABLE] = str(time.time() - time.monotonic())
    with tempfile.TemporaryDirectory(prefix="connectk-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        config = config_for(settings, "connectk.server.app:create_from_environment")
        WorkerSupervisor(config, sockets=[listening]).run()


class WorkerSupervisor(Multiprocess):
    """Restarts workers that die. uvicorn's supervisor also keeps the workers' ends of their pipes open, so it would
    wait in vain for the health answer of a worker that has just died; with these ends closed it notices. Workers
    ignore Ctrl-C: this process handles it and stops them."""

    def init_processes(self) -> None:
        with blocking_signals_in_children("SIGINT"):
            super().init_processes()
        self._close_child_pipe_ends()

    def keep_subprocess_alive(self) -> None:
        with blocking_signals_in_children("SIGINT"):
            super().keep_subprocess_alive()
        self._close_child_pipe_ends()

    def _close_child_pipe_ends(self) -> None:
        for process in self.processes:
            process.child_conn.close()


def config_for(settings: Settings, app: object) -> uvicorn.Config:
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        http=HttpProtocol,
        ws=WebSocketProtocol,
        factory=isinstance(app, str),
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # `middleware` counts the proxies
        ws_max_size=MAX_WS_MESSAGE_BYTES,
        ws_per_message_deflate=False,  # costs memory per socket, and messages are small
        timeout_graceful_shutdown=settings.shutdown_seconds,
        timeout_worker_healthcheck=WORKER_HEALTH_TIMEOUT_SECONDS,
    )
