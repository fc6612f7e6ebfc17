"""Labels tell how serious a mistake is, by the lost result and by the number of levels that see it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache

import pytest

from connectk import Game, Position, Side, Variant, parse_moves, score_columns
from connectk.players.levels import LEVEL_SETTINGS, level_player
from connectk.players.player import Clock
from connectk.review import Label, MoveReview, Review, review_game
from connectk.review.report import describe_losing_move, describe_turning_point
from connectk.review.review import Marks
from connectk.rules.threats import makes_fork, winning_columns
from connectk.solver.solution import discs_to_win
from connectk.texts import load_texts

HAND_WRITTEN_CASES = {
    "444441326225": {10: Label.MISSED_BLOCK, 11: Label.MISSED_WIN},
    "74134526": {5: Label.BLUNDER},
    "5363767": {6: Label.MISSED_BLOCK, 7: Label.MISSED_WIN},
    "536376": {6: Label.MISSED_BLOCK},
    "5634365742": {10: Label.BLUNDER},
    "5135": {4: Label.BLUNDER},
    "51357": {4: Label.BLUNDER, 5: Label.BLUNDER},
    "4455667": {4: Label.BLUNDER},
    "4433225": {4: Label.BLUNDER},
    "1212127": {6: Label.MISSED_BLOCK, 7: Label.MISSED_WIN},
    "4142434": {6: Label.MISSED_BLOCK},
    "1122334": {6: Label.MISSED_BLOCK},
    "12121": {},
}


@cache
def reviewed(game: tuple[int, ...], variant: Variant = Variant()) -> Review:  # noqa: B008
    return review_game(Game(variant, game), seconds=60)


def games_with_oversights(count: int) -> Iterator[Game]:
    """Games of levels, each with one drop that overlooks a win, a block, or a cell that it opens to the other side."""
    seed = 0
    while count:
        dice, game, seed = random.Random(seed), Game(), seed + 1
        players = [level_player(dice.randint(3, 6), seed + side) for side in range(2)]
        made = False
        while game.outcome is None:
            column = None if made else howling_column(game.position, dice)
            made = made or column is not None
            game.drop(
                players[game.position.side_to_move.value].choose(game.position, Clock()).column
                if column is None
                else column
            )
        if made:
            count -= 1
            yield game


def howling_column(position: Position, dice: random.Random) -> int | None:
    oversights = [column for column in position.legal_columns if oversight_label(position, column)]
    return dice.choice(oversights) if oversights and dice.random() < 0.5 else None


def oversight_label(before: Position, column: int) -> Label | None:
    """The label for an oversight of this drop: a missed win, a missed block, or, in an open game, a cell opened to the
    other side."""
    side = before.side_to_move
    if wins := winning_columns(before, side):
        return None if column in wins else Label.MISSED_WIN
    threats = winning_columns(before, side.other)
    if len(threats) > 1:
        return None
    if threats and not winning_columns(before.drop(threats[0]), side.other):
        return None if column in threats else Label.MISSED_BLOCK
    after = before.drop(column)
    if threats or column not in winning_columns(after, side.other):
        return None
    best = max(score for score in score_columns(before) if score is not None)
    is_open = best >= 0 or discs_to_win(before.variant, before.ply, best) > 6
    return Label.BLUNDER if is_open else None


@pytest.fixture(scope="module")
def games() -> list[Review]:
    written = [reviewed(parse_moves(moves)) for moves in HAND_WRITTEN_CASES]
    return written + [review_game(game, seconds=60) for game in games_with_oversights(60 - len(written))]


def test_every_oversight_is_named_in_sixty_games(games: list[Review]) -> None:
    """In sixty games, every overlooked win or block is labelled as missed, and a drop that opens a cell beneath a
    threat is a blunder."""
    named = {Label.MISSED_WIN: 0, Label.MISSED_BLOCK: 0, Label.BLUNDER: 0}
    for review in games:
        for move in review.moves:
            if overlooked := oversight_label(move.position, move.column):
                assert move.label is overlooked, (review.game.moves, move.number)
                named[overlooked] += 1
    assert len(games) == 60
    assert all(count >= 10 for count in named.values()), named


def test_no_fine_point_outranks_an_oversight(games: list[Review]) -> None:
    """A fine point never outranks an oversight as the turning point or in accuracy."""
    for review in games:
        oversights = [move for move in review.moves if oversight_label(move.position, move.column)]
        turn = review.turning_point
        assert not oversights or (turn is not None and turn.label is not Label.FINE_POINT)
        marks = {label: [m.mark for m in review.moves if m.label is label and m.mark is not None] for label in Label}
        worst_fine = min(marks[Label.FINE_POINT], default=100)
        assert all(move.mark is None or move.mark < worst_fine for move in oversights)


def test_a_fork_that_is_allowed_in_an_open_game_is_a_blunder_or_a_mistake(games: list[Review]) -> None:
    seen = 0
    for review in games:
        for move in review.moves:
            if move.label is Label.GIVEN or oversight_label(move.position, move.column) or move.before < 0:
                continue
            if any(makes_fork(move.after_position, column) for column in move.after_position.legal_columns):
                assert move.label in (Label.BLUNDER, Label.MISTAKE)
                seen += move.label is Label.BLUNDER
    assert seen > 3


@pytest.mark.parametrize("moves", HAND_WRITTEN_CASES)
def test_the_move_that_a_coach_would_name_is_named(moves: str) -> None:
    review = reviewed(parse_moves(moves))
    for number, label in HAND_WRITTEN_CASES[moves].items():
        assert review.moves[number - 1].label is label
    assert all(move.number in HAND_WRITTEN_CASES[moves] or not move.label.is_serious for move in review.moves)


def test_the_turning_point_is_not_what_only_the_solver_sees() -> None:
    """The turning point is a visible mistake, here disc 5, which allows a three with both ends open. Disc 1 is a
    mistake that only the solver sees."""
    turn = reviewed(parse_moves("74134526")).turning_point

    assert turn is not None
    assert turn.number == 5
    assert reviewed(parse_moves("74134526")).moves[0].label is Label.FINE_POINT


def test_a_loss_that_was_in_plain_view_is_no_turning_point() -> None:
    """After the second player has allowed two threats with disc 4, that player's later drops are not the turning
    point."""
    review = reviewed(parse_moves("5135" + "4" + "1" + "2"))

    assert review.turning_point is not None
    assert review.turning_point.number == 4


def test_the_last_mistake_in_plain_view_that_lost_the_game_for_good_is_the_turning_point() -> None:
    """If a side overlooks a block in a game that it has already lost, this is no turning point."""
    for review in map(reviewed, map(parse_moves, ("5135412", "536376", "1122334"))):
        turn = review.turning_point
        assert turn is not None
        assert turn is review.lost_at
        assert (turn.fell, turn.label.is_serious) == (True, True)


def test_a_move_that_is_hard_to_see_and_lost_the_game_is_named_beside_the_plainest_mistake() -> None:
    """A mistake that is hard to see comes first if the game was then as good as lost. Otherwise it comes after the
    plainest mistake."""
    texts = load_texts("en")
    late, plain = (reviewed(parse_moves(moves)) for moves in ("261373627616626733245411", "46552325443332"))
    for review, number in ((late, 3), (plain, 5)):
        assert review.lost_at is not None
        assert (review.lost_at.number, review.lost_at.label) == (number, Label.FINE_POINT)
        after = [move for move in review.moves[number:] if move.fell]
        assert not after, "nothing changed the result afterwards"

    told = describe_turning_point(late, texts)
    assert told.startswith("The game was lost by a mistake that is hard to see: move 3, the first player, column 1.")
    assert "The plainest mistake: move 19, the first player, column 2. Blunder: from 'loses in 4'" in told
    assert describe_losing_move(late, texts) == []
    assert describe_turning_point(plain, texts).startswith("The turning point: move 11, the first player, column 3.")
    assert describe_losing_move(plain, texts)[0].startswith("By exact scores another move lost the game")


SMALL_BOARDS = [Variant(5, 4, 3), Variant(6, 5, 4), Variant(4, 5, 4)]


def test_labels_follow_from_the_rules_as_they_are_written() -> None:
    """The core's labels and counts equal those of the documented rules, which the test implements in plain Python."""
    found = set()
    for seed in range(9):
        variant, dice = (*SMALL_BOARDS, Variant())[seed % 4], random.Random(seed)
        game = Game(variant)
        while game.outcome is None:
            game.drop(dice.choice(game.position.legal_columns))
        for move in review_game(game, seconds=60).moves:
            assert (move.label, move.seen_by, move.was_lost) == judged(move)
            found.add(move.label)
    assert found == set(Label) - {Label.GIVEN}


def judged(move: MoveReview) -> tuple[Label, int | None, bool]:
    """Judge a move by the rules in docs/reference/review.md, step by step."""
    before, played, best = move.position, int(move.after), int(move.before)
    overlooked = plainly_overlooked(move)
    if played == best and not overlooked:
        return Label.BEST, None, False
    unavoidable = levels_that_see_a_win(before.drop(move.best_columns[0])) if best < 0 else 0
    allowed = levels_that_see_a_win(move.after_position) - unavoidable if played < 0 else 0
    is_near = played > 0 and discs_to_win(before.variant, before.ply, played) <= 5
    missed = levels_that_see_a_win(before) if best > 0 and not is_near else 0
    seen = max(allowed, missed, 0)
    shown_reason = seen if played < 0 or best > 0 else None
    return overlooked or by_view(sign(best), sign(played), seen), shown_reason, unavoidable >= 4


def plainly_overlooked(move: MoveReview) -> Label | None:
    found = oversight_label(move.position, move.column)
    return found if found in (Label.MISSED_WIN, Label.MISSED_BLOCK) else None


def by_view(best: int, played: int, seen: int) -> Label:
    if seen >= 4:
        return Label.MISTAKE if played > 0 else Label.BLUNDER
    if seen >= 2 and played <= 0:
        return Label.MISTAKE
    return Label.FINE_POINT if played < best else Label.GOOD


def levels_that_see_a_win(position: Position) -> int:
    scores = score_columns(position)
    return sum(sees_a_win(position, level, scores) for level in LEVEL_SETTINGS if level > 1)


def sees_a_win(position: Position, level: int, scores: Sequence[int | None]) -> bool:
    """Whether a level finds a win in most of three attempts, by completing a line or by foreseeing a win."""
    times = 0
    for seed in range(3):
        choice = level_player(level, seed).choose(position, Clock())
        foreseen = choice.thought.score if choice.thought else None
        completes = choice.column in winning_columns(position, position.side_to_move)
        times += completes or ((foreseen or 0) >= 1 and (scores[choice.column] or 0) > 0)
    return times > 1


def sign(score: int) -> int:
    return (score > 0) - (score < 0)


def test_both_sides_share_one_scale() -> None:
    """Both sides are judged on the same scale. The accuracy is the mean of the marks, and a worse label has a lower
    mark."""
    marks = {}
    for moves in HAND_WRITTEN_CASES:
        review = reviewed(parse_moves(moves))
        for side in Side:
            own = [move.mark for move in review.moves if move.side is side and move.mark is not None]
            assert review.accuracy(side) == (pytest.approx(sum(own) / len(own)) if own else None)
            assert review.marks[side] == Marks(len(own), 0)
        marks |= {move.label: move.mark for move in review.moves if move.mark is not None}
    assert marks.items() <= {
        (Label.MISSED_WIN, 0),
        (Label.MISSED_BLOCK, 0),
        (Label.BLUNDER, 10),
        (Label.MISTAKE, 40),
        (Label.FINE_POINT, 75),
        (Label.GOOD, 90),
        (Label.BEST, 100),
    }
    assert len(marks) >= 6
