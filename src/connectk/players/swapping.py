"""Lets a computer player use the swap rule: it chooses a first disc, and it decides whether to take over the other
side.

The decision uses the scores of the columns, which are exact or estimated by the engine. The stronger the player, the
more often it makes the better choice.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, cast

from connectk import _native
from connectk.players.core_player import to_game_board
from connectk.players.player import Choice
from connectk.players.registry import BEST_LEVEL, is_bot
from connectk.watch import is_stop_requested

if TYPE_CHECKING:
    from connectk.players.player import Clock, Player
    from connectk.rules import Position, Variant
    from connectk.solver import Solver
    from connectk.solver.messages import ScoresAnswer
    from connectk.watch import Stop

SCORING_SECONDS = 1.0  # for the columns' scores, where the player's own clock has as much
GUESSING_KINDS = ("random", "greedy")  # these players find the better choice by chance alone


class SwapTurn(Enum):
    """The options that the swap rule gives in a turn."""

    NONE = "none"
    FIRST_DISC = "first disc"  # the other side may take over this disc
    CHOICE = "choice"  # the player may take over the other side instead of dropping a disc


def choose_or_swap(player: Player, position: Position, clock: Clock, turn: SwapTurn) -> Choice | None:
    """The player's choice. None if the player takes over the other side instead."""
    if turn is SwapTurn.CHOICE and takes_over(player, position, clock, random.Random()):
        return None
    column = first_disc(player, position, random.Random()) if turn is SwapTurn.FIRST_DISC else None
    return player.choose(position, clock) if column is None else Choice(column)


def takes_over(player: Player, position: Position, clock: Clock, chance: random.Random) -> bool:
    """Whether the player to move takes over the other side. A bot decides this itself. A bot that does not know the
    swap rule never takes over."""
    decide = getattr(player, "wants_swap", None)
    if decide is not None:
        return bool(decide(position, clock))
    if is_bot(player.name):
        return False
    seconds = SCORING_SECONDS if clock.share is None else min(SCORING_SECONDS, clock.share)
    return wants_swap(player.name, score_columns(position, seconds, clock.stop), chance)


def first_disc(player: Player, position: Position, chance: random.Random) -> int | None:
    """The fairest column for the first disc, if a built-in player finds it. If the result is None, the player chooses a
    column as usual."""
    return None if is_bot(player.name) else fair_column(player.name, score_columns(position, SCORING_SECONDS), chance)


def score_columns(
    position: Position, seconds: float, stop: Stop | None = None, solver_for: Callable[[Variant], Solver] | None = None
) -> ScoresAnswer:
    """The exact scores of the columns. If the time is too short for them, the proven bounds and the engine's
    estimates."""
    from connectk.solver.solver import Solver, is_supported

    make = solver_for or Solver
    stopped = partial(is_stop_requested, stop or (lambda: False))
    ask = partial(_native.score_columns, board=to_game_board(position), seconds=seconds, stopped=stopped)
    variant = position.variant
    # without a solver no bounds are known, but there are estimates
    found = make(variant).with_core(ask) if is_supported(variant) else ask(None)
    return cast("ScoresAnswer", found)


def find_probability(player: str) -> float:
    """The probability that a player finds the better choice. It is between 0.5, for players that guess, and 1."""
    kind, _, number = player.strip().partition(":")
    if kind == "level":
        return 0.5 + 0.5 * int(number) / BEST_LEVEL
    return 0.5 if kind in GUESSING_KINDS else 1.0


def wants_swap(player: str, scores: ScoresAnswer, chance: random.Random) -> bool:
    """Whether the player to move takes over the other side. A player takes over if its own side stands worse, but a
    weak player may make the wrong choice."""
    is_worse = max(worths_of(scores).values(), default=0) < 0
    return is_worse == (chance.random() < find_probability(player))


def fair_column(player: str, scores: ScoresAnswer, chance: random.Random) -> int | None:
    """The column after which the chances of both sides are most equal. None if the player does not find this column."""
    worths = worths_of(scores)
    if not worths or chance.random() >= find_probability(player):
        return None
    smallest = min(map(abs, worths.values()))
    return chance.choice([column for column, worth in worths.items() if abs(worth) == smallest])


def worths_of(scores: ScoresAnswer) -> dict[int, float]:
    """The worth of each open column to the side to move, as an exact score or an estimate."""
    found = scores["scores"] if scores["exact"] else scores["estimates"]
    return {column: worth for column, worth in enumerate(found or ()) if worth is not None}
