"""Measures how far an agent is from perfect play, by its choices in positions with an exact score for every column."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

from connectk.envs.questions import Question, drawn_questions, questions_of, shipped_questions
from connectk.errors import BotForfeit
from connectk.players import Clock, Player, load_player, start_new_game
from connectk.rules import CLASSIC, Position, Variant
from connectk.watch import Progress, Stop, Watch

Z_95 = 1.96  # standard deviations for 95%
DEFAULT_POSITIONS = 300  # drawn on a board without a shipped set
PHASES = ("opening", "middle", "end")  # thirds of a full board
Agent = str | Player | Callable[[Position], int]


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share or a mean with its 95% confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Phase:
    """The measurement of one part of the game, or of "all" of it.

    A perfect move has the best score, a good one keeps the best result. What a move loses is its regret: of the result
    1 from a win to a draw or a draw to a loss and 2 from a win to a loss, of the score the difference of the scores.
    """

    name: str
    positions: int
    perfect: Estimate
    good: Estimate
    result_regret: Estimate
    score_regret: Estimate


@dataclass(frozen=True, slots=True)
class Measurement:
    """The result of `measure`; `failed` counts missing or illegal choices, which are scored as the worst column."""

    agent: str
    variant: Variant
    phases: tuple[Phase, ...]  # all, then each part of the game that had positions
    failed: int

    @property
    def all(self) -> Phase:
        return self.phases[0]

    def to_json(self) -> dict[str, Any]:
        phases = {phase.name: asdict(phase) for phase in self.phases}
        return {"agent": self.agent, "variant": str(self.variant), "failed": self.failed, "phases": phases}


@dataclass(frozen=True, slots=True)
class MeasuredChoice:
    """One choice of the agent; `column` is None if it failed."""

    question: Question
    column: int | None

    @property
    def score(self) -> int:
        """A choice that failed is as bad as the worst column."""
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
        return PHASES[position.ply * len(PHASES) // position.variant.cells]


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
    """How often this agent plays a perfect and a good move, and the regret of its moves, with 95% intervals.

    An agent is a player, the name of one ("level:3", "mybot.py"), or a function from a position to a column. Positions
    are those that ship with the package, so many drawn at random, or your own. `seconds` is the time for each choice.
    """
    variant = Variant.parse(variant) if isinstance(variant, str) else variant
    questions = _questions(variant, positions, seed, stop)
    watch, answers = Watch(stop, progress), []
    player = load_player(agent, seed) if isinstance(agent, str) else agent
    try:
        for done, question in enumerate(questions, start=1):
            if watch.should_stop():
                break
            answers.append(MeasuredChoice(question, _choice(player, question.position, seed, seconds)))
            watch.report_throttled(done, len(questions))
    finally:
        if isinstance(agent, str) and not callable(player):
            player.close()
    return summary(answers, name or _name(agent), variant)


def _questions(variant: Variant, positions: Any, seed: int, stop: Stop | None) -> list[Question]:
    if positions is None:
        shipped = shipped_questions(variant)
        return drawn_questions(variant, DEFAULT_POSITIONS, seed, stop) if shipped is None else shipped
    if isinstance(positions, int):
        return drawn_questions(variant, positions, seed, stop)
    return questions_of(positions, variant, stop)


def _choice(player: Any, position: Position, seed: int, seconds: float | None) -> int | None:
    """A legal column, or None; each position is a game of its own."""
    try:
        if hasattr(player, "choose"):
            start_new_game(player, seed)
            column = player.choose(position, Clock(seconds)).column
        else:
            column = int(player(position))
    except BotForfeit:
        return None
    return column if position.can_drop(column) else None


def _name(agent: Agent) -> str:
    return agent if isinstance(agent, str) else getattr(agent, "name", getattr(agent, "__name__", "agent"))


def summary(answers: Sequence[MeasuredChoice], name: str, variant: Variant) -> Measurement:
    """The whole game and its parts."""
    parts = [(phase, [answer for answer in answers if answer.phase == phase]) for phase in PHASES]
    phases = [_phase("all", answers), *(_phase(phase, part) for phase, part in parts if part)]
    return Measurement(name, variant, tuple(phases), sum(answer.column is None for answer in answers))


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
    """The share of hits with Wilson's interval, which is valid near 0 and 1 too."""
    if not hits:
        return Estimate(0.0, 0.0, 1.0)
    count, value, z2 = len(hits), sum(hits) / len(hits), Z_95**2
    middle = (value + z2 / (2 * count)) / (1 + z2 / count)
    reach = Z_95 * sqrt(value * (1 - value) / count + z2 / (4 * count**2)) / (1 + z2 / count)
    return Estimate(value, max(0.0, min(value, middle - reach)), min(1.0, max(value, middle + reach)))


def mean(values: Sequence[float]) -> Estimate:
    """The mean of non-negative values with the normal interval."""
    if not values:
        return Estimate(0.0, 0.0, 0.0)
    value = sum(values) / len(values)
    spread = sqrt(sum((one - value) ** 2 for one in values) / max(1, len(values) - 1))
    reach = Z_95 * spread / sqrt(len(values))
    return Estimate(value, max(0.0, value - reach), value + reach)


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)
