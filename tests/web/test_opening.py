"""`connectk gui`: a window of its own, the browser, or only the address."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from connectk.server import opening
from connectk.server.opening import Opener
from tests.web.serving import free_port

URL = "http://127.0.0.1:8000/"


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What would have been started."""
    seen: list[str] = []
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr(opening.subprocess, "Popen", lambda command, **_: seen.append(" ".join(command)))
    monkeypatch.setattr(opening.webbrowser, "open", lambda url: seen.append(f"browser {url}"))
    monkeypatch.setattr(opening.shutil, "which", lambda name: "/bin/chromium" if name == "chromium" else None)
    return seen


def test_a_window_of_its_own_where_a_browser_can(calls: list[str]) -> None:
    Opener(window=True).open(URL)
    assert calls == [f"/bin/chromium --app={URL} --window-size=1280,860"]


def test_the_browser_where_none_can(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening.shutil, "which", lambda name: None)
    Opener(window=True).open(URL)
    assert calls == [f"browser {URL}"]


def test_nothing_without_a_screen(calls: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    monkeypatch.setattr(opening.sys, "platform", "linux")
    Opener(window=True).open(URL)
    assert calls == []


def test_it_says_where_it_is_finds_itself_again_and_stops_tidily(tmp_path: Path) -> None:
    """The first start serves, a second one names the same address, Ctrl-C ends it with a word."""
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
