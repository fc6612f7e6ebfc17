"""Writes counts.json: the counts of the rules in Python on a dozen boards, and published counts for comparison.

python tests/data/make_counts.py"""

import json
from pathlib import Path

from connectk.rules import Position, Variant

MAX_LAYER_POSITIONS = 20_000  # positions in a layer; deeper layers are left out
BOARDS = [
    "1x1x1",
    "1x7x3",
    "7x1x3",
    "3x3x3",
    "4x4x4",
    "5x4x3",
    "4x5x4",
    "6x5x4",
    "8x8x4",
    "9x7x5",
    "12x3x5",
    "3x12x2",
    "6x6x6",
]

# 7x6x4: sequences as many programs count them; distinct positions by ply from John Tromp (tromp.github.io/c4).
CLASSIC = {
    "sequences": [7, 49, 343, 2401, 16807, 117649, 823536],
    "positions": [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275, 558186, 1662623],
}
# OEIS A212693: all positions of a board with run 4, finished games included.
TOTALS = {
    "4x1x4": 35, "8x1x4": 2118, "12x1x4": 140243, "4x2x4": 741, "6x2x4": 29737, "7x2x4": 189648, "4x3x4": 12031,
    "5x3x4": 158911, "1x4x4": 5, "2x4x4": 179, "3x4x4": 6000, "4x4x4": 161029, "3x5x4": 38310, "2x6x4": 1571,
    "3x6x4": 235781, "2x8x4": 13343, "2x10x4": 113835, "1x13x4": 14,
}  # fmt: skip


def count(variant: Variant) -> dict[str, list[int]]:
    """The number of sequences after 1, 2, ... discs, and the number of distinct positions after 0, 1, 2, ... discs."""
    layer = {Position.start(variant): 1}
    sequences, positions = [], [1]
    while layer and len(layer) <= MAX_LAYER_POSITIONS and len(positions) <= variant.cells:
        following: dict[Position, int] = {}
        for position, ways in layer.items():
            for column in position.legal_columns:
                child = position.drop(column)
                following[child] = following.get(child, 0) + ways
        sequences.append(sum(following.values()))
        positions.append(len(following))
        layer = following
    deepest = next((i for i, total in enumerate(sequences) if total > 10**6), len(sequences))
    return {"sequences": sequences[:deepest], "positions": positions}


def main() -> None:
    variants = {name: count(Variant.parse(name)) for name in BOARDS}
    document = {"variants": {"7x6x4": CLASSIC, **variants}, "totals": TOTALS}
    text = json.dumps(document, indent=1).replace(",\n   ", ", ").replace("[\n    ", "[").replace("\n   ]", "]")
    Path(__file__).with_name("counts.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
