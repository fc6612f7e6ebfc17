"""Starts the server as one process. With PostgreSQL it can also start several workers."""

from __future__ import annotations

import os
import socket
import tempfile
from contextlib import suppress

import uvicorn
from uvicorn.supervisors import Multiprocess

from connectk.server import monitoring
from connectk.server.app import create_app, tune_gc
from connectk.server.httpconnection import HttpConnection
from connectk.server.network import WILDCARD_HOSTS, lan_address
from connectk.server.settings import BadSettings, Settings, to_environment
from connectk.storage.database import prepare_database
from connectk.system import blocking_signals_in_children

WORKER_HEALTH_TIMEOUT_SECONDS = 30  # a worker that does not answer within this time is replaced


def run(settings: Settings) -> None:
    """Runs the server until a signal stops it."""
    monitoring.configure_logging(settings.log, settings.log_level)
    if changed := settings.shown(changed=True):
        monitoring.log.info("settings", **changed)
    lock = prepare_database(settings.database)
    listening = listen(settings.host, settings.port)
    monitoring.log.info("serving", url=f"http://{_shown_host(settings)}:{listening.getsockname()[1]}/")
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


def _shown_host(settings: Settings) -> str:
    """The host to open in a browser. If the server listens on all addresses, it is this machine's address on the
    network."""
    everywhere = settings.host in WILDCARD_HOSTS
    return settings.network_host or lan_address() or "127.0.0.1" if everywhere else settings.host


def listen(host: str, port: int) -> socket.socket:
    """Opens a listening socket that worker processes inherit. Raises `BadSettings` if the port is taken."""
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
    """Starts the workers. They read the settings from their environment, and write their metrics into one folder."""
    os.environ.update(to_environment(settings))
    with tempfile.TemporaryDirectory(prefix="connectk-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        config = config_for(settings, "connectk.server.app:create_from_environment")
        WorkerSupervisor(config, sockets=[listening]).run()


class WorkerSupervisor(Multiprocess):
    """Starts a new worker whenever a worker dies. Only this process reacts to Ctrl-C, and it stops the workers.

    uvicorn's own supervisor keeps both ends of the pipe to a worker open, and would wait in vain for a dead worker's
    answer. This one closes the worker's end.
    """

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
        http=HttpConnection,  # type: ignore[arg-type]  # a BufferedProtocol is one, too
        ws="none",  # `HttpConnection` makes the WebSocket connections
        factory=isinstance(app, str),
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # `middleware` counts the proxies
        timeout_graceful_shutdown=settings.shutdown_seconds,
        timeout_worker_healthcheck=WORKER_HEALTH_TIMEOUT_SECONDS,
    )
