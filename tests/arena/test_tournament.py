"""Tournaments: fair, the same for the same seed, and safe whatever happens to them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from connectk import Variant
from connectk.arena import Record, ResultsFile, Sprt, Tournament, run_tournament
from connectk.arena.plot import draw_ratings
from connectk.arena.saving import GameFolder
from connectk.arena.standings import standings
from connectk.errors import BadTournament
from connectk.notation import parse_saved_game

SMALL = Tournament(("random", "greedy"), Variant(5, 4, 4), games=6)


def played(tournament: Tournament, path: Path, jobs: int = 1, sprt: Sprt | None = None) -> list[Record]:
    with ResultsFile(path, tournament) as results:
        run_tournament(tournament, results, jobs=jobs, sprt=sprt)
        return sorted(results.records.values(), key=lambda record: record.number)


def without_times(records: list[Record]) -> list[Record]:
    return [replace(record, seconds=(), started="") for record in records]


def connectk(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "connectk", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=300)


def test_everyone_meets_everyone_with_both_sides_of_each_opening() -> None:
    tournament = Tournament(("a", "b", "c"), games=4)
    seats = Counter((game.first, game.second, game.opening) for game in tournament.fixtures(((3,), (2,))))

    assert len(seats) == 12
    assert set(seats.values()) == {1}
    assert all((second, first, opening) in seats for first, second, opening in seats)


def test_in_a_gauntlet_only_the_first_player_meets_the_others() -> None:
    pairs = Tournament(("a", "b", "c"), gauntlet=True).pairs

    assert pairs == [("a", "b"), ("a", "c")]


def test_the_same_seed_gives_the_same_games_on_any_number_of_cores(tmp_path: Path) -> None:
    one = played(SMALL, tmp_path / "one", jobs=1)
    two = played(SMALL, tmp_path / "two", jobs=2)
    other = played(replace(SMALL, seed=2), tmp_path / "other", jobs=1)

    assert without_times(one) == without_times(two) != without_times(other)


def test_a_failing_bot_forfeits_and_the_others_play_on(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position): return 99")
    tournament = Tournament(("random", "greedy", str(bot)), Variant(5, 4, 4), games=2)

    records = played(tournament, tmp_path / "results", jobs=2)
    table = standings(tournament, records)

    assert len(records) == 6
    assert table.lines[-1].name == str(bot)
    assert (table.lines[-1].forfeits, table.lines[-1].losses) == (4, 4)
    assert table.forfeits == (f"{bot} chose column 100: There is no column 100; the columns are 1 to 5.",)


def test_a_line_cut_short_is_dropped_and_its_game_played_again(tmp_path: Path) -> None:
    path = tmp_path / "results"
    whole = played(SMALL, path)

    for length in (len(path.read_bytes()) - 20, 300, 5, 0):
        path.write_bytes(path.read_bytes()[:length])
        assert without_times(played(SMALL, path)) == without_times(whole)
        assert len(path.read_text().splitlines()) == 7


def test_after_kill_9_the_same_command_plays_only_what_is_missing(tmp_path: Path) -> None:
    bot = tmp_path / "slow.py"
    bot.write_text("import time\ndef choose(position):\n    time.sleep(0.01)\n    return position.legal_columns[0]")
    arguments = ["arena", str(bot), "random", "--games", "12", "--variant", "5x4x4", "--jobs", "2", "--results", "r"]
    mark = f"CONNECTK_ARENA_MARK={os.getpid()}-{time.monotonic_ns()}"
    environment = {**os.environ, mark.split("=")[0]: mark.split("=")[1]}
    command = [sys.executable, "-m", "connectk", *arguments]

    first = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL)
    _wait_until(lambda: (tmp_path / "r").exists() and (tmp_path / "r").read_bytes().count(b"\n") > 3)
    first.send_signal(signal.SIGKILL)
    first.wait()
    _wait_until(lambda: not _carriers(mark))
    before = (tmp_path / "r").read_bytes()
    assert connectk(*arguments, cwd=tmp_path).returncode == 0

    numbers = [json.loads(line)["number"] for line in (tmp_path / "r").read_text().splitlines()[1:]]
    assert (tmp_path / "r").read_bytes().startswith(before[: before.rfind(b"\n") + 1])
    assert sorted(numbers) == list(range(1, 13))


def _wait_until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 120
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _carriers(mark: str) -> list[str]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            found += [entry.name] if mark.encode() in (entry / "environ").read_bytes() else []
        except OSError:
            continue
    return found


def test_ctrl_c_keeps_the_games_and_says_how_to_go_on(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "connectk", "arena", "mcts:3000", "greedy", "--jobs", "2", "--results", "r"]
    running = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True)
    _wait_until(lambda: (tmp_path / "r").exists() and (tmp_path / "r").read_bytes().count(b"\n") > 2)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=120)

    assert running.returncode == 130
    assert "games are kept in r; the same command goes on." in said
    assert "Traceback" not in said


def test_a_sequential_test_stops_when_it_knows(tmp_path: Path) -> None:
    tournament = Tournament(("greedy", "random"), Variant(6, 5, 4), games=80)

    records = played(tournament, tmp_path / "r", sprt=Sprt(0, 200))

    assert Sprt(0, 200).judge("greedy", records).held == 1
    assert len(records) < 60


def test_another_tournament_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "results"
    played(SMALL, path)
    before = path.read_bytes()

    with pytest.raises(BadTournament, match="holds a different tournament: seed was 1, now it is 9"):
        ResultsFile(path, replace(SMALL, seed=9))

    assert path.read_bytes() == before


def test_a_changed_bot_is_another_tournament(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("def choose(position): return position.legal_columns[0]")
    tournament = replace(SMALL, players=("random", str(bot)), games=1)
    played(tournament, tmp_path / "r")
    bot.write_text("def choose(position): return position.legal_columns[-1]")

    with pytest.raises(BadTournament, match=r"different tournament: the file of .*bot\.py has changed since"):
        ResultsFile(tmp_path / "r", tournament)


def test_a_changed_evaluation_is_another_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tournament = Tournament(("minimax:2,mine.py:evaluate", "random"))
    Path("mine.py").write_text("def evaluate(position, side): return 0")
    before = tournament.identity()
    Path("mine.py").write_text("def evaluate(position, side): return 1")

    assert tournament.identity() != before


def test_any_other_file_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "thesis.txt"
    path.write_text("Chapter 1\n")

    with pytest.raises(BadTournament, match="is not a results file"):
        ResultsFile(path, SMALL)

    assert path.read_text() == "Chapter 1\n"


def test_a_full_disk_loses_no_game_that_was_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line that the disk took only half of is taken back."""
    path = tmp_path / "r"
    whole = played(SMALL, path)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:3]))
    before, write = path.read_bytes(), os.write
    monkeypatch.setattr(os, "write", lambda file, data: write(file, data[: len(data) // 2]))

    with pytest.raises(BadTournament, match="No space left"):
        played(SMALL, path)

    assert path.read_bytes() == before
    monkeypatch.undo()
    assert without_times(played(SMALL, path)) == without_times(whole)


def test_two_runs_of_one_tournament_do_not_mix(tmp_path: Path) -> None:
    played(SMALL, tmp_path / "r")

    with ResultsFile(tmp_path / "r", SMALL), pytest.raises(BadTournament, match="is in use"):
        ResultsFile(tmp_path / "r", SMALL)


def test_the_games_are_saved_in_our_format(tmp_path: Path) -> None:
    records = played(SMALL, tmp_path / "r")
    folder = GameFolder(tmp_path / "games", SMALL.variant)
    for record in records:
        folder.keep(record)

    saved = parse_saved_game((tmp_path / "games" / "0001.json").read_text())

    assert len(list((tmp_path / "games").iterdir())) == 6
    assert saved.game.moves == records[0].columns(SMALL.variant)
    assert len(saved.seconds) == len(saved.game.moves)


def test_the_summary_counts_in_words(tmp_path: Path) -> None:
    done = connectk("arena", "random", "greedy", "--games", "1", "--variant", "4x4x4", cwd=tmp_path)

    assert "1 game, " in done.stdout


def test_the_table_adds_up(tmp_path: Path) -> None:
    records = played(SMALL, tmp_path / "r")
    table = standings(SMALL, records)

    assert sum(line.points for line in table.lines) == table.games == 6
    assert all(line.wins + line.draws + line.losses == line.games for line in table.lines)
    assert table.mean_length == sum(len(record.moves) for record in records) / 6
    assert draw_ratings(table, "5x4x4 & more").count("<circle") == 2


REFUSED = {
    "one player": (["random"], "A tournament needs two players or more."),
    "the same player twice": (["random", "random"], "random is named twice; a player has one place in the table."),
    "an unknown player": (["random", "stockfish"], "There is no player 'stockfish'"),
    "a clock of zero": (["random", "greedy", "--time", "0ms"], "A time of 0ms leaves no time to think"),
    "no games": (["random", "greedy", "--games", "0"], "A tournament needs one game or more"),
    "three players in a test": (["random", "greedy", "minimax:1", "--sprt"], "name exactly two"),
    "a bot that is not there": (["random", "missing.py"], "missing.py is not a file"),
    "no such board": (["random", "greedy", "--variant", "2x2x4"], "A run of 4 does not fit"),
    "no such folder": (["random", "greedy", "--plot", "a/b.svg"], "a/b.svg cannot be written"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_bad_input_is_one_sentence_and_leaves_nothing(kind: str, tmp_path: Path) -> None:
    arguments, sentence = REFUSED[kind]

    done = connectk("arena", *arguments, cwd=tmp_path)

    assert done.returncode == 2
    assert sentence in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert list(tmp_path.iterdir()) == []


def test_json_holds_the_table(tmp_path: Path) -> None:
    done = connectk("arena", "greedy", "random", "--games", "2", "--json", "--plot", "r.svg", cwd=tmp_path)
    table = json.loads(done.stdout)

    assert [line["name"] for line in table["lines"]] == ["greedy", "random"]
    assert (tmp_path / "r.svg").read_text().startswith("<svg")
    assert (tmp_path / table["results"]).exists()
