"""Views of one position: the planes and the action mask that an agent sees, and a drawing as text or pixels."""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from connectk.drawing import draw_png
from connectk.rules import Position, Side

RENDER_PIXELS = 480  # the longer side
RENDER_MODES = ["human", "ansi", "rgb_array"]


def planes(position: Position, side: Side) -> Any:
    """The discs of this side, then the discs of the other side: uint8, (2, height, width). Row 0 is at the bottom."""
    seen = np.zeros((2, position.variant.height, position.variant.width), np.uint8)
    for (column, row), owner in position.discs():
        seen[int(owner is not side), row, column] = 1
    return seen


def mask(position: Position) -> Any:
    """An array with 1 for every column that takes a disc, and 0 for the others. It is int8, because `Discrete.sample`
    needs this type."""
    return np.array([position.can_drop(column) for column in range(position.variant.width)], np.int8)


def render(position: Position, mode: str | None) -> Any:
    """ "ansi" returns text, and "rgb_array" returns an array (height, width, 3). "human" prints the board and returns
    None."""
    if mode == "human":
        print(position, flush=True)
    if mode == "rgb_array":
        return pixels(position)
    return str(position) if mode == "ansi" else None


def pixels(position: Position) -> Any:
    from PIL import Image

    return np.array(Image.open(io.BytesIO(draw_png(position, RENDER_PIXELS))).convert("RGB"))
