"""`solve` and `score_columns` are exact on our own position sets, can be stopped, and report what they do not know."""

import pickle
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import connectk
from connectk.errors import ConnectkError, SearchStopped, TableTooLarge, UnsupportedVariant
from connectk.notation import parse_diagram
from connectk.rules import Position, Variant
from connectk.solver import SearchInterrupted, Solver, score_columns, solve
from connectk.solver.solution import plies_to_end
from connectk.solver.worth import Worth
from connectk.texts import load_texts
from tests.solver.plain import plain_score

SETS = sorted((Path(__file__).parent.parent / "data" / "solver").glob("*.txt"))
TINY_BOARDS = [
    Variant(3, 3, 3),
    Variant(4, 3, 3),
    Variant(2, 4, 2),
    Variant(4, 2, 3),
    Variant(1, 3, 2),
    Variant(3, 3, 1),
]
UNSOLVABLE_POSITION = Position.start(Variant(8, 8, 4))  # no machine finishes this while a test waits


def positions_of(file: Path) -> list[tuple[Position, int]]:
    variant = Variant.parse(file.stem)
    lines = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
    return [(Position.from_moves(moves, variant), int(score)) for moves, score in lines]


@pytest.mark.parametrize("file", SETS, ids=lambda file: file.stem)
def test_our_own_positions(file):
    """The stored positions on many boards, each checked by another solver when it was made, get the stored scores."""
    solver = Solver(Variant.parse(file.stem))
    for position, score in positions_of(file):
        assert solver.find(position).lower == score
        assert solver.find(position, goal="result").lower == (score > 0) - (score < 0)


def test_there_are_position_sets():
    assert {"7x6x4", "5x5x4", "9x9x5", "12x8x6"} <= {file.stem for file in SETS}


def test_a_solution_tells_everything():
    """A solution has score, result, line and best columns. Here a double threat on the bottom row wins with two
    drops."""
    solution = solve(Position.from_moves("4455"))
    assert (solution.score, solution.result, solution.plies) == (18, "win", 3)
    assert solution.best_columns == (2, 5)
    assert (solution.lower, solution.upper, solution.source) == (18, 18, "book")


def test_a_position_may_be_text():
    """A position may be a text: moves, or a board as every command prints it, on the classic board or another."""
    small = Variant(6, 5, 4)
    assert solve("4455").score == solve(Position.from_moves("4455")).score
    assert solve("4xo.5x").position == Position.from_moves("445")
    assert solve("3344", variant=small).position == Position.from_moves("3344", small)
    assert score_columns("44") == score_columns(Position.from_moves("44"))
    with pytest.raises(ConnectkError):
        solve("4444444")


@pytest.mark.parametrize("book", [True, False])
def test_the_line_is_played_to_the_end(book):
    """Every disc of the line keeps the score, and the line ends at the ply that the score implies."""
    dice = random.Random(4)
    for position, _ in dice.sample(positions_of(SETS[[f.stem for f in SETS].index("7x6x4")])[48:], 12):
        solution = solve(position, book=book)
        assert len(solution.line) == solution.plies
        assert solution.line[0] in solution.best_columns
        end = position
        for column in solution.line:
            end = end.drop(column)
        winner = None if solution.score == 0 else position.side_to_move
        if solution.score < 0:
            winner = position.side_to_move.other
        assert end.outcome.winner is winner


def test_best_columns_are_those_with_the_best_score():
    dice = random.Random(5)
    for position, _ in dice.sample(positions_of(SETS[[f.stem for f in SETS].index("7x6x4")])[96:], 12):
        columns = score_columns(position)
        best = max(score for score in columns if score is not None)
        solution = solve(position)
        assert solution.score == best
        assert solution.best_columns == tuple(c for c, score in enumerate(columns) if score == best)


def test_scores_agree_on_both_sides_of_the_book_s_edge():
    """Around 12 discs, where answers come from the book or from a search, both agree with a solver without a book."""
    positions = positions_of(SETS[[f.stem for f in SETS].index("7x6x4")])
    edge = [position for position, _ in positions if position.ply in (11, 12, 13, 14)][::5]
    with_book, without = Solver(), Solver(book=False)
    for position in edge:
        ours, plain = with_book.solve(position), without.solve(position)
        assert (ours.score, ours.best_columns, len(ours.line)) == (plain.score, plain.best_columns, len(plain.line))
        assert with_book.score_columns(position) == without.score_columns(position)


def test_best_columns_and_line_are_found_when_asked_for(monkeypatch):
    """Best columns and line are computed on first use, each by one more search, whose nodes are then included."""
    asked = []
    drops = Solver.drops
    monkeypatch.setattr(Solver, "drops", lambda self, what, *rest: asked.append(what) or drops(self, what, *rest))
    solution = solve(Position.from_moves("44455555334567"), book=False)
    assert (asked, solution.score) == ([], solve(Position.from_moves("44455555334567")).score)
    nodes, seconds = solution.nodes, solution.seconds
    assert solution.best_columns == solution.best_columns
    assert len(solution.line) == len(solution.line) == solution.plies
    assert asked == ["best_columns", "line"]
    assert solution.nodes > nodes > 0
    assert solution.seconds > seconds > 0


def test_a_later_solve_leaves_earlier_solutions_right():
    """Earlier solutions stay right after a later `solve`, although all solutions of a thread share one solver."""
    positions = [position for position, _ in positions_of(SETS[[f.stem for f in SETS].index("7x6x4")])[48:56]]
    solutions = [solve(position, book=False) for position in positions]
    for solution in solutions:
        columns = score_columns(solution.position)
        assert solution.best_columns == tuple(c for c, score in enumerate(columns) if score == solution.score)
        assert len(solution.line) == solution.plies


def test_a_large_table_goes_with_its_solution(monkeypatch):
    """A solver with a large table is not kept for the next question, so that at most one such table exists."""
    monkeypatch.setattr("connectk.solver.MAX_CACHED_TABLE_BYTES", 0)
    first, second = (solve(Position.from_moves("12345671"), book=False) for _ in range(2))
    assert first._solver is not second._solver
    assert first._solver.table_bytes < second._solver.table_bytes
    assert first.line == second.line


def test_a_solution_survives_a_pickle():
    solution = solve(Position.from_moves("4455"))
    assert solution.best_columns == (2, 5)
    again = pickle.loads(pickle.dumps(solution))
    assert (again.score, again.best_columns, again.line) == (18, (2, 5), solution.line)


def test_what_is_known_of_each_column():
    """`find_columns` returns the score and the work of each column, `score_columns` only the scores."""
    position = Position.from_moves("44455555334567")
    solver = Solver(book=False)
    columns = solver.find_columns(position)
    solver.clear_table()
    assert tuple(found and found.lower for found in columns) == solver.score_columns(position)
    assert sum(found.nodes for found in columns if found) > 0
    assert columns[0] is not None
    assert (columns[0].source, columns[4]) == ("search", None)


def test_score_columns_of_the_empty_board():
    assert connectk.score_columns(Position.start()) == (-2, -1, 0, 1, 0, -1, -2)


def test_a_full_column_has_no_score():
    position = Position.from_moves("444444")
    assert score_columns(position)[3] is None
    assert all(score is not None for c, score in enumerate(score_columns(position)) if c != 3)


def test_the_result_alone():
    """With the goal "result", there is no score unless the game is a draw, and every column that keeps the result is
    best."""
    solution = solve(Position.from_moves("4455"), goal="result")
    assert (solution.score, solution.result, solution.plies) == (None, "win", None)
    assert solution.best_columns == (2, 3, 4, 5)
    assert score_columns(Position.from_moves("4455"), goal="result") == (-1, -1, 1, 1, 1, 1, -1)


def test_a_lost_position_keeps_every_column_when_only_the_result_counts():
    solution = solve(Position.from_moves("44455555").drop(2), goal="result")
    assert solution.result == "loss"
    assert solution.best_columns == tuple(solution.position.legal_columns)


def test_a_finished_game_has_the_score_of_its_end():
    """A game that the other side has won with the seventh disc has the score of that loss and no column."""
    over = Position.from_moves("1212121")
    solution = solve(over)
    assert (solution.score, solution.result, solution.plies) == (-18, "loss", 0)
    assert (solution.best_columns, solution.line, solution.source) == ((), (), "rules")
    assert score_columns(over) == (None,) * 7


def test_a_full_board_is_a_draw():
    drawn = Position.from_moves([0, 1, 0, 1, 1, 0, 1, 0], Variant(2, 4, 4))
    assert (solve(drawn).score, solve(drawn).plies) == (0, 0)


@pytest.mark.parametrize("variant", [Variant(1, 1, 1), Variant(7, 6, 1), Variant(3, 3, 3), Variant(4, 4, 2)], ids=str)
def test_small_boards_from_the_start(variant):
    start = Position.start(variant)
    solution = solve(start)
    assert solution.score == plain_score(start)
    assert len(solution.line) == solution.plies


def test_set_up_boards_that_play_cannot_reach_are_solved_by_search():
    position = parse_diagram(
        """
        . . . .
        . . . .
        x x o x
        o o x o
        """,
        Variant(4, 4, 3),
    )
    if position.outcome is None:
        assert solve(position).score == plain_score(position)


def test_a_board_beyond_128_bits_is_refused():
    with pytest.raises(UnsupportedVariant, match="128 bits"):
        solve(Position.start(Variant(20, 20, 4)))


def test_wrong_questions_are_refused():
    with pytest.raises(ValueError, match="goal"):
        solve(Position.start(), goal="win")
    with pytest.raises(ValueError, match="thread"):
        solve(Position.start(), threads=0)
    for nonsense in (0, -1, float("nan"), float("inf")):
        with pytest.raises(ValueError, match="memory"):
            solve(Position.start(), table_mb=nonsense)
    with pytest.raises(ValueError, match="for 7x6x4"):
        Solver().find(Position.start(Variant(5, 5, 4)))


def test_a_table_larger_than_the_machine_is_refused():
    with pytest.raises(TableTooLarge, match="this machine can give") as refused:
        solve(Position.start(), table_mb=99_999_999)
    assert 0 < refused.value.max_mb < 99_999_999


@pytest.mark.skipif(sys.platform != "linux", reason="limits are set in Linux's way")
def test_a_process_s_own_limit_counts():
    """A process limited to 3 GB of address space has less than 3 GB available, even if the machine has more."""
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30));"
        "from connectk import _native; print(_native.available_memory())"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert 0 < int(done.stdout) < 3 << 30


@pytest.mark.parametrize("kind", ["event", "callable"])
def test_a_stopped_search_returns_its_bounds(kind):
    event = threading.Event()
    timer = threading.Timer(0.2, event.set)
    timer.start()
    solution = solve(UNSOLVABLE_POSITION, stop=event if kind == "event" else event.is_set, table_mb=16)
    late = solution.seconds - 0.2
    assert late < 5  # 50 ms on a quiet machine; test machines are not quiet
    assert solution.score is None
    assert solution.lower < solution.upper
    assert (solution.best_columns, solution.line) == ((), ())


def test_stopping_the_scores_of_columns_says_what_was_known():
    event = threading.Event()
    threading.Timer(0.2, event.set).start()
    with pytest.raises(SearchStopped) as stopped:
        score_columns(UNSOLVABLE_POSITION, stop=event, table_mb=16)
    assert len(stopped.value.bounds) == 8


def test_ctrl_c_ends_a_search_with_the_bounds_it_knows():
    """Ctrl-C ends a search with its current bounds. The test sends it at the first progress report, not after a fixed
    time."""
    with pytest.raises(SearchInterrupted) as interrupted:
        solve(UNSOLVABLE_POSITION, table_mb=16, progress=lambda _: signal.raise_signal(signal.SIGINT))
    assert interrupted.value.solution.lower < interrupted.value.solution.upper


def test_progress_is_reported():
    """A long search reports bounds, nodes and depth repeatedly, and the number of nodes never decreases."""
    event = threading.Event()
    reports = []

    def listen(report):
        reports.append(report)
        if len(reports) == 3:
            event.set()

    solve(UNSOLVABLE_POSITION, stop=event, progress=listen, table_mb=16)
    assert len(reports) >= 3
    assert [r.nodes for r in reports] == sorted(r.nodes for r in reports)
    assert all(r.lower <= r.upper and 0 <= r.depth <= 64 for r in reports)


def test_a_callback_that_fails_ends_the_search():
    def fail(report):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        solve(UNSOLVABLE_POSITION, progress=fail, table_mb=16)


def test_other_threads_run_while_a_search_does():
    """The core releases Python's lock during a search, so another thread can count and then stop the search."""
    enough, over, ticks = 10, threading.Event(), []

    def tick():
        while not over.wait(0.001):
            ticks.append(time.monotonic())

    ticker = threading.Thread(target=tick)
    ticker.start()
    solution = solve(UNSOLVABLE_POSITION, stop=lambda: len(ticks) > enough, table_mb=16)
    over.set()
    ticker.join()
    assert len(ticks) > enough
    assert solution.score is None


def test_several_threads_may_ask_one_solver():
    solver = Solver(Variant(5, 5, 4))
    with ThreadPoolExecutor(4) as pool:
        positions = [position for position, _ in positions_of(SETS[[f.stem for f in SETS].index("5x5x4")])]
        scores = list(pool.map(lambda position: solver.find(position).lower, positions))
    assert scores == [plain_score(position) for position in positions]


def test_several_threads_may_solve_at_once():
    """Several threads may solve at once with their own solvers, and may use a solution of another thread."""
    positions = [position for position, _ in positions_of(SETS[[f.stem for f in SETS].index("7x6x4")])[48:60]] * 3
    with ThreadPoolExecutor(4) as pool:
        solutions = list(pool.map(lambda position: solve(position, book=False), positions))
        lines = list(pool.map(lambda solution: solution.line, reversed(solutions)))
    assert [solution.score for solution in solutions] == [solve(position).score for position in positions]
    assert [len(line) for line in reversed(lines)] == [solution.plies for solution in solutions]


@given(st.sampled_from(TINY_BOARDS), st.lists(st.integers(0, 3), max_size=10), st.sampled_from(["score", "result"]))
def test_all_that_is_told_of_a_position_agrees(variant, columns, goal):
    """On every kind of small board, score, columns, best columns and line agree with plain minimax."""
    position = Position.start(variant)
    for column in columns:
        position = position.drop(column) if position.can_drop(column) else position
    solution, plain = solve(position, goal=goal), plain_score(position)
    assert solution.lower == solution.upper == (plain if goal == "score" else (plain > 0) - (plain < 0))
    scores = score_columns(position, goal=goal)
    best = tuple(c for c, score in enumerate(scores) if score is not None and score == solution.lower)
    assert solution.best_columns == best
    end = position
    for column in solution.line:
        assert column in solve(end, goal=goal).best_columns
        end = end.drop(column)
    assert end.outcome is not None
    assert goal == "result" or len(solution.line) == solution.plies


def test_plies_to_the_end():
    """A score and the current ply give the number of plies to the end."""
    classic = Variant()
    assert plies_to_end(classic, 0, 1) == 41
    assert plies_to_end(classic, 1, -1) == 40
    assert plies_to_end(classic, 0, 0) == 42
    assert plies_to_end(classic, 41, 0) == 1
    assert plies_to_end(Variant(5, 5, 4), 0, 1) == 25


def test_scores_in_words():
    """The worth of a score is a sentence in every language."""
    classic, english = Variant(), load_texts("en")
    assert Worth.of(18, classic, 4).say(english) == "wins in 2"
    assert Worth.of(21, classic, 0).say(english) == "wins in 1"
    assert Worth.of(-17, classic, 4).say(english) == "loses in 3"
    assert Worth.of(0, classic, 4).say(english) == "draw"
    assert Worth.of(18, classic, 4).say(load_texts("sv")) == "vinner på 2 drag"


def test_names_at_the_top_are_the_solver_s():
    assert connectk.solve is solve
    assert connectk.Solution is type(solve(Position.start()))
