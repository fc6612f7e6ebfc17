"""The jobs that a thinker does; each is bounded by its seconds and ends soon after `stop` is set."""

from __future__ import annotations

import re
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any

from connectk.errors import SearchStopped, UnknownPlayer, UnsupportedVariant
from connectk.notation.saved import SavedGame
from connectk.play.refusals import PlayerNotAllowed, Timeout
from connectk.players.drops import centre_first
from connectk.players.player import Clock, Player
from connectk.players.registry import REGISTRY, cannot_play, load_player
from connectk.players.timed import CoreSearch, SearchLimits
from connectk.rules import Position, Side, Variant
from connectk.solver.solution import discs_to_win, win_score
from connectk.watch import stop_after

SAFE_WORD = re.compile(r"[0-9]*|[0-9.]+(ms|s)|windows|centre|lines|combined")
MOST_KEPT = 1  # player, with the one that thinks: each holds a table of many megabytes
REVIEW_SHARE = 0.4  # of its part of the time that a move may be searched; an estimate takes as long again
WHY_SHARE = 0.3  # for the search; as long again for best play where it finds nothing, and some for the checker
SHARE_FOR_SOLVER = 0.6  # of an analysis; what is left is for estimates, where the solver does not finish
ESTIMATE_TABLE_BYTES = 1 << 22
TABLE_MB = 32.0  # of a thinker's solver, so that memory stays bounded


def check_player(name: str) -> str:
    """The name of a player that a stranger may ask for: no files, no programs, no threads."""
    kind, _, rest = name.strip().partition(":")
    if kind not in REGISTRY or not all(SAFE_WORD.fullmatch(word.strip()) for word in rest.split(",")):
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
    player: str, position: Position, match_id: str = "", *, seconds: float, stop: threading.Event
) -> tuple[int, dict[str, Any]]:
    """A column, and what the player thought. Who plays in a match is kept until its next move, with what it learned."""
    seat = match_id, player, position.side_to_move
    someone = _kept.pop(seat, None) or _newcomer(player)
    choice = someone.choose(position, Clock(seconds, stop))  # one who fails is not kept
    _kept[seat] = someone
    return choice.column, asdict(choice.thought)


_kept: OrderedDict[tuple[str, str, Side], Player] = OrderedDict()


def _newcomer(player: str) -> Player:
    """Those who were asked least lately make room for it before it thinks, not after."""
    while len(_kept) >= MOST_KEPT:
        _kept.popitem(last=False)[1].close()
    return load_player(check_player(player))


def score(position: Position, *, seconds: float, stop: threading.Event) -> dict[str, Any]:
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
    bounds = [None if score is None else (score, score) for score in scores]
    discs = [discs_to_win(position.variant, position.ply, score) if score else None for score in scores]
    return {"exact": True, "scores": scores, "discs": discs, "bounds": bounds, "estimates": None}


def _estimated(position: Position, bounds: Sequence[Any], clock: Clock) -> dict[str, Any]:
    """Every open column gets a look, however short."""
    estimates: list[float | None] = [None] * position.variant.width
    columns = centre_first(position)
    search = CoreSearch(ESTIMATE_TABLE_BYTES)
    for number, column in enumerate(columns):
        seconds = max(clock.left or 0.0, 0.0) / (len(columns) - number)
        estimates[column] = _expected(position.drop(column), search, seconds, clock)
    return {"exact": False, "scores": None, "discs": None, "bounds": bounds, "estimates": estimates}


def _expected(after: Position, search: CoreSearch, seconds: float, clock: Clock) -> float:
    """The expected result for the side that has just moved, from -1 for a loss to 1 for a win."""
    if after.outcome is not None:
        return 1.0 if after.outcome.winner else 0.0
    limits = SearchLimits(until=time.monotonic() + seconds, stopped=clock.stop.is_set)
    thought = search.choose(after, limits).thought
    return -max(-1.0, min(1.0, thought.score or 0.0))


def review(saved: SavedGame, *, seconds: float, stop: threading.Event) -> dict[str, Any]:
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


def why(position: Position, side: Side | None, *, seconds: float, stop: threading.Event) -> dict[str, Any]:
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
def _solver(variant: Variant) -> Any:
    from connectk.solver import Solver

    return Solver(variant, table_mb=TABLE_MB)


def be_ready(*, seconds: float, stop: threading.Event) -> None:
    """Load what the first question about the usual board would wait for."""
    _solver(Variant())


JOBS: Mapping[str, Callable[..., Any]] = {job.__name__: job for job in (be_ready, choose, score, review, why)}
