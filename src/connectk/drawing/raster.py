"""A picture as PNG and a game as animated GIF, by Pillow; in the light colours.

A shape is painted at its final size through a mask whose edge is smooth. Masks of circles are kept, since a board has
a few kinds of them again and again.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain
from typing import Any

from connectk.drawing.board import Board, board_of, picture_of
from connectk.drawing.palette import LIGHT, rgb
from connectk.drawing.shapes import Circle, Holes, Picture, Rect, Shape, Stroke, Text
from connectk.errors import MissingExtra
from connectk.rules.game import Game
from connectk.rules.variant import Cell

try:
    from PIL import GifImagePlugin, Image, ImageChops, ImageDraw, ImageFont
except ImportError:
    raise MissingExtra("pictures", "pictures") from None

SUPERSAMPLING = 4  # a mask is drawn so many times larger and made small, which makes its edge smooth
BLENDED_COLOURS = 96  # colours at the smooth edges between two ...
PALETTE_SAMPLE_PIXELS = 300  # ... found in a picture of so many pixels
MIN_COLOUR_DISTANCE = 12  # of 255
PDF_UNITS_PER_INCH = 150  # units of a picture that is a page
FONTS = ("DejaVuSans.ttf", "LiberationSans-Regular.ttf", "Arial.ttf", "arial.ttf", "Helvetica.ttc")
UNCHANGED_BOX = (0, 0, 1, 1)  # that one pixel stays as it is is a frame in which nothing changes
ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


def write_png(picture: Picture, size: int) -> bytes:
    """The picture, its longer side `size` pixels."""
    image = paint(picture, picture.scale_to(size))
    file = io.BytesIO()
    _flat(image, _few_colours(picture)).save(file, "PNG", compress_level=6)
    return file.getvalue()


def write_pdf(pages: Sequence[Picture]) -> bytes:
    """Each picture a page, with as many pixels as it has units, twice over."""
    images = [paint(page, 2.0) for page in pages]
    file = io.BytesIO()
    images[0].save(file, "PDF", save_all=True, append_images=images[1:], resolution=2.0 * PDF_UNITS_PER_INCH)
    return file.getvalue()


def _few_colours(picture: Picture) -> Image.Image:
    """A colour palette: the shapes' colours, and blends between them sampled from a small version of the picture."""
    exact = [rgb(LIGHT[name]) for name in sorted({shape.colour for shape in picture.shapes})]
    found = paint(picture, picture.scale_to(PALETTE_SAMPLE_PIXELS)).quantize(BLENDED_COLOURS).getpalette() or []
    steps = [step for step in zip(*[iter(found)] * 3, strict=True) if not any(_alike(step, own) for own in exact)]
    colours = Image.new("P", (1, 1))
    colours.putpalette([channel for colour in (*exact, *steps) for channel in colour])
    return colours


def _alike(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """So near that Pillow may take one for the other."""
    return all(abs(a - b) < MIN_COLOUR_DISTANCE for a, b in zip(one, other, strict=True))


def _flat(image: Image.Image, colours: Image.Image) -> Image.Image:
    """Reduce the colours: a picture of flat shapes looks the same at half the size."""
    return image.quantize(palette=colours, dither=Image.Dither.NONE)


def paint(picture: Picture, scale: float) -> Image.Image:
    """The picture in pixels, `scale` of them for one unit."""
    canvas = _Canvas(picture, scale)
    for shape in picture.shapes:
        canvas.paint(shape)
    return canvas.image


class _Canvas:
    def __init__(self, picture: Picture, scale: float) -> None:
        self.scale = scale
        size = max(1, round(picture.width * scale)), max(1, round(picture.height * scale))
        self.image = Image.new("RGB", size, rgb(LIGHT["paper"]))

    def paint(self, shape: Shape) -> None:
        match shape:
            case Rect():
                self._rect(shape)
            case Circle():
                self._circle(shape)
            case Holes():
                self._holes(shape)
            case Stroke():
                self._stroke(shape)
            case Text():
                self._text(shape)

    def _paste(self, mask: Image.Image, left: float, top: float, colour: str) -> None:
        self.image.paste(rgb(LIGHT[colour]), (round(left), round(top)), mask)

    def _rect(self, rect: Rect) -> None:
        size = round(rect.width * self.scale), round(rect.height * self.scale)
        mask = _rounded(*size, round(rect.radius * self.scale))
        self._paste(mask, rect.x * self.scale, rect.y * self.scale, rect.colour)

    def _circle(self, circle: Circle) -> None:
        mask = _ring(round(2 * self.scale * (circle.radius + circle.outline / 2)), round(circle.outline * self.scale))
        left, top = (self.scale * value - mask.width / 2 for value in (circle.x, circle.y))
        self._paste(mask, left, top, circle.colour)

    def _holes(self, holes: Holes) -> None:
        """Paint one row as a mask and repeat it, each hole exactly where a disc would be painted."""
        disc = _ring(round(2 * self.scale * holes.radius), 0)
        places = [
            [round(self.scale * (start + (i + 0.5) * holes.cell) - disc.width / 2) for i in range(count)]
            for start, count in ((holes.x, holes.columns), (holes.y, holes.rows))
        ]
        row = Image.new("L", (places[0][-1] - places[0][0] + disc.width, disc.height))
        for left in places[0]:
            row.paste(disc, (left - places[0][0], 0))
        for top in places[1]:
            self._paste(row, places[0][0], top, holes.colour)

    def _stroke(self, stroke: Stroke) -> None:
        points = [(x * self.scale, y * self.scale) for x, y in stroke.points]
        width = max(1.0, stroke.width * self.scale)
        left, top = (min(values) - width for values in zip(*points, strict=True))
        right, bottom = (max(values) + width for values in zip(*points, strict=True))
        left, top = round(left), round(top)
        mask = _line([(x - left, y - top) for x, y in points], width, (round(right) - left, round(bottom) - top))
        self._paste(mask, left, top, stroke.colour)

    def _text(self, text: Text) -> None:
        size = text.size * self.scale
        words = text.words.replace("\u00a0", " ")
        font = _font(max(1, round(size)), words.isascii())
        ImageDraw.Draw(self.image).text(
            (text.x * self.scale, text.y * self.scale),
            words if isinstance(font.path, str) else _plain(words),
            rgb(LIGHT[text.colour]),
            font,
            anchor=ANCHORS[text.anchor],
            stroke_width=size / 40 if text.bold else 0,
        )


@lru_cache(maxsize=32)
def _font(size: int, is_ascii: bool) -> Any:
    """Pillow's built-in font, the same everywhere, or for text beyond ASCII a system font."""
    for name in () if is_ascii else FONTS:
        with suppress(OSError):
            return ImageFont.truetype(name, size)
    return ImageFont.load_default(size)


def _plain(words: str) -> str:
    """Text reduced to what Pillow's built-in font has: 'a' for 'ä'."""
    letters = unicodedata.normalize("NFD", words.replace("–", "-"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


@lru_cache(maxsize=64)
def _ring(diameter: int, width: int) -> Image.Image:
    """The mask of a disc, or of a ring where a width is given."""
    diameter = max(1, diameter)
    mask = Image.new("L", (SUPERSAMPLING * diameter, SUPERSAMPLING * diameter))
    box = (0, 0, SUPERSAMPLING * diameter - 1, SUPERSAMPLING * diameter - 1)
    ImageDraw.Draw(mask).ellipse(box, fill=None if width else 255, outline=255, width=SUPERSAMPLING * max(1, width))
    return mask.reduce(SUPERSAMPLING)


@lru_cache(maxsize=8)
def _rounded(width: int, height: int, radius: int) -> Image.Image:
    """The mask of a rectangle; only its corners need fine drawing."""
    mask = Image.new("L", (max(1, width), max(1, height)), 255)
    if radius:
        disc = _ring(2 * radius, 0)
        for left in (0, width - radius):
            for top in (0, height - radius):
                corner = (radius if left else 0, radius if top else 0)
                mask.paste(disc.crop((*corner, corner[0] + radius, corner[1] + radius)), (left, top))
    return mask


def _line(points: list[tuple[float, float]], width: float, size: tuple[int, int]) -> Image.Image:
    mask = Image.new("L", (SUPERSAMPLING * size[0], SUPERSAMPLING * size[1]))
    draw = ImageDraw.Draw(mask)
    fine = [(SUPERSAMPLING * x, SUPERSAMPLING * y) for x, y in points]
    draw.line(fine, 255, round(SUPERSAMPLING * width), joint="curve")
    for x, y in (fine[0], fine[-1]):  # round ends
        draw.circle((x, y), SUPERSAMPLING * width / 2, 255)
    return mask.reduce(SUPERSAMPLING)


def write_gif(game: Game, size: int, seconds: float) -> bytes:
    """The start, then each disc, with a longer last frame. A frame holds only what has changed and is written at once,
    so that memory does not grow with the length of the game."""
    delay = round(1000 * seconds)
    delays = chain([delay] * (len(game.moves) + 1), [5 * delay])
    file = io.BytesIO()
    for (image, corner), duration in zip(_frames(game, size), delays, strict=True):
        if not file.tell():
            file.writelines(GifImagePlugin.getheader(image, info={"loop": 0, "duration": duration})[0])
        file.writelines(GifImagePlugin.getdata(image, corner, duration=duration, disposal=1))
    file.write(b";")
    return file.getvalue()


def _frames(game: Game, size: int) -> Iterator[tuple[Image.Image, tuple[int, int]]]:
    """Each frame is cropped from a picture of the final board, so that all frames share one palette."""
    board = board_of(game.position)
    scale = picture_of(game.start, board).scale_to(size)
    last = picture_of(game.position, board)
    colours = _few_colours(last)
    ended, full, start = (
        _flat(paint(picture, scale), colours)
        for picture in (last, *(picture_of(moment, board, end=False) for moment in (game.position, game.start)))
    )
    yield start, (0, 0)
    for position in game.positions[1:]:
        cell = position.last_drop
        yield _cut(full, _box(board, cell, scale) if cell is not None and board.shows(cell) else UNCHANGED_BOX)
    yield _cut(ended, ImageChops.subtract_modulo(ended, full).getbbox() or UNCHANGED_BOX)


def _cut(image: Image.Image, box: tuple[int, int, int, int]) -> tuple[Image.Image, tuple[int, int]]:
    return image.crop(box), box[:2]


def _box(board: Board, cell: Cell, scale: float) -> tuple[int, int, int, int]:
    (x, y), half = board.middle(cell), board.cell / 2
    left, top, right, bottom = (value * scale for value in (x - half, y - half, x + half, y + half))
    return round(left), round(top), round(right), round(bottom)
