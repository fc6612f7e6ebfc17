"""Compares the exact result of every start with a separate search that is written here."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import SimpleNamespace

import pytest

from connectk.arena.openings import openings_of
from connectk.commands.fair import fair
from connectk.errors import BadTournament, UnsupportedVariant
from connectk.fairness import Start, judge_start, judge_starts, starts_of
from connectk.notation.named_starts import NAMED_STARTS, named_start
from connectk.notation.positions import read_game
from connectk.rules import CLASSIC, Position, Side, Variant

SMALL = Variant(4, 4, 3)


@cache
def result(position: Position) -> tuple[int, int]:
    """The result for the first player (1, 0 or -1) and the number of discs at the end of best play.

    The winner wins as early as possible, and the loser loses as late as possible.
    """
    if position.outcome is not None:
        winner = position.outcome.winner
        return (0 if winner is None else 1 if winner is Side.FIRST else -1), position.ply
    sign = 1 if position.side_to_move is Side.FIRST else -1

    def worth(found: tuple[int, int]) -> tuple[int, int]:
        own = found[0] * sign
        return own, -found[1] * own

    return max((result(position.drop(column)) for column in position.legal_columns), key=worth)


@pytest.mark.parametrize("discs", [1, 2, 3])
def test_every_start_has_its_exact_result_and_length(discs: int) -> None:
    starts = list(judge_starts(SMALL, discs, threads=1))

    assert [start.moves for start in starts] == list(starts_of(SMALL, discs).values())
    for start in starts:
        sign, last_disc = result(start.position)
        winner = {1: Side.FIRST, 0: None, -1: Side.SECOND}[sign]
        assert (start.winner, start.is_fair, start.estimate) == (winner, sign == 0, None)
        assert start.last_disc == last_disc, start.moves


@pytest.mark.parametrize("discs", [1, 2, 3])
def test_mirror_images_and_other_orders_are_one_start(discs: int) -> None:
    starts = starts_of(SMALL, discs)
    every = {Position.start(SMALL)}
    for _ in range(discs):
        every = {position.drop(column) for position in every for column in position.legal_columns}

    assert {one for position in starts for one in (position, position.mirrored())} == every
    assert all(position == position.mirrored() or position.mirrored() not in starts for position in starts)


def test_the_classic_board_is_the_one_that_is_published() -> None:
    """On the classic board, a first disc in the middle wins, one beside the middle draws, and every other one loses."""
    known = {start.moves[0]: (start.winner, start.last_disc) for start in judge_starts(CLASSIC)}

    assert known == {0: (Side.SECOND, 40), 1: (Side.SECOND, 42), 2: (None, 42), 3: (Side.FIRST, 41)}


@pytest.mark.parametrize("variant", [Variant(8, 7, 4), Variant(20, 20, 5)])
def test_a_start_that_is_not_solved_is_called_an_estimate(variant: Variant) -> None:
    starts = list(judge_starts(variant, stop=lambda: True))

    assert len(starts) == variant.width // 2
    for start in starts:
        assert (start.score, start.winner, start.is_fair, start.last_disc) == (None, None, False, None)
        assert start.estimate is not None
        assert -1 <= start.estimate <= 1
        assert start.to_json()["fair"] is None


def test_a_board_without_a_start_has_none() -> None:
    """A board on which every first disc wins, such as a single column with a run of one, has no start."""
    assert list(judge_starts(Variant(1, 1, 1), 1)) == []


def test_fair_openings_are_draws_drawn_evenly() -> None:
    found = openings_of("fair", CLASSIC, 60, seed=3)
    draws = {start.moves for start in judge_starts(CLASSIC, 3) if start.is_fair}

    assert len(draws) == 29
    assert {opening: found.count(opening) for opening in draws} == {
        opening: 3 if opening in found[:2] else 2 for opening in draws
    }
    assert set(found) == draws
    assert found == openings_of("fair", CLASSIC, 60, seed=3) != openings_of("fair", CLASSIC, 60, seed=4)


@pytest.mark.parametrize(
    ("variant", "reason"), [(Variant(8, 7, 4), "fair_unsolved"), (Variant(4, 4, 3), "nothing_fair")]
)
def test_a_board_without_fair_openings_is_refused(variant: Variant, reason: str) -> None:
    with pytest.raises(BadTournament) as refused:
        openings_of("fair", variant, 4, seed=1)
    assert refused.value.key == f"error.BadTournament.{reason}"


def test_the_facts_of_a_start() -> None:
    start = Start(Position.from_moves("3"), (2,), 0, None)

    assert start.to_json() == {"moves": "3", "winner": None, "fair": True, "last_disc": 42, "estimate": None}


def test_more_starts_than_anybody_waits_for_are_refused() -> None:
    with pytest.raises(UnsupportedVariant, match="too many starts"):
        next(judge_starts(Variant(99_999_999_999, 6, 4)))


@pytest.mark.parametrize("name", [start.name for start in NAMED_STARTS.values() if start.last_disc])
def test_a_start_with_a_name_ends_with_the_disc_that_it_says(name: str) -> None:
    """From each named start that wins, the first player completes a line with the recorded disc under perfect play."""
    start = named_start(name)
    judged = judge_start(start.variant, start.moves)

    assert (judged.winner, judged.last_disc) == (Side.FIRST, start.last_disc)


def test_five_in_a_row_has_full_outer_columns() -> None:
    position = named_start("Five-in-a-Row").position

    assert position.legal_columns == (1, 2, 3, 4, 5, 6, 7)
    assert (position.variant, position.ply, position.outcome) == (Variant(9, 6, 5), 12, None)


def test_a_start_with_a_name_is_read_like_any_position(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name of a start can be given like any position. Its discs count as given, it fits only its own board, and a
    file of the same name is read instead."""
    saved = read_game("handicap-2")

    assert (saved.game.moves, saved.given) == ((3, 0, 3), 3)
    with pytest.raises(UnsupportedVariant, match="handicap-2 is a start of 7x6x4, not of 6x5x4"):
        read_game("handicap-2", Variant(6, 5, 4))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "handicap-2").write_text("44")
    assert read_game("handicap-2").game.moves == (3, 3)


def test_the_arena_plays_a_start_with_a_name_from_both_sides() -> None:
    assert openings_of("handicap-1", CLASSIC, 3, seed=1) == [(3,)] * 3


def test_the_command_tells_the_result_of_a_start_with_a_name(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("connectk.commands.fair.settings", lambda: SimpleNamespace(json=False))
    fair("handicap-2", 1, "1min", None)

    told = " ".join(capsys.readouterr().out.split())
    assert "handicap-2 (7x6x4, 414): the first player wins with disc 35." in told
    assert "level 1 with the discs against level 2" in told
