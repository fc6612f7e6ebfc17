"""Reads position sets by other people, which are never committed, from a folder if they are there."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import pytest

from connectk.rules import Position

BESIDE_THE_PROJECT = Path(__file__).parents[3] / "shared" / "data"
FOLDER = Path(os.environ.get("CONNECTK_SHARED_DATA", BESIDE_THE_PROJECT))

needs_shared_data = pytest.mark.skipif(
    not (FOLDER / "solver").is_dir(),
    reason=f"no position sets in {FOLDER}; CONNECTK_SHARED_DATA says where else to look",
)


@cache
def solver_set(name: str) -> tuple[tuple[Position, int], ...]:
    """The positions of one set by Pascal Pons, with their exact scores."""
    lines = (FOLDER / "solver" / name).read_text(encoding="ascii").split("\n")
    rows = [line.split() for line in lines if line]
    return tuple((Position.from_moves(moves), int(score)) for moves, score in rows)
