"""Starting the server: one process, or several over PostgreSQL."""

from __future__ import annotations

import os
import socket
import tempfile
import time
from contextlib import suppress

import uvicorn
from uvicorn.supervisors import Multiprocess

from connectk.server import monitoring
from connectk.server.app import create_app, keep_calm
from connectk.server.connections import ReadProtocol, TimedProtocol
from connectk.server.host import CLOCK
from connectk.server.settings import BadSettings, Settings, to_environment
from connectk.storage.database import prepare
from connectk.system import kept_from_children

LARGEST_FRAME = 16 * 1024
PATIENCE = 30  # seconds that a worker on a busy machine may be silent before it is replaced


def run(settings: Settings) -> None:
    """Serve until told to stop."""
    monitoring.set_up_logs(settings.log, settings.log_level)
    monitoring.log.info("settings", **settings.shown())
    lock = prepare(settings.database)
    listening = listen(settings.host, settings.port)
    monitoring.log.info("serving", url=f"http://{settings.host}:{listening.getsockname()[1]}/")
    with suppress(KeyboardInterrupt):  # uvicorn raises it again when all is done
        if settings.workers == 1:
            app = create_app(settings)
            server = app.state.server = uvicorn.Server(config_for(settings, app))
            keep_calm()
            server.run(sockets=[listening])
        else:
            _run_workers(settings, listening)
    if lock:
        lock.close()


def listen(host: str, port: int) -> socket.socket:
    """A socket that worker processes can inherit; a port that is taken is said in a sentence."""
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
    """The workers get the settings in their environment, and measure into one folder."""
    os.environ.update(to_environment(settings))
    os.environ[CLOCK] = str(time.time() - time.monotonic())
    with tempfile.TemporaryDirectory(prefix="connectk-") as folder:
        os.environ["PROMETHEUS_MULTIPROC_DIR"] = folder
        config = config_for(settings, "connectk.server.app:create_from_environment")
        Workers(config, sockets=[listening]).run()


class Workers(Multiprocess):
    """Keeps them running. uvicorn's own holds the workers' ends of their pipes open too, so one that dies while it is
    asked whether it lives is waited for in vain, and nothing else is done meanwhile; with ours closed it is known.
    Ctrl-C is for this process, which stops them."""

    def init_processes(self) -> None:
        with kept_from_children("SIGINT"):
            super().init_processes()
        self._leave_them_their_ends()

    def keep_subprocess_alive(self) -> None:
        with kept_from_children("SIGINT"):
            super().keep_subprocess_alive()
        self._leave_them_their_ends()

    def _leave_them_their_ends(self) -> None:
        for process in self.processes:
            process.child_conn.close()


def config_for(settings: Settings, app: object) -> uvicorn.Config:
    return uvicorn.Config(
        app,  # type: ignore[arg-type]
        http=TimedProtocol,
        ws=ReadProtocol,
        factory=isinstance(app, str),
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # `middleware` counts the proxies
        ws_max_size=LARGEST_FRAME,
        ws_per_message_deflate=False,  # it would take some memory for every socket, and messages are small
        timeout_graceful_shutdown=settings.shutdown_seconds,
        timeout_worker_healthcheck=PATIENCE,
    )
