"""Runs a server for the user of this machine and opens its page. If a server is already running, only its page is
opened."""

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

DEFAULT_PORT = 8000
STARTUP_TIMEOUT_SECONDS = 60.0
HEALTH_TIMEOUT_SECONDS = 10.0  # the longest wait for the answer of a running server
EARLY_EXIT_SECONDS = 3.0  # a browser that exits sooner has failed or has used a window that was open already
WINDOW_CLOSE_TIMEOUT_SECONDS = 5.0
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
class PageOpener:
    """Opens a web address in a window of its own, in the browser, or not at all."""

    window: bool
    silent: bool = False

    def open(self, url: str, windows: list[BrowserWindow] | None = None) -> BrowserWindow | None:
        """Opens the address. Returns the window if the caller can wait until it is closed.

        The window is added to `windows` as soon as its process starts. Another thread can then close it while it opens.
        """
        windows = [] if windows is None else windows
        if self.silent or not has_screen():
            return None
        program = next(filter(None, map(shutil.which, BROWSERS)), None) if self.window else None
        window = BrowserWindow.start(program, url) if program else None
        if window:
            windows.append(window)
            window.wait_for_early_exit()
        if window is None or (window.failed and window in windows):
            webbrowser.open(url)
        return window if window and window.is_open else None


@dataclass(frozen=True, slots=True)
class BrowserWindow:
    """A window of the browser without its address bar and buttons."""

    process: subprocess.Popen[bytes]

    @classmethod
    def start(cls, program: str, url: str) -> BrowserWindow | None:
        """Starts the browser with a separate profile, so that its process ends when the window is closed."""
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

    def wait_for_early_exit(self) -> None:
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(EARLY_EXIT_SECONDS)

    @property
    def is_open(self) -> bool:
        return self.process.poll() is None

    @property
    def failed(self) -> bool:
        return bool(self.process.poll())

    def close(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(WINDOW_CLOSE_TIMEOUT_SECONDS)
        except subprocess.TimeoutExpired:
            self.process.kill()


def profile_for(program: str) -> Path:
    """The folder for the browser's profile. A browser that is installed as a snap may write only to its own folder."""
    if program.startswith("/snap/"):
        return Path.home() / "snap" / Path(program).name / "common" / "connectk"
    return user_data_path("connectk", appauthor=False) / "window"


def has_screen() -> bool:
    """Whether there is a display. Without one, opening the page could start a text browser inside the terminal."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def serve_desktop(opener: PageOpener, port: int = 0, database: Path | None = None) -> None:
    """Serves this machine until the user presses Ctrl-C, stops the server on its page, or closes the window.

    If a server is already running, only its page is opened.
    """
    file = database or user_data_path("connectk", appauthor=False, ensure_exists=True) / "matches.db"
    address_file = Path(f"{file}.address")
    url = _running_server(address_file)
    if url:
        print(_texts()("gui.already", url=url))
        opener.open(url)
        return
    port = port or (DEFAULT_PORT if _is_free(DEFAULT_PORT) else 0) or _free_port()
    url = f"http://127.0.0.1:{port}/"
    settings = load_settings(
        host="127.0.0.1", port=port, database=f"sqlite:///{file}", workers=1, closable=True, log_level="warning"
    )
    address_file.write_text(url, encoding="utf-8")
    signal.signal(signal.SIGTERM, _exit)
    windows: list[BrowserWindow] = []
    threading.Thread(target=_open_when_ready, args=(url, opener, windows), daemon=True).start()
    try:
        run(settings)
    finally:
        address_file.unlink(missing_ok=True)
        while windows:
            windows.pop().close()
        print(_texts()("gui.stopped"))


def _texts() -> Texts:
    return load_texts(preferred_language(os.environ))


def _exit(number: int, frame: FrameType | None) -> None:
    """Ends the program normally, so that `finally` blocks run. Called when the page stops the server by SIGTERM."""
    raise SystemExit(0)


def _open_when_ready(url: str, opener: PageOpener, windows: list[BrowserWindow]) -> None:
    """Prints the address and opens the page as soon as the server answers. Stops the server when the user closes the
    window."""
    started = time.monotonic()
    while not _answers(url):
        if time.monotonic() - started > STARTUP_TIMEOUT_SECONDS:
            return
        time.sleep(0.1)
    texts = _texts()
    print(texts("gui.at", url=url, close=texts("foot.close")), flush=True)
    window = opener.open(url, windows)
    if window:
        window.process.wait()
        if window in windows:  # closed by the user, not by `serve_desktop`
            _thread.interrupt_main(signal.SIGTERM)  # works on every system


def _running_server(address_file: Path) -> str | None:
    try:
        url = address_file.read_text(encoding="utf-8").strip()
    except OSError:
        return None
    return url if url.startswith("http://127.0.0.1:") and _answers(url) else None


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(f"{url}healthz", timeout=HEALTH_TIMEOUT_SECONDS) as answer:
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
