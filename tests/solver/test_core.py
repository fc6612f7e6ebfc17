"""Compares every search path of the solver's core with plain minimax, with published values and with each other."""

import json
import random
import threading
import time
from itertools import count
from pathlib import Path

import pytest

from connectk import _native
from connectk.rules import Position, Variant
from connectk.solver.bitboards import bitboards_of
from connectk.solver.book import shipped_book
from tests.solver.plain import plain_score

DATA = Path(__file__).parent.parent / "data"
EMPTY_BOARDS = json.loads((DATA / "empty_boards.json").read_text(encoding="utf-8"))
PATHS = ["automatic", "one_word", "wide_word"]
TINY_TABLE_BYTES, LARGE_TABLE_BYTES = 16 << 10, 64 << 20


def core_for(variant: Variant, **options) -> _native.Solver:
    return _native.Solver(variant.width, variant.height, variant.run, **options)


def score_of(core: _native.Solver, position: Position, **options) -> int:
    found = core.solve(*bitboards_of(position), **options)
    assert found.exact
    return found.lower


def random_position(dice: random.Random, variant: Variant, discs: int) -> Position:
    """An open position after this many random drops, or a few fewer if games end sooner."""
    for attempt in count():
        if attempt % 20 == 19:
            discs -= 1
        position = Position.start(variant)
        while position.ply < discs and position.outcome is None:
            position = position.drop(dice.choice(position.legal_columns))
        if position.outcome is None:
            return position
    raise AssertionError


def all_positions(variant: Variant) -> list[Position]:
    seen, waiting = set(), [Position.start(variant)]
    while waiting:
        position = waiting.pop()
        if position not in seen:
            seen.add(position)
            waiting += [position.drop(column) for column in position.legal_columns]
    return list(seen)


SMALL = [
    Variant(width, height, run)
    for width in range(1, 5)
    for height in range(1, 5)
    for run in range(1, max(width, height) + 1)
    if width * height <= 8
]


@pytest.mark.parametrize("path", PATHS)
def test_every_position_of_every_small_board(path):
    """On every small board, the core's score of every position is that of minimax over the rules.

    tests/native also has runs that are too long for their boards.
    """
    for variant in SMALL:
        core, known = core_for(variant, path=path), {}
        for position in all_positions(variant):
            assert score_of(core, position) == plain_score(position, known), position


@pytest.mark.deep
@pytest.mark.parametrize("variant", [Variant(4, 4, 3), Variant(5, 3, 3), Variant(3, 5, 3), Variant(4, 4, 4)], ids=str)
@pytest.mark.parametrize("path", PATHS)
def test_whole_boards_of_middling_size(variant, path):
    core, known = core_for(variant, path=path), {}
    for position in all_positions(variant):
        assert score_of(core, position) == plain_score(position, known), position


@pytest.mark.parametrize("table_bytes", [0, TINY_TABLE_BYTES, LARGE_TABLE_BYTES])
@pytest.mark.parametrize("path", PATHS)
def test_random_positions_of_random_boards(path, table_bytes):
    """Random late positions on boards of many shapes have the score of plain minimax."""
    dice = random.Random(len(path) + table_bytes)
    for _ in range(12):
        variant = Variant(dice.randint(5, 7), dice.randint(2, 6), dice.randint(4, 5))
        position = random_position(dice, variant, max(0, variant.cells - dice.randint(5, 8)))
        core = core_for(variant, path=path, table_bytes=table_bytes)
        assert score_of(core, position) == plain_score(position), position
        assert score_of(core, position, threads=2) == plain_score(position), position


@pytest.mark.parametrize("variant", [Variant(7, 6, 4), Variant(7, 5, 4), Variant(6, 7, 4), Variant(9, 9, 5)], ids=str)
def test_a_position_and_its_children_agree(variant):
    """A position has the score of its best child, and its mirror image has the same score."""
    dice = random.Random(variant.cells)
    core = core_for(variant)
    for _ in range(5):
        position = random_position(dice, variant, variant.cells - 16)
        columns = core.score_columns(*bitboards_of(position))
        score = score_of(core, position)
        assert score == max(column.lower for column in columns if column is not None)
        assert score == score_of(core, position.mirrored())
        for column, bounds in enumerate(columns):
            assert (bounds is None) == (column not in position.legal_columns)


@pytest.mark.parametrize("board", [name for name, fact in EMPTY_BOARDS.items() if fact["fast"]])
def test_empty_boards(board):
    """Empty boards have the published winner and last disc: for run 4 by John Tromp and Christophe Steininger, for run
    3 by an independent program."""
    check_empty_board(board)


@pytest.mark.deep
@pytest.mark.parametrize("board", [name for name, fact in EMPTY_BOARDS.items() if not fact["fast"]])
def test_larger_empty_boards(board):
    check_empty_board(board)


def check_empty_board(board: str) -> None:
    variant, fact = Variant.parse(board), EMPTY_BOARDS[board]
    sign = {"first": 1, "second": -1, "draw": 0}[fact["value"]]
    score = sign * ((variant.cells + 2 - fact["last_ply"]) // 2)
    assert score_of(core_for(variant), Position.start(variant)) == score


def test_a_window_is_closed_only_as_far_as_asked():
    position = random_position(random.Random(7), Variant(7, 6, 4), 20)
    core = core_for(position.variant)
    score = score_of(core, position)
    for alpha in range(-3, 3):
        found = core.solve_window(*bitboards_of(position), alpha, alpha + 2)
        assert found.lower <= score <= found.upper
        assert found.lower >= alpha + 2 or found.upper <= alpha or found.exact


def test_what_the_core_cannot_be_asked_is_refused():
    """The core refuses unreachable boards, too many bits, an empty window, the book of another board, and zero
    threads."""
    core = core_for(Variant(7, 6, 4))
    with pytest.raises(ValueError, match="no game"):
        core.solve(0, 0b10)
    with pytest.raises(ValueError, match="128 bits"):
        bitboards_of(Position.start(Variant(20, 20, 4)))
    with pytest.raises(ValueError, match="window"):
        core.solve_window(0, 0, 1, 1)
    with pytest.raises(ValueError, match="another board"):
        core_for(Variant(6, 6, 4), book=shipped_book(Variant(7, 6, 4)).native)
    with pytest.raises(ValueError, match="thread"):
        _native.SolverPool(0)


def test_a_stopped_search_returns_its_bounds():
    """A search of the empty 8x8 board, stopped after it has begun, returns its bounds."""
    core, stop, progress = core_for(Variant(8, 8, 4)), _native.StopFlag(), _native.Progress()

    def stop_once_begun() -> None:
        while not progress.nodes:
            time.sleep(0.001)
        stop.set()

    waiter = threading.Thread(target=stop_once_begun)
    waiter.start()
    found = core.solve(0, 0, threads=2, stop=stop, progress=progress)
    waiter.join()
    assert found.lower < found.upper
    assert progress.nodes > 0
    assert (progress.lower, progress.upper) == (found.lower, found.upper)


def test_a_limit_on_nodes_is_kept():
    found = core_for(Variant(8, 8, 4)).solve(0, 0, max_nodes=100_000)
    assert 100_000 <= found.nodes < 102_000


def test_one_thread_always_searches_the_same_tree():
    """One thread always searches the same tree. A change that should not change the search must keep these node
    counts."""
    assert [nodes_of(variant, moves) for variant, moves in EXPECTED_NODES] == list(EXPECTED_NODES.values())


def nodes_of(board: str, moves: str) -> int:
    variant = Variant.parse(board)
    return core_for(variant).solve(*bitboards_of(Position.from_moves(moves, variant))).nodes


EXPECTED_NODES = {
    ("7x6x4", "51521624"): 553030,
    ("7x6x4", "3277427712"): 171427,
    ("7x6x4", "2272332566"): 211346,
    ("7x6x4", "226243134223"): 2472,
    ("7x6x4", "133755156631"): 75979,
    ("7x6x4", "716266342611554"): 3711,
    ("7x6x4", "343344214752647"): 9289,
    ("7x5x4", "321435"): 55357,
    ("6x7x4", "553136561"): 242905,
    ("8x7x4", "1326384178672446167572"): 18715,
    ("9x9x5", "458251758533898693791245221672781224235833373251"): 83471,
}


ONE_WORD = [Variant(64 // (height + 1), height, 4) for height in range(2, 10)]
ONE_WORD += [Variant(64 // (height + 1), height, 5) for height in range(5, 9)]
TWO_WORDS = [Variant(10, height, 5) for height in range(6, 10)]


@pytest.mark.parametrize("variant", ONE_WORD + TWO_WORDS, ids=str)
def test_sizes_known_when_compiling_change_no_tree(variant):
    """A search compiled for one height and run, or with vectors, finds the same score with the same nodes as the
    general search."""
    dice, other = random.Random(variant.height), "one_word" if variant in ONE_WORD else "wide_word"
    for _ in range(20):
        position = bitboards_of(random_position(dice, variant, max(0, variant.cells - 20)))
        quick, general = (core_for(variant, path=path).solve(*position) for path in ("automatic", other))
        assert (quick.lower, quick.nodes) == (general.lower, general.nodes)


def test_a_table_grows_and_can_be_forgotten():
    core = core_for(Variant(7, 6, 4))
    small = core.table_bytes
    core.solve(*bitboards_of(random_position(random.Random(1), Variant(7, 6, 4), 12)))
    assert core.table_bytes > small
    core.clear_table()
    assert core.table_bytes == small


@pytest.mark.parametrize("shape", [(0, 6, 4), (7, 0, 4), (7, 6, 0), (12, 12, 4), (65, 1, 4), (1, 128, 4)])
def test_boards_beyond_the_core(shape):
    assert not _native.solver_supports(*shape)
    with pytest.raises(ValueError, match="cannot be solved"):
        _native.Solver(*shape)


@pytest.mark.parametrize("discs", [0, 1, 62, 63, 64, 65, 126, 127])
def test_a_column_of_any_height_comes_across_whole(discs):
    """A position with a single very high column, whose bits fill several machine words, reaches the core unchanged."""
    position = Position.from_moves(",".join(["1"] * discs), Variant(1, 127, 4))
    firsts = sum(1 << row for row in range(0, discs, 2))
    everyone = (1 << discs) - 1
    assert bitboards_of(position) == (firsts if discs % 2 == 0 else everyone ^ firsts, everyone)


def test_boards_at_the_edge_of_the_core():
    for shape in [(64, 1, 4), (1, 127, 4), (11, 10, 4), (16, 7, 9)]:
        assert _native.solver_supports(*shape)
        _native.Solver(*shape).solve(0, 0, max_nodes=2000)
