"""Views of one position: planes and mask for an agent, as `connectk.arrays` has them for many, and text or pixels."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from connectk.drawing import draw_png
from connectk.rules import Position, Side

RENDER_PIXELS = 480  # the longer side
RENDER_MODES = ["human", "ansi", "rgb_array"]


def planes(position: Position, side: Side) -> Any:
    """The discs of this side, then of the other: uint8, (2, height, width), row 0 at the bottom."""
    seen = np.zeros((2, position.variant.height, position.variant.width), np.uint8)
    for (column, row), owner in position.discs():
        seen[int(owner is not side), row, column] = 1
    return seen


def mask(position: Position) -> Any:
    """1 for every column that takes a disc: int8, as `Discrete.sample` takes it."""
    return np.array([position.can_drop(column) for column in range(position.variant.width)], np.int8)


def render(position: Position, mode: str | None) -> Any:
    """Text for "ansi", an array (height, width, 3) for "rgb_array"; "human" prints the board and gives nothing."""
    if mode == "human":
        print(position, flush=True)
    if mode == "rgb_array":
        return pixels(position)
    return str(position) if mode == "ansi" else None


def pixels(position: Position) -> Any:
    from PIL import Image

    return np.array(Image.open(io.BytesIO(draw_png(position, RENDER_PIXELS))).convert("RGB"))
