"""The printed results of a tournament: ratings of several files, tables that fit the terminal, and the faults of
bots."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path
from string import Formatter

import pytest
from rich.console import Console

from connectk import Variant
from connectk.arena import GameRecord
from connectk.arena.forfeit_texts import BOT_ERROR_PREFIXES, MAX_SENTENCE_CHARS, localize_forfeit
from connectk.arena.ratings_plot import draw_ratings
from connectk.arena.standings import format_elo, standings
from connectk.arena.standings_table import print_standings
from connectk.errors import BotForfeit
from connectk.texts import load_texts
from tests.terminal.command import Done, run_in_process


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def arena(*words: str) -> Done:
    """Plays a tournament on one core. Other tests cover several cores."""
    return run_in_process("arena", *words, "--jobs", "1")


def test_ratings_of_several_files_together() -> None:
    """A results file that is given twice counts once."""
    for one, other in (("random", "greedy"), ("greedy", "minimax:1")):
        arena(one, other, "--games", "4", "--variant", "5x4x4", "--out", f"{one}.jsonl")
    table = json.loads(run_in_process("ratings", "random.jsonl", "greedy.jsonl", "random.jsonl", "--json").stdout)

    assert table["games"] == 8
    assert {line["name"] for line in table["lines"]} == {"random", "greedy", "minimax:1"}


def test_ratings_are_of_one_board() -> None:
    for board in ("5x4x4", "4x4x3"):
        arena("random", "greedy", "--games", "2", "--variant", board, "--out", f"{board}.jsonl")
    done = run_in_process("ratings", "5x4x4.jsonl", "4x4x3.jsonl")

    assert done.returncode == 2
    assert "Ratings are of one board" in done.stderr


def test_a_bot_that_has_changed_is_rated_as_another(tmp_path: Path) -> None:
    for column in (0, -1):
        (tmp_path / "bot.py").write_text(f"def choose(position): return position.legal_columns[{column}]")
        arena("bot.py", "random", "--games", "2", "--variant", "5x4x4", "--out", f"r{column}.jsonl")
    table = json.loads(run_in_process("ratings", "r0.jsonl", "r-1.jsonl", "--json").stdout)

    assert len(table["lines"]) == 3


def shown(players: int, width: int) -> list[str]:
    """The printed tables of players with long names, on a terminal of this width."""
    names = [f"/home/someone/class/bots/player_number_{i}.py" for i in range(players)]
    records = [
        GameRecord(i * players + j, one, other, 0, "4", "first", "line", None, (0.1234,), "2026-11-15T12:00:00+00:00")
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


def played(first: str, second: str, winner: str | None, moves: str = "4", forfeit: str | None = None) -> GameRecord:
    reason = "forfeit" if forfeit else "line"
    return GameRecord(1, first, second, 0, moves, winner, reason, forfeit, (), "2026-11-15T12:00:00+00:00")


def printed_summary(records: list[GameRecord], players: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    print_standings(standings(players, Variant(), records), records)
    return " ".join(capsys.readouterr().out.split())


def test_two_games_that_are_repeated_500_times_are_two_games(capsys: pytest.CaptureFixture[str]) -> None:
    """If deterministic bots repeat two games 500 times, the margin of error is that of two games, and a sentence says
    so."""
    two = [played("a", "b", "first"), played("b", "a", "first", "5")]
    table, repeated = (standings(["a", "b"], Variant(), games) for games in (two, two * 500))

    assert repeated.games == 1000
    assert repeated.different_games == 2
    assert [(line.elo, line.margin) for line in repeated.lines] == [(line.elo, line.margin) for line in table.lines]
    said = printed_summary(two * 500, ["a", "b"], capsys)
    assert "1000 games. Only 2 of them are different" in said
    assert "±11 " not in said
    assert "the difference is 0 ±" in said  # not -0


def test_players_without_a_common_opponent_have_no_common_scale(capsys: pytest.CaptureFixture[str]) -> None:
    games = [played("a", "b", "first"), played("c", "d", "first"), played("d", "e", "first")]
    table = standings(["a", "b", "c", "d", "e", "f"], Variant(), games)

    assert table.groups == (("c", "d", "e"), ("a", "b"))
    assert [line.name for line in table.lines] == ["c", "d", "e", "a", "b", "f"]
    assert table.lines[-1].elo is table.lines[-1].margin is None
    assert json.loads(json.dumps(table.to_json(), allow_nan=False))["lines"][-1]["margin"] is None
    assert "no common scale" in printed_summary(games, ["a", "b", "c", "d", "e", "f"], capsys)
    assert "? ±" in draw_ratings(table, "7x6x4")
    assert "no common scale" not in printed_summary([*games, played("b", "c", None)], ["a", "b", "c", "d", "e"], capsys)


def test_the_same_fault_is_told_once_with_its_games(capsys: pytest.CaptureFixture[str]) -> None:
    """Faults of bots that differ only in a value are listed once. A fault in another line of the program is listed
    separately."""
    crash = "a.py ended with status 1: KeyError: '{}' (line {})."
    games = [played("a.py", "b", "second", str(n % 7 + 1), crash.format(n, 12)) for n in range(200)]
    games.append(played("a.py", "b", "second", "1", crash.format(5, 13)))

    assert [(fault.times, fault.reason) for fault in standings(["a.py", "b"], Variant(), games).forfeits] == [
        (200, crash.format(0, 12)),
        (1, crash.format(5, 13)),
    ]
    assert printed_summary(games, ["a.py", "b"], capsys).count("KeyError") == 2


def test_a_crosstable_of_many_players_goes_on_in_further_tables() -> None:
    lines = shown(20, 80)
    headings = [line.split()[2:] for line in lines if "points against" in line]

    assert [place for heading in headings for place in heading] == [str(i) for i in range(1, 21)]
    assert len(headings) > 1
    assert all(len(line) <= 80 for line in lines)


def test_an_elo_of_zero_has_no_sign() -> None:
    assert [format_elo(elo) for elo in (-0.3, 0.0, 0.4, 1.6, -12.2)] == ["0", "0", "0", "+2", "-12"]


REFUSED_RECORDS = {
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
    "no such folder": (["random", "greedy", "--out", "a/b.svg"], "a/b.svg cannot be written"),
}


@pytest.mark.parametrize("kind", REFUSED_RECORDS)
def test_bad_input_prints_one_sentence_and_leaves_no_file(kind: str, tmp_path: Path) -> None:
    arguments, sentence = REFUSED_RECORDS[kind]

    done = arena(*arguments)

    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_json_holds_the_table(tmp_path: Path) -> None:
    done = arena("greedy", "random", "--games", "2", "--json", "--out", "r.svg")
    table = json.loads(done.stdout)

    assert [line["name"] for line in table["lines"]] == ["greedy", "random"]
    assert (tmp_path / "r.svg").read_text().startswith("<svg")
    assert (tmp_path / table["results"]).exists()


@pytest.mark.parametrize("language", ["fi", "sv"])
@pytest.mark.parametrize("key", [key for key in load_texts("en").catalogue if key.startswith(BOT_ERROR_PREFIXES)])
def test_why_a_bot_lost_is_said_in_the_reader_s_language(key: str, language: str) -> None:
    """The reason for a forfeit is English in the results file, and in the reader's language in the table."""
    facts = {name: f"<{name}>" for _, name, _, _ in Formatter().parse(str(load_texts("en").catalogue[key])) if name}
    late = BotForfeit("my bot.py", "late", "error.BotForfeit.late")
    error = BotForfeit("my bot.py", "any", key, **{**facts, **({"why": late} if "why" in facts else {})})
    texts = load_texts(language)

    assert localize_forfeit(str(error), texts) == error.localize(texts) != str(error)
    assert localize_forfeit("my bot.py gave up.", texts) == "my bot.py gave up."
    assert localize_forfeit(f"{'b' * MAX_SENTENCE_CHARS} did not answer in time.", texts).endswith("answer in time.")


def test_the_table_shows_forfeit_reasons_in_finnish(capsys: pytest.CaptureFixture[str]) -> None:
    late = "bot.py did not answer in time."
    game = GameRecord(1, "bot.py", "random", 0, "4", "second", "time", late, (0.1,), "2026-11-15T12:00:00+00:00")

    print_standings(standings(("bot.py", "random"), Variant(), [game]), [game], texts=load_texts("fi"))

    assert "bot.py ei vastannut ajoissa." in capsys.readouterr().out
