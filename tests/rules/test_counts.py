"""Counts of positions and sequences that the rules and the core must both give.

The counts of 7x6x4 and the totals are published, and tests/data/make_counts.py names the sources. The same script made
the other counts with the rules in Python. The tests count everything again with the core.
"""

import itertools
import json
import math
from collections.abc import Iterator
from pathlib import Path

import pytest

from connectk import _native
from connectk.rules import Position, Variant

COUNTS = json.loads((Path(__file__).parent.parent / "data" / "counts.json").read_text())
VARIANTS = sorted(COUNTS["variants"])
CORE_MAX_POSITIONS = 200_000  # of one ply; the core counts them in a second
RULES_MAX_POSITIONS = 20_000
MAX_TOTAL_POSITIONS = 100_000  # of all plies


def sequences(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(sequences(position.drop(column), depth - 1) for column in position.legal_columns)


def layers(variant: Variant, kind: type[list[Position]] | type[set[Position]] = set) -> Iterator[int]:
    """The number of distinct positions after 0, 1, 2, ... discs, and the number of sequences if these are listed."""
    layer = kind([Position.start(variant)])
    while True:
        yield len(layer)
        layer = kind(position.drop(column) for position in layer for column in position.legal_columns)


def first_layers(variant: Variant, count: int, kind: type[list[Position]] | type[set[Position]] = set) -> list[int]:
    return list(itertools.islice(layers(variant, kind), count))


@pytest.mark.parametrize("name", VARIANTS)
def test_the_rules_count_the_sequences(name):
    every = COUNTS["variants"][name]["sequences"]
    expected = list(itertools.takewhile(lambda count: count < RULES_MAX_POSITIONS, every))
    assert first_layers(Variant.parse(name), len(expected) + 1, list) == [1, *expected]


@pytest.mark.deep
def test_the_rules_count_every_sequence_of_seven_discs():
    assert sequences(Position.start(), 7) == 823536


@pytest.mark.deep
def test_the_rules_count_every_position_of_ten_discs():
    expected = COUNTS["variants"]["7x6x4"]["positions"]
    assert first_layers(Variant(), len(expected)) == expected


@pytest.mark.parametrize("name", VARIANTS)
def test_the_core_counts_the_sequences(name):
    variant = Variant.parse(name)
    for depth, count in enumerate(COUNTS["variants"][name]["sequences"], start=1):
        assert _native.perft(variant.width, variant.height, variant.run, depth) == count


@pytest.mark.parametrize("name", VARIANTS)
def test_the_rules_count_the_positions(name):
    expected = [count for count in COUNTS["variants"][name]["positions"] if count <= RULES_MAX_POSITIONS]
    assert first_layers(Variant.parse(name), len(expected)) == expected


@pytest.mark.parametrize("most", [CORE_MAX_POSITIONS, pytest.param(math.inf, marks=pytest.mark.deep, id="all")])
@pytest.mark.parametrize("name", VARIANTS)
def test_the_core_counts_the_positions(name, most):
    variant = Variant.parse(name)
    expected = [count for count in COUNTS["variants"][name]["positions"] if count <= most]
    assert _native.count_positions(variant.width, variant.height, variant.run, len(expected) - 1) == expected


TOTALS = [
    pytest.param(size, marks=pytest.mark.deep if total > MAX_TOTAL_POSITIONS else ())
    for size, total in sorted(COUNTS["totals"].items())
]


@pytest.mark.parametrize("size", TOTALS)
def test_a_board_has_the_published_number_of_positions(size):
    """The sum over all plies is the published number of positions, including finished games."""
    variant, total = Variant.parse(size), COUNTS["totals"][size]
    counts = _native.count_positions(variant.width, variant.height, variant.run, variant.cells)
    assert sum(counts) == total
    if total < RULES_MAX_POSITIONS:
        assert sum(first_layers(variant, variant.cells + 1)) == total
