"""Runs the commands of the tutorials as they are printed, in an empty folder.

A command in a tutorial is on its own line, indented by four spaces or in a block of `sh`. A list here has the commands
that need a screen, a server or a checkout, and the checks that replace running them.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import typer

from connectk.cli import app
from connectk.notation import write_saved_game
from connectk.notation.saved_game import SavedGame
from connectk.rules import Game

ROOT = Path(__file__).parent.parent
PAGES = sorted((ROOT / "docs/tutorials").glob("*.md"))
COMMANDS = typer.main.get_command(app)
FIRST_WORDS = ("connectk", "connectz", "cp", "make", "printf")
ON_A_SCREEN = {"play", "gui", "serve"}  # the options are checked; what they do has tests of its own
FEWER_GAMES = 2  # of each pair: what is checked is that a command runs


def commands_of(page: Path) -> list[str]:
    """The commands of a page in order, without comments."""
    text = page.read_text(encoding="utf-8")
    indented = re.findall(r"^ {4}(\S.*)$", text, re.MULTILINE)
    shell = [
        line
        for block in re.findall(r"^```sh\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
    ]
    lines = [line.partition("  #")[0].strip() for line in (*indented, *shell)]
    return [line for line in lines if line.startswith(FIRST_WORDS) and not line.startswith("connectk:")]


def files_of(page: Path) -> dict[str, str]:
    """The files that the page tells the reader to write with "Write this as `mine.py`", followed by the code."""
    files = re.findall(r"as `(\w+\.py)`[^`]*?```python\n(.*?)^```", page.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    return dict(files)


def needs_a_screen(line: str) -> bool:
    return line.startswith("make") or (
        "|" not in line and shlex.split(line)[:1] == ["connectk"] and shlex.split(line)[1] in ON_A_SCREEN
    )


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_command_of_a_tutorial_runs_in_an_empty_folder(page: Path, tmp_path: Path) -> None:
    """Every command of a tutorial runs in order, in a folder that has only the files which the page tells the reader to
    write."""
    for name, text in files_of(page).items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    prepare(page, tmp_path)
    for line in commands_of(page):
        if not needs_a_screen(line):
            done = run(line, tmp_path)
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"


def prepare(page: Path, folder: Path) -> None:
    """Write the game files that a reader would have."""
    if page.stem == "first-steps":
        (folder / "games").mkdir()
        (folder / "games" / "one.txt").write_text("7 6 4\n1\n2\n1\n2\n1\n2\n1\n")
        (folder / "game.txt").write_text("7 6 4\n1\n2\n")


def run(line: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command as a shell does, but with fewer games, for which one process is enough."""
    line = re.sub(r"--games \d+", f"--games {FEWER_GAMES} --jobs 1", line)
    place = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}", "HOME": str(folder)}
    environment = {**os.environ, **place, "LC_ALL": "C.UTF-8", "XDG_STATE_HOME": str(folder / "state")}
    return subprocess.run(line, shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=300)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_commands_that_need_a_screen_are_understood(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Commands that need a screen have existing options with valid values, and `make` has the target."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "game.json").write_text(write_saved_game(SavedGame(Game(moves=(3,)))), encoding="utf-8")
    targets = re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    for line in filter(needs_a_screen, commands_of(page)):
        program, *words = shlex.split(line)
        if program == "make":
            assert set(words) <= set(targets)
        else:
            command = COMMANDS.get_command(typer.Context(COMMANDS), words[0])  # type: ignore[attr-defined]
            command.make_context(words[0], words[1:], resilient_parsing=False)


def test_the_tutorials_have_commands_to_run() -> None:
    """Every tutorial has commands; without them the other tests here would check nothing."""
    found = {page.stem: len(commands_of(page)) for page in PAGES}
    assert found["write-a-bot"] >= 6
    assert found["write-your-own-evaluation"] >= 4
    assert found["play-in-the-terminal"] >= 9
    assert found["first-steps"] >= 2
