"""What is told of a tournament: ratings of several files, tables of any width, the faults of bots."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from string import Formatter

import pytest
from rich.console import Console

from connectk import Variant
from connectk.arena import Record
from connectk.arena.faults import BOT_ERROR_PREFIXES, MAX_SENTENCE_CHARS, localize_forfeit
from connectk.arena.standings import standings, write_elo
from connectk.arena.table import print_standings
from connectk.errors import BotForfeit
from connectk.texts import load_texts
from tests.terminal.command import Done, run_in_process


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def arena(*words: str) -> Done:
    """A tournament on one core: how several share the work has tests of its own."""
    return run_in_process("arena", *words, "--jobs", "1")


def test_ratings_of_several_files_together() -> None:
    """A file that is named twice counts once."""
    for one, other in (("random", "greedy"), ("greedy", "minimax:1")):
        arena(one, other, "--games", "4", "--variant", "5x4x4", "--results", f"{one}.jsonl")
    table = json.loads(run_in_process("ratings", "random.jsonl", "greedy.jsonl", "random.jsonl", "--json").stdout)

    assert table["games"] == 8
    assert {line["name"] for line in table["lines"]} == {"random", "greedy", "minimax:1"}


def test_ratings_are_of_one_board() -> None:
    for board in ("5x4x4", "4x4x3"):
        arena("random", "greedy", "--games", "2", "--variant", board, "--results", board)
    done = run_in_process("ratings", "5x4x4", "4x4x3")

    assert done.returncode == 2
    assert "Ratings are of one board" in done.stderr


def test_a_bot_that_has_changed_is_rated_as_another(tmp_path: Path) -> None:
    for column in (0, -1):
        (tmp_path / "bot.py").write_text(f"def choose(position): return position.legal_columns[{column}]")
        arena("bot.py", "random", "--games", "2", "--variant", "5x4x4", "--results", f"r{column}")
    table = json.loads(run_in_process("ratings", "r0", "r-1", "--json").stdout)

    assert len(table["lines"]) == 3


def shown(players: int, width: int) -> list[str]:
    """The tables of a tournament of players with long names, on a terminal so wide."""
    names = [f"/home/someone/class/bots/player_number_{i}.py" for i in range(players)]
    records = [
        Record(i * players + j, one, other, 0, "4", "first", "line", None, (0.1234,), "2026-11-15T12:00:00+00:00")
        for i, one in enumerate(names)
        for j, other in enumerate(names)
        if i < j
    ]
    console = Console(width=width, force_terminal=True, highlight=False, color_system=None, file=io.StringIO())
    print_standings(standings(names, Variant(), records), records, console)
    return console.file.getvalue().splitlines()  # type: ignore[attr-defined]


@pytest.mark.parametrize("width", [60, 80, 200])
def test_rank_elo_and_interval_are_always_seen(width: int) -> None:
    lines = shown(5, width)
    first = next(line for line in lines if "player" in line)

    assert all(len(line) <= width for line in lines)
    assert re.search(r"player +Elo +±95% +points +games", first)
    assert re.search(r"^1 +\S+ +\+\d+ +\d+ +4 +4\b", lines[lines.index(first) + 1])
    assert width < 80 or not any("…" in line.split("player_number", 1)[-1] for line in lines)


def test_a_crosstable_of_many_players_goes_on_in_further_tables() -> None:
    lines = shown(20, 80)
    headings = [line.split()[2:] for line in lines if "points against" in line]

    assert [place for heading in headings for place in heading] == [str(i) for i in range(1, 21)]
    assert len(headings) > 1
    assert all(len(line) <= 80 for line in lines)


def test_an_elo_of_zero_has_no_sign() -> None:
    assert [write_elo(elo) for elo in (-0.3, 0.0, 0.4, 1.6, -12.2)] == ["0", "0", "0", "+2", "-12"]


REFUSED = {
    "one player": (["random"], "A tournament needs two players or more."),
    "the same player twice": (["random", "random"], "random is named twice; a player has one place in the table."),
    "an unknown player": (["random", "stockfish"], "There is no player 'stockfish'"),
    "a clock of zero": (["random", "greedy", "--time", "0ms"], "A time of 0ms leaves no time to think"),
    "no games": (["random", "greedy", "--games", "0"], "A tournament needs one game or more"),
    "three players in a test": (["random", "greedy", "minimax:1", "--sprt"], "name exactly two"),
    "a bot that is not there": (["random", "missing.py"], "missing.py is not a file"),
    "no such board": (["random", "greedy", "--variant", "2x2x4"], "A run of 4 does not fit"),
    "two clocks": (["random", "greedy", "--time", "1s", "--clock", "9s"], "not both"),
    "no such clock": (["random", "greedy", "--clock", "soon"], "'soon' is not a time"),
    "no such openings": (["random", "greedy", "--openings", "missing.txt"], "missing.txt cannot be read"),
    "risks that are none": (["random", "greedy", "--sprt", "--alpha", "0.9"], "lie between 0 and 0.5"),
    "no such folder": (["random", "greedy", "--plot", "a/b.svg"], "a/b.svg cannot be written"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_bad_input_prints_one_sentence_and_leaves_no_file(kind: str, tmp_path: Path) -> None:
    arguments, sentence = REFUSED[kind]

    done = arena(*arguments)

    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_json_holds_the_table(tmp_path: Path) -> None:
    done = arena("greedy", "random", "--games", "2", "--json", "--plot", "r.svg")
    table = json.loads(done.stdout)

    assert [line["name"] for line in table["lines"]] == ["greedy", "random"]
    assert (tmp_path / "r.svg").read_text().startswith("<svg")
    assert (tmp_path / table["results"]).exists()


@pytest.mark.parametrize("language", ["fi", "sv"])
@pytest.mark.parametrize("key", [key for key in load_texts("en").catalogue if key.startswith(BOT_ERROR_PREFIXES)])
def test_why_a_bot_lost_is_said_in_the_reader_s_language(key: str, language: str) -> None:
    """The file has it in English, whoever played; the table tells it as the error itself would."""
    facts = {name: f"<{name}>" for _, name, _, _ in Formatter().parse(str(load_texts("en").catalogue[key])) if name}
    late = BotForfeit("my bot.py", "late", "error.BotForfeit.late")
    error = BotForfeit("my bot.py", "any", key, **{**facts, **({"why": late} if "why" in facts else {})})
    texts = load_texts(language)

    assert localize_forfeit(str(error), texts) == error.localize(texts) != str(error)
    assert localize_forfeit("my bot.py gave up.", texts) == "my bot.py gave up."
    assert localize_forfeit(f"{'b' * MAX_SENTENCE_CHARS} did not answer in time.", texts).endswith("answer in time.")


def test_the_table_shows_forfeit_reasons_in_finnish(capsys: pytest.CaptureFixture[str]) -> None:
    late = "bot.py did not answer in time."
    game = Record(1, "bot.py", "random", 0, "4", "second", "time", late, (0.1,), "2026-11-15T12:00:00+00:00")

    print_standings(standings(("bot.py", "random"), Variant(), [game]), [game], texts=load_texts("fi"))

    assert "bot.py ei vastannut ajoissa." in capsys.readouterr().out
