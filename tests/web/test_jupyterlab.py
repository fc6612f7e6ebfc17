"""Tests the board in a real JupyterLab with a real kernel. `make test-deep` installs JupyterLab."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.web.serving import free_port

pytestmark = pytest.mark.deep
SECONDS_TO_START = 120
CELLS = (
    "from connectk import Position\nfrom connectk.notebook import BoardWidget\nboard = BoardWidget(level=3)\nboard",
    "Position.from_moves('4453')",
    "print('played:', board.moves)",
    "board.level, board.moves = 0, '1213141'",
)


def notebook() -> dict[str, Any]:
    cells = [
        {"cell_type": "code", "id": f"cell{i}", "execution_count": None, "metadata": {}, "outputs": [], "source": text}
        for i, text in enumerate(CELLS)
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    return {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}


@pytest.fixture
def lab(tmp_path: Path) -> Iterator[str]:
    """The address of a JupyterLab that opens the notebook, without a password and without the user's own settings."""
    pytest.importorskip("jupyterlab", reason="`make test-deep` installs JupyterLab")
    (tmp_path / "board.ipynb").write_text(json.dumps(notebook()), encoding="utf-8")
    port = free_port()
    options = ("--no-browser", "--allow-root", "--IdentityProvider.token=", f"--ServerApp.root_dir={tmp_path}")
    folders = {f"JUPYTER_{name}_DIR": str(tmp_path / name) for name in ("CONFIG", "RUNTIME")}
    with (tmp_path / "lab.log").open("w") as log:
        server = subprocess.Popen(
            [sys.executable, "-m", "jupyterlab", *options, f"--ServerApp.port={port}", "--ServerApp.port_retries=0"],
            env={**os.environ, **folders, "HOME": str(tmp_path)},
            stdout=log,
            stderr=log,
        )
        address = f"http://127.0.0.1:{port}"
        try:
            _wait_for(address, server, tmp_path / "lab.log")
            yield f"{address}/lab/tree/board.ipynb"
        finally:
            server.terminate()
            server.wait()


def _wait_for(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and server.poll() is None:
        try:
            urllib.request.urlopen(f"{address}/api").close()
            return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(log.read_text(encoding="utf-8"))


def test_a_cell_shows_a_board_that_plays(browser: Browser, lab: str) -> None:
    """The level answers a drop, Python knows both moves, and moves that Python sets are shown on the board."""
    context = browser.new_context(viewport={"width": 1280, "height": 2400}, locale="en-GB", reduced_motion="reduce")
    page = context.new_page()
    page.set_default_timeout(SECONDS_TO_START * 1000)
    page.goto(lab)
    cells = page.locator(".jp-Notebook .jp-CodeCell")
    wait = {"timeout": SECONDS_TO_START * 1000}
    expect(cells).to_have_count(len(CELLS), **wait)
    expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible(
        **wait
    )  # a cell that is run before asks for a kernel
    for at in (0, 1):
        run(page, cells.nth(at))
    board = cells.nth(0).locator(".sheet")
    expect(board).to_be_visible(**wait)
    expect(cells.nth(1).locator(".sheet .disc:not(.ghost)")).to_have_count(4, **wait)
    board.get_by_role("gridcell", name="Column 4, row 6").click()
    expect(board.locator(".disc:not(.ghost)")).to_have_count(2, **wait)
    run(page, cells.nth(2))
    expect(cells.nth(2).locator(".jp-OutputArea-output")).to_contain_text("played: 4", **wait)
    run(page, cells.nth(3))
    expect(board.get_by_role("status")).to_have_text("First player wins.", **wait)
    context.close()


def run(page: Any, cell: Any) -> None:
    cell.locator(".jp-InputArea-editor").click()
    page.keyboard.press("Control+Enter")
