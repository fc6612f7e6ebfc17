"""Compares the core's review of a game with the plain rules: labels, marks, worths and the facts of its reasons."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from connectk import Game, Side, Variant
from connectk.players.candidate_columns import centre_first
from connectk.review import Label, MoveReview, Review, review_game
from connectk.rules.threats import makes_fork, winning_columns
from connectk.solver.solution import win_score
from connectk.solver.worth import Worth

SOLVED_BOARDS = [Variant(7, 6, 4), Variant(5, 4, 3), Variant(4, 5, 4), Variant(6, 5, 4), Variant(3, 6, 3)]
ESTIMATED_BOARDS = [Variant(12, 12, 4), Variant(20, 20, 5)]


@cache
def reviewed(variant: Variant, seed: int) -> Review:
    """The review of a random game of at most 42 drops, estimated if the board is too large for the solver."""
    dice, game = random.Random(seed), Game(variant)
    while game.outcome is None and len(game.moves) < 42:
        game.drop(dice.choice(game.position.legal_columns))
    return review_game(game, seconds=60 if variant in SOLVED_BOARDS else 0.02)


def moves_of(variants: list[Variant], seeds: int = 5) -> Iterator[MoveReview]:
    for variant in variants:
        for seed in range(seeds):
            yield from reviewed(variant, seed).moves


def sign(score: float) -> int:
    return (score > 0) - (score < 0)


def test_labels_follow_from_estimates() -> None:
    """If nothing is proven, a move that lowers the estimate by 0.5 is a mistake, and one that lowers it by 0.15 is a
    fine point."""
    found = set()
    for move in moves_of(ESTIMATED_BOARDS, seeds=3):
        assert not move.exact
        assert set(move.judged.scores) == {move.column, *move.best_columns}
        fall = move.before - move.after
        if move.seen_by is None:
            assert move.label is (Label.MISTAKE if fall >= 0.5 else Label.FINE_POINT if fall >= 0.15 else Label.BEST)
        found.add(move.label)

    assert Label.BEST in found
    assert len(found) > 2


def test_worths_and_heights_follow_from_scores() -> None:
    for move in moves_of(SOLVED_BOARDS):
        variant, ply = move.position.variant, move.position.ply
        assert (move.worth_before, move.worth_after) == tuple(
            Worth.of(int(score), variant, ply) for score in (move.before, move.after)
        )
        height = sign(move.after) * 0.6 + 0.4 * move.after / win_score(variant, 1)
        assert move.advantage == pytest.approx(height if move.side is Side.FIRST else -height)


def test_scores_of_the_last_drop_are_those_of_the_rules() -> None:
    """The score of a drop that ends the game follows from the rules."""
    for variant in SOLVED_BOARDS:
        last = reviewed(variant, 3).moves[-1]
        outcome = last.after_position.outcome
        assert outcome is not None
        assert last.after == (win_score(variant, last.number) if outcome.winner else 0)


def test_the_plainest_reason_that_the_rules_see_is_given() -> None:
    """The plainest reason is given: a missed win before an allowed win, and both before two threats at once."""
    seen = set()
    for move in moves_of(SOLVED_BOARDS):
        if not move.label.is_flawed:
            continue
        kind = plainest(move)
        kinds = [reason["kind"] for reason in move.reasons]
        assert kinds == [kind] if kind else not kinds or kinds[0].endswith(("force", "line", "beneath"))
        seen.add(kind)

    assert seen == {"", "missed_win", "missed_block", "allowed_win_on_top", "missed_fork", "allowed_fork"}


def plainest(move: MoveReview) -> str:
    before, after = move.position, move.after_position
    if winning_columns(before, move.side):
        return "missed_win"
    if winning_columns(after, move.side.other):
        return "missed_block" if winning_columns(before, move.side.other) else "allowed_win_on_top"
    for kind, position, looked_at in (
        ("allowed_fork", after, centre_first(after)),
        ("missed_fork", before, list(move.best_columns)),
    ):
        if any(makes_fork(position, column) for column in looked_at):
            return kind
    return ""
