"""Measures how far an agent is from perfect play, in positions where the exact score of every column is known."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

from connectk.envs.scored_positions import (
    Question,
    drawn_questions,
    positions_of,
    questions_of,
    shipped_questions,
)
from connectk.errors import BotForfeit, BotUnusable, SearchStopped
from connectk.players import Clock, Player, load_player, start_new_game
from connectk.players.faults import Fault, count_faults
from connectk.rules import CLASSIC, Position, Variant
from connectk.watch import Progress, Stop, Watch

Z_95 = 1.96  # standard deviations for 95%
DEFAULT_POSITION_COUNT = 300  # random positions on a board for which no positions are shipped
GAME_PHASES = ("opening", "middle", "end")  # thirds of a full board
Agent = str | Player | Callable[[Position], int]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share or a mean with its 95% confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Phase:
    """The measurement of one phase of the game, or of "all" phases.

    A perfect move has the best score, and a good move keeps the best result. Regret tells how much a move loses. The
    score regret is the difference to the best score. The result regret is 1 if a win becomes a draw or a draw becomes a
    loss, and 2 if a win becomes a loss.
    """

    name: str
    positions: int
    perfect: Estimate
    good: Estimate
    result_regret: Estimate
    score_regret: Estimate


@dataclass(frozen=True, slots=True)
class Measurement:
    """The result of `measure`. `failed` counts missing or illegal choices. Each of them gets the score of the worst
    column.

    `asked` is the number of requested positions. If `stop` ends the work early, fewer positions are measured.
    """

    agent: str
    variant: Variant
    phases: tuple[Phase, ...]  # all, then each part of the game that had positions
    failed: int
    asked: int
    faults: tuple[Fault, ...] = ()  # why a bot failed, and how often

    @property
    def all(self) -> Phase:
        return self.phases[0]

    def to_json(self) -> dict[str, Any]:
        phases = {phase.name: asdict(phase) for phase in self.phases}
        return {
            "agent": self.agent,
            "variant": str(self.variant),
            "failed": self.failed,
            "asked": self.asked,
            "faults": [asdict(fault) for fault in self.faults],
            "phases": phases,
        }


@dataclass(frozen=True, slots=True)
class MeasuredChoice:
    """One choice of the agent. `column` is None if the choice was illegal or the bot failed. `fault` describes the
    bot's error."""

    question: Question
    column: int | None
    fault: str | None = None

    @property
    def score(self) -> int:
        """The score of the chosen column. A failed choice gets the score of the worst column."""
        score = None if self.column is None else self.question.scores[self.column]
        return self.question.worst if score is None else score

    @property
    def perfect(self) -> bool:
        return self.column is not None and self.score == self.question.best

    @property
    def good(self) -> bool:
        return self.column is not None and self.result_regret == 0

    @property
    def result_regret(self) -> int:
        return _sign(self.question.best) - _sign(self.score)

    @property
    def score_regret(self) -> int:
        return self.question.best - self.score

    @property
    def phase(self) -> str:
        position = self.question.position
        return GAME_PHASES[position.ply * len(GAME_PHASES) // position.variant.cells]


def measure(
    agent: Agent,
    variant: Variant | str = CLASSIC,
    positions: Iterable[Position | str] | int | None = None,
    *,
    name: str = "",
    seed: int = 1,
    seconds: float | None = None,
    progress: Progress | None = None,
    stop: Stop | None = None,
) -> Measurement:
    """Measure how often an agent plays a perfect and a good move, and the regret of its moves, with 95% intervals.

    An agent is a player, a player's name ("level:3", "mybot.py"), or a function from a position to a column.
    `positions` is None for the positions shipped with the package, a number of random positions, or your own positions.
    `seconds` is the time for each choice.
    """
    variant = Variant.parse(variant) if isinstance(variant, str) else variant
    count, questions = questions_for(variant, positions, seed, stop)
    watch, answers, asked = Watch(stop, progress), [], count
    player = load_player(agent, seed) if isinstance(agent, str) else agent
    try:
        with suppress(SearchStopped):  # the choices before the stop count
            watch.report(0, count)
            for done, question in enumerate(questions, start=1):
                if watch.should_stop():
                    break
                answers.append(_answer(player, question, seed, seconds))
                watch.report_throttled(done, count)
            else:
                asked = len(answers)  # a tiny board may have fewer positions
    finally:
        if isinstance(agent, str) and not callable(player):
            player.close()
    return summary(answers, name or _name(agent), variant, asked)


def measure_batch(
    agent: Callable[[Any], Any],
    variant: Variant | str = CLASSIC,
    positions: Iterable[Position | str] | int | None = None,
    *,
    name: str = "",
    seed: int = 1,
    stop: Stop | None = None,
) -> Measurement:
    """Does the same as `measure` for an agent that answers many positions at once. The agent takes a `Boards` and
    returns a column for each board.

    A column that takes no disc counts as the worst one.
    """
    from connectk.arrays import Boards  # NumPy is not needed to measure other agents

    variant = Variant.parse(variant) if isinstance(variant, str) else variant
    questions = list(questions_for(variant, positions, seed, stop)[1])
    columns = agent(Boards.from_positions([question.position for question in questions])) if questions else []
    chosen = [int(column) for column in columns]
    if len(chosen) != len(questions):
        raise ValueError(f"the agent gave {len(chosen)} columns for {len(questions)} positions")
    answers = [
        MeasuredChoice(question, column if question.position.can_drop(column) else None)
        for question, column in zip(questions, chosen, strict=True)
    ]
    return summary(answers, name or getattr(agent, "__name__", "agent"), variant)


def questions_for(variant: Variant, positions: Any, seed: int, stop: Stop | None) -> tuple[int, Iterable[Question]]:
    """The number of questions, and an iterator over them. Shipped questions come in a mixed order, so that the first of
    them are a sample of all. Other questions are solved one by one."""
    if positions is None and (shipped := shipped_questions(variant)) is not None:
        random.Random(seed).shuffle(shipped)
        return len(shipped), shipped
    if positions is None or isinstance(positions, int):
        count = DEFAULT_POSITION_COUNT if positions is None else positions
        return count, drawn_questions(variant, count, seed, stop)
    asked = positions_of(positions, variant)
    return len(asked), questions_of(asked, stop)


def _answer(player: Any, question: Question, seed: int, seconds: float | None) -> MeasuredChoice:
    """Ask the agent for a column. The column is None if it is illegal or the bot failed. Each position is a new game
    for the agent."""
    position = question.position
    try:
        if hasattr(player, "choose"):
            start_new_game(player, seed)
            column = player.choose(position, Clock(seconds)).column
        else:
            column = int(player(position))
    except (BotForfeit, BotUnusable) as error:
        return MeasuredChoice(question, None, str(error))
    return MeasuredChoice(question, column if position.can_drop(column) else None)


def _name(agent: Agent) -> str:
    return agent if isinstance(agent, str) else getattr(agent, "name", getattr(agent, "__name__", "agent"))


def summary(answers: Sequence[MeasuredChoice], name: str, variant: Variant, asked: int | None = None) -> Measurement:
    """The measurement of the whole game and of its phases. By default `asked` is the number of answers."""
    parts = [(phase, [answer for answer in answers if answer.phase == phase]) for phase in GAME_PHASES]
    phases = [_phase("all", answers), *(_phase(phase, part) for phase, part in parts if part)]
    failed = sum(answer.column is None for answer in answers)
    faults = count_faults(answer.fault for answer in answers if answer.fault)
    return Measurement(name, variant, tuple(phases), failed, len(answers) if asked is None else asked, faults)


def _phase(name: str, answers: Sequence[MeasuredChoice]) -> Phase:
    return Phase(
        name,
        len(answers),
        share([answer.perfect for answer in answers]),
        share([answer.good for answer in answers]),
        mean([answer.result_regret for answer in answers]),
        mean([answer.score_regret for answer in answers]),
    )


def share(hits: Sequence[bool]) -> Estimate:
    """The share of hits with Wilson's interval, which is also valid near 0 and 1."""
    if not hits:
        return Estimate(0.0, 0.0, 1.0)
    count, value, z2 = len(hits), sum(hits) / len(hits), Z_95**2
    middle = (value + z2 / (2 * count)) / (1 + z2 / count)
    reach = Z_95 * sqrt(value * (1 - value) / count + z2 / (4 * count**2)) / (1 + z2 / count)
    return Estimate(value, max(0.0, min(value, middle - reach)), min(1.0, max(value, middle + reach)))


def mean(values: Sequence[float]) -> Estimate:
    """The mean of values that are at least 0, with an interval from the normal distribution."""
    if not values:
        return Estimate(0.0, 0.0, 0.0)
    value = sum(values) / len(values)
    spread = sqrt(sum((one - value) ** 2 for one in values) / max(1, len(values) - 1))
    reach = Z_95 * spread / sqrt(len(values))
    return Estimate(value, max(0.0, value - reach), value + reach)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
