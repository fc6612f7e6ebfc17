"""Counts that the rules and the core must both give.

Those of 7x6x4 and the totals are published; tests/data/make_counts.py names the sources and counted the others with the
rules. The core counts everything anew.
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
SOON = 200_000  # positions of one ply that the core counts in a second


def sequences(position: Position, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(sequences(position.drop(column), depth - 1) for column in position.legal_columns)


def layers(variant: Variant) -> Iterator[int]:
    """How many distinct positions there are after 0, 1, 2, ... discs."""
    layer = {Position.start(variant)}
    while True:
        yield len(layer)
        layer = {position.drop(column) for position in layer for column in position.legal_columns}


@pytest.mark.parametrize("name", VARIANTS)
def test_the_rules_count_the_sequences(name):
    for depth, count in enumerate(COUNTS["variants"][name]["sequences"], start=1):
        if count < 20_000:
            assert sequences(Position.start(Variant.parse(name)), depth) == count


@pytest.mark.deep
def test_the_rules_count_every_sequence_of_seven_discs():
    assert sequences(Position.start(), 7) == 823536


@pytest.mark.deep
def test_the_rules_count_every_position_of_ten_discs():
    expected = COUNTS["variants"]["7x6x4"]["positions"]
    assert [count for count, _ in zip(layers(Variant()), expected, strict=False)] == expected


@pytest.mark.parametrize("name", VARIANTS)
def test_the_core_counts_the_sequences(name):
    variant = Variant.parse(name)
    for depth, count in enumerate(COUNTS["variants"][name]["sequences"], start=1):
        assert _native.perft(variant.width, variant.height, variant.run, depth) == count


@pytest.mark.parametrize("name", VARIANTS)
def test_the_rules_count_the_positions(name):
    expected = [count for count in COUNTS["variants"][name]["positions"] if count <= 20_000]
    assert [count for count, _ in zip(layers(Variant.parse(name)), expected, strict=False)] == expected


@pytest.mark.parametrize("most", [SOON, pytest.param(math.inf, marks=pytest.mark.deep, id="all")])
@pytest.mark.parametrize("name", VARIANTS)
def test_the_core_counts_the_positions(name, most):
    variant = Variant.parse(name)
    expected = [count for count in COUNTS["variants"][name]["positions"] if count <= most]
    assert _native.count_positions(variant.width, variant.height, variant.run, len(expected) - 1) == expected


@pytest.mark.parametrize("size", sorted(COUNTS["totals"]))
def test_a_board_has_the_published_number_of_positions(size):
    """Over all plies, finished games included."""
    variant, total = Variant.parse(size), COUNTS["totals"][size]
    counts = _native.count_positions(variant.width, variant.height, variant.run, variant.cells)
    assert sum(counts) == total
    if total < 20_000:
        assert sum(itertools.islice(layers(variant), variant.cells + 1)) == total
