"""Computes which starts of a board are fair: for each choice of first discs, who wins with perfect play, and after how
many discs.

>>> from connectk.rules import CLASSIC
>>> [start.moves for start in judge_starts(CLASSIC) if start.is_fair]
[(2,)]
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from connectk.errors import UnsupportedVariant
from connectk.notation.moves import write_moves
from connectk.players.engine_player import CoreSearch
from connectk.rules import Position, Side, Variant
from connectk.solver import Found, solve_each
from connectk.solver.solution import plies_to_end
from connectk.solver.solver import is_supported
from connectk.watch import Progress, Stop

MAX_ESTIMATE_WORK = 20_000_000  # nodes times cells of the board; the engine's search of one start takes about a second
ESTIMATE_TABLE_BYTES = 16 << 20
MAX_STARTS = 10_000  # orders of drops, about twice as many as there are starts


class Start(NamedTuple):
    """The first discs of a game and the value of the game after them, from the first player's point of view.

    `score` is exact, or None if the start was not solved. In that case `estimate` has the engine's estimate, from -1 to
    1. Mirror images and transpositions count as one start. `moves` is the first of their move sequences in sorted
    order.
    """

    position: Position
    moves: tuple[int, ...]
    score: int | None
    estimate: float | None

    @property
    def is_fair(self) -> bool:
        """Whether the start is proven to be a draw."""
        return self.score == 0

    @property
    def winner(self) -> Side | None:
        """The side that is proven to win. None for a draw, or if the start was not solved."""
        return (Side.FIRST if self.score > 0 else Side.SECOND) if self.score else None

    @property
    def last_disc(self) -> int | None:
        """The number of discs on the board when a game with best play ends. None if the start was not solved."""
        if self.score is None:
            return None
        ply = self.position.ply
        own = self.score if ply % 2 == 0 else -self.score
        return ply + plies_to_end(self.position.variant, ply, own)

    def to_json(self) -> dict[str, object]:
        """The facts as JSON. The moves are in the same notation as in the other commands."""
        return {
            "moves": write_moves(self.moves, self.position.variant),
            "winner": str(self.winner) if self.winner else None,
            "fair": self.is_fair if self.score is not None else None,
            "last_disc": self.last_disc,
            "estimate": self.estimate,
        }


def starts_of(variant: Variant, discs: int) -> dict[Position, tuple[int, ...]]:
    """All starts with this number of discs after which the game is not over. Each is a position and its drops.

    Only one of each set of mirror images and transpositions is returned.
    """
    starts: dict[Position, tuple[int, ...]] = {Position.start(variant): ()}
    for _ in range(discs):
        longer: dict[Position, tuple[int, ...]] = {}
        for position, moves in starts.items():
            for column in position.legal_columns:
                reached = position.drop(column)
                if reached.outcome is None and reached not in longer and reached.mirrored() not in longer:
                    longer[reached] = (*moves, column)
        starts = longer
    return starts


def judge_starts(
    variant: Variant,
    discs: int = 1,
    *,
    threads: int | None = None,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> Iterator[Start]:
    """Judge each start. The result is exact if the solver finishes before `stop`. Otherwise the engine estimates it."""
    if variant.width**discs > MAX_STARTS:
        raise UnsupportedVariant(variant, "error.UnsupportedVariant.starts", most=f"{MAX_STARTS:,}")
    starts = starts_of(variant, discs)
    if starts:
        yield from _judge_each(starts, threads, stop, progress)


def judge_start(variant: Variant, moves: Sequence[int], *, stop: Stop | None = None) -> Start:
    """Judge one start. The result is exact if the solver finishes before `stop`."""
    [start] = _judge_each({Position.from_moves(moves, variant): tuple(moves)}, None, stop, None)
    return start


def _judge_each(
    starts: dict[Position, tuple[int, ...]], threads: int | None, stop: Stop | None, progress: Progress | None
) -> Iterator[Start]:
    found = _scores(list(starts), threads, stop, progress)
    for position, moves in starts.items():
        score = next(found, None)
        exact = None if score is None or score.score is None else score.score * _sign(position)
        yield Start(position, moves, exact, _estimate(position) if exact is None else None)


def _scores(
    positions: list[Position], threads: int | None, stop: Stop | None, progress: Progress | None
) -> Iterator[Found]:
    """The scores that the solver finds before `stop`. There are none if the board is too large for the solver."""
    variant = positions[0].variant
    if not is_supported(variant):
        return iter(())
    return solve_each(positions, variant=variant, threads=threads, stop=stop, progress=progress)


def _estimate(position: Position) -> float | None:
    """The engine's estimate for the first player. The search always has the same size, so the estimate is always the
    same."""
    nodes = MAX_ESTIMATE_WORK // position.variant.cells + 1
    score = CoreSearch(ESTIMATE_TABLE_BYTES).choose(position, nodes=nodes).thought.score
    return None if score is None else round(score * _sign(position), 2)


def _sign(position: Position) -> int:
    """1 if the first player is to move, else -1."""
    return 1 if position.side_to_move is Side.FIRST else -1
