"""A board, a game or a graph as SVG, PNG, GIF and PDF: one description, several ways to write it; and the one palette.

SVG needs nothing; the others need the extra `connectk[pictures]`.
"""

from __future__ import annotations

from collections.abc import Sequence

from connectk.drawing.board import picture_of
from connectk.drawing.measures import PICTURE_PIXELS
from connectk.drawing.shapes import Picture
from connectk.drawing.svg import write_svg
from connectk.errors import BadPictureSize
from connectk.rules.game import Game
from connectk.rules.position import Position

DEFAULT_PIXELS = PICTURE_PIXELS
NOTEBOOK_PIXELS = 480  # pixels in a notebook, beside text
MIN_PIXELS, MAX_PIXELS = 64, 4096

__all__ = [
    "DEFAULT_PIXELS",
    "MAX_PIXELS",
    "MIN_PIXELS",
    "NOTEBOOK_PIXELS",
    "Picture",
    "draw_gif",
    "draw_png",
    "draw_svg",
    "to_pdf",
    "to_png",
    "to_svg",
]


def draw_svg(position: Position, size: int = DEFAULT_PIXELS) -> str:
    """The board as SVG, discs told apart by shape and colour, the winning line drawn through."""
    return to_svg(picture_of(position), size)


def draw_png(position: Position, size: int = DEFAULT_PIXELS) -> bytes:
    """The board as PNG, the same picture as the SVG."""
    return to_png(picture_of(position), size)


def draw_gif(game: Game, size: int = DEFAULT_PIXELS, seconds: float = 0.6) -> bytes:
    """The game as an animated GIF: the start, then each disc, the end held for longer."""
    from connectk.drawing.raster import write_gif

    return write_gif(game, _checked(size), seconds)


def to_svg(picture: Picture, size: int = DEFAULT_PIXELS) -> str:
    """A picture as SVG that is `size` pixels long where nothing else says how large it is shown."""
    return write_svg(picture, _checked(size))


def to_png(picture: Picture, size: int = DEFAULT_PIXELS) -> bytes:
    """A picture as PNG, its longer side `size` pixels."""
    from connectk.drawing.raster import write_png

    return write_png(picture, _checked(size))


def to_pdf(pages: Sequence[Picture]) -> bytes:
    """Pictures as the pages of one PDF, each 150 units to the inch."""
    from connectk.drawing.raster import write_pdf

    return write_pdf(pages)


def _checked(size: int) -> int:
    if not MIN_PIXELS <= size <= MAX_PIXELS:
        raise BadPictureSize(size, MIN_PIXELS, MAX_PIXELS)
    return size
