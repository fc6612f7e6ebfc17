"""Measuring a text agent gives its exact regret, keeps its answers unchanged, and asks no question twice."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from connectk.cli import app
from connectk.commands.usage import BadUsage
from connectk.envs.measure_text import measure_text
from connectk.envs.scored_positions import shipped_questions
from connectk.errors import BotUnusable
from connectk.players.text_agents import TextReply
from connectk.rules import CLASSIC, Position
from connectk.solver import score_columns
from tests.players.test_text_agents import model_server, said

POSITIONS = ["", "44", "112233", "4455"]


class Scripted:
    """An agent that gives these answers, one after the other. Each takes a second."""

    name = "scripted"

    def __init__(self, *answers: str) -> None:
        self.answers, self.prompts = list(answers), list[str]()

    def ask(self, prompt: str, seconds: float | None = None) -> TextReply:
        if not self.answers:
            raise BotUnusable(self.name, "error.BotUnusable.text_failed", why="the line is dead")
        self.prompts.append(prompt)
        return TextReply(self.answers.pop(0), 1.0, 100, 20)


def test_regret_is_exact_and_bad_answers_are_counted_apart():
    """Answers that name an illegal column or none count as the worst column and are also counted separately."""
    agent = Scripted("Final Answer: 3", "Final Answer: 0", "Final Answer: 9", "hm")
    found = measure_text(agent, positions=POSITIONS, prices=(1.0, 10.0))
    everything = [score_columns(Position.from_moves(moves)) for moves in POSITIONS]
    scores = [[score for score in row if score is not None] for row in everything]
    best = [max(row) for row in scores]
    lost = [0, best[1] - (everything[1][0] or 0), best[2] - min(scores[2]), best[3] - min(scores[3])]
    assert found.measurement.all.score_regret.value == sum(lost) / 4
    assert (found.illegal, found.unreadable, found.measurement.failed) == (1, 1, 2)
    assert (found.seconds, found.prompt_tokens, found.answer_tokens) == (4.0, 400, 80)
    assert found.cost == pytest.approx(400 / 1e6 + 800 / 1e6)
    assert found.to_json()["unreadable"] == 1


def test_answers_are_kept_and_not_asked_again(tmp_path: Path):
    """After a failure, recorded answers are kept and only the other questions are asked. They may be parsed more
    leniently."""
    record = tmp_path / "answers.jsonl"
    with pytest.raises(BotUnusable, match="the line is dead"):
        measure_text(Scripted("Final Answer: 3", "it is 3, I think"), positions=POSITIONS, record=record)
    lines = [json.loads(line) for line in record.read_text().splitlines()]
    assert [line["answer"] for line in lines] == ["Final Answer: 3", "it is 3, I think"]
    assert [line["kind"] for line in lines] == ["played", "unreadable"]
    assert lines[0]["score_regret"] == 0
    with record.open("a") as file:
        file.write('{"agent": "scripted", "pro')  # as a kill leaves it

    later = Scripted("Final Answer: 3", "Final Answer: 3")
    found = measure_text(later, positions=POSITIONS, record=record, parsing="lenient")
    assert len(later.prompts) == 2
    assert (found.measurement.all.positions, found.unreadable, found.seconds) == (4, 0, 4.0)
    again = measure_text(Scripted(), positions=POSITIONS, record=record, parsing="strict")
    assert (again.measurement.all.positions, again.unreadable) == (4, 1)
    other = Scripted(*["4"] * 4)
    measure_text(other, positions=POSITIONS, record=record, style="plain")
    assert len(other.prompts) == 4  # another prompt is another question


def test_a_stop_keeps_what_was_answered():
    asked: list[int] = []
    found = measure_text(
        Scripted(*["Final Answer: 3"] * 4), positions=POSITIONS, stop=lambda: len(asked) > 2 or asked.append(1) or False
    )
    assert 0 < found.measurement.all.positions < 4
    assert found.measurement.asked == 4


def test_the_positions_that_ship_are_asked_for_on_the_classic_board():
    questions = shipped_questions(CLASSIC) or []
    found = measure_text(Scripted(*["Final Answer: 3"] * len(questions)))
    assert found.measurement.all.positions == len(questions)
    assert [phase.name for phase in found.measurement.phases] == ["all", "opening", "middle", "end"]


def run(*words: Any) -> Any:
    return CliRunner().invoke(app, ["measure", *map(str, words)])


def test_the_command_measures_a_program(tmp_path: Path):
    program = f"{sys.executable} -c 'print(\"Final Answer: 3\")'"
    asked = ["--from", "44", "--from", "112233"]
    done = run("--text", program, *asked, "--out", tmp_path / "kept.jsonl", "--limit", "5min")
    assert done.exit_code == 0, done.output
    assert "0 answers named no column" in done.stdout
    assert "The answers took" in done.stdout
    assert len((tmp_path / "kept.jsonl").read_text().splitlines()) == 2


def test_the_command_measures_a_server_and_tells_the_cost():
    with model_server(said("Final Answer: 3")) as (url, asked):
        words = ["--text", url, "--model", "small", "--from", "44", "--price", "1,2", "--json", "--limit", "5min"]
        done = run(*words)
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert (found["illegal"], found["prompt_tokens"], found["answer_tokens"]) == (0, 200, 10)
    assert found["cost"] == pytest.approx(220e-6)
    assert asked[0]["model"] == "small"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([], "PLAYER is missing"),
        (["greedy", "--text", "cat"], "not both"),
        (["--text", "cat", "--price", "1"], "are no prices"),
        (["--text", "cat", "--parsing", "wild"], "strict, lenient"),
        (["--text", "cat", "--prompt", "long"], "kaggle, plain"),
        (["greedy", "--out", "x.jsonl"], "x.jsonl"),
    ],
)
def test_wrong_usage_is_one_sentence(words: list[str], sentence: str):
    done = run(*words)
    assert isinstance(done.exception, BadUsage)
    assert sentence in str(done.exception)
