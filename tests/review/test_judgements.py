"""What the core says of a game, held to the plain rules: labels, marks, worths and the facts of its reasons."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from connectk import Game, Position, Side, Variant
from connectk.notation.views import SIDE_NAMES
from connectk.players.drops import centre_first
from connectk.review import Label, MoveReview, Review, review_game
from connectk.review.reasons import Reason
from connectk.rules.threats import makes_fork, threats, winning_columns
from connectk.solver.solution import plies_to_end, win_score
from connectk.solver.words import Worth

SOLVED = [Variant(7, 6, 4), Variant(5, 4, 3), Variant(4, 5, 4), Variant(6, 5, 4), Variant(3, 6, 3)]
ESTIMATED = [Variant(12, 12, 4), Variant(20, 20, 5)]


@cache
def reviewed(variant: Variant, seed: int) -> Review:
    """A random game; on a board that is too large for the solver, the beginning of one."""
    dice, game = random.Random(seed), Game(variant)
    while game.outcome is None and len(game.moves) < 42:
        game.drop(dice.choice(game.position.legal_columns))
    return review_game(game, seconds=60 if variant in SOLVED else 0.02)


def moves_of(variants: list[Variant], seeds: int = 5) -> Iterator[MoveReview]:
    for variant in variants:
        for seed in range(seeds):
            yield from reviewed(variant, seed).moves


def blunders() -> Iterator[tuple[MoveReview, Reason]]:
    for move in moves_of(SOLVED):
        if move.reason is not None:
            yield move, move.reason


def sign(score: float) -> int:
    return (score > 0) - (score < 0)


def test_labels_follow_from_exact_scores() -> None:
    """A blunder changes the result, a slip only how soon it comes."""
    found = set()
    for move in moves_of(SOLVED):
        slipped = Label.SLIP if move.after < move.before else Label.BEST
        assert move.label is (slipped if sign(move.before) == sign(move.after) else Label.BLUNDER)
        found.add(move.label)

    assert found == {Label.BEST, Label.SLIP, Label.BLUNDER}


def test_labels_follow_from_estimates() -> None:
    """There a fall of 0.5 is a blunder and one of 0.15 a slip."""
    found = set()
    for move in moves_of(ESTIMATED, seeds=3):
        assert not move.exact
        assert set(move.judged.scores) == {move.column, *move.best_columns}
        fall = move.before - move.after
        assert move.label is (Label.BLUNDER if fall >= 0.5 else Label.SLIP if fall > 0.15 else Label.BEST)
        found.add(move.label)

    assert found == {Label.BEST, Label.SLIP, Label.BLUNDER}


def test_marks_follow_from_labels() -> None:
    """Nothing where every column is as good, and no mark at all for what a blunder throws away whole."""
    for move in moves_of(SOLVED):
        thrown_away = sign(move.before) - sign(move.after)
        mark = {0: 100.0 if move.label is Label.BEST else 75.0, 1: 25.0, 2: 0.0}[thrown_away]
        assert move.mark == (mark if len(set(move.judged.scores.values())) > 1 else None)


def test_worths_and_heights_follow_from_scores() -> None:
    for move in moves_of(SOLVED):
        variant, ply = move.position.variant, move.position.ply
        assert (move.worth_before, move.worth_after) == tuple(
            Worth.of(int(score), variant, ply) for score in (move.before, move.after)
        )
        height = sign(move.after) * 0.6 + 0.4 * move.after / win_score(variant, 1)
        assert move.advantage == pytest.approx(height if move.side is Side.FIRST else -height)


def test_scores_of_the_last_drop_are_those_of_the_rules() -> None:
    """A drop that ends the game is worth what the rules say."""
    for variant in SOLVED:
        last = reviewed(variant, 3).moves[-1]
        outcome = last.after_position.outcome
        assert outcome is not None
        assert last.after == (win_score(variant, last.number) if outcome.winner else 0)


def test_the_plainest_reason_that_the_rules_see_is_given() -> None:
    """A win at hand before one that is allowed, and both before two threats at once."""
    seen = set()
    for move, reason in blunders():
        kind, columns = plainest(move)
        seen.add(kind)
        if kind:
            assert (reason.kind, reason.facts["columns"]) == (kind, columns)
        else:
            assert "threat_column" in reason.facts or reason.kind == "score_prefers"

    assert seen == {"", "missed_win", "allowed_win", "allowed_win_on_top", "missed_fork", "allowed_fork"}


def plainest(move: MoveReview) -> tuple[str, list[int]]:
    before, after = move.position, move.after_position
    if columns := winning_columns(before, move.side):
        return "missed_win", columns
    if columns := winning_columns(after, move.side.other):
        return "allowed_win_on_top" if move.column in columns else "allowed_win", columns
    for kind, position, looked_at in (
        ("allowed_fork", after, centre_first(after)),
        ("missed_fork", before, list(move.best_columns)),
    ):
        for column in looked_at:
            if makes_fork(position, column):
                return kind, fork_columns(position, column)
    return "", []


def fork_columns(position: Position, column: int) -> list[int]:
    """Where the two threats that are told of lie: those within reach first, one may be above another."""
    after = position.drop(column)
    above = sorted((cell.row - after.height_of(cell.column), cell) for cell in threats(after, position.side_to_move))
    return sorted({cell.column for _, cell in above[:2]})


def test_a_threat_that_decides_is_on_the_board_when_its_line_is_played() -> None:
    kinds = set()
    for move, reason in blunders():
        if "threat_column" not in reason.facts:
            continue
        kinds.add(reason.kind)
        missed = reason.kind.startswith("missed")
        position, line = (move.position, reason.line) if missed else (move.after_position, reason.refutation)
        end = Game(position, line)
        winner, [cell] = position.side_to_move, reason.cells
        assert end.outcome is not None
        assert end.outcome.winner is winner
        assert end.position.last_drop == cell == (reason.facts["threat_column"], reason.facts["row"])
        assert (reason.facts["winner"], reason.facts["loser"]) == (SIDE_NAMES[winner], SIDE_NAMES[winner.other])
        assert reason.facts["column"] == line[0]
        beneath = len(line) > 1 and line[-2] == cell.column
        assert reason.facts["move"] == end.position.ply - beneath
        if beneath:
            assert (cell in threats(position, winner)) == reason.kind.endswith("lasting_threat")
        assert ("why" in reason.facts) == beneath == (not reason.kind.endswith("open_play"))
        assert plies_to_end(position.variant, position.ply, int(move.before if missed else -move.after)) == len(line)

    assert len(kinds) >= 4
