"""Positions as the core sees them: two whole numbers, one bit for each cell, bit `column * (height + 1) + row`."""

from __future__ import annotations

from connectk import _native
from connectk.errors import ImpossiblePosition
from connectk.rules import CLASSIC, Position, Side, Variant


def bits_of(position: Position) -> tuple[int, int]:
    """The discs of the side to move, and all discs."""
    return _native.bits_of(position.column_codes(), position.variant.height)


def position_of(own: int, everyone: int, variant: Variant = CLASSIC) -> Position:
    """The position with these bits; an error names what no game could show."""
    if own & ~everyone:
        raise ImpossiblePosition("A disc of the side to move is not among all discs.")
    stride = variant.height + 1
    if everyone >> variant.width * stride:
        raise ImpossiblePosition(f"There are discs beside the board; {variant} has {variant.width} columns.")
    mover = Side(everyone.bit_count() & 1)
    columns = [_column(own >> c * stride, everyone >> c * stride, mover, stride) for c in range(variant.width)]
    return Position.from_columns(columns, variant)


def _column(own: int, everyone: int, mover: Side, rows: int) -> list[Side | None]:
    return [None if not everyone >> r & 1 else mover if own >> r & 1 else mover.other for r in range(rows)]
