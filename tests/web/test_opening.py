"""Tests that `connectk gui` opens a window, opens the browser, or only prints the address."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from connectk.server import desktop
from connectk.server.desktop import PageOpener
from tests.web.serving import free_port

URL = "http://127.0.0.1:8000/"


class _Started:
    """Stands in for the process of a browser that opened."""

    def __init__(self, seen: list[str], command: list[str]) -> None:
        seen.append(" ".join(part for part in command if not part.startswith(("--user-data-dir=", "--no-"))))
        self.command = command

    def wait(self, seconds: float) -> int | None:
        return self.poll()

    def poll(self) -> int | None:
        return None


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A list of the programs that would have been started."""
    seen: list[str] = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(desktop.subprocess, "Popen", lambda command, **_: _Started(seen, command))
    monkeypatch.setattr(desktop.webbrowser, "open", lambda url: seen.append(f"browser {url}"))
    monkeypatch.setattr(desktop.shutil, "which", lambda name: "/bin/chromium" if name == "chromium" else None)
    return seen


def test_a_window_of_its_own_where_a_browser_can(calls: list[str]) -> None:
    PageOpener(window=True).open(URL)
    assert calls == [f"/bin/chromium --app={URL} --window-size=1280,860"]


def test_the_browser_where_none_can(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desktop.shutil, "which", lambda name: None)
    PageOpener(window=True).open(URL)
    assert calls == [f"browser {URL}"]


def test_the_browser_where_the_window_does_not_open(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """If the window's process ends at once, for example because it runs as root, the page opens in the usual
    browser."""
    monkeypatch.setattr(_Started, "poll", lambda self: 1)
    assert PageOpener(window=True).open(URL) is None
    assert calls[1:] == [f"browser {URL}"]


def test_a_page_handed_to_a_window_that_was_open_is_not_ours_to_close(
    calls: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_Started, "poll", lambda self: 0)
    assert PageOpener(window=True).open(URL) is None
    assert len(calls) == 1


def test_a_browser_in_a_snap_keeps_its_profile_where_it_may_write() -> None:
    assert desktop.profile_for("/snap/bin/chromium") == Path.home() / "snap/chromium/common/connectk"


def test_nothing_without_a_screen(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr(desktop.sys, "platform", "linux")
    PageOpener(window=True).open(URL)
    assert calls == []


def test_it_says_where_it_is_finds_itself_again_and_stops_tidily(tmp_path: Path) -> None:
    """The first start serves the page. A second start prints the same address, and Ctrl-C ends the server with a
    sentence."""
    command = [sys.executable, "-m", "connectk", "gui", "--no-open", "--port", str(free_port()), "--database"]
    command.append(str(tmp_path / "matches.db"))
    quiet = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=quiet, cwd=tmp_path) as first:
        assert first.stdout is not None
        url = first.stdout.readline().split()[-1]

        second = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True, cwd=tmp_path)
        first.send_signal(signal.SIGINT)
        rest = first.stdout.read()

    assert second.stdout == f"connectk is already at {url}\n"
    assert "connectk has stopped; every game is kept." in rest
    assert first.returncode == 0
    assert not (tmp_path / "matches.db.address").exists()


WINDOW = ("--onlyvisible", "--name", "Connect Four")


@pytest.fixture
def screen() -> Iterator[str]:
    """A virtual display."""
    if not (shutil.which("Xvfb") and shutil.which("xdotool") and shutil.which("chromium")):
        pytest.skip("no window to look at: install xvfb, xdotool and chromium")
    command = ["Xvfb", "-displayfd", "1", "-screen", "0", "1400x900x24"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as xvfb:
        assert xvfb.stdout is not None
        yield f":{xvfb.stdout.readline().strip()}"
        xvfb.terminate()


@pytest.mark.parametrize("ending", ["window", "interrupt"])
def test_a_real_window_opens_and_nothing_is_left_after_it(screen: str, tmp_path: Path, ending: str) -> None:
    """Closing the real window ends the server, and Ctrl-C closes the window, even one that has just opened."""
    (tmp_path / "bin").mkdir()
    chromium = tmp_path / "bin" / "chromium"  # as root, Chromium needs --no-sandbox
    chromium.write_text(f'#!/bin/sh\nexec {shutil.which("chromium")} --no-sandbox --disable-gpu "$@"\n')
    chromium.chmod(0o755)
    here = {"DISPLAY": screen, "XDG_DATA_HOME": str(tmp_path), "PATH": f"{chromium.parent}:{os.environ['PATH']}"}
    command = [sys.executable, "-m", "connectk", "gui", "--port", str(free_port())]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **here}) as gui:
        try:
            _await_window(screen)
            if ending == "window":
                time.sleep(desktop.EARLY_EXIT_SECONDS)  # an earlier exit means that it failed
            said = _closed(gui, screen) if ending == "window" else _interrupted(gui)
        finally:
            gui.terminate()

    assert gui.returncode == 0
    assert "connectk has stopped; every game is kept." in said
    assert not _running_with(str(tmp_path))


def _await_window(screen: str) -> None:
    """Search until the window is open, ignoring searches that fail because another window closes meanwhile."""
    for _ in range(600):
        with suppress(subprocess.CalledProcessError):
            return _xdotool(screen, "search", *WINDOW)
        time.sleep(0.1)
    raise AssertionError("no window opens")


def _closed(gui: subprocess.Popen[str], screen: str) -> str:
    """Close the window and return what the program printed. The key is pressed repeatedly, because a busy browser may
    miss it."""
    for _ in range(20):
        with suppress(subprocess.CalledProcessError):  # no window any more
            _xdotool(screen, "search", *WINDOW, "windowfocus", "key", "ctrl+w")
        with suppress(subprocess.TimeoutExpired):
            return gui.communicate(timeout=5)[0]
    raise AssertionError("the window does not close")


def _interrupted(gui: subprocess.Popen[str]) -> str:
    gui.send_signal(signal.SIGINT)
    return gui.communicate(timeout=60)[0]


def _xdotool(screen: str, *command: str) -> None:
    environment = {**os.environ, "DISPLAY": screen}
    subprocess.run(["xdotool", *command], env=environment, capture_output=True, timeout=60, check=True)


def _running_with(word: str) -> list[str]:
    """The processes with this word in their command line. Those of a window need a moment to end."""
    for _ in range(100):
        listed = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout
        left = [line for line in listed.splitlines() if word in line]
        if not left:
            break
        time.sleep(0.1)
    return left
