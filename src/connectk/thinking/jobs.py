"""The jobs that a thinker does; each is bounded by its seconds and ends soon after `stop` is set."""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from cachetools import LRUCache

from connectk.errors import SearchStopped, UnknownPlayer, UnsupportedVariant
from connectk.notation.saved import SavedGame
from connectk.play.refusals import PlayerNotAllowed, Timeout
from connectk.players.drops import centre_first
from connectk.players.player import Clock, Player
from connectk.players.registry import cannot_play, is_heavy, is_safe, load_player
from connectk.players.timed import CoreSearch, SearchLimits
from connectk.rules import Position, Side, Variant
from connectk.solver.facts import Bounds, estimated_scores, exact_scores
from connectk.solver.solution import win_score
from connectk.watch import Stop, stop_after

if TYPE_CHECKING:
    from connectk.review.messages import ReviewAnswer
    from connectk.solver import Solver
    from connectk.solver.messages import ScoresAnswer
    from connectk.why.messages import WhyFacts

MAX_PLAYERS, MAX_HEAVY_PLAYERS = 16, 2  # with the one that thinks
REVIEW_SHARE = 0.4  # of its part of the time that a move may be searched; an estimate takes as long again
WHY_SHARE = 0.3  # for the search; as long again for best play where it finds nothing, and some for the checker
SHARE_FOR_SOLVER = 0.6  # of an analysis; what is left is for estimates, where the solver does not finish
ESTIMATE_TABLE_BYTES = 1 << 22
TABLE_MB = 32.0  # of a thinker's solver, so that memory stays bounded


def check_player(name: str) -> str:
    """The name of a player that a stranger may ask for."""
    if not is_safe(name):
        raise PlayerNotAllowed
    try:
        load_player(name).close()
    except UnknownPlayer as error:
        raise PlayerNotAllowed(error) from error
    return name.strip()


def check_can_play(player: str, variant: Variant) -> None:
    """Refuse at the start what would fail at the first move."""
    if reason := cannot_play(player, variant):
        raise UnsupportedVariant(variant, "error.UnsupportedVariant.choose", player=player, reason=reason)


def choose(
    player: str, position: Position, match_id: str = "", *, seconds: float, stop: Stop
) -> tuple[int, dict[str, Any]]:
    """A column, and what the player thought. Who plays in a match is kept until its next move, with what it learned."""
    cache, seat = _place_of(player, position, match_id)
    someone = cache.take(seat) or load_player(check_player(player))
    choice = someone.choose(position, Clock(seconds, stop))  # one who fails is not kept
    cache[seat] = someone
    return choice.column, asdict(choice.thought)


class PlayerCache(LRUCache[Hashable, Player]):
    """A few players between their moves; the least recently used is closed to make room."""

    def take(self, seat: Hashable) -> Player | None:
        """The player of this seat. Without one, room is made before the new one thinks and not after."""
        player = self.pop(seat, None)
        while player is None and len(self) >= self.maxsize:
            self.popitem()[1].close()
        return player


_players, _heavy_players = PlayerCache(MAX_PLAYERS), PlayerCache(MAX_HEAVY_PLAYERS)


def _place_of(player: str, position: Position, match_id: str) -> tuple[PlayerCache, Hashable]:
    """The cache of this player, and its key. A heavy one learns of boards only: all matches on one board share it."""
    if is_heavy(player):
        return _heavy_players, (player, position.variant)
    return _players, (match_id, player, position.side_to_move)


def score(position: Position, *, seconds: float, stop: Stop) -> ScoresAnswer:
    """Exact scores of the columns; or, when time is up, the bounds that are known and the engine's estimates."""
    clock = Clock(seconds, stop)
    solving = Clock(seconds * SHARE_FOR_SOLVER, stop)
    try:
        scores = _solver(position.variant).score_columns(position, stop=lambda: solving.is_up)
    except SearchStopped as stopped:
        return _estimated(position, stopped.bounds, clock)
    except UnsupportedVariant:  # nothing is known for sure, which is an answer too
        most = win_score(position.variant, 1)
        open_columns = position.legal_columns
        bounds = [(-most, most) if column in open_columns else None for column in range(position.variant.width)]
        return _estimated(position, bounds, clock)
    return exact_scores(position, scores)


def _estimated(position: Position, bounds: Sequence[Bounds | None], clock: Clock) -> ScoresAnswer:
    """Every open column gets a look, however short."""
    estimates: list[float | None] = [None] * position.variant.width
    columns = centre_first(position)
    search = CoreSearch(ESTIMATE_TABLE_BYTES)
    for number, column in enumerate(columns):
        seconds = max(clock.left or 0.0, 0.0) / (len(columns) - number)
        estimates[column] = _expected(position.drop(column), search, seconds, clock)
    return estimated_scores(bounds, estimates)


def _expected(after: Position, search: CoreSearch, seconds: float, clock: Clock) -> float:
    """The expected result for the side that has just moved, from -1 for a loss to 1 for a win."""
    if after.outcome is not None:
        return 1.0 if after.outcome.winner else 0.0
    limits = SearchLimits(until=time.monotonic() + seconds, stop=clock.stop)
    thought = search.choose(after, limits).thought
    return -max(-1.0, min(1.0, thought.score or 0.0))


def review(saved: SavedGame, *, seconds: float, stop: Stop) -> ReviewAnswer:
    """Every move labelled, the accuracy of both sides and the turning point."""
    from connectk.review import review_game
    from connectk.review.report import to_json

    moves = max(1, len(saved.game.moves))
    try:
        reviewed = review_game(
            saved.game, given=saved.given, seconds=REVIEW_SHARE * seconds / moves, stop=stop_after(seconds, stop)
        )
    except SearchStopped:
        raise Timeout from None
    return to_json(saved, reviewed)


def why(position: Position, side: Side | None, *, seconds: float, stop: Stop) -> WhyFacts:
    """Why a side wins or holds a position, step by step; only what the checker has accepted."""
    from connectk.why import explain
    from connectk.why.steps import why_facts

    found = explain(
        position,
        side=side,
        seconds=WHY_SHARE * seconds,
        stop=stop_after(seconds, stop),
        solver=_solver(position.variant),
    )
    return why_facts(found)


@lru_cache(maxsize=1)  # another is made in less than a millisecond, and each has a table
def _solver(variant: Variant) -> Solver:
    from connectk.solver import Solver

    return Solver(variant, table_mb=TABLE_MB)


def be_ready(*, seconds: float, stop: Stop) -> None:
    """Load what the first question about the usual board would wait for."""
    _solver(Variant())


JOBS: Mapping[str, Callable[..., Any]] = {job.__name__: job for job in (be_ready, choose, score, review, why)}
