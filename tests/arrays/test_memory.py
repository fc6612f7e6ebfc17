"""The core writes planes into the caller's memory in any layout or refuses it, and reads other arrays in any layout."""

import copy
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import connectk
from connectk.arrays import Boards
from connectk.rules import Game, Variant
from connectk.solver import solve_many
from tests.arrays.test_boards import SIZES, boards_of, several_games

LAYOUTS: dict[str, Callable[[tuple[int, ...]], Any]] = {
    "plain": lambda shape: np.full(shape, 7.0, np.float32),
    "transposed": lambda shape: np.full(shape[::-1], 7, np.uint8).transpose(),
    "channels last": lambda shape: np.full((shape[0], *shape[2:], 2), 7, np.float16).transpose(0, 3, 1, 2),
    "a slice of a history": lambda shape: np.full((shape[0], 8, *shape[2:]), 7, np.float64)[:, 3:5],
    "every second game": lambda shape: np.full((2 * shape[0], *shape[1:]), 7, np.int32)[::2],
    "from the top": lambda shape: np.full(shape, True, np.bool_)[:, :, ::-1],
    "every second column": lambda shape: np.full((*shape[:3], 2 * shape[3]), 7, np.int64)[..., ::2],
}


def some_boards() -> Boards:
    return Boards.from_moves(["4455", "1", "", "7172"])


@pytest.mark.parametrize("layout", LAYOUTS)
@given(played=several_games())
def test_planes_are_written_with_any_strides(layout: str, played: list[Game]):
    boards = boards_of(played)
    plain = boards.planes()
    out = LAYOUTS[layout](plain.shape)

    assert boards.planes(out) is out
    assert np.array_equal(out, plain)


def test_memory_beside_a_slice_is_left_alone():
    history = np.full((4, 8, 6, 7), 7, np.uint8)
    some_boards().planes(history[:, 2:4])
    assert (history[:, :2] == 7).all()
    assert (history[:, 4:] == 7).all()
    assert history[:, 2:4].max() == 1


def read_only() -> Any:
    out = np.zeros((4, 2, 6, 7), np.uint8)
    out.flags.writeable = False
    return out


REFUSED: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "read-only": (read_only, TypeError, "writable"),
    "the same memory twice": (
        lambda: np.lib.stride_tricks.as_strided(np.zeros(84, np.uint8), (4, 2, 6, 7), (0, 42, 7, 1)),
        ValueError,
        "place of its own",
    ),
    "partly the same memory": (
        lambda: np.lib.stride_tricks.as_strided(np.zeros(700, np.uint8), (4, 2, 6, 7), (80, 40, 7, 1)),
        ValueError,
        "place of its own",
    ),
    "another byte order": (lambda: np.zeros((4, 2, 6, 7), ">f4"), TypeError, "byte order"),
    "inside records": (lambda: np.zeros((4, 2, 6, 7), "u1,f4")["f1"], TypeError, "whole elements"),
    "complex": (lambda: np.zeros((4, 2, 6, 7), np.complex64), TypeError, "floats"),
    "a list": (lambda: [0] * 336, TypeError, "writable array"),
    "another shape": (lambda: np.zeros((4, 2, 7, 6), np.uint8), ValueError, "wrong shape"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_written_is_refused_in_a_sentence(case: str):
    make, error, words = REFUSED[case]
    with pytest.raises(error, match=words):
        some_boards().planes(make())
    with pytest.raises(error, match=words):
        some_boards().step([0, 0, 0, 0], make())


@pytest.mark.parametrize("dtype", ["bool", "uint8", "int8", "int32", "int64", "float16", "float32", "float64"])
def test_planes_are_made_in_any_type_by_any_of_its_names(dtype: str):
    expected = some_boards().planes()
    for name in (dtype, np.dtype(dtype), np.dtype(dtype).type):
        planes = some_boards().planes(dtype=name)
        assert planes.dtype == np.dtype(dtype)
        assert np.array_equal(planes, expected)
    with pytest.raises(TypeError, match="bool, whole numbers or floats"):
        some_boards().planes(dtype="complex64")
    with pytest.raises(TypeError, match=r"NumPy has no bfloat16: give torch\.bfloat16"):
        some_boards().planes(dtype="bfloat16")


def test_pytorch_types_give_tensors_of_any_layout():
    torch = pytest.importorskip("torch", reason="PyTorch is not part of the dev extra")
    expected = some_boards().planes()
    for dtype in (torch.float32, torch.float16, torch.bfloat16, torch.bool):
        planes = some_boards().planes(dtype=dtype)
        assert planes.dtype is dtype
        assert np.array_equal(planes.float().numpy(), expected)
    out = torch.full((4, 2, 6, 7), 7.0).to(memory_format=torch.channels_last)
    some_boards().planes(out)
    assert np.array_equal(out.numpy(), expected)
    half = torch.full((4, 2, 6, 7), 7.0, dtype=torch.bfloat16)
    some_boards().planes(half)
    assert np.array_equal(half.float().numpy(), expected)
    bits = torch.from_dlpack(some_boards().bits)
    assert Boards.from_bits(bits).positions() == some_boards().positions()
    assert solve_many(bits, threads=1)[0].score == solve_many(["4455"], threads=1)[0].score


def test_bits_are_read_from_arrays_of_jax():
    jax = pytest.importorskip("jax", reason="JAX is not part of the dev extra")
    boards = some_boards()
    with jax.enable_x64(True):
        bits = jax.dlpack.from_dlpack(boards.bits)
        assert Boards.from_bits(bits).positions() == boards.positions()
        assert [found.score for found in solve_many(bits)] == [found.score for found in solve_many(boards.bits)]


def test_arrays_of_jax_are_not_written_to():
    """An array of JAX is refused as output and stays unchanged, because several arrays of JAX may share their
    memory."""
    jax = pytest.importorskip("jax", reason="JAX is not part of the dev extra")
    out = jax.numpy.zeros((4, 2, 6, 7))
    for write in (some_boards().planes, lambda out: some_boards().step([0, 0, 0, 0], out)):
        with pytest.raises(TypeError, match="JAX"):
            write(out)
    assert not out.any()


class OnlyDlpack:
    """An array that offers DLPack but no buffer, as PyTorch's tensors do."""

    def __init__(self, array: Any) -> None:
        self._array = array

    def __len__(self) -> int:
        return len(self._array)

    def __dlpack__(self, **options: Any) -> Any:
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        device: tuple[int, int] = self._array.__dlpack_device__()
        return device


@pytest.mark.parametrize("layout", ["plain", "transposed", "every second", "reversed"])
def test_bits_are_read_from_any_layout_and_by_dlpack(layout: str):
    boards = some_boards()
    bits = {
        "plain": boards.bits,
        "transposed": boards.bits.T.copy().T,
        "every second": np.repeat(boards.bits, 2, axis=0)[::2],
        "reversed": boards.bits[::-1].copy()[::-1],
    }[layout]
    for array in (bits, OnlyDlpack(bits), OnlyDlpack(bits.astype(np.int64))):
        assert Boards.from_bits(array).positions() == boards.positions()
        scores = [found.score for found in solve_many(array, threads=1)]
        assert scores == [found.score for found in solve_many(boards.positions(), threads=1)]
    for wrong in (bits.astype(np.float64), bits[:, :1], bits.ravel()):
        for array in (wrong, OnlyDlpack(wrong)):
            with pytest.raises(ValueError, match="bits"):
                Boards.from_bits(array)
            with pytest.raises(ValueError, match="bits"):
                solve_many(array)


def test_columns_and_games_are_read_with_any_strides():
    boards = Boards(count=4, keep_moves=True)
    table = np.array([[6, 1, 9], [5, 2, 9], [4, 3, 9], [3, 4, 9]])
    boards.drop(table[::-1, 0])
    boards.drop(table[:, 1][::2], which=np.arange(4)[::-2])
    assert boards.moves == [(3,), (4, 3), (5,), (6, 1)]
    boards.reset(np.repeat([True, False], 4)[::2])
    assert boards.moves == [(), (), (5,), (6, 1)]


@given(several_games())
def test_boards_are_pickled_and_copied(played: list[Game]):
    boards = boards_of(played)
    for keeps in (boards, Boards.from_positions(boards, threads=2)):
        for again in (pickle.loads(pickle.dumps(keeps)), copy.deepcopy(keeps)):
            assert again.positions() == keeps.positions()
            assert (again.variant, again.threads) == (keeps.variant, keeps.threads)
            assert np.array_equal(again.outcome, keeps.outcome)
    assert pickle.loads(pickle.dumps(boards)).moves == boards.moves


@pytest.mark.parametrize("variant", ["7x6x4", "1000000000x1000000000x4"])
def test_no_games_and_huge_boards_are_pickled(variant: str):
    for count in (0, 2):
        boards = Boards(variant, count)
        boards.drop([5] * count)
        assert pickle.loads(pickle.dumps(boards)).positions() == boards.positions()


@given(several_games())
def test_slices_lists_and_masks_are_boards(played: list[Game]):
    boards = boards_of(played)
    positions = boards.positions()
    assert boards[1:].positions() == positions[1:]
    assert boards[::-1].positions() == positions[::-1]
    assert boards[[0, 0]].positions() == [positions[0]] * 2
    assert boards[np.arange(len(boards)) % 2 == 0].positions() == positions[::2]
    assert boards[np.int64(0)] == boards[-len(boards)] == positions[0]
    with pytest.raises(IndexError, match="there is no game"):
        _ = boards[len(boards)]


@given(several_games())
def test_mirrored_boards_are_those_of_the_rules(played: list[Game]):
    boards = boards_of(played)
    mirror = boards.mirrored()
    assert mirror.positions() == [position.mirrored() for position in boards]
    assert np.array_equal(mirror.outcome, boards.outcome)
    width = played[0].variant.width
    assert mirror.moves == [tuple(width - 1 - column for column in game.moves) for game in played]


def test_a_board_too_wide_to_be_mirrored_is_refused():
    with pytest.raises(ValueError, match="too wide"):
        Boards(Variant(2**63, 2, 2)).mirrored()


@given(several_games())
def test_discs_are_taken_back(played: list[Game]):
    boards = boards_of(played)
    long = [game for game, one in enumerate(played) if len(one.moves) > 1]
    boards.undo(long + long)
    shorter = [game.moves[:-2] if i in long else game.moves for i, game in enumerate(played)]
    assert boards.moves == shorter
    assert boards.positions() == boards_of([Game(played[0].variant, moves) for moves in shorter]).positions()


def test_a_game_without_discs_takes_nothing_back_and_neither_do_the_others():
    boards = Boards.from_moves(["4455", "1"], keep_moves=True)
    with pytest.raises(ValueError, match="game 1, counted from 0, has no disc"):
        boards.undo([0, 1, 0, 1])
    assert boards.moves == [(3, 3, 4, 4), (0,)]
    assert boards.positions() == Boards.from_moves(["4455", "1"]).positions()
    with pytest.raises(ValueError, match="keep_moves=True"):
        Boards().undo()


@pytest.mark.parametrize("size", SIZES[:6])
@pytest.mark.parametrize("restart", [False, True])
def test_a_step_is_a_drop_and_what_is_then_seen(size: str, restart: bool):
    """A call of `step` gives the same results as four separate calls, until games end. With `restart`, ended games
    begin again."""
    stepped, plain = Boards(size, 40, threads=2), Boards(size, 40)
    out = np.zeros((40, 2, plain.variant.height, plain.variant.width), np.float32)
    for seed in range(12):
        if not restart and (plain.outcome >= 0).any():
            break
        columns = plain.random_columns(seed)
        plain.drop(columns)
        outcome = plain.outcome
        if restart:
            plain.reset(outcome >= 0)
        seen = stepped.step(columns, out, restart=restart)
        assert seen.planes is out
        assert np.array_equal(seen.outcome, outcome)
        assert np.array_equal(seen.legal, plain.legal)
        assert np.array_equal(out, plain.planes())
    assert Boards(size, 3).step([0, 0, 0], dtype=bool).planes.dtype == np.bool_


def test_one_seed_serves_a_whole_game():
    """Random drops with one seed vary from ply to ply."""
    boards = Boards(count=50, keep_moves=True)
    for _ in range(6):
        boards.drop(boards.random_columns(7))
    assert len(set(boards.moves)) > 40
    assert all(len(set(moves)) > 1 for moves in boards.moves)


def test_seeds_are_whole_numbers_of_any_kind():
    boards = Boards(count=5)
    for seed in (np.int64(7), np.uint8(7), 7 + (1 << 64)):
        assert boards.random_columns(seed).tolist() == boards.random_columns(7).tolist()
        assert boards.choose("level", 1, seed=seed).tolist() == boards.choose("level", 1, seed=7).tolist()
        played, again = boards.copy(), boards.copy()
        played.play_out(seed)
        again.play_out(7)
        assert played.outcome.tolist() == again.outcome.tolist()
    with pytest.raises(TypeError):
        boards.random_columns(1.5)


def test_mypy_knows_the_arrays():
    """Mypy reports an array of the wrong type."""
    program = (
        "import numpy as np; from connectk.arrays import Boards; b = Boards(); x: np.ndarray = b.legal; "
        "n: str = b.outcome; p: Boards = b[1:]; q = b[0].drop(1)"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file=", "--no-error-summary", "-c", program],
        env=os.environ | {"MYPYPATH": str(Path(connectk.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert len(done.stdout.splitlines()) == 1, done.stdout + done.stderr
    assert "Incompatible types in assignment" in done.stdout
