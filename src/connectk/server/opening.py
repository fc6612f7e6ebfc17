"""A server for the people at this machine: started with its page open, found again when it already runs."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import urllib.request
import webbrowser
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from platformdirs import user_data_path

from connectk.server.running import run
from connectk.server.settings import load_settings

USUAL_PORT = 8000
PATIENCE = 60.0  # seconds for the server to answer
BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "brave-browser",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
)


@dataclass(frozen=True, slots=True)
class Opener:
    """Opens an address: in a window of its own, in the browser, or not at all."""

    window: bool
    silent: bool = False

    def open(self, url: str) -> None:
        if self.silent or not has_screen():
            return
        if not (self.window and open_window(url)):
            webbrowser.open(url)


def has_screen() -> bool:
    """Whether a browser could show anything; without a screen one in the terminal would get in the way."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def open_window(url: str) -> bool:
    """A window without the browser's own controls, where a browser that can do that is installed."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        return False
    quiet = subprocess.DEVNULL
    try:
        subprocess.Popen([program, f"--app={url}", "--window-size=1280,860"], stdout=quiet, stderr=quiet)
    except OSError:
        return False
    return True


def play_here(opener: Opener, port: int = 0, database: Path | None = None) -> None:
    """Serve this machine until Ctrl-C or until the page closes it; where a server runs already, open its page."""
    file = database or user_data_path("connectk", appauthor=False, ensure_exists=True) / "matches.db"
    note = Path(f"{file}.address")
    url = _running_at(note)
    if url:
        print(f"connectk is already at {url}")
        opener.open(url)
        return
    port = port or (USUAL_PORT if _is_free(USUAL_PORT) else 0) or _free_port()
    url = f"http://127.0.0.1:{port}/"
    settings = load_settings(
        host="127.0.0.1", port=port, database=f"sqlite:///{file}", workers=1, closable=True, log_level="warning"
    )
    note.write_text(url)
    signal.signal(signal.SIGTERM, _leave)
    threading.Thread(target=_announce, args=(url, opener), daemon=True).start()
    try:
        run(settings)
    finally:
        note.unlink(missing_ok=True)
        print("connectk has stopped; every game is kept.")


def _leave(number: int, frame: FrameType | None) -> None:
    """The page's way to stop the server ends the program like any other: tidily."""
    raise SystemExit(0)


def _announce(url: str, opener: Opener) -> None:
    started = time.monotonic()
    while not _answers(url):
        if time.monotonic() - started > PATIENCE:
            return
        time.sleep(0.1)
    print(f"connectk is at {url}\nStop it with Ctrl-C, or with 'Close connectk' on the page.", flush=True)
    opener.open(url)


def _running_at(note: Path) -> str | None:
    try:
        url = note.read_text().strip()
    except OSError:
        return None
    return url if url.startswith("http://127.0.0.1:") and _answers(url) else None


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}healthz", timeout=2) as answer:
            return bool(answer.status == 200)
    except (OSError, ValueError):
        return False


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) != 0


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
