"""The minimax player: a fixed depth, any evaluation."""

from __future__ import annotations

from collections.abc import Sequence

from connectk.engine.drops import centre_first
from connectk.engine.evaluations import Evaluation
from connectk.engine.minimax import Found, search
from connectk.engine.player import Choice, Clock, Thought, require_open
from connectk.rules import Position, Variant


class ConnectRules:
    """Connect-k as the search sees any game: centre columns first."""

    def moves(self, state: Position) -> Sequence[int]:
        return centre_first(state)

    def play(self, state: Position, move: int) -> Position:
        return state.drop(move)

    def result(self, state: Position) -> int | None:
        if state.outcome is None:
            return None
        if state.outcome.winner is None:
            return 0
        return 1 if state.outcome.winner is state.side_to_move else -1


class MinimaxPlayer:
    """Looks `depth` moves ahead and judges what it sees there with an evaluation."""

    def __init__(self, depth: int, evaluate: Evaluation, name: str = "minimax") -> None:
        self.name = name
        self._depth, self._evaluate = depth, evaluate

    def choose(self, position: Position, clock: Clock) -> Choice:
        require_open(position)
        found = search(ConnectRules(), position, self._depth, self._judge, lambda: clock.is_up)
        return Choice(found.line[0], thought_of(found, position, self._depth))

    def _judge(self, position: Position) -> float:
        return self._evaluate(position, position.side_to_move)

    def close(self) -> None:
        """Nothing to give back."""


def thought_of(found: Found[int], position: Position, depth: int) -> Thought:
    """What the search found, a decided game told as an exact score."""
    score, proven = found.value, False
    if found.distance is not None:
        score, proven = exact_score(position.variant, position.ply + found.distance, found.value > 0), found.complete
    return Thought(score, found.line, depth, found.nodes, proven)


def exact_score(variant: Variant, last_ply: int, won: bool) -> int:
    """The score of a game that the `last_ply`-th disc decides: sooner wins are worth more."""
    score = (variant.cells + 2 - last_ply) // 2
    return score if won else -score
