"""Measures an agent that answers in words, such as a language model: the exact regret of each answer, and the cost."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from connectk.envs.measure_agent import MeasuredChoice, Measurement, questions_for, summary
from connectk.envs.scored_positions import Question
from connectk.errors import SearchStopped
from connectk.notation.start import write_start
from connectk.players.text_agents import TextAgent, TextReply
from connectk.players.text_prompts import ParsedAnswer, Parsing, PromptStyle, parse_answer, prompt_for
from connectk.rules import CLASSIC, Position, Variant
from connectk.watch import Progress, Stop, Watch

TOKENS_PER_PRICE = 1_000_000  # prices are for this number of tokens


@dataclass(frozen=True, slots=True)
class TextMeasurement:
    """The measurement of a text agent. An illegal or unreadable answer counts as the worst column. Such answers are
    also counted separately.

    Tokens are None if the agent does not report them. `cost` is None without prices or tokens.
    """

    measurement: Measurement
    illegal: int
    unreadable: int
    seconds: float  # of all answers
    prompt_tokens: int | None
    answer_tokens: int | None
    cost: float | None

    def to_json(self) -> dict[str, Any]:
        return self.measurement.to_json() | {
            name: value for name, value in asdict(self).items() if name != "measurement"
        }


@dataclass(frozen=True, slots=True)
class AnsweredPrompt:
    """One answer, and the column that was read from it."""

    question: Question
    reply: TextReply
    parsed: ParsedAnswer

    @property
    def choice(self) -> MeasuredChoice:
        return MeasuredChoice(self.question, self.parsed.column)


def measure_text(
    agent: TextAgent,
    variant: Variant | str = CLASSIC,
    positions: Any = None,
    *,
    style: PromptStyle = "kaggle",
    parsing: Parsing = "strict",
    record: Path | None = None,
    prices: tuple[float, float] | None = None,
    seed: int = 1,
    seconds: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> TextMeasurement:
    """Measure how far a text agent is from perfect play. `positions` means the same as in `measure`.

    Every answer is appended unchanged to the file `record` at once. A later call asks only for positions that are not
    in the file, and parses all answers again with its own `parsing`. `prices` are the prices of a million input tokens
    and of a million output tokens. An agent that gives no answer raises `BotUnusable`.
    """
    variant = Variant.parse(variant) if isinstance(variant, str) else variant
    count, questions = questions_for(variant, positions, seed, stop)
    watch, kept = Watch(stop, progress), AnswerRecord(record, agent.name, style)
    answered: list[AnsweredPrompt] = []
    with suppress(SearchStopped):  # the answers before the stop count
        watch.report(0, count)
        for done, question in enumerate(questions, start=1):
            if watch.should_stop():
                break
            position = question.position
            reply = kept.find(position)
            is_new = reply is None
            reply = reply or agent.ask(prompt_for(position, style), seconds)
            answered.append(AnsweredPrompt(question, reply, parse_answer(reply.text, position, style, parsing)))
            if is_new:
                kept.add(answered[-1])
            watch.report_throttled(done, count)
        else:
            count = len(answered)
    return _measurement(answered, agent.name, variant, count, prices)


def _measurement(
    answered: list[AnsweredPrompt], name: str, variant: Variant, asked: int, prices: tuple[float, float] | None
) -> TextMeasurement:
    kinds = [one.parsed.kind for one in answered]
    read = _sum([one.reply.prompt_tokens for one in answered])
    written = _sum([one.reply.answer_tokens for one in answered])
    cost = None
    if prices is not None and read is not None and written is not None:
        cost = (read * prices[0] + written * prices[1]) / TOKENS_PER_PRICE
    return TextMeasurement(
        summary([one.choice for one in answered], name, variant, asked),
        kinds.count("illegal"),
        kinds.count("unreadable"),
        sum(one.reply.seconds for one in answered),
        read,
        written,
        cost,
    )


def _sum(tokens: list[int | None]) -> int | None:
    known = [number for number in tokens if number is not None]
    return sum(known) if known and len(known) == len(tokens) else None


class AnswerRecord:
    """A file with one answer on each line, as JSON. If a line was cut off because the process was killed, its position
    is asked again."""

    def __init__(self, path: Path | None, agent: str, style: PromptStyle) -> None:
        self._path, self._agent, self._style = path, agent, style
        self._known = {self._key(line): line for line in self._lines()}

    def _lines(self) -> Iterator[dict[str, Any]]:
        text = self._path.read_text("utf-8") if self._path is not None and self._path.exists() else ""
        for line in text.splitlines():
            with suppress(ValueError):
                found = json.loads(line)
                if isinstance(found, dict) and found.get("agent") == self._agent and found.get("prompt") == self._style:
                    yield found
        if self._path is not None and text and not text.endswith("\n"):
            self._append("\n")

    @staticmethod
    def _key(line: dict[str, Any]) -> tuple[Any, Any]:
        return line.get("variant"), line.get("position")

    def find(self, position: Position) -> TextReply | None:
        """The recorded answer to this position, if there is one."""
        line = self._known.get((str(position.variant), write_start(position)))
        if line is None:
            return None
        return TextReply(line["answer"], line["seconds"], line.get("prompt_tokens"), line.get("answer_tokens"))

    def add(self, one: AnsweredPrompt) -> None:
        """Append an answer with its exact regret."""
        position = one.question.position
        facts = {
            "agent": self._agent,
            "prompt": self._style,
            "variant": str(position.variant),
            "position": write_start(position),
            "phase": one.choice.phase,
            "kind": one.parsed.kind,
            "column": one.parsed.column,
            "score_regret": one.choice.score_regret,
            "result_regret": one.choice.result_regret,
            "answer": one.reply.text,
            "seconds": round(one.reply.seconds, 3),
            "prompt_tokens": one.reply.prompt_tokens,
            "answer_tokens": one.reply.answer_tokens,
        }
        self._append(json.dumps(facts, ensure_ascii=False) + "\n")

    def _append(self, text: str) -> None:
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(text)
