"""Tournaments are fair and reproducible, and a stop loses no finished game."""

from __future__ import annotations

import json
import math
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

from connectk import Position, Variant
from connectk.arena import ResultsFile, Sprt, Tournament, run_tournament
from connectk.arena.match import GameFolder
from connectk.arena.player_pool import PlayerPool
from connectk.arena.ratings_plot import draw_ratings
from connectk.arena.results_reader import read_results
from connectk.arena.standings import standings
from connectk.errors import BadTournament
from connectk.notation import parse_saved_game
from connectk.players.player import Choice, Clock, Player
from connectk.watch import Report
from tests.arena.tournaments import SMALL, connectk, played, without_times


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
    table = standings(tournament.players, tournament.variant, records)

    assert len(records) == 6
    assert table.lines[-1].name == str(bot)
    assert (table.lines[-1].forfeits, table.lines[-1].losses) == (4, 4)
    fault = f"{bot} chose column 99, counted from 0; on 5x4x4 there are 0 to 4."
    assert [(forfeit.reason, forfeit.times) for forfeit in table.forfeits] == [(fault, 4)]


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
    arguments = ["arena", str(bot), "random", "--games", "12", "--variant", "5x4x4", "--jobs", "2", "--out", "r.jsonl"]
    mark = f"CONNECTK_ARENA_MARK={os.getpid()}-{time.monotonic_ns()}"
    environment = {**os.environ, mark.split("=")[0]: mark.split("=")[1]}
    command = [sys.executable, "-m", "connectk", *arguments]

    first = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL)
    _wait_until(lambda: (tmp_path / "r.jsonl").exists() and (tmp_path / "r.jsonl").read_bytes().count(b"\n") > 3)
    first.send_signal(signal.SIGKILL)
    first.wait()
    _wait_until(lambda: not _carriers(mark))
    before = (tmp_path / "r.jsonl").read_bytes()
    assert connectk(*arguments, cwd=tmp_path).returncode == 0

    numbers = [json.loads(line)["number"] for line in (tmp_path / "r.jsonl").read_text().splitlines()[1:]]
    assert (tmp_path / "r.jsonl").read_bytes().startswith(before[: before.rfind(b"\n") + 1])
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
    command = [sys.executable, "-m", "connectk", "arena", "mcts:3000", "greedy", "--jobs", "2", "--out", "r.jsonl"]
    running = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True, start_new_session=True)
    _wait_until(lambda: (tmp_path / "r.jsonl").exists() and (tmp_path / "r.jsonl").read_bytes().count(b"\n") > 2)
    os.killpg(running.pid, signal.SIGINT)
    _, said = running.communicate(timeout=120)

    assert running.returncode == 130
    assert "games are kept in r.jsonl; the same command goes on." in said
    assert "Traceback" not in said


def test_a_sequential_test_stops_when_it_knows(tmp_path: Path) -> None:
    tournament = Tournament(("greedy", "random"), Variant(6, 5, 4), games=80)

    records = played(tournament, tmp_path / "r", sprt=Sprt(0, 200))

    assert Sprt(0, 200).judge("greedy", records).accepted_hypothesis == 1
    assert len(records) < 60


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_tournament_can_be_stopped_and_reports_progress(tmp_path: Path, jobs: int) -> None:
    """After a tournament is stopped, no further game begins."""
    reports: list[Report] = []
    with ResultsFile(tmp_path / "r", SMALL) as results:
        run_tournament(results, jobs=jobs, stop=lambda: len(reports) >= 2, progress=reports.append)

        assert 2 <= len(results.records) < SMALL.total
        assert [(report.done, report.total) for report in reports[:2]] == [(1, SMALL.total), (2, SMALL.total)]


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


def test_a_full_disk_loses_no_saved_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk becomes full in the middle of a line, the written part of the line is removed. A new file
    without a game is removed, too."""
    path = tmp_path / "r"
    whole = played(SMALL, path)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:3]))
    before, write = path.read_bytes(), os.write
    monkeypatch.setattr(os, "write", lambda file, data: write(file, data[: len(data) // 2]))

    with pytest.raises(BadTournament, match="the disk is full"):
        played(SMALL, path)

    assert path.read_bytes() == before
    with pytest.raises(BadTournament, match="the disk is full"):
        played(SMALL, tmp_path / "new")
    assert not (tmp_path / "new").exists()
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
        folder.save(record)

    saved = parse_saved_game((tmp_path / "games" / "0001.json").read_text())

    assert len(list((tmp_path / "games").iterdir())) == 6
    assert saved.game.moves == records[0].columns(SMALL.variant)
    assert len(saved.seconds) == len(saved.game.moves)


def test_the_summary_counts_in_words(tmp_path: Path) -> None:
    done = connectk("arena", "random", "greedy", "--games", "1", "--variant", "4x4x4", cwd=tmp_path)

    assert "1 game. " in done.stdout


def test_the_table_adds_up(tmp_path: Path) -> None:
    records = played(SMALL, tmp_path / "r")
    table = standings(SMALL.players, SMALL.variant, records)

    assert sum(line.points for line in table.lines) == table.games == 6
    assert all(line.wins + line.draws + line.losses == line.games for line in table.lines)
    assert table.mean_length == sum(len(record.moves) for record in records) / 6
    assert draw_ratings(table, "5x4x4 & more").count("<circle") == 2


def test_more_games_continue_the_tournament(tmp_path: Path) -> None:
    """Six games and then a run with `--games 10` give the same result as one run of ten games."""
    grown = replace(SMALL, games=10)
    before = played(SMALL, tmp_path / "r")
    lines = (tmp_path / "r").read_bytes()
    after = played(grown, tmp_path / "r")

    assert (tmp_path / "r").read_bytes().startswith(lines)
    assert [record.number for record in after] == list(range(1, 11))
    assert without_times(after[:6]) == without_times(before)
    assert without_times(after) == without_times(played(grown, tmp_path / "at once"))
    assert len(played(SMALL, tmp_path / "r")) == 10  # fewer games than there are: none is lost


def test_the_number_of_games_can_be_lowered(tmp_path: Path) -> None:
    """A new player joins a tournament with a lower number of games and plays only that many. The other players keep
    their games."""
    played(SMALL, tmp_path / "r")
    records = played(replace(SMALL, players=("random", "greedy", "minimax:1"), games=2), tmp_path / "r")

    assert Counter(tuple(sorted((game.first, game.second))) for game in records) == {
        ("greedy", "random"): 6,
        ("minimax:1", "random"): 2,
        ("greedy", "minimax:1"): 2,
    }


def test_a_bot_that_does_not_start_is_left_out(tmp_path: Path) -> None:
    """A bot that does not start is left out, and the tournament goes on if at least two players remain."""
    (tmp_path / "broken.py").write_text("def choose(position) return 3\n")
    board = ["--games", "2", "--variant", "5x4x4", "--jobs", "1"]
    done = connectk("arena", "random", "broken.py", "greedy", *board, "--json", cwd=tmp_path)
    alone = connectk("arena", "random", "broken.py", *board, cwd=tmp_path)

    assert done.stderr.count("Left out: broken.py cannot be started") == 1
    assert "SyntaxError" in done.stderr
    table = json.loads(done.stdout)
    assert table["players"] == ["random", "greedy"]
    assert list(table["left_out"]) == ["broken.py"]
    assert alone.returncode == 2
    assert "broken.py cannot be started" in alone.stderr


def test_thirty_bots_are_started_once(tmp_path: Path) -> None:
    """On two cores, thirty bots all stay alive between their games. If there are many more bots, only those that play
    next stay alive."""
    for players, most in ((30, 30), (70, 250)):
        tournament, started = Tournament(tuple(f"bot{i}" for i in range(players)), games=2), Counter[str]()

        def load(name: str, seed: int, started: Counter[str] = started) -> Player:
            started[name] += 1
            return Reusable()

        pool = PlayerPool(load, workers=2)
        for fixture in tournament.fixtures(((),)):
            pool.take(fixture.first, 1), pool.take(fixture.second, 1)

        assert players <= started.total() <= most


class Reusable:
    name = "reusable"

    def choose(self, position: Position, clock: Clock) -> Choice:
        raise NotImplementedError

    def new_game(self, seed: int | None = None) -> None:
        pass

    def close(self) -> None:
        pass


def test_an_odd_number_of_games_can_grow(tmp_path: Path) -> None:
    played(replace(SMALL, games=3), tmp_path / "r")
    records = played(replace(SMALL, games=4), tmp_path / "r")

    assert Counter((record.first, record.opening) for record in records).most_common(1)[0][1] == 1
    assert len(records) == 4


def test_a_player_can_be_added(tmp_path: Path) -> None:
    before = played(SMALL, tmp_path / "r")
    after = played(replace(SMALL, players=("minimax:1", "random", "greedy")), tmp_path / "r")

    assert without_times(after[:6]) == without_times(before)
    assert len(after) == 18
    assert Counter(record.opening for record in after) == {0: 6, 1: 6, 2: 6}
    with pytest.raises(BadTournament, match="minimax:1 is not named now"):
        ResultsFile(tmp_path / "r", SMALL)


def test_a_test_that_is_undecided_goes_on(tmp_path: Path) -> None:
    """Repeating an undecided sequential test with more games continues the same results file."""
    command = ["arena", "greedy", "random", "--variant", "6x5x4", "--sprt", "--elo1", "200", "--games"]
    first = connectk(*command, "4", cwd=tmp_path)
    second = connectk(*command, "80", cwd=tmp_path)

    assert "Undecided after 2 openings; the same command with more --games goes on" in first.stdout
    assert "4 of 80 games are in" in second.stderr
    assert "H1 held" in second.stdout
    assert len(list(tmp_path.iterdir())) == 1


def test_the_risks_of_the_test_can_be_set(tmp_path: Path) -> None:
    command = ["arena", "greedy", "random", "--games", "2", "--sprt", "--alpha", "0.2", "--beta", "0.1", "--json"]
    sprt = json.loads(connectk(*command, cwd=tmp_path).stdout)["sprt"]

    assert (sprt["lower"], sprt["upper"]) == pytest.approx((math.log(0.1 / 0.8), math.log(0.9 / 0.2)))


def test_own_openings_are_played(tmp_path: Path) -> None:
    """Each opening of a user's file is played from both sides. After the last opening, the first one is played
    again."""
    (tmp_path / "mine.txt").write_text("# openings\n4453\n\n12  # a corner\n")
    connectk("arena", "random", "greedy", "--games", "6", "--openings", "mine.txt", "--out", "r.jsonl", cwd=tmp_path)

    results = read_results((tmp_path / "r.jsonl").read_bytes(), "r")

    assert results.openings == ((3, 3, 4, 2), (0, 1), (3, 3, 4, 2))
    assert all(record.moves.startswith(("4453", "12")) for record in results.records.values())


def test_games_may_start_from_the_empty_board(tmp_path: Path) -> None:
    records = played(replace(SMALL, openings="empty", games=2), tmp_path / "r")

    assert all(len(record.seconds) == len(record.moves) for record in records)


def test_a_bad_opening_names_its_line(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("4453\n44444444\n")
    done = connectk("arena", "random", "greedy", "--openings", "mine.txt", cwd=tmp_path)

    assert "mine.txt, line 2: Move 7 cannot be played. Column 4 is full" in done.stderr


def test_a_saved_game_of_the_arena_says_what_was_given(tmp_path: Path) -> None:
    record = played(SMALL, tmp_path / "r")[0]
    opening = read_results((tmp_path / "r").read_bytes(), "r").openings[0]

    assert record.saved_game(SMALL.variant).given == len(opening) > 0


def test_an_undecided_test_of_repeated_games_does_not_promise_that_more_of_them_help(tmp_path: Path) -> None:
    """If two deterministic bots only repeat their games, the report does not suggest to play more of them."""
    for name, place in (("one", 0), ("other", -1)):
        source = f"def choose(position):\n    return position.legal_columns[{place}]\n"
        (tmp_path / f"{name}.py").write_text(source, encoding="utf-8")
    command = ["arena", "one.py", "other.py", "--openings", "empty", "--games", "6", "--sprt"]

    assert "Undecided: only 1 opening was played differently" in connectk(*command, cwd=tmp_path).stdout
