"""Compares a person's drops in rated games with the solver and with a computer level. The operator gets the result as
evidence. No program punishes anybody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from math import comb
from statistics import quantiles
from typing import Any, NamedTuple

from connectk.notation.start import write_start
from connectk.rules import Position
from connectk.rules.threats import winning_columns

MIN_DECISIONS = 12  # fewer decisions are not enough to judge somebody
UNLIKELY_PROBABILITY = 0.001  # the operator is told of results less likely than this for a player of this rating
EVIDENCE_DAYS = 30.0


class ComparedDrop(NamedTuple):
    """A drop on a board where at least one column spoils the result."""

    board: str  # a hash that is the same for mirror images
    person_kept: bool  # whether the person kept the result
    level_kept: bool  # whether the computer level near the person's rating would have
    seconds: float


@dataclass(frozen=True)
class PlayEvidence:
    """The quality of a person's decisions in rated games.

    Each board counts once, because a person who knows a line by heart shows nothing new the second time.
    """

    games: int
    all_drops: tuple[ComparedDrop, ...]

    @cached_property
    def _drops(self) -> list[ComparedDrop]:
        return list({drop.board: drop for drop in reversed(self.all_drops)}.values())

    @property
    def decisions(self) -> int:
        return len(self._drops)

    @property
    def kept(self) -> int:
        return sum(drop.person_kept for drop in self._drops)

    @property
    def level_kept(self) -> int:
        return sum(drop.level_kept for drop in self._drops)

    @property
    def chance(self) -> float:
        """The probability that somebody as good as the computer level keeps the result at least as often as this
        person."""
        share = (self.level_kept + 1) / (self.decisions + 2)
        return sum(_binomial(kept, self.decisions, share) for kept in range(self.kept, self.decisions + 1))

    @property
    def is_unlikely(self) -> bool:
        return self.decisions >= MIN_DECISIONS and self.chance < UNLIKELY_PROBABILITY

    @property
    def middle_seconds(self) -> tuple[float, float] | None:
        """The lower and the upper quartile of the seconds that the drops took. None if there are too few drops."""
        if self.decisions < MIN_DECISIONS:
            return None
        low, _, high = quantiles((drop.seconds for drop in self._drops), n=4)
        return round(low, 1), round(high, 1)


def _binomial(successes: int, tries: int, share: float) -> float:
    return float(comb(tries, successes) * share**successes * (1 - share) ** (tries - successes))


def may_be_decision(position: Position) -> bool:
    """Whether a drop on this board can be a real decision: nobody can win at once, and there is more than one legal
    column."""
    sides = position.side_to_move, position.side_to_move.other
    return len(position.legal_columns) > 1 and not any(winning_columns(position, side) for side in sides)


def compare(
    position: Position, scores: Sequence[int | None], column: int, level_column: int, seconds: float
) -> ComparedDrop | None:
    """Whether the person's column and the level's column keep the result. None if every column keeps it."""
    results = [None if score is None else (score > 0) - (score < 0) for score in scores]
    possible = {result for result in results if result is not None}
    if len(possible) < 2:
        return None
    best = max(possible)
    return ComparedDrop(_hash(position), results[column] == best, results[level_column] == best, round(seconds, 1))


def _hash(position: Position) -> str:
    board = min(write_start(position), write_start(position.mirrored()))
    return blake2b(f"{position.variant} {board}".encode(), digest_size=8).hexdigest()


def sum_evidence(games: Iterable[PlayEvidence]) -> PlayEvidence:
    each = list(games)
    return PlayEvidence(sum(game.games for game in each), tuple(drop for game in each for drop in game.all_drops))


def write_evidence(evidence: PlayEvidence) -> list[list[Any]]:
    """The evidence of one game as JSON values."""
    return [list(drop) for drop in evidence.all_drops]


def read_evidence(drops: Sequence[Sequence[Any]]) -> PlayEvidence:
    return PlayEvidence(1, tuple(ComparedDrop(*drop) for drop in drops))
