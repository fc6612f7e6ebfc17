"""The jobs of a worker process; each is limited by its seconds and ends soon after `stop` is set."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import asdict
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, cast

from cachetools import LRUCache

from connectk import _native
from connectk.errors import SearchStopped, UnknownPlayer, UnsupportedVariant
from connectk.notation.saved import SavedGame
from connectk.play.refusals import PlayerNotAllowed, Timeout
from connectk.players.core import core_board
from connectk.players.player import Clock, Player
from connectk.players.registry import cannot_play, is_heavy, is_safe, load_player
from connectk.rules import Position, Side, Variant
from connectk.watch import Stop, is_stop_requested, stop_after

if TYPE_CHECKING:
    from connectk.review.messages import ReviewAnswer
    from connectk.solver import Solver
    from connectk.solver.messages import ScoresAnswer
    from connectk.why.messages import WhyFacts

MAX_PLAYERS, MAX_HEAVY_PLAYERS = 16, 2  # per process, including the one that is choosing
REVIEW_SHARE = 0.4  # of the time per move for its search; an estimate takes as long again
WHY_SHARE = 0.3  # for the search; as long again for best play if it finds nothing, and some for the checker
TABLE_MB = 32.0  # of a worker's solver


def check_player(name: str) -> str:
    """The normalized name of a player that is safe to offer to remote users."""
    if not is_safe(name):
        raise PlayerNotAllowed
    try:
        load_player(name).close()
    except UnknownPlayer as error:
        raise PlayerNotAllowed(error) from error
    return name.strip()


def check_can_play(player: str, variant: Variant) -> None:
    """Raise now what would otherwise fail at the first move."""
    if reason := cannot_play(player, variant):
        raise UnsupportedVariant(variant, "error.UnsupportedVariant.choose", player=player, reason=reason)


def choose(
    player: str, position: Position, match_id: str = "", *, seconds: float, stop: Stop
) -> tuple[int, dict[str, Any]]:
    """A column, and the player's thought. The player is cached until its next move, with what it has learned."""
    cache, seat = _place_of(player, position, match_id)
    instance = cache.take(seat) or load_player(check_player(player))
    choice = instance.choose(position, Clock(seconds, stop))  # a player that raises is not cached again
    cache[seat] = instance
    return choice.column, asdict(choice.thought)


class PlayerCache(LRUCache[Hashable, Player]):
    """Players between their moves; the least recently used is closed when it is evicted."""

    def take(self, seat: Hashable) -> Player | None:
        """Remove and return the player of this seat. If there is none, evict first, so that a new one fits."""
        player = self.pop(seat, None)
        while player is None and len(self) >= self.maxsize:
            self.popitem()[1].close()
        return player


_players, _heavy_players = PlayerCache(MAX_PLAYERS), PlayerCache(MAX_HEAVY_PLAYERS)


def _place_of(player: str, position: Position, match_id: str) -> tuple[PlayerCache, Hashable]:
    """The cache of this player, and its key. A heavy one only depends on the board, so matches share it."""
    if is_heavy(player):
        return _heavy_players, (player, position.variant)
    return _players, (match_id, player, position.side_to_move)


def score(position: Position, *, seconds: float, stop: Stop) -> ScoresAnswer:
    """Exact scores of the columns; or, when time is up, the proven bounds and the engine's estimates."""
    stopped = partial(is_stop_requested, stop)
    ask = partial(_native.score_columns, board=core_board(position), seconds=seconds, stopped=stopped)
    variant = position.variant
    if not _native.solver_supports(variant.width, variant.height, variant.run):
        found = ask(None)  # no bounds are known, but estimates can be given
    else:
        found = _solver(variant).with_core(ask)
    return cast("ScoresAnswer", found)


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
    """Why a side wins or holds a position, step by step; only explanations that the checker has accepted."""
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


@lru_cache(maxsize=1)  # making one takes less than a millisecond, and each has a table
def _solver(variant: Variant) -> Solver:
    from connectk.solver import Solver

    return Solver(variant, table_mb=TABLE_MB)


def warm_up(*, seconds: float, stop: Stop) -> None:
    """Load what the first request for the classic board would otherwise wait for."""
    _solver(Variant())


JOBS: Mapping[str, Callable[..., Any]] = {job.__name__: job for job in (warm_up, choose, score, review, why)}
