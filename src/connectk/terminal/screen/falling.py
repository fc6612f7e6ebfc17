"""How a disc falls: faster and faster, with one small bounce at the end."""

from __future__ import annotations

from math import sqrt

ONE_ROW = 0.09  # seconds
BOUNCE = 0.12  # rows


def height_above(rows: float, seconds: float) -> float:
    """How many rows a disc that fell from `rows` above its place still has to fall; 0 once it lies."""
    landed = ONE_ROW * sqrt(rows)
    if seconds < landed:
        return rows * (1 - (seconds / landed) ** 2)
    return _bounce(seconds - landed)


def _bounce(seconds: float) -> float:
    half = ONE_ROW * sqrt(BOUNCE)
    return max(0.0, BOUNCE * (1 - ((seconds - half) / half) ** 2))


def lasts(rows: float) -> float:
    """Seconds from letting go to lying still."""
    return ONE_ROW * (sqrt(rows) + 2 * sqrt(BOUNCE))
