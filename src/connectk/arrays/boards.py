"""`Boards`: games of one variant that are played together."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from connectk import _native
from connectk.errors import (
    BadPosition,
    ColumnFull,
    ColumnOutOfRange,
    GameAlreadyOver,
    IllegalDrop,
    IllegalDropInGame,
    ImpossiblePosition,
)
from connectk.notation.moves import parse_moves
from connectk.rules import CLASSIC, Outcome, Position, Side, Variant
from connectk.rules import DRAW as DRAWN
from connectk.solver.bits import position_of

OPEN, FIRST, SECOND, DRAW = -1, 0, 1, 2  # in `outcome`; a winner has the number of its `Side`
OUTCOMES = (Outcome(Side.FIRST), Outcome(Side.SECOND), DRAWN)
MAX_ARRAY_BYTES = 1 << 62  # more than any machine has; a larger array is refused before its size can overflow

Array = Any  # NumPy's array; a memoryview where NumPy is not installed
Numbers = Any  # whole numbers: a list, or an array that speaks DLPack or Python's buffers


class Boards:
    """`count` games of one variant, played together. Game i is row i of every array.

    Each call runs on `threads` threads; the games do not depend on it. With `keep_moves` the moves of each game are
    stored, which costs memory and time.
    """

    __slots__ = ("_core", "threads", "variant")

    def __init__(
        self, variant: Variant | str = CLASSIC, count: int = 1, *, threads: int = 1, keep_moves: bool = False
    ) -> None:
        if count < 0 or threads < 1:
            raise ValueError("there are no fewer than no games, and no fewer than one thread")
        self.variant = Variant.parse(variant) if isinstance(variant, str) else variant
        self.threads = threads
        width, height, run = self.variant.width, self.variant.height, self.variant.run
        most = _native.VAST
        self._core = _native.Boards(min(width, most), min(height, most), min(run, most), count, keep_moves)

    @classmethod
    def from_positions(cls, positions: Iterable[Position], *, threads: int = 1) -> Boards:
        """A game at each position; all of one variant, and at least one."""
        listed = list(positions)
        if len({position.variant for position in listed}) != 1:
            raise ValueError("positions of one variant are wanted, and at least one")
        boards = cls(listed[0].variant, len(listed), threads=threads)
        for game, position in enumerate(listed):
            boards._set_up(game, position)
        return boards

    @classmethod
    def from_moves(
        cls,
        moves: Iterable[str | Sequence[int]],
        variant: Variant | str = CLASSIC,
        *,
        threads: int = 1,
        keep_moves: bool = False,
    ) -> Boards:
        """Games after these drops: texts as in "4453" (columns from 1), or numbers from 0."""
        variant = Variant.parse(variant) if isinstance(variant, str) else variant
        games = [parse_moves(one, variant) if isinstance(one, str) else one for one in moves]
        boards = cls(variant, len(games), threads=threads, keep_moves=keep_moves)
        for ply in range(max(map(len, games), default=0)):
            which = [game for game, columns in enumerate(games) if len(columns) > ply]
            boards.drop([games[game][ply] for game in which], which)
        return boards

    @classmethod
    def from_bits(cls, bits: Any, variant: Variant | str = CLASSIC, *, threads: int = 1) -> Boards:
        """Games from rows of 64-bit words, as `bits` gives them; `BadPosition` names a row that no game shows."""
        view = memoryview(bits)
        boards = cls(variant, len(view), threads=threads)
        words = boards._bit_words
        if view.itemsize != 8 or view.format not in ("Q", "q", "L", "l") or (view.shape or ())[1:] != (2 * words,):
            raise ValueError(f"an array of bits for {boards.variant} has {2 * words} columns of 64-bit whole numbers")
        flat = memoryview(view.tobytes())
        bad = boards._core.set_bits(flat.cast("Q", (len(view), 2 * words))) if len(view) else -1
        if bad >= 0:
            raise _bad_row(bad, flat[16 * words * bad : 16 * words * (bad + 1)], boards.variant)
        return boards

    @classmethod
    def _of(cls, core: _native.Boards, variant: Variant, threads: int) -> Boards:
        boards = cls.__new__(cls)
        boards._core, boards.variant, boards.threads = core, variant, threads
        return boards

    def __len__(self) -> int:
        return self._core.count

    def __getitem__(self, game: int) -> Position:
        """One game as it stands."""
        columns: dict[int, list[Side | None]] = {}
        for column, side in self._core.discs(game if game >= 0 else len(self) + game):
            columns.setdefault(column, []).append(Side(side))
        return Position.from_columns(columns, self.variant)

    def __iter__(self) -> Iterator[Position]:
        return (self[game] for game in range(len(self)))

    def __repr__(self) -> str:
        return f"<Boards {self.variant}, {len(self)} games>"

    def drop(self, columns: Numbers, which: Numbers | None = None) -> None:
        """One disc for each game, or for each game of `which`; an illegal drop leaves all games unchanged."""
        refused = self._core.drop(_numbers(columns), None if which is None else _numbers(which), self.threads)
        if refused:
            game, column, fault = refused
            raise IllegalDropInGame(game, self._reason(game, column, fault))

    def _reason(self, game: int, column: int, fault: int) -> IllegalDrop:
        if fault == _native.FAULT_OUTSIDE:
            return ColumnOutOfRange(column, self.variant.width)
        if fault == _native.FAULT_FULL:
            return ColumnFull(column)
        return GameAlreadyOver(OUTCOMES[memoryview(self._core.outcome())[game]])

    def play_out(self, seed: int) -> None:
        """Play every open game to its end with random drops; the same seed plays the same games everywhere."""
        self._core.play_out(seed % (1 << 64), self.threads)

    def reset(self, which: Numbers | None = None) -> None:
        """Restart these games, given by numbers or a mask, or all."""
        self._core.reset(None if which is None else _numbers(which))

    def copy(self) -> Boards:
        return self._of(self._core.copy(), self.variant, self.threads)

    def select(self, which: Numbers) -> Boards:
        """A copy of these games: their numbers, in any order and as often as named, or a mask."""
        return self._of(self._core.select(_numbers(which)), self.variant, self.threads)

    @property
    def legal(self) -> Array:
        """Whether a disc may be dropped: bool, (games, columns)."""
        self._require(len(self) * self.variant.width)
        return as_array(self._core.legal(self.threads))

    @property
    def outcome(self) -> Array:
        """int8: OPEN (-1), FIRST (0) or SECOND (1) won, DRAW (2)."""
        return as_array(self._core.outcome())

    @property
    def ply(self) -> Array:
        """How many discs lie on each board: int64."""
        return as_array(self._core.ply())

    @property
    def side_to_move(self) -> Array:
        """0 for first, 1 for second: int8."""
        return as_array(self._core.side_to_move())

    def planes(self, out: Any = None, *, dtype: Literal["uint8", "float32"] = "uint8") -> Any:
        """Discs of the side to move, then of the other: (games, 2, height, width), row 0 at the bottom.

        Written into `out` where it is given, an array of uint8 or float32; `dtype` is that of a new one.
        """
        self._require(8 * len(self) * self.variant.cells)
        if dtype not in ("uint8", "float32"):
            raise ValueError("planes are uint8 or float32")
        written = self._core.new_planes(dtype == "float32") if out is None else out
        self._core.write_planes(written, self.threads)
        return as_array(written) if out is None else out

    def random_columns(self, seed: int) -> Array:
        """For each game a column that takes a disc, all equally likely; -1 where the game is over: int64."""
        return as_array(self._core.random_columns(seed % (1 << 64), self.threads))

    def positions(self) -> list[Position]:
        """All games as they stand."""
        return list(self)

    @property
    def bits(self) -> Array:
        """The discs of the side to move, then all discs, in words of 64 bits: what `solve_many` takes as well.

        Bit column * (height + 1) + row; uint64, (games, 2 * words).
        """
        self._require(16 * len(self) * self._bit_words)
        return as_array(self._core.bits())

    @property
    def moves(self) -> list[tuple[int, ...]]:
        """The columns of each game in order; only kept with `keep_moves`."""
        if not self._core.keeps_moves:
            raise ValueError("these boards keep no moves: make them with keep_moves=True")
        return [tuple(self._core.moves(game)) for game in range(len(self))]

    @property
    def nbytes(self) -> int:
        """Memory that the games take, kept moves left out."""
        return self._core.nbytes

    @property
    def _bit_words(self) -> int:
        return (self.variant.width * (self.variant.height + 1) + 63) // 64

    def _set_up(self, game: int, position: Position) -> None:
        discs = [(cell.column, side.value) for cell, side in position.discs()]
        self._core.set_up(game, [column for column, _ in discs], [side for _, side in discs])

    def _require(self, size: int) -> None:
        if size > MAX_ARRAY_BYTES:
            raise MemoryError(f"no machine has room for {len(self)} such arrays of a {self.variant} board")


def _bad_row(index: int, row: memoryview, variant: Variant) -> BadPosition:
    words = row.cast("Q").tolist()
    own, everyone = _number(words[: len(words) // 2]), _number(words[len(words) // 2 :])
    try:
        position_of(own, everyone, variant)
    except ImpossiblePosition as error:
        return BadPosition(index, error)
    raise AssertionError("the core refused a position that the rules accept")


def _number(words: list[int]) -> int:
    return sum(word << 64 * place for place, word in enumerate(words))


def _numbers(values: Numbers) -> Any:
    """Values in a form that the core reads: arrays as they are, lists converted to arrays."""
    if not isinstance(values, Sequence | range) or isinstance(values, memoryview | array):
        return values
    if values and all(isinstance(value, bool) for value in values):
        return memoryview(bytes(values)).cast("?")
    return array("q", values)


def as_array(made: Any) -> Array:
    """A NumPy array of the core's memory, or a memoryview if NumPy is not installed; nothing is copied."""
    try:
        import numpy as np
    except ImportError:
        return memoryview(made)
    return np.asarray(made)
