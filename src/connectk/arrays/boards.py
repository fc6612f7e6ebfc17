"""The class `Boards`: many games of one variant, played together."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from operator import index
from typing import Any, Literal, overload

from connectk import _native
from connectk.arrays.array_types import (
    BoolArray,
    Int8Array,
    Int64Array,
    StepResult,
    Uint64Array,
    as_array,
    dtype_name,
    require_mutable,
)
from connectk.errors import (
    BadPosition,
    ColumnFull,
    ColumnOutOfRange,
    GameAlreadyOver,
    IllegalDrop,
    IllegalDropInGame,
    ImpossiblePosition,
    SearchStopped,
    UnsupportedVariant,
)
from connectk.notation.moves import parse_moves
from connectk.rules import CLASSIC, Outcome, Position, Side, Variant
from connectk.rules import DRAW as DRAWN
from connectk.solver.bitboards import position_from_bitboards, words_view
from connectk.watch import Stop, Watch

OPEN, FIRST, SECOND, DRAW = -1, 0, 1, 2  # the values of `outcome`; a winner has the number of its `Side`
OUTCOMES_BY_CODE = (Outcome(Side.FIRST), Outcome(Side.SECOND), DRAWN)
PlayerName = Literal["greedy", "level", "minimax", "mcts"]
PLAYER_NUMBERS: dict[PlayerName, tuple[int, int]] = {  # the least and the highest number of each player
    "greedy": (0, 0),
    "level": (1, len(_native.LEVELS)),
    "minimax": (1, 60),
    "mcts": (1, 10_000_000),
}
SEED_COUNT = 1 << 64
MAX_MINIMAX_RUN = 32  # a longer run is searched in Python
MAX_PICKLED_BITS = 1 << 20  # of one board; a game on a larger board is pickled as a position
MAX_ARRAY_BYTES = 1 << 62  # more than any machine has; a larger array is refused before its size can overflow

Numbers = Any  # whole numbers: a list, or an array that supports DLPack or the buffer protocol


class Boards:
    """`count` games of one variant, played together. Game i is row i of every array.

    A call uses at most `threads` threads. The results do not depend on the number of threads. If `keep_moves` is true,
    the moves of each game are stored, which costs memory and time. Boards can be copied and pickled.
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
        """Make one game for each position. There must be at least one position, and all must be of one variant."""
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
        """Make games in which these drops have been played. Each item is a text such as "4453" (columns from 1) or a
        list of numbers (columns from 0)."""
        variant = Variant.parse(variant) if isinstance(variant, str) else variant
        games = [parse_moves(one, variant) if isinstance(one, str) else one for one in moves]
        boards = cls(variant, len(games), threads=threads, keep_moves=keep_moves)
        for ply in range(max(map(len, games), default=0)):
            which = [game for game, columns in enumerate(games) if len(columns) > ply]
            boards.drop([games[game][ply] for game in which], which)
        return boards

    @classmethod
    def from_bits(cls, bits: Any, variant: Variant | str = CLASSIC, *, threads: int = 1) -> Boards:
        """Make games from rows of 64-bit words, in the format of the property `bits`. Raises `BadPosition` for a row
        that no game can reach."""
        view = words_view(bits)
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

    @overload
    def __getitem__(self, which: int) -> Position: ...
    @overload
    def __getitem__(self, which: slice | Sequence[int] | Sequence[bool] | BoolArray | Int64Array) -> Boards: ...
    def __getitem__(self, which: Any) -> Position | Boards:
        """Index by game. One number returns the current position of that game. A slice, a list of numbers or a mask
        returns a copy of those games."""
        if isinstance(which, slice):
            return self.select(range(*which.indices(len(self))))
        return self._position(index(which)) if hasattr(which, "__index__") and not _shape(which) else self.select(which)

    def _position(self, game: int) -> Position:
        columns: dict[int, list[Side | None]] = {}
        if not -len(self) <= game < len(self):
            raise IndexError(f"there is no game {game}: the games are 0 to {len(self) - 1}")
        for column, side in self._core.discs(game % len(self)):
            columns.setdefault(column, []).append(Side(side))
        return Position.from_columns(columns, self.variant)

    def __iter__(self) -> Iterator[Position]:
        return (self[game] for game in range(len(self)))

    def __repr__(self) -> str:
        return f"<Boards {self.variant}, {len(self)} games>"

    def drop(self, columns: Numbers, which: Numbers | None = None) -> None:
        """Drop one disc in each game or, if `which` is given, in each of those games. If a drop is illegal, no game is
        changed."""
        refused = self._core.drop(_numbers(columns), None if which is None else _numbers(which), self.threads)
        if refused:
            raise self._refusal(*refused)

    def step(self, columns: Numbers, out: Any = None, *, dtype: Any = "uint8", restart: bool = False) -> StepResult:
        """Drop one disc in each game, and return outcomes, open columns and planes together.

        `out` and `dtype` have the same meaning as in `planes`. If `restart` is true, a game that is over starts again
        at once. Then `outcome` shows how the game ended, and `legal` and `planes` show its new start.
        """
        self._require(8 * len(self) * self.variant.cells)
        require_mutable(out)
        made = self._core.new_planes(dtype_name(dtype)) if out is None else out
        refused, outcome, legal = self._core.step(_numbers(columns), made, restart, self.threads)
        if refused:
            raise self._refusal(*refused)
        return StepResult(as_array(outcome), as_array(legal), as_array(made, dtype) if out is None else out)

    def undo(self, which: Numbers | None = None) -> None:
        """Take back the last disc of each game or, if `which` is given, of each of those games. This needs
        `keep_moves`.

        If one of the games has no disc to take back, no game is changed.
        """
        self._require_moves()
        bare = self._core.undo(None if which is None else _numbers(which))
        if bare is not None:
            raise ValueError(f"game {bare}, counted from 0, has no disc to take back")

    def _refusal(self, game: int, column: int, fault: int) -> IllegalDropInGame:
        return IllegalDropInGame(game, self._reason(game, column, fault))

    def _reason(self, game: int, column: int, fault: int) -> IllegalDrop:
        if fault == _native.FAULT_OUTSIDE:
            return ColumnOutOfRange(column, self.variant.width)
        if fault == _native.FAULT_FULL:
            return ColumnFull(column)
        return GameAlreadyOver(OUTCOMES_BY_CODE[memoryview(self._core.outcome())[game]])

    def play_out(self, seed: int) -> None:
        """Play every open game to its end with random drops. The same seed gives the same games on every machine."""
        self._core.play_out(index(seed) % SEED_COUNT, self.threads)

    def reset(self, which: Numbers | None = None) -> None:
        """Restart the games of `which`, given as numbers or as a mask. By default all games are restarted."""
        self._core.reset(None if which is None else _numbers(which))

    def copy(self) -> Boards:
        return self._of(self._core.copy(), self.variant, self.threads)

    def select(self, which: Numbers) -> Boards:
        """A copy of the games in `which`: a mask, or numbers of games in any order. A number may occur more than
        once."""
        return self._of(self._core.select(_numbers(which)), self.variant, self.threads)

    def mirrored(self) -> Boards:
        """A copy in which left and right are swapped."""
        if self.variant.width > _native.VAST:
            raise ValueError(f"a board of {self.variant.width} columns is too wide to be mirrored")
        return self._of(self._core.mirrored(), self.variant, self.threads)

    def __reduce__(self) -> tuple[object, ...]:
        keeps, wide = self._core.keeps_moves, self.variant.width * (self.variant.height + 1) > MAX_PICKLED_BITS
        if keeps:
            return Boards._restore, (self.variant, self.threads, True, self.moves)
        games = self.positions() if wide else memoryview(self._core.bits()).tobytes()
        return Boards._restore, (self.variant, self.threads, False, games)

    @classmethod
    def _restore(cls, variant: Variant, threads: int, keep_moves: bool, games: Any) -> Boards:
        if keep_moves:
            return cls.from_moves(games, variant, threads=threads, keep_moves=True)
        if isinstance(games, list):
            return cls.from_positions(games, threads=threads) if games else cls(variant, 0, threads=threads)
        empty = cls(variant, 0, threads=threads)
        count = len(games) // (16 * empty._bit_words)
        if not count:
            return empty
        rows = memoryview(games).cast("Q", (count, 2 * empty._bit_words))
        return cls.from_bits(rows, variant, threads=threads)

    @property
    def legal(self) -> BoolArray:
        """Whether each column of each game takes a disc: bool, (games, columns)."""
        self._require(len(self) * self.variant.width)
        return as_array(self._core.legal(self.threads))

    @property
    def outcome(self) -> Int8Array:
        """The outcome of each game: OPEN (-1), DRAW (2), or the winner FIRST (0) or SECOND (1); int8."""
        return as_array(self._core.outcome())

    @property
    def ply(self) -> Int64Array:
        """The number of discs on each board: int64."""
        return as_array(self._core.ply())

    @property
    def side_to_move(self) -> Int8Array:
        """The side to move in each game, 0 for first and 1 for second: int8."""
        return as_array(self._core.side_to_move())

    def planes(self, out: Any = None, *, dtype: Any = "uint8") -> Any:
        """The discs of the side to move, then the discs of the other side: (games, 2, height, width), row 0 at the
        bottom.

        The planes are written into `out` if it is given: an array of bool, whole numbers or floats with any strides,
        such as a slice of a larger array. Otherwise they are a new array of `dtype`, which is a name such as "float32"
        or a type of NumPy, PyTorch or JAX. With a type of PyTorch, the array is a tensor.
        """
        self._require(8 * len(self) * self.variant.cells)
        require_mutable(out)
        made = self._core.new_planes(dtype_name(dtype)) if out is None else out
        self._core.write_planes(made, self.threads)
        return as_array(made, dtype) if out is None else out

    def random_columns(self, seed: int) -> Int64Array:
        """For each game a random column that takes a disc, or -1 if the game is over: int64.

        The choice depends on the seed, the number of the game and the ply. One seed is therefore enough for a whole
        game.
        """
        return as_array(self._core.random_columns(index(seed) % SEED_COUNT, self.threads))

    def choose(
        self,
        kind: PlayerName,
        number: int = 0,
        *,
        evaluation: str = "combined",
        seed: int = 0,
        stop: Stop | None = None,
    ) -> Int64Array:
        """The column that a built-in player of the core chooses in each game, as int64; -1 for a finished game.

        `number` is the level (1 to 9) of a level, the depth of minimax, or the number of random games of mcts. The seed
        of game i is `seed + i`. Raises `SearchStopped` if `stop` ends the call.
        """
        if not self.has_players(kind):
            raise UnsupportedVariant(self.variant, "error.UnsupportedVariant.arrays")
        least, most = PLAYER_NUMBERS[kind]
        if not least <= number <= most:
            raise ValueError(f"the number of {kind} is {least} to {most}")
        chosen = self._core.choose(
            kind,
            number=number,
            evaluation=evaluation,
            seed=index(seed) % SEED_COUNT,
            threads=self.threads,
            stopped=Watch(stop).should_stop if stop else None,
        )
        if chosen is None:
            raise SearchStopped(())
        return as_array(chosen)

    def has_players(self, kind: PlayerName) -> bool:
        """Whether `choose` supports this player on these boards. Boards may have at most 1,024 bits and 64 columns."""
        if kind not in PLAYER_NUMBERS:
            raise ValueError(f"the players of arrays are {', '.join(PLAYER_NUMBERS)}")
        return self._core.has_players and (kind != "minimax" or self.variant.run <= MAX_MINIMAX_RUN)

    def positions(self) -> list[Position]:
        """The current positions of all games."""
        return list(self)

    @property
    def bits(self) -> Uint64Array:
        """The discs of the side to move, then all discs, in 64-bit words: uint64, (games, 2 * words).

        The bit of a cell has the number column * (height + 1) + row. `solve_many` accepts this array.
        """
        self._require(16 * len(self) * self._bit_words)
        return as_array(self._core.bits())

    @property
    def moves(self) -> list[tuple[int, ...]]:
        """The columns played in each game, in order; needs `keep_moves`."""
        self._require_moves()
        return [tuple(self._core.moves(game)) for game in range(len(self))]

    @property
    def nbytes(self) -> int:
        """The number of bytes of memory that the games use, without their stored moves."""
        return self._core.nbytes

    @property
    def _bit_words(self) -> int:
        return (self.variant.width * (self.variant.height + 1) + 63) // 64

    def _set_up(self, game: int, position: Position) -> None:
        discs = [(cell.column, side.value) for cell, side in position.discs()]
        self._core.set_up(game, [column for column, _ in discs], [side for _, side in discs])

    def _require_moves(self) -> None:
        if not self._core.keeps_moves:
            raise ValueError("these boards keep no moves: make them with keep_moves=True")

    def _require(self, size: int) -> None:
        if size > MAX_ARRAY_BYTES:
            raise MemoryError(f"no machine has room for {len(self)} such arrays of a {self.variant} board")


def _bad_row(index: int, row: memoryview, variant: Variant) -> BadPosition:
    words = row.cast("Q").tolist()
    own, everyone = _number(words[: len(words) // 2]), _number(words[len(words) // 2 :])
    try:
        position_from_bitboards(own, everyone, variant)
    except ImpossiblePosition as error:
        return BadPosition(index, error)
    raise AssertionError("the core refused a position that the rules accept")


def _number(words: list[int]) -> int:
    return sum(word << 64 * place for place, word in enumerate(words))


def _numbers(values: Numbers) -> Any:
    """Convert values to a form that the core reads: lists become arrays, and arrays stay as they are."""
    if not isinstance(values, Sequence | range) or isinstance(values, memoryview | array):
        return values
    if values and all(isinstance(value, bool) for value in values):
        return memoryview(bytes(values)).cast("?")
    return array("q", values)


def _shape(values: Any) -> tuple[int, ...]:
    return tuple(getattr(values, "shape", ()))
