"""Measures how far agents are from perfect play, on the shipped positions and on others."""

import io
import json
import random
import subprocess
import sys
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from connectk.arrays import Boards
from connectk.commands.measure import measurement_table
from connectk.envs import Measurement, measure, measure_batch
from connectk.envs.measure_agent import MeasuredChoice, mean, share, summary
from connectk.envs.measurement_plot import draw_curve, draw_measurement
from connectk.envs.scored_positions import (
    Question,
    draw_questions,
    random_legal_column,
    random_plies,
    read_question,
    shipped_questions,
    write_question,
)
from connectk.errors import BadPosition, BotForfeit, UnsupportedVariant
from connectk.players import load_player
from connectk.rules import CLASSIC, Position, Variant
from connectk.solver import score_columns
from connectk.texts import LANGUAGES, load_texts
from connectk.watch import Report
from tests.terminal.command import run_in_process

SHIPPED = shipped_questions(CLASSIC) or []


def test_the_positions_that_ship_are_many_distinct_and_of_every_part_of_the_game():
    positions = {question.position for question in SHIPPED}
    assert len(SHIPPED) == len(positions) > 500
    assert not [
        position for position in positions if position.mirrored() != position and position.mirrored() in positions
    ]
    counts = measure(at_first, positions=None).phases[1:]
    assert [phase.name for phase in counts] == ["opening", "middle", "end"]
    assert min(phase.positions for phase in counts) >= 150
    assert all(question.best > question.worst for question in SHIPPED)


def at_first(position: Position) -> int:
    return position.legal_columns[0]


@pytest.mark.parametrize("question", random.Random(1).sample(SHIPPED, 40), ids=lambda q: f"ply{q.position.ply}")
def test_the_scores_that_ship_are_those_of_the_solver(question: Question):
    assert question.scores == score_columns(question.position)


def test_an_agent_may_answer_all_positions_at_once():
    """An agent that answers all positions at once gets the same measurement. A full column counts as the worst one, and
    a missing answer is refused."""
    greedy = measure_batch(lambda boards: boards.choose("greedy"), name="greedy")
    assert greedy.phases == measure("greedy").phases
    assert measure_batch(lambda boards: [3] * len(boards), positions=["", "444444"]).failed == 1
    with pytest.raises(ValueError, match="1 columns for 2 positions"):
        measure_batch(lambda boards: [3], positions=["", "4"])
    requested: list[int] = []

    def leftmost(boards: Boards) -> list[int]:
        requested.append(len(boards))
        return boards.legal.argmax(axis=1).tolist()

    assert measure_batch(leftmost, "6x5x4", 20).asked == requested[0] == 20
    assert measure_batch(leftmost, positions=["4"]).agent == "leftmost"


def test_perfect_play_has_no_regret():
    found = measure("perfect")
    assert found.all.perfect.value == found.all.good.value == 1
    assert found.all.score_regret.high == found.all.result_regret.high == 0
    assert found.all.perfect.low < 1  # five hundred positions are not all positions


def test_stronger_players_are_nearer_to_perfect():
    found = [measure(name).all for name in ("random", "level:3", "level:8")]
    assert found[0].perfect.high < found[1].perfect.low
    assert found[1].perfect.high < found[2].perfect.low
    assert found[0].score_regret.low > found[1].score_regret.high > found[2].score_regret.high


def test_the_regret_of_a_move_is_measured():
    """A slower win is a good move but not a perfect one. A move that turns a win into a draw or a loss is neither."""
    question = Question(Position.start(), (3, 1, 0, -2, None, 3, 3))
    answers = [MeasuredChoice(question, column) for column in (0, 1, 2, 3, None, 4)]

    assert [answer.perfect for answer in answers] == [True, False, False, False, False, False]
    assert [answer.good for answer in answers] == [True, True, False, False, False, False]
    assert [answer.result_regret for answer in answers] == [0, 0, 1, 2, 2, 2]
    assert [answer.score_regret for answer in answers] == [0, 2, 3, 5, 5, 5]


def test_parts_of_the_game_are_thirds_of_the_board():
    plies = [Question(Position.from_moves([0, 1, 0, 1, 0, 1][:ply], Variant(3, 3, 3)), (1, 0, 0)) for ply in range(5)]
    found = summary([MeasuredChoice(question, 0) for question in plies], "someone", Variant(3, 3, 3))
    assert [(phase.name, phase.positions) for phase in found.phases] == [("all", 5), ("opening", 3), ("middle", 2)]


def test_choices_that_fail_count_as_the_worst():
    def gives_up(position: Position) -> int:
        raise BotForfeit("someone", "illegal", "gave up")

    for agent in (gives_up, lambda position: -1, lambda position: 7):
        found = measure(agent, positions=["44", "4435"])
        assert (found.failed, found.all.perfect.value, found.all.good.value) == (2, 0, 0)


def test_an_agent_may_be_a_player_a_name_or_a_function():
    player = load_player("greedy")
    by_name, by_player = measure("greedy", positions=30), measure(player, positions=30)
    assert by_name.all == by_player.all
    assert (by_name.agent, by_player.agent, measure(at_first, positions=2).agent) == ("greedy", "greedy", "at_first")
    assert measure(at_first, positions=2, name="mine").agent == "mine"


def test_positions_of_other_boards_are_drawn_and_solved():
    found = measure("perfect", "4x4x3", positions=12, seed=5)
    assert found.all.perfect.value == 1
    assert 0 < found.all.positions <= 12
    assert measure("random", "4x4x3", positions=12, seed=5) == measure("random", "4x4x3", positions=12, seed=5)
    with pytest.raises(UnsupportedVariant):
        measure("random", "20x20x5", positions=1)
    with pytest.raises(BadPosition, match="Position 1, counted from 0"):
        measure("random", positions=["44", "1212121"])


def test_positions_that_are_drawn_can_be_solved():
    """Sampled positions can be solved quickly. On 8x8, those with few discs are left out; on 7x6x4 the book solves
    them."""
    assert min(islice(random_plies(Variant(8, 8, 4), 1), 500)) == 40
    assert min(islice(random_plies(Variant(6, 4, 4), 1), 500)) == min(islice(random_plies(CLASSIC, 1), 500)) == 0


def test_measuring_can_be_stopped_and_reports_progress():
    requested, reports = [], []

    def agent(position: Position) -> int:
        requested.append(position)
        return 0

    assert measure(agent, positions=["4"] * 5, stop=lambda: len(requested) == 2).all.positions == 2
    measure(agent, positions=["4"] * 5, progress=reports.append)
    assert (reports[-1].done, reports[-1].total) == (5, 5)


@given(st.lists(st.booleans(), min_size=1, max_size=200))
def test_a_share_lies_in_its_interval(hits: list[bool]):
    found = share(hits)
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.low < found.high


def test_intervals_have_the_known_size():
    """Wilson's interval for 8 of 10 is 0.490 to 0.943. The interval of a mean is 1.96 standard errors to each side."""
    found = share([True] * 8 + [False] * 2)
    assert (found.low, found.high) == (pytest.approx(0.490, abs=1e-3), pytest.approx(0.943, abs=1e-3))
    assert mean([0, 2] * 50).high == pytest.approx(1 + 1.96 * (100 / 99) ** 0.5 / 10)


def test_a_question_is_written_and_read_back():
    for moves, question in draw_questions(Variant(10, 3, 3), [2, 5, 9], random_legal_column, random.Random(3)):
        assert read_question(write_question(moves, question), Variant(10, 3, 3)) == question


@pytest.fixture(scope="module")
def greedy() -> Measurement:
    return measure("greedy", positions=40)


def test_the_pictures_name_what_they_show(greedy: Measurement):
    picture = draw_measurement(greedy)
    assert all(word in picture for word in ("greedy on 7x6x4", "opening", "perfect moves", "good moves"))
    curve = draw_curve([(0, measure("random", positions=40)), (10, greedy)], "Learning", "minutes")
    assert "Learning" in curve
    assert "10 minutes" in curve


def run(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "connectk", "measure", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_the_command_measures_a_bot_of_yours(tmp_path):
    bot, plot = tmp_path / "mybot.py", tmp_path / "plot.svg"
    bot.write_text("def choose(position):\n    return position.legal_columns[0]\n")
    done = run(str(bot), "--positions", "20", "--out", str(plot))
    assert done.returncode == 0, done.stderr
    assert "perfect" in done.stdout
    assert plot.read_text(encoding="utf-8").startswith("<svg")

    printed = json.loads(run(str(bot), "--positions", "20", "--json").stdout)
    assert printed == {**measure(at_first, positions=20).to_json(), "agent": str(bot)}


def test_the_command_takes_positions_of_yours_and_refuses_in_a_sentence(tmp_path):
    mine = tmp_path / "mine.txt"
    mine.write_text("44\n\n4435\n")
    assert json.loads(run("perfect", "--from", str(mine), "--json").stdout)["phases"]["all"]["positions"] == 2
    for words in (["nobody"], ["perfect", "--from", str(tmp_path / "none.txt")], ["random", "--variant", "20x20x5"]):
        refused = run(*words)
        assert refused.returncode == 2
        assert refused.stderr.startswith("connectk: ")
        assert "Traceback" not in refused.stderr


def test_puzzles_are_positions_too(tmp_path):
    puzzles = tmp_path / "six.txt"
    assert run_in_process("puzzle", "make", str(puzzles), "--variant", "6x5x4", "--count", "2").returncode == 0
    assert json.loads(run("perfect", "--from", str(puzzles), "--json").stdout)["phases"]["all"]["good"]["value"] == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_fits_80_columns_and_breaks_no_cell(greedy: Measurement, language: str):
    table, rows = measurement_table(greedy, load_texts(language)), io.StringIO()
    Console(file=rows, width=80).print(table)
    lines = rows.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    assert sum("%" in line for line in lines) == len(greedy.phases)
    assert all(line.count("±") == 2 for line in lines if "%" in line)


def test_what_is_measured_first_is_a_sample_of_all_positions():
    asked: list[Position] = []
    found = measure(lambda position: asked.append(position) or 3, stop=lambda: len(asked) == 90)
    assert [phase.name for phase in found.phases] == ["all", "opening", "middle", "end"]
    assert all(20 <= phase.positions <= 40 for phase in found.phases[1:])


def test_what_was_measured_before_the_stop_counts():
    """The positions measured before a stop count. Each position is solved only when it is needed."""
    reports: list[tuple[int, int | None]] = []
    chosen: list[Position] = []

    def choose(position: Position) -> int:
        chosen.append(position)
        return position.legal_columns[0]

    def tell(report: Report) -> None:
        reports.append((report.done, report.total))

    found = measure(choose, Variant(6, 5, 4), 12, progress=tell, stop=lambda: len(chosen) == 3)
    assert (found.all.positions, found.asked, reports[0]) == (3, 12, (0, 12))


def test_the_command_says_that_the_time_was_up():
    done = run("greedy", "--variant", "9x7x5", "--limit", "1ms")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "No position was measured within 1ms" in done.stderr


@pytest.mark.parametrize("variant", [Variant(5, 4, 4), Variant(4, 4, 4)])
def test_as_many_positions_are_used_as_were_asked_for(variant: Variant) -> None:
    """If random games do not reach some number of discs, more positions with other numbers of discs are used."""
    assert measure("greedy", variant, 100).all.positions == 100


def test_a_board_with_too_few_positions_gives_what_it_has() -> None:
    found = measure("greedy", Variant(2, 2, 2), 100)

    assert 0 <= found.all.positions == found.asked < 100


def test_what_a_bot_did_wrong_is_named_with_its_number(tmp_path: Path) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(
        "def choose(position):\n    return {}[position.ply] if position.ply % 2 else position.legal_columns[0]\n"
    )
    found = measure(str(bot), Variant(5, 4, 4), 6, seconds=30)

    assert sum(fault.times for fault in found.faults) == found.failed > 0
    assert len(found.faults) == 1
    assert "KeyError" in found.faults[0].reason
    assert "(line 2)" in found.faults[0].reason
    assert found.to_json()["faults"] == [{"reason": found.faults[0].reason, "times": found.failed}]


@pytest.mark.parametrize(
    "content",
    [". . . . . . .\n. . x . . . .\n. . o x o . .\n", '{"variant": "7x6x4", "moves": "4453"}', "7 6 4\n4\n4\n5\n3\n"],
)
def test_a_file_with_one_position_is_no_list(content: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file with one position is not taken for a list: a drawn board of several lines, JSON, or a Connect-Z file."""
    monkeypatch.chdir(tmp_path)
    Path("one.txt").write_text(content)
    assert json.loads(run("greedy", "--from", "one.txt", "--json").stdout)["phases"]["all"]["positions"] == 1
