"""The tasks of a dataset's workers: playing games, and solving every column of positions."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from connectk.cluster.job import TaskResult
from connectk.cluster.tables import to_parquet
from connectk.dataset.drawing import Key, best_columns, key_of, play_game, solver_of
from connectk.dataset.mix import Play
from connectk.notation import write_moves
from connectk.rules import Position, Variant
from connectk.solver.bits import bits_of

if TYPE_CHECKING:
    import pyarrow as pa

Call = tuple[Callable[..., TaskResult], tuple[Any, ...]]
WORD_BITS = 64


@dataclass(frozen=True, slots=True)
class Games:
    """Games of one kind of play, by number."""

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
    """The positions of some games: game number, a key that mirror images share, and the moves."""
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
    """How many words of 64 bits hold one bit for each cell."""
    return 1 if variant.width * (variant.height + 1) <= WORD_BITS else 2


def pack(bits: Key, variant: Variant) -> bytes:
    """Two numbers as little-endian bytes."""
    return b"".join(number.to_bytes(8 * words_of(variant), "little") for number in bits)


@dataclass(frozen=True, slots=True)
class Positions:
    """The sampled positions as a source of work, with the kind of play of each."""

    variant: Variant
    chosen: Sequence[tuple[str, Play]]
    kind = "positions"
    first = 8

    @property
    def length(self) -> int:
        return len(self.chosen)

    def task(self, start: int, stop: int) -> Call:
        return solve_positions, (self.variant, self.chosen[start:stop])


def solve_positions(variant: Variant, chosen: Sequence[tuple[str, Play]]) -> TaskResult:
    """The rows of these positions."""
    import pyarrow as pa

    schema = schema_of(variant)
    rows = [_row(variant, moves, play) for moves, play in chosen]
    columns = zip(*rows, strict=True) if rows else [[] for _ in schema]
    table = pa.table([pa.array(column, field.type) for column, field in zip(columns, schema, strict=True)], schema)
    return TaskResult(to_parquet(table), len(rows))


def _row(variant: Variant, moves: str, play: Play) -> tuple[object, ...]:
    position = Position.from_moves(moves, variant)
    scores = solver_of(variant).score_columns(position)
    best = best_columns(scores)
    return moves, list(_words(bits_of(position), variant)), position.ply, scores, scores[best[0]], best, play


def _words(bits: Key, variant: Variant) -> Iterator[int]:
    """The bits in the format of `solve_many`: the side to move's discs, then all discs, in words of 64 bits."""
    for number in bits:
        for word in range(words_of(variant)):
            yield number >> WORD_BITS * word & (1 << WORD_BITS) - 1


def schema_of(variant: Variant, facts: dict[str, Any] | None = None) -> pa.Schema:
    """The columns of a dataset; columns of the board count from 0, and moves, which are text, from 1."""
    import pyarrow as pa

    fields = [
        pa.field("moves", pa.string(), nullable=False),
        pa.field("bits", pa.list_(pa.uint64(), 2 * words_of(variant)), nullable=False),
        pa.field("ply", pa.uint8(), nullable=False),
        pa.field("scores", pa.list_(pa.int8(), variant.width), nullable=False),
        pa.field("score", pa.int8(), nullable=False),
        pa.field("best", pa.list_(pa.uint8()), nullable=False),
        pa.field("play", pa.string(), nullable=False),
    ]
    return pa.schema(fields, {"connectk": json.dumps(facts, sort_keys=True)} if facts else None)
