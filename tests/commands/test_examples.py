"""Runs every example of every `--help`, and every command line of README, CONTRIBUTING and `docs/`, as it is printed.

The examples run in a folder with the files that a reader would have. A game ends at its first question, and commands
that would take minutes get less to do. If a command needs a server, a cluster or a browser, only its options are
checked.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import typer

from connectk.cli import app
from connectk.lessons.certificate import final_test
from connectk.notation import write_saved_game
from connectk.notation.saved_game import SavedGame
from connectk.puzzles.files import PuzzleFileHeader
from connectk.rules import Game, Variant
from connectk.storage.database import prepare_database
from connectk.terminal.learning_sessions import SavedPractice
from tests.terminal.command import Done, run_in_process

ROOT = Path(__file__).parent.parent.parent
TUTORIALS = ROOT / "docs/tutorials"  # which tests/test_tutorials.py runs in their order
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
COMMANDS: Any = typer.main.get_command(app)
COMMAND_LINE = re.compile(r"(connectk|printf '.*' \| connectk|[A-Z_]+=\S+ connectk) [a-z-]")
NOT_A_COMMAND = "connectk book 1"  # how a book begins
SYNTAX_PATTERN = re.compile(r"\[--|\b[A-Z]{3,}\b(?![=_])")  # `connectk judge PATH...` shows the shape of a command
NOT_RUN_PATTERN = re.compile(
    r"tcp://|s3://|http://|postgresql://|connectk (connect|gui|room|admin (end|close-room|clear-name|delete-\w+))\b"
)
SLOW_PATTERN = re.compile(r"--cluster|--boards|review -|out scores")
SHORTENED_OPTIONS = (
    (r"--(games|positions|count) \d+", r"--\1 2"),
    (r"local:\d+", "local:1"),
    (r"--limit \w+", "--limit 1s"),
)
PREPARED_FILES = {  # what the reader has done before
    "ratings": [f"arena greedy random --games 2 --jobs 1 --out {day}.jsonl" for day in ("monday", "tuesday")],
    "--check": ["why 4444443265353 --out why.json"],
    "unblock": ["admin block 192.0.2.7"],
}
OUTPUT_PATHS = {  # files that the example makes, or that would disturb it
    "new-bot mybot.py": ["mybot.py", "test_mybot.py"],
    "puzzle make six.txt": ["six.txt"],
    "ratings *": ["positions.jsonl", "games.jsonl"],
}
EXTRA_LIMITS = {
    "arena": "--games 2 --jobs 1",
    "measure": "--limit 10s",  # quick players end much sooner; on a busy machine a bot needs a second to start
    "dataset": "--positions 2",
    "book": "--variant 4x4x4 --plies 2 --jobs 1",
    "serve": "--show-settings",
}


class Example(NamedTuple):
    line: str
    place: str
    is_mention: bool  # in the middle of a sentence, perhaps without all that it needs

    @property
    def runs(self) -> bool:
        return not (self.is_mention or SYNTAX_PATTERN.search(self.line) or NOT_RUN_PATTERN.search(self.line))


def examples_of_help(command: Any, path: str) -> Iterator[Example]:
    for line in (command.epilog or "").strip().splitlines():
        yield Example(line.strip(), f"{path} --help", is_mention=False)
    for name, inner in getattr(command, "commands", {}).items():
        yield from examples_of_help(inner, f"{path} {name}")


def examples_of_page(page: Path) -> Iterator[Example]:
    """The command lines of a page, from indented lines, blocks of code, and code within the text."""
    text, place = page.read_text(encoding="utf-8"), str(page.relative_to(ROOT))
    indented = re.findall(r"^ {4}(\S.*)$", text, re.MULTILINE)
    blocks = re.findall(r"^```(?:sh|text)?\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    lines = [*indented, *(line for block in blocks for line in block.splitlines())]
    for line in lines:
        for part in re.split(r" && ", re.split(r" {2,}", line.removeprefix("$ "))[0]):
            if COMMAND_LINE.match(part):
                yield Example(part, place, is_mention=False)
    for code in re.findall(r"(?<!`)`(connectk [a-z][^`]*)`", text):
        yield Example(" ".join(code.split()), place, is_mention=page.name != "README.md")


def all_examples() -> list[Example]:
    """Every command line once. A line that is both an example and part of a text counts as an example."""
    found = [*examples_of_help(COMMANDS, "connectk")]
    found += [one for page in PAGES if page.parent != TUTORIALS for one in examples_of_page(page)]
    found.sort(key=lambda one: one.is_mention)
    return list({one.line: one for one in reversed(found) if one.line != NOT_A_COMMAND}.values())


EXAMPLES = all_examples()


def parameters(examples: list[Example]) -> list[Any]:
    def marks(one: Example) -> list[Any]:
        return [pytest.mark.deep] if SLOW_PATTERN.search(one.line) else []

    return [pytest.param(one, id=f"{one.place}: {one.line}", marks=marks(one)) for one in examples]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder like that of a reader, with bots, games, lists and a database."""
    place = {"CONNECTK_SETTINGS": str(tmp_path / "settings.toml"), "XDG_STATE_HOME": str(tmp_path / "state")}
    monkeypatch.setenv("CONNECTK_BOOKS", str(tmp_path / "books"))
    for name, value in {**place, "CONNECTK_DATABASE": "sqlite:///games.db", "CONNECTK_PLAIN": "1"}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.chdir(tmp_path)
    assert run_in_process("new-bot", "mybot.py").returncode == 0
    for name in ("new.py", "old.py", "agent.py"):
        shutil.copy("mybot.py", name)
    write_games()
    write_lists()
    solve_the_test()
    prepare_database("sqlite:///games.db")
    return tmp_path


def write_games() -> None:
    saved, kept = write_saved_game(SavedGame(Game(moves=(3, 3, 3, 3)))), Path("state/connectk/games")
    for folder in (Path("games"), kept):
        folder.mkdir(parents=True)
    for path in (Path("game.json"), kept / "one.json"):  # the second is what --resume continues
        path.write_text(saved)
    for path in (Path("game.txt"), Path("games/one.txt")):
        path.write_text("7 6 4\n1\n2\n1\n2\n1\n2\n1\n")
    Path("games.jsonl").write_text(json.dumps({"path": "one", "game": Path("game.txt").read_text()}) + "\n")
    with tarfile.open("more.tar", "w") as tar:
        tar.add("game.txt")


def write_lists() -> None:
    Path("moves.txt").write_text("4455")
    Path("positions.txt").write_text("4455\n445566\n")
    Path("positions.jsonl").write_text('{"moves": "4455"}\n')
    puzzle = "1oxo.2oxo.3ox.4xo.5xoxx.6xoxo 4 soonest fork 5 2"
    Path("six.txt").write_text(f"{PuzzleFileHeader(Variant(6, 5, 4))}\n{puzzle}\n")


def solve_the_test() -> None:
    practised = SavedPractice()
    _, test = final_test()
    practised.practice.lessons[test.name] = len(test.cards)
    practised.save()


@pytest.mark.parametrize("example", parameters([one for one in EXAMPLES if one.runs]))
def test_every_example_runs(example: Example, folder: Path) -> None:
    for words, lines in PREPARED_FILES.items():
        for line in lines if words in example.line else ():
            assert run_in_process(*line.split()).returncode == 0
    for words, files in OUTPUT_PATHS.items():
        for file in files if words in example.line else ():
            Path(file).unlink()
    done = run(shortened(example.line), folder)
    assert done.returncode == 0, done
    assert "Traceback" not in done.stderr


def shortened(line: str) -> str:
    for pattern, less in SHORTENED_OPTIONS:
        line = re.sub(pattern, less, line)
    name = re.sub(r"--language \w+ ", "", line).partition("connectk ")[2].split()[0]
    return f"{line} {EXTRA_LIMITS.get(name, '')}".strip()


def run(line: str, folder: Path) -> Done:
    """Run a command line and quit at its first question. It runs in this process, which is quicker, unless it needs a
    shell."""
    leave = "q\ny\n" * 3
    if not re.search(r"[|<>*]|^[A-Z]", line):
        return run_in_process(*shlex.split(line)[1:], answers=leave)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        line, shell=True, cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    return Done(done.returncode, done.stdout, done.stderr)


@pytest.mark.parametrize("example", parameters([one for one in EXAMPLES if not one.runs]))
def test_the_words_of_the_other_lines_are_known(example: Example) -> None:
    """Command lines that are not run contain only commands and options that exist."""
    words = re.findall(r"--?[a-z][a-z-]*|[^\s\[\]|]+", example.line)[1:]
    command, context = COMMANDS, typer.Context(COMMANDS)
    while words and (inner := getattr(command, "commands", {}).get(words[0])):
        command, context = inner, typer.Context(inner, parent=context, info_name=words.pop(0))
    known = {word for one in command.get_params(context) for word in (*one.opts, *one.secondary_opts)}
    assert command is not COMMANDS
    assert {word for word in words if word.startswith("--")} <= known


def test_there_are_examples_of_every_command_and_most_pages() -> None:
    """The help and most pages contain examples; otherwise the other tests here would check nothing."""
    helped = {one.place.split()[1] for one in examples_of_help(COMMANDS, "connectk")}
    assert set(COMMANDS.commands) <= helped
    assert sum(one.runs for one in EXAMPLES) > 70
