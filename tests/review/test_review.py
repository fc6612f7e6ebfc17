"""Tests reviews: labels, accuracy, the turning point, and reasons."""

from __future__ import annotations

import random
import signal
import threading
import time

import pytest

from connectk import Game, Outcome, Position, Side, Variant, parse_moves
from connectk.errors import NotationError, SearchStopped, UnsupportedVariant
from connectk.review import Label, MoveReview, Review, review_game
from connectk.review.report import summary_sentences
from connectk.review.review import CoreReview, review_last_moves, sum_up
from connectk.review.text_graph import GRAPH_ROWS, draw_text_graph
from connectk.texts import load_texts
from connectk.watch import Report, Watch

ENGLISH = load_texts("en")


def reviewed(moves: str, variant: Variant | None = None) -> Review:
    variant = variant or Variant()
    return review_game(Game(variant, parse_moves(moves, variant)))


def last_move(moves: str, variant: Variant | None = None) -> MoveReview:
    return reviewed(moves, variant).moves[-1]


def reason_of(moves: str, variant: Variant | None = None) -> str:
    return last_move(moves, variant).reason


def test_the_centre_is_best_and_the_edge_a_fine_point() -> None:
    """A first disc at the edge loses the game, but is only a fine point, because nobody can see this so early."""
    best, edge = last_move("4"), last_move("1")

    assert (best.label, best.best_columns, best.before, best.after) == (Label.BEST, (3,), 1, 1)
    assert (edge.label, edge.best_columns, edge.before, edge.after) == (Label.FINE_POINT, (3,), 1, -2)
    assert (edge.worth_before.say(ENGLISH), edge.worth_after.say(ENGLISH)) == ("wins in 21", "loses in 20")
    assert edge.seen_by == 0


def test_a_faster_loss_that_is_far_away_is_good() -> None:
    """In a lost position whose end is far away, a move that loses sooner is still good."""
    move = last_move("41")

    assert move.label is Label.GOOD
    assert move.after < move.before < 0


REASONS = {
    "5363767": "Column 4 would have made 4 in a row at once.",
    "536376": "It does not block column 4, where the first player makes 4 in a row.",
    "5634365742": "It lets the first player drop on top of it and make 4 in a row.",
    "5135": "It lets the first player play column 4, with two threats at once, in columns 2 and 6.",
    "51357": "Column 4 would have made two threats at once, in columns 2 and 6; only one can be stopped.",
    "667723667173": (
        "It lets the first player play column 4, with two threats at once, one above the other in column 5."
    ),
}


@pytest.mark.parametrize("moves", REASONS)
def test_the_plainest_reason_is_given(moves: str) -> None:
    """Each of these blunders gets the plainest of its possible reasons."""
    assert reason_of(moves) == REASONS[moves]


def test_a_win_that_is_far_away_is_one_way_it_can_go() -> None:
    """A win after thirty discs is described as one possible line, because equally good lines end elsewhere."""
    move = last_move("4444431")
    [reason] = move.reasons

    assert move.reason == (
        "One way it can go: the first player ends up dropping beneath column 2, row 4, where the second player "
        "completes 4 in a row with disc 40. By then no other column is open."
    )
    assert (reason["holds"], reason["side"], reason["cells"]) == ("one_line", "second", [(1, 3)])
    assert Game(move.after_position, move.refutation).outcome == Outcome(winner=Side.SECOND)


def test_a_loss_that_is_near_is_the_reason_rather_than_a_win_far_away() -> None:
    """If a move both misses a win and allows a near loss, its reason is the loss."""
    assert reason_of("454416756764") == (
        "It lets the first player win by force, threat after threat: 3 (2) 6 (5) 6 (replies in brackets)."
    )


def test_the_better_line_starts_with_a_best_column_and_ends_as_well() -> None:
    move = last_move("1")

    assert move.better_line[0] == 3
    assert Game(Variant(), move.better_line).outcome == Outcome(winner=Side.FIRST)


def test_the_scores_of_a_game_follow_from_each_other() -> None:
    """The score after a move equals the score before the next one, and every move that changes the result has a
    label."""
    for seed in range(4):
        review = review_game(_random_game(seed))
        for move, following in zip(review.moves, review.moves[1:], strict=False):
            assert move.after == -following.before
        for move in review.moves:
            assert move.label.is_flawed or _sign(move.before) == _sign(move.after)


def _random_game(seed: int) -> Game:
    source, game = random.Random(seed), Game()
    while game.outcome is None:
        game.drop(source.choice(game.position.legal_columns))
    return game


def _sign(score: float) -> int:
    return (score > 0) - (score < 0)


def test_perfect_play_has_no_turning_point_and_full_accuracy() -> None:
    best = review_game(Game(Variant(), parse_moves("444444")))

    assert best.turning_point is None
    assert best.accuracy(Side.FIRST) == best.accuracy(Side.SECOND) == 100
    assert summary_sentences(best, ENGLISH)[2] == "No move changed who wins: the first player had the win all along."


def test_accuracy_is_the_mean_of_marks() -> None:
    """Accuracy is the mean of the marks; a move has no mark if every column is equally good."""
    assert reviewed("1").accuracy(Side.FIRST) == reviewed("3").accuracy(Side.FIRST) == 75
    assert reviewed("1").accuracy(Side.SECOND) is None
    assert review_game(Game(Variant(1, 4, 4), (0, 0))).accuracy(Side.FIRST) is None


def test_a_board_too_large_to_solve_is_estimated_and_says_so() -> None:
    variant = Variant(12, 12, 5)
    review = review_game(Game(variant, parse_moves("6,5,7,1,8,1,9,12", variant)), seconds=0.5)
    blunder = review.moves[-1]

    assert not review.exact
    assert blunder.label is Label.MISSED_BLOCK
    assert blunder.worth_after.say(ENGLISH) == "loses in 1"  # the engine has proved it
    assert "5 in a row" in blunder.reason
    assert " estimated)" in summary_sentences(review, ENGLISH)[1]
    assert summary_sentences(review, ENGLISH)[-1].endswith("judged by an estimate, not exactly.")


def test_a_search_without_enough_time_gives_way_to_an_estimate() -> None:
    """The review of an 8x8 game is exact at the end of the game, and estimated at its beginning."""
    source, game = random.Random(5), Game(Variant(8, 8, 4))
    while len(game.moves) < 50:
        quiet = [c for c in game.position.legal_columns if game.position.drop(c).outcome is None]
        game.drop(source.choice(quiet))
    beginning = Game(game.variant, game.moves[:2])
    end = Game(game.positions[48], game.moves[48:])

    assert not review_game(beginning, seconds=0.06).exact
    assert review_game(end, seconds=60).exact


def test_a_huge_board_can_be_reviewed() -> None:
    variant = Variant(10**6, 10**6, 4)
    review = review_game(Game(variant, (10, 500, 11, 500, 12, 500, 700)), seconds=0.1)

    assert review.moves[-1].label is Label.MISSED_WIN
    assert review.moves[-1].reason == "Columns 10 and 14 would have made 4 in a row at once."


def test_the_largest_boards_of_the_core_are_reviewed_and_larger_ones_refused() -> None:
    moves = (10, 500, 11, 500, 12, 500)
    assert review_game(Game(Variant(10**9, 10**9, 4), moves), seconds=0.01).moves
    with pytest.raises(UnsupportedVariant, match="up to 1,073,741,824 columns and rows"):
        review_game(Game(Variant(2**31, 5, 4), moves))


def test_a_classic_game_is_reviewed_in_seconds() -> None:
    """Reviewing a classic game takes a limited number of searched positions, which does not depend on the load of the
    machine."""
    started = time.process_time()
    review_game(_random_game(1))

    assert time.process_time() - started < 20


def test_a_game_from_a_set_up_board_is_reviewed() -> None:
    start = Position.from_moves("112233")
    review = review_game(Game(start, (6,)))

    assert review.moves[0].number == 7
    assert review.moves[0].label is Label.MISSED_WIN


def test_a_game_without_moves_is_refused() -> None:
    with pytest.raises(NotationError, match="no moves to review"):
        review_game(Game())


def test_the_graph_rises_for_first_and_marks_blunders() -> None:
    """The graph is above the middle if the first player wins. A blunder is a dot at the value after the move."""
    lines = draw_text_graph(reviewed("5135"), 60, ENGLISH).splitlines()
    dots = [row for row, line in enumerate(lines) if "●" in line]

    assert len(lines) == GRAPH_ROWS + 1
    assert dots == [0]
    assert lines[0].startswith(" first wins")


def test_the_graph_fits_and_can_do_without_special_characters() -> None:
    review = review_game(_random_game(2))

    assert all(len(line) <= 80 for line in draw_text_graph(review, 80, ENGLISH).splitlines())
    assert draw_text_graph(review, 80, ENGLISH, plain=True).isascii()


def test_progress_is_told() -> None:
    reports: list[tuple[int, int | None]] = []
    review_game(Game(Variant(), (3, 3)), progress=lambda report: reports.append((report.done, report.total)))

    assert reports == [(1, 2), (2, 2)]


def test_a_review_is_stopped_by_an_event() -> None:
    """Setting an event during a review stops it."""
    stop, reports = threading.Event(), []

    def on_report(report: Report) -> None:
        reports.append(report.done)
        stop.set()

    with pytest.raises(SearchStopped):
        review_game(_random_game(1), stop=stop, progress=on_report)
    assert reports == [1]


UNSOLVABLE_GAME = Game(Variant(9, 9, 4), (4, 4, 3))  # of which no position is solved in a minute


def test_a_search_is_stopped_at_once_and_lets_others_work_meanwhile() -> None:
    """A stop ends the core's search within milliseconds. Other Python threads run during the search."""
    stop = threading.Event()
    turns: list[float] = []

    def wait_and_stop() -> None:
        while len(turns) < 30:
            time.sleep(0.01)
            turns.append(time.monotonic())
        stop.set()

    threading.Thread(target=wait_and_stop).start()
    with pytest.raises(SearchStopped):
        review_game(UNSOLVABLE_GAME, seconds=60, stop=stop)

    assert len(turns) == 30
    assert time.monotonic() - turns[-1] < 30


def test_ctrl_c_ends_a_review() -> None:
    threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        review_game(UNSOLVABLE_GAME, seconds=60)

    assert time.monotonic() - started < 30


def test_what_a_callback_raises_ends_the_review() -> None:
    def fail(_: Report) -> None:
        raise LookupError("callback failed")

    with pytest.raises(LookupError, match="callback failed"):
        review_game(Game(Variant(), (3, 3)), progress=fail)


def test_nobody_is_judged_for_discs_that_were_given() -> None:
    """A bad opening disc is judged only if the player chose it, and not if it was given."""
    game = Game(Variant(), parse_moves("1" + "4444"))
    judged, given = review_game(game), review_game(game, given=1)

    assert judged.moves[0].label is Label.FINE_POINT
    assert (given.moves[0].label, given.moves[0].reason) == (Label.GIVEN, "")
    assert given.accuracy(Side.FIRST) == 100 > (judged.accuracy(Side.FIRST) or 0)
    assert given.turning_point is None
    assert summary_sentences(given, ENGLISH)[0] == "The first disc was given; nobody is judged for it."


def test_a_proven_result_on_a_large_board_is_called_proven() -> None:
    """A win that the engine sees to its end is called proven, even on a board too large for the solver."""
    variant = Variant(12, 12, 4)
    move = last_move("6,1,7,1,8", variant)

    assert not move.exact
    assert move.proven
    assert move.worth_after.say(ENGLISH) == "wins in 2"


def test_the_graph_starts_where_best_play_would_lead() -> None:
    """The graph of a classic game starts at a win for the first player, because best play leads there."""
    assert reviewed("4").moves[0].advantage_before == reviewed("4").moves[0].advantage > 0


@pytest.mark.parametrize("part", [1, 3, 100])
def test_a_review_in_parts_says_the_same(part: int) -> None:
    """A review in parts, the last moves first, equals a review in one piece."""
    game = Game(Variant(), (3, 3, 4, 4, 5, 2, 0, 1, 1, 2))
    found: list[CoreReview] = []
    while len(found) < len(game.moves):
        moves = game.moves[: len(game.moves) - len(found)]
        found[:0] = review_last_moves(game.start, moves, min(part, len(moves)), given=2, watch=Watch())
    assert sum_up(game, found) == review_game(game, given=2)
