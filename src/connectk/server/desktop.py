"""A server for the people at this machine: started with its page open, found again when it already runs."""

from __future__ import annotations

import _thread
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
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

from platformdirs import user_data_path

from connectk.server.runner import run
from connectk.server.settings import load_settings
from connectk.texts import Texts, load_texts, preferred_language

USUAL_PORT = 8000
PATIENCE = 60.0  # seconds for the server to answer
FOUND = 10.0  # seconds for one that runs already
SETTLED = 3.0  # a browser that ends sooner could not start, or has handed the page to a window that was open
TIDY = 5.0  # seconds that a window has to close
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

    def open(self, url: str, ours: list[BrowserWindow] | None = None) -> BrowserWindow | None:
        """The window, where one opened that is ours to watch. `ours` has it as soon as it starts: whoever takes it from
        there closes it, however long it takes to show."""
        ours = [] if ours is None else ours
        if self.silent or not has_screen():
            return None
        program = next(filter(None, map(shutil.which, BROWSERS)), None) if self.window else None
        window = BrowserWindow.start(program, url) if program else None
        if window:
            ours.append(window)
            window.settle()
        if window is None or (window.failed and window in ours):
            webbrowser.open(url)
        return window if window and window.is_open else None


@dataclass(frozen=True, slots=True)
class BrowserWindow:
    """A browser's window without the browser's own controls."""

    process: subprocess.Popen[bytes]

    @classmethod
    def start(cls, program: str, url: str) -> BrowserWindow | None:
        """With a profile of its own, so that the process lives exactly as long as the window does."""
        quiet = subprocess.DEVNULL
        options = [f"--user-data-dir={profile_for(program)}", "--no-first-run", "--no-default-browser-check"]
        try:
            process = subprocess.Popen(
                [program, f"--app={url}", *options, "--window-size=1280,860"],
                stdout=quiet,
                stderr=quiet,
                start_new_session=True,  # Ctrl-C is for the server, which then closes the window
            )
        except OSError:
            return None
        return cls(process)

    def settle(self) -> None:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(SETTLED)

    @property
    def is_open(self) -> bool:
        return self.process.poll() is None

    @property
    def failed(self) -> bool:
        return bool(self.process.poll())

    def close(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(TIDY)
        except subprocess.TimeoutExpired:
            self.process.kill()


def profile_for(program: str) -> Path:
    """Where the window keeps its own; a browser in a snap may write only to its own folder."""
    if program.startswith("/snap/"):
        return Path.home() / "snap" / Path(program).name / "common" / "connectk"
    return user_data_path("connectk", appauthor=False) / "window"


def has_screen() -> bool:
    """Whether a browser could show anything; without a screen one in the terminal would get in the way."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def play_here(opener: Opener, port: int = 0, database: Path | None = None) -> None:
    """Serve this machine until Ctrl-C, until the page closes it or its window is closed.

    Where a server runs already, its page is opened.
    """
    file = database or user_data_path("connectk", appauthor=False, ensure_exists=True) / "matches.db"
    note = Path(f"{file}.address")
    url = _running_at(note)
    if url:
        print(_texts()("gui.already", url=url))
        opener.open(url)
        return
    port = port or (USUAL_PORT if _is_free(USUAL_PORT) else 0) or _free_port()
    url = f"http://127.0.0.1:{port}/"
    settings = load_settings(
        host="127.0.0.1", port=port, database=f"sqlite:///{file}", workers=1, closable=True, log_level="warning"
    )
    note.write_text(url, encoding="utf-8")
    signal.signal(signal.SIGTERM, _leave)
    windows: list[BrowserWindow] = []
    threading.Thread(target=_announce, args=(url, opener, windows), daemon=True).start()
    try:
        run(settings)
    finally:
        note.unlink(missing_ok=True)
        while windows:
            windows.pop().close()
        print(_texts()("gui.stopped"))


def _texts() -> Texts:
    return load_texts(preferred_language(os.environ))


def _leave(number: int, frame: FrameType | None) -> None:
    """The page's way to stop the server ends the program like any other: tidily."""
    raise SystemExit(0)


def _announce(url: str, opener: Opener, windows: list[BrowserWindow]) -> None:
    """Say where it is and open it; when its window is closed, the server has nobody left and stops."""
    started = time.monotonic()
    while not _answers(url):
        if time.monotonic() - started > PATIENCE:
            return
        time.sleep(0.1)
    texts = _texts()
    print(texts("gui.at", url=url, close=texts("foot.close")), flush=True)
    window = opener.open(url, windows)
    if window:
        window.process.wait()
        if window in windows:  # closed by the person, not by us
            _thread.interrupt_main(signal.SIGTERM)  # as if asked to end, on every system


def _running_at(note: Path) -> str | None:
    try:
        url = note.read_text(encoding="utf-8").strip()
    except OSError:
        return None
    return url if url.startswith("http://127.0.0.1:") and _answers(url) else None


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}healthz", timeout=FOUND) as answer:
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
