"""`connectk arena` and `connectk ratings` at a person's side: languages, warnings, and the ladder's own measure."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from connectk.cli import app
from connectk.texts import LANGUAGES, load_texts

ROOT = Path(__file__).parent.parent.parent
COMMANDS = typer.main.get_command(app)
ENGLISH = {"points", "player", "stronger", "than", "The", "Undecided", "draws", "average", "won", "lost"}


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, [*arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_arena_speaks_the_language(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Table, comparison, test and file; the second time also how many games are there."""
    monkeypatch.setenv("CONNECTK_LANGUAGE", language)
    monkeypatch.chdir(tmp_path)
    arena = ["arena", "random", "greedy", "--games", "2", "--variant", "5x4x4", "--sprt", "--jobs", "1"]
    said = run(*arena, "--results", "r.jsonl") + run(*arena, "--results", "r.jsonl") + run("ratings", "r.jsonl")
    texts = load_texts(language)

    assert said.count(texts("arena.kept", file="r.jsonl")) == 2
    assert texts("arena.already", done=2, total=2, file="r.jsonl") in " ".join(said.split())
    assert said.count(texts("arena.games", count=2)) == 3
    assert (language == "en") == bool(ENGLISH & set(re.findall(r"\w+", said)))


@pytest.mark.parametrize(
    ("gaps", "language"),
    [(["network"], "en"), *((["network", "signals", "files", "memory"], language) for language in LANGUAGES)],
)
def test_missing_protections_are_printed_at_the_start(
    gaps: list[str], language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only where a bot plays."""
    monkeypatch.setenv("CONNECTK_LANGUAGE", language)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("connectk.players.isolation.missing_protections", lambda: gaps)
    (tmp_path / "bot.py").write_text("def choose(position): return position.legal_columns[0]\n")
    arena = ["--games", "2", "--variant", "5x4x4", "--jobs", "1", "--start", "60s"]
    warned, quiet = run("arena", "bot.py", "random", *arena), run("arena", "greedy", "random", *arena)
    texts = load_texts(language)
    warning = texts("arena.unguarded", can="\0").partition("\0")[0]

    assert warned.startswith(warning)
    assert all(texts(f"arena.unguarded.{gap}") in warned for gap in gaps)
    assert warning not in quiet


@pytest.mark.parametrize("name", ["arena", "ratings", "review"])
def test_the_help_of_every_option_is_in_the_catalogues(name: str) -> None:
    """So that it is there in every language."""
    known = load_texts("en").catalogue
    options = {parameter.name for parameter in COMMANDS.commands[name].params}  # type: ignore[attr-defined]

    assert {
        option for option in options if not {f"usage.{name}.{option}", f"usage.option.{option}"} & set(known)
    } == set()


def test_the_ladder_is_measured_on_any_board_and_resumes(tmp_path: Path) -> None:
    """Two boards in one run; four games, then two more of each, then only what is there."""
    ladder = [sys.executable, ROOT / "bench/levels.py", "--variant", "4x4x3", "5x4x4", "--only", "3", "--jobs", "1"]
    ladder += ["--results", tmp_path / "ladder"]
    rows = [
        [line.split() for line in _output([*ladder, *more]).splitlines()[1:]]
        for more in (["--games", "4"], ["--games", "6"], ["--so-far"])
    ]

    assert [[row[:4] for row in table] for table in rows[:2]] == [
        [[board, "level:3", "level:2", games] for board in ("4x4x3", "5x4x4")] for games in ("4", "6")
    ]
    assert rows[2] == rows[1]
    for row in rows[1]:
        points, low, high = (float(row[place].rstrip("%")) for place in (7, 8, 10))
        assert 0 <= low <= points <= high <= 100


def _output(command: list[str | Path]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout
