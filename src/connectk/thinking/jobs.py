"""The jobs that a thinker does; each is bounded by its seconds and ends soon after `stop` is set."""

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
from connectk.watch import Stop, says_stop, stop_after

if TYPE_CHECKING:
    from connectk.review.messages import ReviewAnswer
    from connectk.solver import Solver
    from connectk.solver.messages import ScoresAnswer
    from connectk.why.messages import WhyFacts

MAX_PLAYERS, MAX_HEAVY_PLAYERS = 16, 2  # with the one that thinks
REVIEW_SHARE = 0.4  # of its part of the time that a move may be searched; an estimate takes as long again
WHY_SHARE = 0.3  # for the search; as long again for best play where it finds nothing, and some for the checker
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
    stopped = partial(says_stop, stop)
    ask = partial(_native.score_columns, board=core_board(position), seconds=seconds, stopped=stopped)
    variant = position.variant
    if not _native.solver_supports(variant.width, variant.height, variant.run):
        found = ask(None)  # nothing is known for sure, which is an answer too
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
