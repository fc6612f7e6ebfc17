"""Positions in the core's format: two whole numbers with one bit for each cell. The bit of a cell has the number
`column * (height + 1) + row`."""

from __future__ import annotations

from connectk import _native
from connectk.errors import ImpossiblePosition
from connectk.rules import CLASSIC, Position, Side, Variant


def bitboards_of(position: Position) -> tuple[int, int]:
    """The bits of the discs of the side to move, and the bits of all discs."""
    return _native.bits_of(position.column_codes(), position.variant.height)


def position_from_bitboards(own: int, everyone: int, variant: Variant = CLASSIC) -> Position:
    """The position with these bits. Raises an error with the reason if no game can reach this position."""
    if own & ~everyone:
        raise ImpossiblePosition("A disc of the side to move is not among all discs.")
    stride = variant.height + 1
    if everyone >> variant.width * stride:
        raise ImpossiblePosition(f"There are discs beside the board; {variant} has {variant.width} columns.")
    mover = Side(everyone.bit_count() & 1)
    columns = [_column(own >> c * stride, everyone >> c * stride, mover, stride) for c in range(variant.width)]
    return Position.from_columns(columns, variant)


def words_view(rows: object) -> memoryview:
    """The memory of an array of 64-bit words. The array may be of any type that supports Python's buffer protocol or
    DLPack, such as a PyTorch tensor.

    Raises `TypeError` if the object is not an array."""
    try:
        view = memoryview(rows)  # type: ignore[arg-type]
    except TypeError:
        if not hasattr(rows, "__dlpack__"):
            raise
    else:
        if not view.format.startswith("="):  # as JAX's arrays are, which a memoryview cannot read by element
            return view
    return memoryview(_native.words_of(rows))


def _column(own: int, everyone: int, mover: Side, rows: int) -> list[Side | None]:
    return [None if not everyone >> r & 1 else mover if own >> r & 1 else mover.other for r in range(rows)]
