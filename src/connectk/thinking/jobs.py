"""The jobs that a worker process can run. Each job has a time limit, and ends soon after `stop` is set."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from cachetools import LRUCache

from connectk.errors import SearchStopped, UnknownPlayer, UnsupportedVariant
from connectk.notation.saved_game import SavedGame
from connectk.play.refusals import PlayerNotAllowed, Timeout
from connectk.players.player import Clock, Player
from connectk.players.registry import cannot_play, is_heavy, is_safe, load_player
from connectk.players.swapping import fair_column, score_columns, wants_swap
from connectk.rules import Position, Side, Variant
from connectk.watch import Stop, Watch, stop_after

if TYPE_CHECKING:
    from connectk.review.messages import ReviewAnswer
    from connectk.review.review import CoreReview
    from connectk.solver import Solver
    from connectk.solver.messages import ScoresAnswer
    from connectk.why.messages import WhyFacts

MAX_CACHED_PLAYERS, MAX_HEAVY_PLAYERS = 16, 2  # per process, including the player that is choosing
REVIEW_TIME_SHARE = 0.4  # the search's share of the time per move; an estimate takes as long again
EXPLANATION_TIME_SHARE = (
    0.3  # the search's share; best play takes as long again if nothing is found, and the checker takes some time
)
SWAP_TIME_SHARE = 0.5  # of the time of a move, for scoring the columns where sides may be swapped
SOLVER_TABLE_MB = 16.0  # the table size of a worker's solver


class ReviewPart(NamedTuple):
    """A part of a game to review: the last `length` of `moves`. The search has `seconds` for each move."""

    start: Position
    moves: tuple[int, ...]
    length: int
    given: int  # the number of first moves that the players did not choose
    seconds: float


def check_player(name: str) -> str:
    """The player's name without spaces around it. Raises `PlayerNotAllowed` if the player is unknown or not safe for
    remote users."""
    if not is_safe(name):
        raise PlayerNotAllowed
    try:
        load_player(name).close()
    except UnknownPlayer as error:
        raise PlayerNotAllowed(error) from error
    return name.strip()


def check_can_play(player: str, variant: Variant) -> None:
    """Raise `UnsupportedVariant` if the player cannot play on this board, so that the client learns it before the first
    move."""
    if reason := cannot_play(player, variant):
        raise UnsupportedVariant(variant, "error.UnsupportedVariant.choose", player=player, reason=reason)


def choose(
    player: str, position: Position, match_id: str = "", *, seconds: float, stop: Stop
) -> tuple[int, dict[str, Any]]:
    """The player's column, and the player's report about its choice. The player stays in a cache until its next move,
    because it may have learned something."""
    cache, seat = _place_of(player, position, match_id)
    instance = cache.take(seat) or load_player(check_player(player))
    choice = instance.choose(position, Clock(seconds, stop))  # a player that raises is not cached again
    cache[seat] = instance
    return choice.column, asdict(choice.thought)


def choose_side(
    player: str, position: Position, match_id: str = "", *, seconds: float, stop: Stop
) -> tuple[int | None, dict[str, Any]]:
    """The column that the player drops into, and its report. The column is None if it swaps sides, because the other
    side is better."""
    scores = score(position, seconds=SWAP_TIME_SHARE * seconds, stop=stop)
    if wants_swap(player, scores, random.Random()):
        return None, {}
    return choose(player, position, match_id, seconds=(1 - SWAP_TIME_SHARE) * seconds, stop=stop)


def choose_fair_disc(
    player: str, position: Position, match_id: str = "", *, seconds: float, stop: Stop
) -> tuple[int, dict[str, Any]]:
    """The player's first disc when the opponent may then take over its side, and the player's report."""
    column = fair_column(player, score(position, seconds=SWAP_TIME_SHARE * seconds, stop=stop), random.Random())
    if column is not None:
        return column, {}
    return choose(player, position, match_id, seconds=(1 - SWAP_TIME_SHARE) * seconds, stop=stop)


class PlayerCache(LRUCache[Hashable, Player]):
    """Keeps players between their moves. When the cache is full, the least recently used player is closed."""

    def take(self, seat: Hashable) -> Player | None:
        """Remove the player of this seat from the cache and return it. If there is none, make room for a new one and
        return None."""
        player = self.pop(seat, None)
        while player is None and len(self) >= self.maxsize:
            self.popitem()[1].close()
        return player


_players, _heavy_players = PlayerCache(MAX_CACHED_PLAYERS), PlayerCache(MAX_HEAVY_PLAYERS)


def _place_of(player: str, position: Position, match_id: str) -> tuple[PlayerCache, Hashable]:
    """The cache for this player, and the player's key in it. All matches share a heavy player, because it depends only
    on the board."""
    if is_heavy(player):
        return _heavy_players, (player, position.variant)
    return _players, (match_id, player, position.side_to_move)


def score(position: Position, *, seconds: float, stop: Stop) -> ScoresAnswer:
    """The exact score of each column. If the time runs out first, the answer has bounds and the engine's estimates."""
    return score_columns(position, seconds, stop, _solver)


def score_and_choose(
    player: str, position: Position, *, seconds: float, stop: Stop
) -> tuple[list[int | None] | None, int]:
    """The exact score of each column, and the player's column. The scores are None if the time runs out first."""
    scores = score(position, seconds=seconds, stop=stop)["scores"]
    instance = load_player(check_player(player), seed=0)
    try:
        return scores, instance.choose(position, Clock(seconds, stop)).column
    finally:
        instance.close()


def review_part(part: ReviewPart, *, seconds: float, stop: Stop) -> list[CoreReview]:
    """Review a few moves of a game. A game is reviewed in parts, so that other jobs can run between them."""
    from connectk.review.review import review_last_moves

    try:
        return review_last_moves(
            part.start,
            part.moves,
            part.length,
            given=part.given,
            seconds=part.seconds,
            watch=Watch(stop_after(seconds, stop)),
        )
    except SearchStopped:
        raise Timeout from None


def sum_up_review(saved: SavedGame, found: Sequence[CoreReview], *, seconds: float, stop: Stop) -> ReviewAnswer:
    """Combine the parts of a review and return it as JSON: the label of each move, the accuracy of both sides, and the
    turning point."""
    from connectk.review.report import to_json
    from connectk.review.review import sum_up

    return to_json(saved, sum_up(saved.game, found))


def review_page(saved: SavedGame, found: Sequence[CoreReview], language: str, *, seconds: float, stop: Stop) -> str:
    """The review as a page in one file. The page needs no server."""
    from connectk.review.replay_page import write_replay_page
    from connectk.review.review import sum_up
    from connectk.texts import load_texts

    return write_replay_page(saved, sum_up(saved.game, found), load_texts(language))


def why(position: Position, side: Side | None, *, seconds: float, stop: Stop) -> WhyFacts:
    """Explain step by step why a side wins or holds a position. It returns only explanations that the checker
    accepts."""
    from connectk.why import explain
    from connectk.why.explainer import default_seconds
    from connectk.why.json_views import why_to_json

    found = explain(
        position,
        side=side,
        seconds=min(EXPLANATION_TIME_SHARE * seconds, default_seconds(position)),
        stop=stop_after(seconds, stop),
        solver=_solver(position.variant),
    )
    return why_to_json(found)


@lru_cache(maxsize=1)  # making a solver takes less than a millisecond, and each solver has a table
def _solver(variant: Variant) -> Solver:
    from connectk.solver import Solver

    return Solver(variant, table_mb=SOLVER_TABLE_MB)


def warm_up(*, seconds: float, stop: Stop) -> None:
    """Load the classic board's solver, so that the first request does not wait for it."""
    _solver(Variant())


JOB_FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    job.__name__: job
    for job in (
        warm_up,
        choose,
        choose_side,
        choose_fair_disc,
        score,
        score_and_choose,
        review_part,
        sum_up_review,
        review_page,
        why,
    )
}
