"""`solve_many` and `solve_each` give the answers of `solve`, in order, for positions of every kind."""

import array
import pickle
import random
import signal
import threading
from collections.abc import Iterator
from itertools import count, islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

import connectk
from connectk import _native
from connectk.errors import (
    BadPosition,
    ColumnFull,
    ConnectkError,
    FloatingDisc,
    ImpossiblePosition,
    NotationError,
    TableTooLarge,
)
from connectk.notation import write_moves
from connectk.rules import CLASSIC, Position, Variant
from connectk.solver import ManyInterrupted, solve, solve_each, solve_many
from connectk.solver.batch_solver import MAX_OPEN_QUESTIONS
from connectk.solver.bitboards import bitboards_of, position_from_bitboards
from connectk.texts import LANGUAGES, load_texts
from tests.solver.plain import plain_score

UNSOLVABLE_POSITION = Position.start(Variant(8, 8, 4))  # no machine finishes this while a test waits
SMALL = [Variant(3, 3, 3), Variant(4, 3, 3), Variant(2, 4, 2), Variant(5, 2, 3), Variant(1, 3, 2)]
KNOWN_SCORES: dict[Position, int] = {}  # scores that plain search has already found on these boards


def random_moves(dice: random.Random, variant: Variant, discs: int) -> list[int]:
    position, moves = Position.start(variant), []
    while position.outcome is None and len(moves) < discs:
        moves.append(dice.choice(position.legal_columns))
        position = position.drop(moves[-1])
    return moves


def late_positions(seed: int, number: int) -> list[Position]:
    dice = random.Random(seed)
    return [Position.from_moves(random_moves(dice, CLASSIC, dice.randint(22, 42))) for _ in range(number)]


@given(st.lists(st.tuples(st.sampled_from(SMALL), st.lists(st.integers(0, 4), max_size=12)), max_size=8))
def test_many_are_solved_like_one_on_boards_of_any_kind(games):
    """`solve_many` gives the answers of plain minimax, in order, for a mix of variants and finished games."""
    positions = []
    for variant, columns in games:
        position = Position.start(variant)
        for column in columns:
            position = position.drop(column) if position.can_drop(column) else position
        positions.append(position)
    answers = solve_many(positions, threads=2)
    assert [found.score for found in answers] == [plain_score(position, KNOWN_SCORES) for position in positions]
    assert [found.source == "rules" for found in answers] == [p.outcome is not None for p in positions]


def test_many_are_solved_like_one():
    """`solve_many` gives the same scores, results, sources and node counts as `solve`, even after other positions."""
    positions = [*late_positions(1, 60), Position.from_moves("4455"), Position.start()]
    for goal in ("score", "result"):
        ones = [solve(position, goal=goal) for position in positions]
        for threads in (1, 3):
            answers = solve_many(positions, goal=goal, threads=threads)
            assert [a[:4] for a in answers] == [(one.lower, one.upper, one.nodes, one.source) for one in ones]
            assert [(a.score, a.result) for a in answers] == [(one.score, one.result) for one in ones]


def test_moves_and_bits_are_positions_too():
    dice = random.Random(2)
    games = [random_moves(dice, CLASSIC, dice.randint(20, 40)) for _ in range(40)]
    positions = [Position.from_moves(moves) for moves in games]
    scores = [found.score for found in solve_many(positions)]
    words = [word for position in positions for word in bitboards_of(position)]
    bits = memoryview(array.array("Q", words)).cast("B").cast("Q", (40, 2))
    assert [found.score for found in solve_many([write_moves(moves) for moves in games])] == scores
    assert [found.score for found in solve_many(bits)] == scores
    assert [
        found.score for found in solve_many(memoryview(array.array("q", words)).cast("B").cast("q", (40, 2)))
    ] == scores


def test_boards_beyond_64_bits_have_two_words_for_each_number():
    variant = Variant(9, 9, 5)
    dice = random.Random(3)
    positions = [Position.from_moves(random_moves(dice, variant, 70), variant) for _ in range(5)]
    words = [half for p in positions for number in bitboards_of(p) for half in (number & (1 << 64) - 1, number >> 64)]
    bits = memoryview(array.array("Q", words)).cast("B").cast("Q", (5, 4))
    assert [f.lower for f in solve_many(bits, variant=variant)] == [f.lower for f in solve_many(positions)]


def test_an_array_of_another_shape_is_refused():
    for shape in ((4,), (2, 2, 1), (1, 4)):
        with pytest.raises(ValueError, match="2 columns"):
            solve_many(memoryview(bytes(32)).cast("Q", shape))
    with pytest.raises(ValueError, match="2 columns"):
        solve_many(b"4455")
    with pytest.raises(TypeError, match="solve"):
        solve_many("4455")


@pytest.mark.parametrize(
    ("bad", "kind", "reason"),
    [
        ("4444444", ColumnFull, "full"),
        ("48", None, "no column 8"),
        ("4y", NotationError, "not a column"),
        (7, NotationError, "not int"),
        (Position.start(Variant(20, 20, 4)), None, "128 bits"),
    ],
)
def test_bad_input_names_its_index_and_loses_nothing(bad, kind, reason):
    with pytest.raises(BadPosition, match=reason) as refused:
        solve_many(["4455", "44", bad, "4"])
    assert refused.value.index == 2
    assert [found.score for found in refused.value.answers] == [18, 1]
    assert kind is None or isinstance(refused.value.__cause__, kind)
    answers = []
    with pytest.raises(BadPosition):
        answers.extend(found.score for found in solve_each(["4455", "44", bad, "4"]))
    assert answers == [18, 1]


@pytest.mark.parametrize(
    ("own", "everyone", "kind"),
    [
        (0, 0b10, FloatingDisc),
        (0b1, 0b0, ImpossiblePosition),
        (0b11, 0b11, ImpossiblePosition),
        (0, 1 << 63, ImpossiblePosition),
        (0, 1 << 6, ImpossiblePosition),
    ],
)
def test_bits_that_no_game_shows_are_refused(own, everyone, kind):
    rows = memoryview(array.array("Q", [0, 0, own, everyone])).cast("B").cast("Q", (2, 2))
    with pytest.raises(BadPosition) as refused:
        solve_many(rows)
    assert refused.value.index == 1
    assert isinstance(refused.value.__cause__, kind)


@given(st.sampled_from(SMALL), st.integers(0, 2**15 - 1), st.integers(0, 2**15 - 1))
def test_the_core_refuses_exactly_what_the_rules_refuse(variant, own, everyone):
    """The core and the rules always agree on whether a game can lead to given bits."""
    pool = _native.SolverPool(1)
    accepted = pool.submit(own, everyone, variant.width, variant.height, variant.run, None, False)
    rows = memoryview(array.array("Q", [own, everyone])).cast("B")
    assert pool.submit_rows(rows, 0, 1, variant.width, variant.height, variant.run, None, False) == accepted
    pool.close()
    try:
        position = position_from_bitboards(own, everyone, variant)
    except ImpossiblePosition:
        assert not accepted
    else:
        assert accepted
        assert bitboards_of(position) == (own, everyone)


def test_a_stream_is_not_read_to_its_end():
    """`solve_each` answers an endless stream of positions after reading only a few more of them."""
    read = count()

    def endless() -> Iterator[str]:
        for _ in read:
            yield "44444"

    answers = solve_each(endless())
    assert [found.score for found in islice(answers, 5)] == [solve(Position.from_moves("44444")).score] * 5
    answers.close()
    assert next(read) <= MAX_OPEN_QUESTIONS + 1000


def test_a_stop_keeps_what_is_known():
    """After a stop, positions that were already solved have their answers. A position whose search would never end has
    bounds."""
    stop = threading.Event()
    quick = late_positions(4, 30)
    reports = []

    def progress(report):
        reports.append(report)
        if report.done == len(quick):
            stop.set()

    answers = solve_many([*quick, UNSOLVABLE_POSITION], threads=2, stop=stop, progress=progress)
    assert len(answers) == 31
    assert all(found.exact for found in answers[:30])
    assert answers[30].score is None
    assert answers[30].lower < answers[30].upper
    assert reports[-1].done == 31 or reports[-1].total == 31


@pytest.mark.parametrize("where", ["while it asks whether to stop", "while it reports"])
def test_ctrl_c_loses_no_answer(where):
    """After Ctrl-C, the error of `solve_many` contains the answers found so far."""
    quick = late_positions(7, 30)
    done = 0

    def progress(report):
        nonlocal done
        done = report.done
        if done == len(quick) and where == "while it reports":
            signal.raise_signal(signal.SIGINT)

    def stop():
        if done == len(quick) and where != "while it reports":
            signal.raise_signal(signal.SIGINT)
        return False

    with pytest.raises(ManyInterrupted) as interrupted:
        solve_many([*quick, UNSOLVABLE_POSITION], threads=2, stop=stop, progress=progress)
    assert [found.score for found in interrupted.value.answers] == [found.score for found in solve_many(quick)]


def test_positions_before_an_error_of_the_generator_are_solved():
    """If a generator raises an error at the third position, the two positions before it are still answered."""

    def reader() -> Iterator[Position]:
        yield from map(Position.from_moves, ["4455", "44", "4444444"])

    with pytest.raises(BadPosition, match="Position 2, counted from 0: Column 4 is full") as refused:
        solve_many(reader())
    assert [found.score for found in refused.value.answers] == [18, 1]


def test_a_bad_position_is_localized():
    bad = BadPosition(2, ColumnFull(3))
    said = [bad.localize(load_texts(language)) for language in LANGUAGES]
    assert len(set(said)) == len(LANGUAGES)
    assert all("2" in text and "4" in text for text in said)
    assert str(pickle.loads(pickle.dumps(bad))) == str(bad) == said[0]


@given(st.lists(st.one_of(st.integers(0, 5), st.text("12345678 ,y", max_size=6)), max_size=12))
def test_the_core_reads_what_python_reads(items):
    """The core and Python give the same answers or refusals for the same texts and positions of two boards."""
    boards = [Position.start(), Position.start(SMALL[0]), *(Position.from_moves("3" * n, SMALL[1]) for n in range(4))]
    mixed = [boards[item] if isinstance(item, int) else item for item in items]
    wanted, bad = [], None
    for index, item in enumerate(mixed):
        try:
            position = item if isinstance(item, Position) else Position.from_moves(item, SMALL[1])
        except ConnectkError as error:
            bad = (index, str(error))
            break
        wanted.append(solve(position).score)
    try:
        answers, refused = solve_many(mixed, variant=SMALL[1]), None
    except BadPosition as error:
        answers, refused = error.answers, (error.index, str(error.reason))
    assert ([found.score for found in answers], refused) == (wanted, bad)


def test_progress_ends_with_everything_done():
    reports = []
    solve_many(late_positions(5, 20), progress=reports.append)
    assert (reports[-1].done, reports[-1].total) == (20, 20)


def test_wrong_options_are_refused():
    with pytest.raises(ValueError, match="thread"):
        solve_many([], threads=0)
    with pytest.raises(ValueError, match="goal"):
        solve_many([], goal="best")
    with pytest.raises(TableTooLarge, match="2 tables"):
        solve_many([], threads=2, table_mb=99_999_999)


def test_none_at_all():
    assert solve_many([]) == []


def test_several_threads_may_solve_many_at_once():
    positions = late_positions(6, 40)
    wanted = [found.score for found in solve_many(positions)]
    got: list[list[int | None]] = []
    threads = [
        threading.Thread(target=lambda: got.append([found.score for found in solve_many(positions, threads=2)]))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == [wanted] * 4


def test_the_names_at_the_top():
    assert connectk.solve_many is solve_many
    assert connectk.solve_each is solve_each
