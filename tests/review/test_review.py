"""Reviews: labels, accuracy, the turning point, and the reason why."""

from __future__ import annotations

import random
import signal
import threading
import time

import pytest

from connectk import Game, Outcome, Position, Side, Variant, parse_moves
from connectk.errors import NotationError, SearchStopped, UnsupportedVariant
from connectk.review import Label, MoveReview, Review, review_game
from connectk.review.graph import ROWS, draw_graph
from connectk.review.report import verdict
from connectk.rules import Cell
from connectk.texts import load_texts
from connectk.watch import Report

ENGLISH = load_texts("en")


def reviewed(moves: str, variant: Variant | None = None) -> Review:
    variant = variant or Variant()
    return review_game(Game(variant, parse_moves(moves, variant)))


def last_move(moves: str, variant: Variant | None = None) -> MoveReview:
    return reviewed(moves, variant).moves[-1]


def reason_of(moves: str, variant: Variant | None = None) -> str:
    reason = last_move(moves, variant).reason
    assert reason is not None
    return reason.text


def test_the_centre_is_best_and_the_edge_a_blunder() -> None:
    best, blunder = last_move("4"), last_move("1")

    assert (best.label, best.best_columns, best.before, best.after) == (Label.BEST, (3,), 1, 1)
    assert (blunder.label, blunder.best_columns, blunder.before, blunder.after) == (Label.BLUNDER, (3,), 1, -2)
    assert (blunder.worth_before.say(ENGLISH), blunder.worth_after.say(ENGLISH)) == ("wins in 21", "loses in 20")


def test_a_faster_loss_is_a_slip() -> None:
    """Second is lost after 4, but column 1 loses sooner."""
    move = last_move("41")

    assert move.label is Label.SLIP
    assert move.after < move.before < 0


REASONS = {
    "5363767": "Column 4 would have made 4 in a row at once.",
    "536376": "It leaves column 4, where the first player makes 4 in a row.",
    "5634365742": "It lets the first player drop on top of it and make 4 in a row.",
    "5135": "It lets the first player play column 4, with two threats at once, in columns 2 and 6.",
    "51357": "Column 4 would have made two threats at once, in columns 2 and 6; only one can be stopped.",
    "667723667173": (
        "It lets the first player play column 4, with two threats at once, one above the other in column 5."
    ),
}


@pytest.mark.parametrize("moves", REASONS)
def test_the_plainest_reason_is_given(moves: str) -> None:
    """Each of these games ends with a blunder, for a reason that can be seen on the board."""
    assert reason_of(moves) == REASONS[moves]


def test_a_threat_that_lasts_is_the_reason_when_nothing_shorter_is() -> None:
    """Nothing happens for thirty discs, but an even row belongs to second; the reason says why."""
    move = last_move("4444431")
    assert move.reason is not None

    assert move.reason.text == (
        "It loses: with best play the first player in the end has to drop beneath column 2, row 4, an even row, where "
        "the second player wins. The other cells are 32, an even number, and the second player is to move: so the "
        "first player has to fill the last of them, just beneath."
    )
    assert move.reason.cells == (Cell(1, 3),)
    assert Game(move.after_position, move.reason.refutation).outcome == Outcome(winner=Side.SECOND)


def test_a_loss_that_is_near_is_the_reason_rather_than_a_win_far_away() -> None:
    """Second had a threat for the end of the game, but loses three discs later."""
    assert reason_of("454416756764") == (
        "It loses: with best play the first player makes 4 in a row at column 5, row 3 on move 17."
    )


@pytest.mark.parametrize("seed", range(3))
def test_the_parity_that_is_told_is_there(seed: int) -> None:
    """Where it is said that the other cells run out on the loser's turn, they do when the line is played."""
    for move in review_game(_random_game(seed)).moves:
        if not move.reason or move.reason.facts.get("why") != "parity":
            continue
        missed = move.reason.kind.startswith("missed")
        position, line = (move.position, move.reason.line) if missed else (move.after_position, move.reason.refutation)
        before = Game(position, line[:-2]).position
        assert before.legal_columns == (line[-1],)
        assert move.reason.facts["cells_left"] == len(line) - 1
        assert (len(line) - 1) % 2 == 0


def test_the_better_line_starts_with_a_best_column_and_ends_as_well() -> None:
    move = last_move("1")
    assert move.reason is not None

    assert move.reason.line[0] == 3
    assert Game(Variant(), move.reason.line).outcome == Outcome(winner=Side.FIRST)


def test_the_scores_of_a_game_follow_from_each_other() -> None:
    """What a move leaves is what the next one finds; blunders are exactly the changes of the result."""
    for seed in range(4):
        review = review_game(_random_game(seed))
        for move, following in zip(review.moves, review.moves[1:], strict=False):
            assert move.after == -following.before
        for move in review.moves:
            assert (move.label is Label.BLUNDER) == (_sign(move.before) != _sign(move.after))


def _random_game(seed: int) -> Game:
    source, game = random.Random(seed), Game()
    while game.outcome is None:
        game.drop(source.choice(game.position.legal_columns))
    return game


def _sign(score: float) -> int:
    return (score > 0) - (score < 0)


def test_the_turning_point_is_the_last_blunder() -> None:
    review = review_game(_random_game(1))
    turn = review.turning_point
    assert turn is not None

    after = [move for move in review.moves if move.number > turn.number]
    assert all(move.label is not Label.BLUNDER for move in after)
    assert str(turn.number) in verdict(review, ENGLISH)[2]


def test_perfect_play_has_no_turning_point_and_full_accuracy() -> None:
    best = review_game(Game(Variant(), parse_moves("444444")))

    assert best.turning_point is None
    assert best.accuracy(Side.FIRST) == best.accuracy(Side.SECOND) == 100
    assert verdict(best, ENGLISH)[2] == "Nobody threw the game away: the first player had the win all along."


def test_accuracy_is_the_mean_of_marks() -> None:
    """A whole point thrown away is 0; where every column is as good, there is no mark."""
    assert reviewed("1").accuracy(Side.FIRST) == 0
    assert reviewed("3").accuracy(Side.FIRST) == 25
    assert reviewed("1").accuracy(Side.SECOND) is None
    assert review_game(Game(Variant(1, 4, 4), (0, 0))).accuracy(Side.FIRST) is None


def test_a_board_too_large_to_solve_is_estimated_and_says_so() -> None:
    variant = Variant(12, 12, 5)
    review = review_game(Game(variant, parse_moves("6,5,7,1,8,1,9,12", variant)), seconds=0.1)
    blunder = review.moves[-1]

    assert not review.exact
    assert blunder.label is Label.BLUNDER
    assert blunder.worth_after.say(ENGLISH) == "loses in 1"  # the engine has proved it
    assert "5 in a row" in (blunder.reason.text if blunder.reason else "")
    assert verdict(review, ENGLISH)[-1].endswith("judged by an estimate, not exactly.")


def test_a_search_without_enough_time_gives_way_to_an_estimate() -> None:
    """The end of an 8x8 game is exact, its beginning is not."""
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

    assert review.moves[-1].label is Label.BLUNDER
    assert review.moves[-1].reason is not None


def test_the_largest_boards_of_the_core_are_reviewed_and_larger_ones_refused() -> None:
    moves = (10, 500, 11, 500, 12, 500)
    assert review_game(Game(Variant(10**9, 10**9, 4), moves), seconds=0.01).moves
    with pytest.raises(UnsupportedVariant, match="up to 1,073,741,824 columns and rows"):
        review_game(Game(Variant(2**31, 5, 4), moves))


def test_a_classic_game_is_reviewed_in_seconds() -> None:
    """Counted as work, which is the same on a busy machine."""
    started = time.process_time()
    review_game(_random_game(1))

    assert time.process_time() - started < 20


def test_a_game_from_a_set_up_board_is_reviewed() -> None:
    start = Position.from_moves("112233")
    review = review_game(Game(start, (6,)))

    assert review.moves[0].number == 7
    assert review.moves[0].label is Label.BLUNDER


def test_a_game_without_moves_is_refused() -> None:
    with pytest.raises(NotationError, match="no moves to review"):
        review_game(Game())


def test_the_graph_rises_for_first_and_marks_blunders() -> None:
    """A win for first is above the middle, and a blunder is a dot where the line lands."""
    lines = draw_graph(reviewed("1"), 60, ENGLISH).splitlines()
    dots = [row for row, line in enumerate(lines) if "●" in line]

    assert len(lines) == ROWS + 1
    assert dots == [7]
    assert lines[0].strip() == "first wins"


def test_the_graph_fits_and_can_do_without_special_characters() -> None:
    review = review_game(_random_game(2))

    assert all(len(line) <= 80 for line in draw_graph(review, 80, ENGLISH).splitlines())
    assert draw_graph(review, 80, ENGLISH, plain=True).isascii()


def test_progress_is_told() -> None:
    told: list[tuple[int, int | None]] = []
    review_game(Game(Variant(), (3, 3)), progress=lambda report: told.append((report.done, report.total)))

    assert told == [(1, 2), (2, 2)]


def test_a_review_is_stopped_by_an_event() -> None:
    """Nothing has to be raised in a callback; a stop that comes while it works is seen as well."""
    stop, told = threading.Event(), []

    def hear(report: Report) -> None:
        told.append(report.done)
        stop.set()

    with pytest.raises(SearchStopped):
        review_game(_random_game(1), stop=stop, progress=hear)
    assert told == [1]


HARD = Game(Variant(9, 9, 4), (4, 4, 3))  # of which no position is solved in a minute


def test_a_search_is_stopped_at_once_and_lets_others_work_meanwhile() -> None:
    """The stop is seen within milliseconds; Python's lock is free while the core searches."""
    stop = threading.Event()
    turns: list[float] = []

    def wait_and_stop() -> None:
        while len(turns) < 30:
            time.sleep(0.01)
            turns.append(time.monotonic())
        stop.set()

    threading.Thread(target=wait_and_stop).start()
    with pytest.raises(SearchStopped):
        review_game(HARD, seconds=60, stop=stop)

    assert len(turns) == 30
    assert time.monotonic() - turns[-1] < 0.5  # on a machine that has much else to do


def test_ctrl_c_ends_a_review() -> None:
    threading.Timer(0.2, signal.raise_signal, [signal.SIGINT]).start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        review_game(HARD, seconds=60)

    assert time.monotonic() - started < 5


def test_what_a_callback_raises_ends_the_review() -> None:
    def fail(_: Report) -> None:
        raise LookupError("told")

    with pytest.raises(LookupError, match="told"):
        review_game(Game(Variant(), (3, 3)), progress=fail)


def test_nobody_is_judged_for_discs_that_were_given() -> None:
    """A bad opening is marked as given; the same discs played by choice are blunders."""
    game = Game(Variant(), parse_moves("1" + "4444"))
    judged, given = review_game(game), review_game(game, given=1)

    assert judged.moves[0].label is Label.BLUNDER
    assert (given.moves[0].label, given.moves[0].reason) == (Label.GIVEN, None)
    assert given.accuracy(Side.FIRST) == 100 > (judged.accuracy(Side.FIRST) or 0)
    assert given.turning_point is None
    assert verdict(given, ENGLISH)[0] == "The first disc was given; nobody is judged for it."


def test_a_proven_result_on_a_large_board_is_called_proven() -> None:
    """The solver cannot take the board on, but the engine sees the win to its end."""
    variant = Variant(12, 12, 4)
    move = last_move("6,1,7,1,8", variant)

    assert not move.exact
    assert move.proven
    assert move.worth_after.say(ENGLISH) == "wins in 2"


def test_the_graph_starts_where_best_play_would_lead() -> None:
    """An empty board is a win for the first player, so the line does not start in the middle."""
    assert reviewed("4").moves[0].advantage_before == reviewed("4").moves[0].advantage > 0
