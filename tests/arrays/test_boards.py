"""Compares games that the core plays side by side with the rules in Python, for each of the core's ways to store a
board."""

import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from connectk.arrays import DRAW, OPEN, Boards
from connectk.errors import BadPosition, ColumnFull, ColumnOutOfRange, ConnectkError, GameAlreadyOver, IllegalDropInGame
from connectk.rules import CLASSIC, Game, Outcome, Position, Side, Variant
from connectk.solver import solve_many
from tests.strategies import games, variants

# One word, two words (9x7x5 is known when compiling), a bit for each cell, discs only.
SIZES = ["7x6x4", "8x7x4", "9x7x5", "10x10x4", "20x20x5", "3x70x3", "400x300x5", "1000000000x1000000000x4"]


def boards_of(played: list[Game]) -> Boards:
    return Boards.from_moves([game.moves for game in played], played[0].variant, keep_moves=True)


def number_of(outcome: Outcome | None) -> int:
    return OPEN if outcome is None else DRAW if outcome.winner is None else outcome.winner.value


def planes_of(position: Position) -> np.ndarray:
    variant = position.variant
    planes = np.zeros((2, variant.height, variant.width), np.uint8)
    for (column, row), side in position.discs():
        planes[int(side is not position.side_to_move), row, column] = 1
    return planes


@st.composite
def several_games(draw: st.DrawFn, most: int = 12) -> list[Game]:
    """Some games of one variant. On a large board, their drops stay in the left corner, so that lines occur."""
    variant = draw(st.one_of(variants(most), st.sampled_from(SIZES[:6]).map(Variant.parse)))
    return draw(st.lists(games(st.just(variant)), min_size=1, max_size=5))


@given(several_games())
@example([Game(CLASSIC, [0, 1, 0, 1, 0, 1, 0]), Game(CLASSIC, [3])])
def test_games_are_those_of_the_rules(played: list[Game]):
    """After the same drops, every property of the core's games equals that of the rules in Python."""
    boards = boards_of(played)
    positions = [game.position for game in played]

    assert boards.positions() == positions
    assert boards.outcome.tolist() == [number_of(position.outcome) for position in positions]
    assert boards.ply.tolist() == [position.ply for position in positions]
    assert boards.side_to_move.tolist() == [position.side_to_move.value for position in positions]
    assert [tuple(np.flatnonzero(row)) for row in boards.legal] == [position.legal_columns for position in positions]
    assert boards.moves == [game.moves for game in played]


@given(several_games())
def test_planes_show_the_discs_of_the_side_to_move_first(played: list[Game]):
    boards = boards_of(played)
    expected = np.stack([planes_of(game.position) for game in played])

    assert np.array_equal(boards.planes(), expected)
    assert boards.planes().dtype == np.uint8
    out = np.full(expected.shape, 7, np.float32)
    assert boards.planes(out) is out
    assert np.array_equal(out, expected)
    assert boards.planes(dtype="float32").dtype == np.float32


@given(several_games(), st.data())
def test_a_refused_drop_names_its_game_and_changes_nothing(played: list[Game], data: st.DataObject):
    """If one of the games refuses its drop, no game changes, and the error names the game and the reason."""
    boards, variant = boards_of(played), played[0].variant
    columns = [data.draw(st.integers(-1, variant.width)) for _ in played]
    expected, refusal = [], None
    for index, (game, column) in enumerate(zip(played, columns, strict=True)):
        try:
            expected.append(game.position.drop(column))
        except ConnectkError as error:
            refusal = refusal or (index, type(error), str(error))
    if refusal is None:
        boards.drop(columns)
        assert boards.positions() == expected
        return
    with pytest.raises(IllegalDropInGame) as refused:
        boards.drop(columns)
    assert (refused.value.index, type(refused.value.reason), str(refused.value.reason)) == refusal
    assert boards.positions() == [game.position for game in played]
    assert boards.outcome.tolist() == [number_of(game.outcome) for game in played]
    assert boards.moves == [game.moves for game in played]


@pytest.mark.parametrize("size", SIZES)
def test_a_refusal_takes_all_discs_back_that_had_fallen(size: str):
    """If a drop is refused, all other discs of the call are taken back, even winning ones and those of other
    threads."""
    variant = Variant.parse(size)
    run = [column for _ in range(variant.run) for column in (0, 1)][:-1] if variant.height >= variant.run else [0, 1]
    boards = Boards.from_moves([run[:-1]] * 5000, variant, threads=2)
    before = boards.copy()
    columns = np.full(5000, run[-1])
    columns[[4321, 4999]] = variant.width

    with pytest.raises(IllegalDropInGame) as refused:
        boards.drop(columns)

    assert refused.value.index == 4321
    assert isinstance(refused.value.reason, ColumnOutOfRange)
    assert all(boards[game] == before[game] for game in (0, 4320, 4321, 4998, 4999))
    assert np.array_equal(boards.ply, before.ply)
    assert set(boards.outcome.tolist()) == {OPEN}
    boards.drop(np.full(5000, run[-1]))
    assert boards[4999] == Position.from_moves(run, variant)


def test_the_sentence_counts_games_and_columns_as_the_arrays_do():
    """The message of a refused drop counts games and columns from 0, as the arrays of the caller do."""
    with pytest.raises(IllegalDropInGame, match=r"^Game 1: there is no column 8; the columns are 0 to 6\."):
        Boards(count=2).drop([0, 8])
    with pytest.raises(IllegalDropInGame, match=r"^Game 0, counted from 0, is already over\.$"):
        Boards.from_moves(["1212121"]).drop([0])
    error = IllegalDropInGame(1, ColumnFull(3))
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert str(error) == "Game 1: column 3 is full. (Both are counted from 0.)"
    with pytest.raises(BadPosition, match=r"^Position 1, counted from 0: "):
        solve_many(["4", "44444444"])


def test_a_game_that_is_over_takes_no_disc():
    boards = Boards.from_moves(["1212121", "12"])
    with pytest.raises(IllegalDropInGame) as refused:
        boards.drop([3, 3])
    assert isinstance(refused.value.reason, GameAlreadyOver)
    assert refused.value.reason.outcome == Outcome(Side.FIRST)
    boards.drop([3], which=[1])
    boards.drop([4], which=[False, True])
    assert boards.ply.tolist() == [7, 4]


@given(several_games(), st.data())
def test_games_are_copied_chosen_and_begun_again(played: list[Game], data: st.DataObject):
    boards = boards_of(played)
    which = data.draw(st.lists(st.integers(0, len(played) - 1), max_size=6))
    chosen, copy = boards.select(which), boards.copy()
    boards.reset(which)

    assert chosen.positions() == [played[game].position for game in which]
    assert chosen.moves == [played[game].moves for game in which]
    assert copy.positions() == [game.position for game in played]
    start = Position.start(played[0].variant)
    assert boards.positions() == [start if i in which else game.position for i, game in enumerate(played)]
    mask = np.isin(np.arange(len(played)), which)
    assert copy.select(mask).positions() == [game.position for i, game in enumerate(played) if i in which]
    copy.reset()
    assert copy.positions() == [start] * len(played)


@given(several_games())
def test_positions_and_bits_lead_back_to_the_same_games(played: list[Game]):
    boards = boards_of(played)
    from_positions, from_bits = Boards.from_positions(boards), Boards.from_bits(boards.bits, boards.variant)
    for again in (from_positions, from_bits):
        assert again.positions() == boards.positions()
        assert np.array_equal(again.outcome, boards.outcome)
        assert np.array_equal(again.bits, boards.bits)


@given(variants(5), st.data())
def test_bits_are_refused_exactly_where_the_rules_refuse_them(variant: Variant, data: st.DataObject):
    """The core refuses floating discs, wrong numbers of discs, discs beside the board and two winners, as the rules in
    Python do."""
    from connectk.solver.bitboards import position_from_bitboards

    bits = variant.width * (variant.height + 1)
    own, everyone = data.draw(st.integers(0, 2**bits - 1)), data.draw(st.integers(0, 2**bits - 1))
    own &= data.draw(st.sampled_from([everyone, 2**64 - 1]))
    row = np.array([[own, everyone]], np.uint64)

    def by_the_rules() -> object:
        try:
            return [position_from_bitboards(own, everyone, variant)]
        except ConnectkError as error:
            return str(error)

    def by_the_core() -> object:
        try:
            return Boards.from_bits(row, variant).positions()
        except BadPosition as error:
            return str(error.reason) if error.index == 0 else error

    assert by_the_core() == by_the_rules()


def test_bits_are_what_the_solver_takes():
    boards = Boards(count=50)
    for seed in range(6):
        boards.drop(boards.random_columns(seed))
    positions = solve_many(boards.positions(), threads=1)
    assert [found.score for found in solve_many(boards.bits, threads=1)] == [found.score for found in positions]


@pytest.mark.parametrize("size", SIZES[:-1])
def test_random_games_are_legal_and_over(size: str):
    """The rules in Python accept every drop of the core's random games and end each game in the same way. All games
    differ."""
    variant = Variant.parse(size)
    boards = Boards(variant, 6, keep_moves=True)
    boards.play_out(1)
    replayed = [Position.from_moves(moves, variant) for moves in boards.moves]

    assert boards.positions() == replayed
    assert boards.outcome.tolist() == [number_of(position.outcome) for position in replayed]
    assert OPEN not in boards.outcome
    assert len(set(boards.moves)) == 6
    other = Boards(variant, 6, keep_moves=True)
    other.play_out(2)
    assert not set(boards.moves) & set(other.moves)


def test_the_same_seed_plays_these_games_on_every_machine():
    """A seed gives the games listed in this test, on every machine, with every compiler and number of threads."""
    boards = Boards("7x6x4", 2, keep_moves=True)
    boards.play_out(2026)
    wide = Boards("20x20x5", 1, keep_moves=True)
    wide.play_out(2026)
    vast = Boards(Variant(10**12, 10**12, 2), 1)

    assert ["".join(map(str, moves)) for moves in boards.moves] == GAMES_OF_2026
    assert wide.moves[0][:12] == WIDE_GAME_OF_2026
    assert vast.random_columns(2026).tolist() == VAST_COLUMN_OF_2026


GAMES_OF_2026 = ["3654333030000421462510622214544", "2344101556216441551056520600104263"]
WIDE_GAME_OF_2026 = (9, 17, 15, 11, 9, 10, 11, 0, 8, 1, 1, 0)
VAST_COLUMN_OF_2026 = [478134673660]


@pytest.mark.parametrize("size", ["7x6x4", "9x7x5", "20x20x5", "400x300x3"])
def test_any_number_of_threads_plays_the_same_games(size: str):
    alone, together = Boards(size, 9000), Boards(size, 9000, threads=3)
    for boards in (alone, together):
        boards.drop(boards.random_columns(5))
        boards.drop(boards.random_columns(6))
    assert np.array_equal(alone.random_columns(7), together.random_columns(7))
    if alone.variant.cells < 1000:
        assert np.array_equal(alone.planes(), together.planes())
        assert np.array_equal(alone.legal, together.legal)
        alone.play_out(8)
        together.play_out(8)
    assert np.array_equal(alone.ply, together.ply)
    assert np.array_equal(alone.outcome, together.outcome)


def test_random_drops_are_even():
    """Each column gets a seventh of 70,000 drops on an empty board, within five standard deviations."""
    counts = np.bincount(Boards(count=70_000).random_columns(3), minlength=7)
    assert abs(counts - 10_000).max() < 5 * (70_000 * 6 / 49) ** 0.5


def test_random_columns_avoid_full_ones_and_ended_games():
    boards = Boards.from_moves(["111111" + "2", "1212121"])
    drawn = {tuple(boards.random_columns(seed).tolist()) for seed in range(100)}
    assert drawn == {(column, -1) for column in range(1, 7)}


def test_boards_of_any_size_take_memory_for_their_discs():
    """A game on a board of 10^40 columns needs little memory, but an array as wide as the board is refused with a
    sentence."""
    boards = Boards(Variant(10**40, 10**40, 4), 3)
    for column in (5, 2**61, 5, 2**61, 5, 2**61, 5):
        boards.drop([column] * 3)

    assert boards.outcome.tolist() == [0, 0, 0]
    assert boards[0] == Position.from_moves([5, 2**61] * 3 + [5], boards.variant)
    assert boards.nbytes < 3000
    for ask in (lambda: boards.legal, boards.planes, lambda: boards.bits):
        with pytest.raises(MemoryError, match="no machine has room"):
            ask()


@pytest.mark.parametrize("size", ["7x6x4", "6x5x4", "8x8x4", "9x7x5", "12x12x5", "20x20x5", "100x100x5", "250x250x5"])
def test_memory_stays_within_four_times_the_bits_of_a_board(size: str):
    boards = Boards(size, 100)
    bits = boards.variant.width * (boards.variant.height + 1)
    assert boards.nbytes * 8 <= 100 * 4 * bits


def test_arrays_go_to_others_without_a_copy():
    boards = Boards(count=4)
    out = np.zeros((4, 2, 6, 7), np.uint8)
    shared = np.from_dlpack(out)
    boards.drop([0, 1, 2, 3])
    boards.planes(out)
    assert shared[:, 1].sum() == 4  # second is to move: the disc is the other's
    legal = boards.legal
    assert np.shares_memory(np.from_dlpack(legal), legal)


@pytest.mark.parametrize("kind", ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_columns_may_be_whole_numbers_of_any_kind(kind: str):
    boards = Boards(count=3)
    boards.drop(np.array([[6, 1], [5, 1], [4, 1]], kind)[:, 0])
    assert boards.select([0, 2]).positions() == [Position.from_moves([6]), Position.from_moves([4])]


def test_pytorch_reads_and_fills_the_arrays():
    torch = pytest.importorskip("torch", reason="PyTorch is not part of the dev extra")
    boards = Boards(count=2)
    boards.drop(torch.tensor([3, 4]))
    planes = boards.planes(torch.zeros((2, 2, 6, 7)))
    assert planes[0, 1, 0, 3] == planes[1, 1, 0, 4] == 1
    legal = boards.legal
    assert torch.from_dlpack(legal).data_ptr() == legal.ctypes.data


def test_jax_reads_the_arrays():
    jax = pytest.importorskip("jax", reason="JAX is not part of the dev extra")
    boards = Boards(count=2)
    boards.drop(jax.numpy.array([3, 4]))
    assert jax.dlpack.from_dlpack(boards.planes()).sum() == 2


@pytest.mark.parametrize(
    ("columns", "error"),
    [([0], ValueError), (np.zeros((2, 1), int), ValueError), (np.zeros(2), TypeError), ("ab", TypeError)],
)
def test_what_is_no_list_of_columns_is_refused(columns: object, error: type[Exception]):
    boards = Boards(count=2)
    with pytest.raises(error):
        boards.drop(columns)
    assert boards.ply.tolist() == [0, 0]


def test_games_that_are_not_there_are_refused():
    boards = Boards(count=2)
    for ask in (lambda: boards[2], lambda: boards.select([-1]), lambda: boards.reset([2])):
        with pytest.raises(IndexError):
            ask()
    with pytest.raises(ValueError, match="mask"):
        boards.reset([True])
    with pytest.raises(ValueError, match="keep_moves=True"):
        _ = boards.moves
    with pytest.raises(ValueError, match="shape"):
        boards.planes(np.zeros((2, 2, 7, 6), np.uint8))
    assert boards[-1] == Position.start()


def test_the_interpreter_runs_on_while_games_are_played():
    """Another Python thread runs while the core plays, because the core releases Python's lock."""
    boards, counted, done = Boards("20x20x5", 60_000), [], threading.Event()
    playing = threading.Thread(target=lambda: (boards.play_out(1), done.set()))
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000)  # no thread is forced to give up the lock, so others run only if it is released
    try:
        playing.start()
        while not done.is_set():
            counted.append(boards.variant)
            threading.Event().wait(0.001)
    finally:
        sys.setswitchinterval(before)
        playing.join()
    assert len(counted) > 1


def test_boards_work_without_numpy():
    """Without NumPy, the results are memoryviews of the same shape with the same numbers."""
    program = """if True:
        import sys
        sys.modules["numpy"] = None
        from connectk.arrays import Boards
        boards = Boards.from_moves(["4455", "1"])
        boards.drop((3, 3))
        assert boards.legal.shape == (2, 7) and boards.legal.tolist() == [[True] * 7] * 2
        assert boards.outcome.tolist() == [-1, -1]
        assert Boards.from_bits(boards.bits).positions() == boards.positions()
        assert Boards.from_positions(boards).bits.tolist() == boards.bits.tolist()
        assert boards.planes().shape == (2, 2, 6, 7)
        boards.reset([False, True])
        print(boards.ply.tolist())
    """
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == "[5, 0]\n", done.stderr


def test_the_package_does_not_import_numpy_by_itself():
    program = "import sys, connectk.arrays; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], timeout=60, check=False).returncode == 0


@settings(max_examples=20)
@given(several_games(most=30))
def test_larger_boards_follow_the_rules_too(played: list[Game]):
    boards = boards_of(played)
    assert boards.positions() == [game.position for game in played]
    assert boards.outcome.tolist() == [number_of(game.outcome) for game in played]
