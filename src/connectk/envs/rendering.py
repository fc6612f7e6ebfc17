"""A board as the environments show it."""

from __future__ import annotations

import io
from typing import Any

from connectk.drawing import draw_png
from connectk.rules import Position

PIXELS = 480  # of the longer side
RENDER_MODES = ["human", "ansi", "rgb_array"]


def render(position: Position, mode: str | None) -> Any:
    """Text for "ansi", an array (height, width, 3) for "rgb_array"; "human" prints the board and gives nothing."""
    if mode == "human":
        print(position, flush=True)
    if mode == "rgb_array":
        return pixels(position)
    return str(position) if mode == "ansi" else None


def pixels(position: Position) -> Any:
    import numpy as np
    from PIL import Image

    return np.array(Image.open(io.BytesIO(draw_png(position, PIXELS))).convert("RGB"))
