"""Draws boards, games and graphs as SVG, PNG, GIF and PDF; all formats are written from the same shapes and palette.

SVG and PDF need no other package; PNG and GIF need the extra `connectk[pictures]`.
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

DEFAULT_PICTURE_PIXELS = PICTURE_PIXELS
NOTEBOOK_PIXELS = 480  # pixels in a notebook, beside text
MIN_PICTURE_PIXELS, MAX_PICTURE_PIXELS = 64, 4096

__all__ = [
    "DEFAULT_PICTURE_PIXELS",
    "MAX_PICTURE_PIXELS",
    "MIN_PICTURE_PIXELS",
    "NOTEBOOK_PIXELS",
    "Picture",
    "draw_gif",
    "draw_png",
    "draw_svg",
    "to_pdf",
    "to_png",
    "to_svg",
]


def draw_svg(position: Position, size: int = DEFAULT_PICTURE_PIXELS) -> str:
    """The board as SVG. The discs of the two players differ in shape and colour, and a line is drawn through the
    winning discs."""
    return to_svg(picture_of(position), size)


def draw_png(position: Position, size: int = DEFAULT_PICTURE_PIXELS) -> bytes:
    """The board as PNG. It shows the same picture as the SVG."""
    return to_png(picture_of(position), size)


def draw_gif(game: Game, size: int = DEFAULT_PICTURE_PIXELS, seconds: float = 0.6) -> bytes:
    """The game as an animated GIF: the start, then each drop. The last frame is shown longer."""
    from connectk.drawing.raster import write_gif

    return write_gif(game, _checked(size), seconds)


def to_svg(picture: Picture, size: int = DEFAULT_PICTURE_PIXELS) -> str:
    """The picture as SVG. Its longer side has `size` pixels, unless the web page sets another size."""
    return write_svg(picture, _checked(size))


def to_png(picture: Picture, size: int = DEFAULT_PICTURE_PIXELS) -> bytes:
    """The picture as PNG, with `size` pixels on its longer side."""
    from connectk.drawing.raster import write_png

    return write_png(picture, _checked(size))


def to_pdf(pages: Sequence[Picture]) -> bytes:
    """The pictures as the pages of a PDF with real text. A unit of a picture is 1/150 inch."""
    from connectk.drawing.pdf import write_pdf

    return write_pdf(pages)


def _checked(size: int) -> int:
    if not MIN_PICTURE_PIXELS <= size <= MAX_PICTURE_PIXELS:
        raise BadPictureSize(size, MIN_PICTURE_PIXELS, MAX_PICTURE_PIXELS)
    return size
