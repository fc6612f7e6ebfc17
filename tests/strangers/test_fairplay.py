"""Tests the comparison of rated games with the solver, with the moves of a program and of a level."""

import json

from connectk import Position, score_columns
from connectk.notation import parse_diagram
from connectk.players.player import Clock, Player
from connectk.players.registry import load_player
from connectk.rules import Side
from connectk.strangers.fairplay import (
    MIN_DECISIONS,
    ComparedDrop,
    PlayEvidence,
    compare,
    may_be_decision,
    read_evidence,
    sum_evidence,
    write_evidence,
)


def play_game(first: Player, second: Player, level: str) -> PlayEvidence:
    """Play one game and return the evidence about the first player."""
    position, compared = Position.start(), []
    while position.outcome is None:
        player = (first, second)[position.side_to_move.value]
        column = player.choose(position, Clock(1.0)).column
        if position.side_to_move is Side.FIRST and may_be_decision(position):
            chosen = load_player(level, seed=0).choose(position, Clock(1.0)).column
            if drop := compare(position, score_columns(position), column, chosen, 2.0):
                compared.append(drop)
        position = position.drop(column)
    return PlayEvidence(1, tuple(compared))


def test_perfect_play_at_a_beginners_rating_is_unlikely_and_the_levels_own_is_not():
    def evidence_about(player: str) -> PlayEvidence:
        games = [(load_player(player, seed=100 + n), load_player("level:3", seed=n)) for n in range(8)]
        return sum_evidence(play_game(one, other, "level:3") for one, other in games)

    perfect, level = evidence_about("perfect"), evidence_about("level:3")
    assert perfect.games == level.games == 8
    assert perfect.kept == perfect.decisions >= MIN_DECISIONS
    assert perfect.is_unlikely
    assert level.decisions >= MIN_DECISIONS
    assert not level.is_unlikely


def test_a_drop_counts_if_some_column_throws_the_result_away():
    def kept(scores: tuple[int | None, ...], column: int, level_column: int) -> tuple[bool, bool] | None:
        drop = compare(Position.start(), scores, column, level_column, 1.0)
        return drop and (drop.person_kept, drop.level_kept)

    assert kept((1, 0, None, -3), 0, 1) == (True, False)
    assert kept((3, 0, None, 1), 3, 1) == (True, False)  # a win is a win, however late
    assert kept((2, 1, None, 5), 1, 0) is None
    assert kept((-2, None, -4), 0, 2) is None


def test_a_win_at_once_decides_nothing():
    """An immediate win or a forced block is not a decision that counts as evidence, because anybody sees it."""
    position = parse_diagram("""
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . o
        . . . . . . o
        x . x . x . o
    """)
    assert not may_be_decision(position)
    assert may_be_decision(Position.from_moves("44"))


def drops(boards: int, person: bool, level: bool) -> tuple[ComparedDrop, ...]:
    return tuple(ComparedDrop(f"{number:016}", person, level, 2.0) for number in range(boards))


def test_few_decisions_say_nothing():
    assert not PlayEvidence(1, drops(MIN_DECISIONS - 1, person=True, level=False)).is_unlikely
    assert PlayEvidence(1, drops(MIN_DECISIONS, person=True, level=False)).is_unlikely


def test_a_line_learned_by_heart_counts_once():
    """A repeated line of moves, also as a mirror image, counts once as evidence."""
    game = PlayEvidence(1, drops(MIN_DECISIONS - 1, person=True, level=False))
    often = sum_evidence([game] * 5)
    assert (often.games, often.decisions) == (5, MIN_DECISIONS - 1)
    one, other = (compare(Position.from_moves(moves), (1, 0), 0, 1, 1.0) for moves in ("45", "43"))
    assert one == other


def test_evidence_is_read_as_it_was_stored():
    evidence = PlayEvidence(1, drops(3, person=True, level=False))
    assert read_evidence(json.loads(json.dumps(write_evidence(evidence)))) == evidence
