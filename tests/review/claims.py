"""Checks the claims of a review by the plain rules and exact scores alone."""

from __future__ import annotations

from collections.abc import Sequence

from connectk import Game, Position, Side, score_columns, solve
from connectk.notation.views import SIDE_NAMES
from connectk.review import MoveReview
from connectk.review.messages import ReasonView
from connectk.rules.threats import threats, winning_columns
from connectk.solver.solution import plies_to_end

IMMEDIATE_KINDS = {"missed_win", "missed_block", "allowed_win", "allowed_win_on_top"}


def require_true(move: MoveReview, reason: ReasonView) -> None:
    """Fail unless this reason's claim is true of this move."""
    kind, before, after = reason["kind"], move.position, move.after_position
    is_missed = kind.startswith("missed") and kind != "missed_block"
    start, side = (before, move.side) if is_missed else (after, move.side.other)
    assert reason["side"] == SIDE_NAMES[side]
    assert reason["run"] == before.variant.run
    assert start.side_to_move is side
    assert (reason["holds"] == "one_line") == ("line" in kind)
    if kind in IMMEDIATE_KINDS:
        _require_win_at_once(move, reason, start)
    elif kind.endswith("fork"):
        _require_fork(reason, start)
    elif kind.endswith("force"):
        assert reason["line"][0] == reason["columns"][0]
        _require_force(reason, start)
    else:
        _require_line(reason, start)


def _require_win_at_once(move: MoveReview, reason: ReasonView, start: Position) -> None:
    columns, kind = reason["columns"], reason["kind"]
    wins = winning_columns(start, start.side_to_move)
    assert [(column, start.height_of(column)) for column in columns] == [tuple(cell) for cell in reason["cells"]]
    assert start.drop(reason["line"][0]).outcome
    if kind == "missed_block":
        [column] = columns
        assert column in winning_columns(move.position, move.side.other)
        assert not winning_columns(move.position.drop(column), move.side.other)
    else:
        assert columns == wins
        assert (kind == "allowed_win_on_top") == (move.column in wins and kind != "missed_win")
        assert kind != "missed_win" or move.column not in wins


def _require_fork(reason: ReasonView, start: Position) -> None:
    """Fail unless one of the named cells wins after any reply of the other side."""
    after = start.drop(reason["line"][0])
    side = start.side_to_move
    assert len(reason["cells"]) == 2
    assert sorted({column for column, _ in reason["cells"]}) == sorted(reason["columns"])
    assert {tuple(cell) for cell in reason["cells"]} <= {tuple(cell) for cell in threats(after, side)}
    for reply in after.legal_columns:
        now = after.drop(reply)
        assert now.outcome is None
        assert any(column in winning_columns(now, side) for column in reason["columns"])


def _require_force(reason: ReasonView, start: Position) -> None:
    """Fail unless every reply in the line is forced, and the last drop completes a line."""
    side, position = start.side_to_move, start
    for ply, column in enumerate(reason["line"]):
        if ply % 2:
            _require_only_reply(position, column, side)
        position = position.drop(column)
    assert position.outcome
    assert position.outcome.winner is side
    assert position.last_drop == tuple(reason["cells"][0])
    assert position.ply == reason["disc"]


def _require_only_reply(position: Position, reply: int, side: Side) -> None:
    for column in position.legal_columns:
        after = position.drop(column)
        assert after.outcome is None
        assert column == reply or winning_columns(after, side)


def _require_line(reason: ReasonView, start: Position) -> None:
    """Fail unless this is a line of best play for both sides with the end that the reason states."""
    line, side = reason["line"], start.side_to_move
    end = Game(start, line)
    assert end.outcome
    assert end.outcome.winner is side
    assert end.position.last_drop == tuple(reason["cells"][0])
    assert end.position.ply == reason["disc"]
    score = solve(start).score
    assert score is not None
    assert score > 0
    assert plies_to_end(start.variant, start.ply, score) == len(line)
    is_beneath = len(line) > 1 and line[-2] == reason["cells"][0][0]
    assert is_beneath == reason["kind"].endswith("beneath") == ("last_column" in reason)
    if is_beneath:
        assert reason["last_column"] == (len(Game(start, line[:-2]).position.legal_columns) == 1)


def best_columns(position: Position) -> Sequence[int]:
    scores = score_columns(position)
    best = max(score for score in scores if score is not None)
    return [column for column, score in enumerate(scores) if score == best]
