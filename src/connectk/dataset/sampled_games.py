"""Plays the games from which positions are sampled. A game depends on the variant, the seed, the kind of play and its
number."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from connectk.dataset.mix import Play
from connectk.players.levels import level_player
from connectk.players.player import Clock
from connectk.players.registry import BEST_LEVEL
from connectk.rules import Position, Side, Variant
from connectk.solver import Solver
from connectk.solver.bitboards import bitboards_of

MAX_OPENING_DROPS = 12  # random drops before perfect play, which alone would give only a few different games

Chooser = Callable[[Position], int]
Key = tuple[int, int]


class GameSetup(NamedTuple):
    """The functions that choose each side's drops, and the smallest number of discs in a sampled position."""

    choosers: Sequence[Chooser]
    first_ply: int = 0


def play_game(
    play: Play, number: int, seed: int, variant: Variant, min_discs: int
) -> Iterator[tuple[Position, tuple[int, ...]]]:
    """Play a game. Yield each unfinished position with at least `min_discs` discs, and the drops that lead to it."""
    rng = random.Random(f"{seed} {variant} {play} {number}")
    setup = _GAME_SETUPS[play](rng, variant, min_discs)
    position = Position.start(variant)
    drops: list[int] = []
    while position.outcome is None:
        if position.ply >= max(min_discs, setup.first_ply):
            yield position, tuple(drops)
        drops.append(setup.choosers[position.side_to_move.value](position))
        position = position.drop(drops[-1])


def _random(rng: random.Random, variant: Variant, min_discs: int) -> GameSetup:
    """Both sides drop at random."""

    def random_columns(position: Position) -> int:
        return rng.choice(position.legal_columns)

    return GameSetup((random_columns, random_columns))


def _level(rng: random.Random, variant: Variant, min_discs: int) -> GameSetup:
    """Each side plays at a random level, without a clock and with its own seed."""
    return GameSetup([_of_level(rng.randint(1, BEST_LEVEL - 1), rng.getrandbits(64)) for _ in Side])


def _of_level(level: int, seed: int) -> Chooser:
    player = level_player(level, seed)
    return lambda position: player.choose(position, Clock()).column


def _perfect(rng: random.Random, variant: Variant, min_discs: int) -> GameSetup:
    """After some random drops, both sides choose among the best columns."""
    opening = rng.randint(min_discs, min(min_discs + MAX_OPENING_DROPS, variant.cells))
    solver = solver_of(variant)

    def best(position: Position) -> int:
        if position.ply < opening:
            return rng.choice(position.legal_columns)
        return rng.choice(best_columns(solver.score_columns(position)))

    return GameSetup((best, best), opening)


_GAME_SETUPS: dict[Play, Callable[[random.Random, Variant, int], GameSetup]] = {
    "random": _random,
    "level": _level,
    "perfect": _perfect,
}


def best_columns(scores: tuple[int | None, ...]) -> list[int]:
    """The columns with the highest score; empty if every column is full."""
    best = max((score for score in scores if score is not None), default=None)
    return [] if best is None else [column for column, score in enumerate(scores) if score == best]


class _ThreadSolver(threading.local):
    solver: Solver | None = None


_thread = _ThreadSolver()


def solver_of(variant: Variant) -> Solver:
    """This thread's solver for a variant. It is reused, because its table speeds up similar positions. The scores are
    the same as with a new solver."""
    if _thread.solver is None or _thread.solver.variant != variant:
        _thread.solver = Solver(variant)
    return _thread.solver


def key_of(position: Position) -> Key:
    """A number for a position. Only the position and its mirror image have the same number."""
    bits = bitboards_of(position)
    return min(bits, mirrored(bits, position.variant))


def mirrored(bits: Key, variant: Variant) -> Key:
    """The bits of the mirror image."""
    stride = variant.height + 1
    ones, last = (1 << stride) - 1, (variant.width - 1) * stride
    own, everyone = bits
    left = range(0, last + 1, stride)
    return (
        sum((own >> shift & ones) << last - shift for shift in left),
        sum((everyone >> shift & ones) << last - shift for shift in left),
    )
