"""Tests `connectk arena` and `connectk ratings` as users see them: languages, warnings, tables, and the measured
levels."""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from connectk.cli import app
from connectk.texts import LANGUAGES, load_texts
from tests.terminal.command import run_in_process

ROOT = Path(__file__).parent.parent.parent
COMMANDS = typer.main.get_command(app)
ENGLISH_WORDS = {"points", "player", "stronger", "than", "The", "Undecided", "draws", "average", "won", "lost"}


def run(*arguments: str) -> str:
    done = CliRunner().invoke(app, [*arguments], catch_exceptions=False)
    assert done.exit_code == 0
    return done.output


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_arena_speaks_the_language(language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The table, the comparison, the sequential test and the file name are printed in the user's language. A second run
    also prints how many games the file has already."""
    monkeypatch.setenv("CONNECTK_LANGUAGE", language)
    monkeypatch.chdir(tmp_path)
    arena = ["arena", "random", "greedy", "--games", "2", "--variant", "5x4x4", "--sprt", "--jobs", "1"]
    said = run(*arena, "--out", "r.jsonl") + run(*arena, "--out", "r.jsonl") + run("ratings", "r.jsonl")
    texts = load_texts(language)

    assert said.count(texts("arena.kept", file="r.jsonl")) == 2
    assert texts("arena.already", done=2, total=2, file="r.jsonl") in " ".join(said.split())
    assert said.count(texts("arena.games", count=2)) == 3
    assert (language == "en") == bool(ENGLISH_WORDS & set(re.findall(r"\w+", said)))


@pytest.mark.parametrize(
    ("gaps", "language"),
    [(["network"], "en"), *((["network", "signals", "files", "memory", "kernel"], lang) for lang in LANGUAGES)],
)
def test_missing_protections_are_printed_at_the_start(
    gaps: list[str], language: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A warning about missing protections is printed only if a player is a bot."""
    monkeypatch.setenv("CONNECTK_LANGUAGE", language)
    monkeypatch.chdir(tmp_path)
    guarded = [gap for gap in gaps if gap != "kernel"]
    monkeypatch.setattr("connectk.players.isolation.missing_protections", lambda: guarded)
    monkeypatch.setattr("connectk.players.botscope.has_scopes", lambda: "kernel" not in gaps)
    monkeypatch.setattr("connectk.players.botprocess.scope_command", lambda memory, processes: [])
    (tmp_path / "bot.py").write_text("def choose(position): return position.legal_columns[0]\n")
    arena = ["--games", "2", "--variant", "5x4x4", "--jobs", "1", "--startup", "60s"]
    warned, quiet = run("arena", "bot.py", "random", *arena), run("arena", "greedy", "random", *arena)
    texts = load_texts(language)
    warning = texts("arena.unguarded", can="\0").partition("\0")[0]

    assert warned.startswith(warning)
    assert all(texts(f"arena.unguarded.{gap}") in warned for gap in gaps)
    assert warning not in quiet


def test_the_games_are_a_table_for_a_spreadsheet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A tournament and its results file give the same CSV table, with one line per game. No cell is a formula or a
    number that is too long."""
    monkeypatch.chdir(tmp_path)
    run("arena", "random", "greedy", "--games", "3", "--jobs", "1", "--out", "r.jsonl", "--out", "a.csv")
    run("ratings", "r.jsonl", "--out", "b.csv")
    rows = list(csv.DictReader(Path("a.csv").read_text(encoding="utf-8-sig").splitlines()))

    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()
    assert [row["number"] for row in rows] == ["1", "2", "3"]
    assert {(row["first"], row["second"], row["round"]) for row in rows} == {
        ("random", "greedy", "1"),
        ("greedy", "random", "1"),
        ("random", "greedy", "2"),
    }
    assert {row["result"] for row in rows} <= {"1-0", "0-1", "1/2-1/2"}
    assert all(row["moves"].startswith("'") for row in rows)


def test_fewer_games_than_there_are_play_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CONNECTK_LANGUAGE", "en")
    words = ["arena", "random", "greedy", "--jobs", "1", "--out", "r.jsonl", "--games"]
    run_in_process(*words, "2")
    done = run_in_process(*words, "1")
    assert done.stderr == "r.jsonl has 2 games, more than 1; no more are played, and all of them count.\n"
    assert "\n2 games. " in done.stdout


@pytest.mark.parametrize("name", ["arena", "ratings", "review"])
def test_the_help_of_every_option_is_in_the_catalogues(name: str) -> None:
    """All help texts are in the catalogues, so they exist in every language."""
    known = load_texts("en").catalogue
    options = {parameter.name for parameter in COMMANDS.commands[name].params}  # type: ignore[attr-defined]

    assert {
        option for option in options if not {f"usage.{name}.{option}", f"usage.option.{option}"} & set(known)
    } == set()


def test_the_ladder_is_measured_on_any_board_and_resumes(tmp_path: Path) -> None:
    """A measurement of the levels resumes: the first run plays four games of each pair, the second two more, and the
    third none."""
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
