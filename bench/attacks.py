"""Measures how much floods from one address slow down other players, on a server with its default settings.

    python bench/attacks.py                                     every flood, about two minutes
    python bench/attacks.py pings headers --seconds 20
    python bench/attacks.py --database postgresql://connectk@localhost/bench --workers 2
    python bench/attacks.py --old ../before/.venv/bin/python    and on another version, in turns
    python bench/attacks.py --granian                           and on Granian as well, where it is installed

During a flood, a client at another address plays an ordinary game with one drop every 20 ms. The printed times are
those of its drops. The printed memory is that of all processes of the server, before the flood and at its peak, with
each page counted once. Server, player and attacker share this machine, and the attacker has the lowest priority. `late`
is the longest delay of a timer in a process that does nothing else. The time of the longest drop includes this delay,
although the server does not cause it.
"""

import argparse
import contextlib
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import quantiles

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # imports the floods and the player from the tests

from tests.server.hostile.conftest import Bystander  # noqa: E402
from tests.server.hostile.floods import NAMES, flooding  # noqa: E402
from tests.server.hostile.memory import megabytes  # noqa: E402
from tests.server.serving import Client, free_fixed_port  # noqa: E402

from server import has_granian, start_granian  # noqa: E402 - bench/server.py

BASELINE_SECONDS = 3.0
GRANIAN = "granian"  # given instead of the path of an interpreter


class Server:
    """A server with its own settings. It is `connectk serve` of some version, or the application on Granian."""

    def __init__(self, python, database, workers):
        self.port = free_fixed_port()
        if python == GRANIAN:
            self.process = start_granian(database, workers, self.port, {"CONNECTK_LOG_LEVEL": "error"})
        else:
            command = [python, "-m", "connectk", "serve", "--database", database, "--workers", str(workers)]
            self.process = subprocess.Popen([*command, "--port", str(self.port), "--log-level", "error"], cwd="/")
        with Client(self.port) as client:
            for _ in range(600):
                with contextlib.suppress(OSError, Exception):
                    if client.get("/readyz").status_code == 200:
                        return
                time.sleep(0.1)
        raise RuntimeError("the server did not start")

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Watch(threading.Thread):
    """Measures the memory of a process and of its children, and the delay of a timer in this process."""

    def __init__(self, pid):
        super().__init__(daemon=True)
        self._pid, self._over = pid, threading.Event()
        self.most, self.late = 0.0, 0.0

    def run(self):
        while not self._over.is_set():
            self.most = max(self.most, megabytes(self._pid))
            began = time.monotonic()
            self._over.wait(0.1)
            self.late = max(self.late, time.monotonic() - began - 0.1)

    def stop(self):
        self._over.set()
        self.join()


def measure(title, python, kind, options):
    with tempfile.TemporaryDirectory() as folder:
        server = Server(python, options.database or f"sqlite:///{folder}/matches.db", options.workers)
        try:
            with Client(server.port) as client, Bystander(client) as player:
                time.sleep(BASELINE_SECONDS)
                memory, watch = megabytes(server.process.pid), Watch(server.process.pid)
                with flooding(kind, server.port) if kind else contextlib.nullcontext({}) as outcome:
                    began = len(player.seconds)
                    watch.start()
                    time.sleep(options.seconds)
                    times = player.seconds[began:]
                    watch.stop()
        finally:
            server.stop()
    cuts = quantiles(times, n=100) if len(times) > 1 else [float("nan")] * 99
    longest = max(times, default=options.seconds)  # if no drop arrived
    print(
        f"{title:8} {kind or 'quiet':13} {len(times):6} {cuts[49] * 1e3:7.1f} {cuts[98] * 1e3:7.1f}"
        f" {longest * 1e3:8.1f} {watch.late * 1e3:6.0f} {memory:7.0f} {watch.most:6.0f}  {outcome}",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kinds", nargs="*", help=" ".join(NAMES))
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--database", help="in place of a new SQLite file; an empty database for each run is not made")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--old", metavar="PYTHON", help="the interpreter of another version")
    parser.add_argument("--granian", action="store_true", help="the application on Granian beside it")
    options = parser.parse_args()
    if options.granian and not has_granian():
        sys.exit("granian is not installed: pip install granian")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} before we began; times in ms, memory in MB")
    print("version  flood          drops  median     99%  longest   late   quiet   most")
    for kind in ("", *(options.kinds or NAMES)):
        if options.old:
            measure("old", options.old, kind, options)
        if options.granian:
            measure("granian", GRANIAN, kind, options)
        measure("new", sys.executable, kind, options)


if __name__ == "__main__":
    main()
