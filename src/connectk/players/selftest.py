"""Tests whether a bot is ready for a tournament, and reports a verdict. The test takes about a minute."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from connectk.errors import BotForfeit, BotUnusable
from connectk.notation import write_moves
from connectk.players.bots import Bot, BotOptions, load_bot
from connectk.players.faults import Fault, count_faults
from connectk.players.player import Clock, require_able
from connectk.players.random_and_greedy import make_greedy
from connectk.rules import Game, Position, Side, Variant
from connectk.watch import Progress, Stop, Watch

BOARD_COUNT, TACTIC_COUNT, GAME_COUNT = 10, 6, 4
MAX_WALKS = 20_000  # the most random games that are played to find suitable positions
PASSED, REMARK, FAILED, SKIPPED = "passed", "remark", "failed", "skipped"
REQUIRED_CHECKS = (
    "starts",
    "legal",
    "time",
    "games",
)  # a bot fails if one of these checks fails; other checks give remarks
TOTAL_STEPS = BOARD_COUNT + 2 * TACTIC_COUNT + GAME_COUNT


@dataclass
class Check:
    """One line of the report. `done` counts how often the bot passed, and `of` the tries. `example` gives the moves to
    a position in which the bot failed."""

    name: str
    done: int = 0
    of: int = 0
    example: str | None = None
    seconds: float | None = None

    @property
    def status(self) -> str:
        if not self.of:
            return SKIPPED
        return PASSED if self.done == self.of else FAILED if self.name in REQUIRED_CHECKS else REMARK

    def add(self, fulfilled: bool, example: str | None = None) -> None:
        self.of += 1
        self.done += fulfilled
        if not fulfilled and self.example is None:
            self.example = example

    def to_json(self) -> dict[str, Any]:
        facts = {"name": self.name, "status": self.status, "done": self.done, "of": self.of}
        return {**facts, "example": self.example, "seconds": self.seconds}


@dataclass
class SelfTest:
    """The report on a bot. `printed` is the first text that the bot printed. `faults` are the reasons why some of its
    answers were not valid."""

    bot: str
    variant: Variant
    seconds: float
    checks: dict[str, Check] = field(default_factory=dict)
    reasons: list[str] = field(default_factory=list)
    printed: str = ""

    def __post_init__(self) -> None:
        names = ("starts", "legal", "time", "games", "silent", "wins", "blocks")
        self.checks = {name: Check(name) for name in names}

    @property
    def faults(self) -> tuple[Fault, ...]:
        return count_faults(self.reasons)

    @property
    def verdict(self) -> str:
        """`failed` if one of `REQUIRED_CHECKS` failed or could not be tried. `remark` if only other checks failed.
        Otherwise `passed`."""
        must = [self.checks[name].status for name in REQUIRED_CHECKS]
        if any(status != PASSED for status in must):
            return FAILED
        return REMARK if any(check.status == REMARK for check in self.checks.values()) else PASSED

    def to_json(self) -> dict[str, Any]:
        return {
            "bot": self.bot,
            "variant": str(self.variant),
            "seconds": self.seconds,
            "verdict": self.verdict,
            "checks": [check.to_json() for check in self.checks.values()],
            "faults": [{"reason": fault.reason, "times": fault.times} for fault in self.faults],
            "printed": self.printed,
        }


def examine_bot(
    name: str,
    variant: Variant,
    seconds: float,
    options: BotOptions,
    *,
    seed: int = 1,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> SelfTest:
    """Let a bot answer positions and play games, with `seconds` for each move. If `stop` is requested, no further game
    begins."""
    report, started = SelfTest(name, variant, seconds), time.monotonic()
    try:
        bot = load_bot(name, seed=seed, limits=options.limits, python=options.python, solver=options.solver)
    except BotUnusable as error:
        report.checks["starts"].add(fulfilled=False)
        report.reasons.append(str(error))
        return report
    report.checks["starts"].add(fulfilled=True)
    report.checks["starts"].seconds = time.monotonic() - started
    try:
        require_able(bot, variant)
        max_answer_seconds = seconds + options.limits.grace
        _Examiner(bot, report, random.Random(seed), Watch(stop, progress), max_answer_seconds).run()
    finally:
        bot.close()
    return report


class _Examiner:
    def __init__(
        self, bot: Bot, report: SelfTest, source: random.Random, watch: Watch, max_answer_seconds: float
    ) -> None:
        self._bot, self._report, self._source, self._watch = bot, report, source, watch
        self._max_answer_seconds = max_answer_seconds  # seconds that an answer may take, as in the arena
        self._steps = 0

    def run(self) -> None:
        variant, checks = self._report.variant, self._report.checks
        for game in _positions(variant, self._source, BOARD_COUNT, lambda position: True):
            self._ask_anew(game)
        for game in _positions(variant, self._source, TACTIC_COUNT, lambda position: bool(_winning(position))):
            column = self._ask_anew(game)
            checks["wins"].add(column in _winning(game.position), _moves(game))
        for game in _positions(variant, self._source, TACTIC_COUNT, lambda position: _to_block(position) is not None):
            column = self._ask_anew(game)
            checks["blocks"].add(column == _to_block(game.position), _moves(game))
        for number in range(GAME_COUNT):
            if number and self._watch.should_stop():
                break
            self._play(Side(number % 2), number)
        checks["silent"].add(not self._report.printed)

    def _ask_anew(self, game: Game) -> int | None:
        column = self._ask(game, is_new=True)
        self._step()
        return column

    def _step(self) -> None:
        self._steps += 1
        self._watch.report(self._steps, TOTAL_STEPS)

    def _ask(self, game: Game, *, is_new: bool) -> int | None:
        """The bot's column. None if the bot gave no legal column in time."""
        checks, started = self._report.checks, time.monotonic()
        try:
            if is_new:
                self._bot.new_game(self._source.randrange(1 << 30))
                started = time.monotonic()
            column = self._bot.choose(game.position, Clock(self._report.seconds)).column
        except (BotForfeit, BotUnusable) as error:
            self._report.reasons.append(str(error))
            late = isinstance(error, BotForfeit) and error.cause == "late"
            checks["time" if late else "legal"].add(fulfilled=False, example=_moves(game))
            return None
        finally:
            self._report.printed = self._report.printed or self._bot.printed()
        spent = time.monotonic() - started
        checks["legal"].add(fulfilled=True)
        checks["time"].add(spent <= self._max_answer_seconds, _moves(game))
        checks["time"].seconds = max(spent, checks["time"].seconds or 0.0)
        return column

    def _play(self, side: Side, number: int) -> None:
        """Play a game between the bot and the greedy player. The game ends early if the bot fails."""
        game, rival = Game(self._report.variant, ()), make_greedy("greedy", "", number)
        is_new, column = True, None
        while game.outcome is None:
            if game.position.side_to_move is side:
                column = self._ask(game, is_new=is_new)
                is_new = False
            else:
                column = rival.choose(game.position, Clock()).column
            if column is None:
                break
            game.drop(column)
        self._report.checks["games"].add(game.outcome is not None, _moves(game))
        self._step()


def _positions(
    variant: Variant, source: random.Random, count: int, wanted: Callable[[Position], bool]
) -> Iterator[Game]:
    """Different positions from random games for which `wanted` is true. The first one is the empty board if `wanted` is
    true for it."""
    seen = set[Position]()

    def walks() -> Iterator[Game]:
        for number in range(MAX_WALKS):
            discs = 0 if not number else source.randrange(variant.cells)
            game = Game(variant, ())
            while game.outcome is None and len(game.moves) < discs:
                game.drop(source.choice(game.position.legal_columns))
            if game.outcome is None and game.position not in seen and wanted(game.position):
                seen.add(game.position)
                yield game

    return islice(walks(), count)


def _winning(position: Position) -> list[int]:
    return [column for column in position.legal_columns if position.wins(column)]


def _to_block(position: Position) -> int | None:
    """The only column in which the other side threatens to win at once.

    None if there is no such column, if there are several, or if the side to move can win.
    """
    rival = position.side_to_move.other
    threats = [column for column in position.legal_columns if position.wins(column, rival)]
    return threats[0] if len(threats) == 1 and not _winning(position) else None


def _moves(game: Game) -> str:
    return write_moves(game.moves, game.variant)
