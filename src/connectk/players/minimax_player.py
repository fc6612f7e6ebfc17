"""The minimax player, which searches to a fixed depth with any evaluation."""

from __future__ import annotations

from collections.abc import Sequence

from connectk import _native
from connectk.players.candidate_columns import centre_first
from connectk.players.core_player import CorePlayer
from connectk.players.evaluations import NAMED_EVALUATIONS, Evaluation, load_evaluation
from connectk.players.minimax import SearchResult, search
from connectk.players.player import Choice, Clock, Thought, require_open
from connectk.players.registry import number_parameter
from connectk.rules import Position
from connectk.solver.solution import win_score

MAX_DEPTH = 60
MAX_CORE_RUN = 32  # with a longer run to make, the search is done in Python


class ConnectRules:
    """The rules of the game for `minimax.search`. Moves near the centre come first."""

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


class MinimaxPlayer(CorePlayer):
    """Looks `depth` moves ahead and evaluates the positions that it finds there.

    With a built-in evaluation the search runs in the core; with a function of the user it runs in Python. If the board
    is too large for the search of the core, the player searches only the part around the last disc. It still sees wins
    and blocks on the whole board.
    """

    def __init__(self, depth: int, evaluation: str | Evaluation, name: str = "minimax") -> None:
        super().__init__(name)
        self._depth = depth
        self._named = evaluation if isinstance(evaluation, str) else None
        self._evaluate = NAMED_EVALUATIONS[evaluation] if isinstance(evaluation, str) else evaluation

    def choose(self, position: Position, clock: Clock) -> Choice:
        if self._named is not None and position.variant.run <= MAX_CORE_RUN:
            return super().choose(position, clock)
        require_open(position)
        found = search(ConnectRules(), position, self._depth, self._judge, lambda: clock.is_up)
        return Choice(found.line[0], to_thought(found, position, self._depth))

    def _ask(self, position: Position, board: _native.GameBoard, clock: Clock) -> _native.Choice:
        assert self._named is not None  # a function runs in Python
        return self._core.play_minimax(board, self._depth, self._named, lambda: clock.is_up)

    def _judge(self, position: Position) -> float:
        return self._evaluate(position, position.side_to_move)


def to_thought(found: SearchResult[int], position: Position, depth: int) -> Thought:
    """Convert the result of a search to a thought. The score is exact if the search found how the game ends."""
    if found.distance is None:
        return Thought(found.value, found.line, depth, found.nodes)
    score = win_score(position.variant, position.ply + found.distance)
    return Thought(score if found.value > 0 else -score, found.line, depth, found.nodes, proven=found.complete)


def make_minimax(name: str, parameter: str, seed: int | None) -> MinimaxPlayer:
    depth, _, evaluation = (part.strip() for part in parameter.partition(","))
    evaluation = evaluation or "combined"
    judge = evaluation if evaluation in NAMED_EVALUATIONS else load_evaluation(evaluation)
    return MinimaxPlayer(number_parameter(name, depth, 1, MAX_DEPTH), judge, name)
