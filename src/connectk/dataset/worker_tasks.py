"""The tasks for a dataset's workers: they play games, and solve every column of positions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from connectk.cluster.job import TaskResult
from connectk.cluster.tables import to_parquet
from connectk.dataset.mix import Play
from connectk.dataset.sampled_games import Key, best_columns, key_of, play_game, solver_of
from connectk.dataset.splits import Splits
from connectk.notation import write_moves
from connectk.rules import Position, Variant
from connectk.solver.bitboards import bitboards_of

if TYPE_CHECKING:
    import pyarrow as pa

Call = tuple[Callable[..., TaskResult], tuple[Any, ...]]
WORD_BITS = 64


@dataclass(frozen=True, slots=True)
class SampledGames:
    """The numbered games of one kind of play. A job uses this as a source."""

    play: Play
    seed: int
    variant: Variant
    min_discs: int
    length: int
    first = 4

    @property
    def kind(self) -> str:
        return self.play

    def task(self, start: int, stop: int) -> Call:
        return draw_games, (self.play, start, stop, self.seed, self.variant, self.min_discs)


def draw_games(play: Play, start: int, stop: int, seed: int, variant: Variant, min_discs: int) -> TaskResult:
    """Runs in a worker: plays some games and returns the sampled positions. Each has its game number, its `key_of` and
    its moves."""
    import pyarrow as pa

    rows = [
        (game, pack(key_of(position), variant), write_moves(drops, variant))
        for game in range(start, stop)
        for position, drops in play_game(play, game, seed, variant, min_discs)
    ]
    schema = pa.schema([("game", pa.int64()), ("key", pa.binary(16 * words_of(variant))), ("moves", pa.string())])
    columns = zip(*rows, strict=True) if rows else [[], [], []]
    table = pa.table([pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)], schema)
    return TaskResult(to_parquet(table), len(rows))


def words_of(variant: Variant) -> int:
    """The number of 64-bit words that hold the bits of a board."""
    return 1 if variant.width * (variant.height + 1) <= WORD_BITS else 2


def pack(bits: Key, variant: Variant) -> bytes:
    """The two numbers of a key, as little-endian bytes."""
    return b"".join(number.to_bytes(8 * words_of(variant), "little") for number in bits)


@dataclass(frozen=True, slots=True)
class SampledPositions:
    """The sampled positions and their kinds of play. A job uses this as a source."""

    variant: Variant
    chosen: Sequence[tuple[str, Play]]
    splits: Splits = Splits()  # noqa: RUF009  # a frozen value
    planes: bool = False
    kind = "positions"
    first = 8

    @property
    def length(self) -> int:
        return len(self.chosen)

    def task(self, start: int, stop: int) -> Call:
        return solve_positions, (self.variant, self.chosen[start:stop], self.splits, self.planes)


def solve_positions(
    variant: Variant, chosen: Sequence[tuple[str, Play]], splits: Splits, planes: bool = False
) -> TaskResult:
    """Runs in a worker: solves some positions and returns their dataset rows."""
    import pyarrow as pa

    schema = schema_of(variant, planes=planes)
    rows = [_row(variant, moves, play, splits, planes) for moves, play in chosen]
    columns = zip(*rows, strict=True) if rows else [[] for _ in schema]
    table = pa.table([pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)], schema)
    return TaskResult(to_parquet(table), len(rows))


def _row(variant: Variant, moves: str, play: Play, splits: Splits, planes: bool) -> tuple[object, ...]:
    position = Position.from_moves(moves, variant)
    scores = solver_of(variant).score_columns(position)
    best = best_columns(scores)
    score = scores[best[0]]
    assert score is not None
    results = [None if column is None else sign(column) for column in scores]
    bits = list(_words(bitboards_of(position), variant))
    split = splits.split_of(key_of(position))
    row = (moves, bits, position.ply, scores, score, best, sign(score), results, play, split)
    return (*row, _planes(position)) if planes else row


def sign(score: int) -> int:
    """1 for a win, 0 for a draw, -1 for a loss."""
    return (score > 0) - (score < 0)


def _planes(position: Position) -> list[int]:
    """The discs of the side to move, then the discs of the other side, as 0 or 1. The order is row by row from the
    bottom."""
    variant = position.variant
    planes = [0] * (2 * variant.cells)
    for (column, row), side in position.discs():
        planes[(side is not position.side_to_move) * variant.cells + row * variant.width + column] = 1
    return planes


def _words(bits: Key, variant: Variant) -> Iterator[int]:
    """The bits of a position in the format of `solve_many`: first the discs of the side to move, then all discs. They
    are in words of 64 bits."""
    for number in bits:
        for word in range(words_of(variant)):
            yield number >> WORD_BITS * word & (1 << WORD_BITS) - 1


def schema_of(variant: Variant, facts: dict[str, Any] | None = None, planes: bool = False) -> pa.Schema:
    """The Arrow schema of a dataset. The board's columns are numbered from 0, but in the text of the moves they are
    numbered from 1."""
    import pyarrow as pa

    fields = [
        pa.field("moves", pa.string(), nullable=False),
        pa.field("bits", pa.list_(pa.uint64(), 2 * words_of(variant)), nullable=False),
        pa.field("ply", pa.uint8(), nullable=False),
        pa.field("scores", pa.list_(pa.int8(), variant.width), nullable=False),
        pa.field("score", pa.int8(), nullable=False),
        pa.field("best", pa.list_(pa.uint8()), nullable=False),
        pa.field("wdl", pa.int8(), nullable=False),
        pa.field("results", pa.list_(pa.int8(), variant.width), nullable=False),
        pa.field("play", pa.string(), nullable=False),
        pa.field("split", pa.string(), nullable=False),
    ]
    if planes:
        fields.append(pa.field("planes", pa.list_(pa.uint8(), 2 * variant.cells), nullable=False))
    return pa.schema(fields, {"connectk": json.dumps(facts, sort_keys=True)} if facts else None)
