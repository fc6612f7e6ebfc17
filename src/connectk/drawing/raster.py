"""Writes pictures as PNG and games as animated GIF, with Pillow and always in the light theme.

A shape is painted at its final size through an antialiased mask. The masks of circles are cached, because a board has
many equal circles.
"""

from __future__ import annotations

import io
import unicodedata
from collections.abc import Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import chain, pairwise
from math import ceil
from typing import Any

from connectk.drawing.board import BoardLayout, board_of, picture_of
from connectk.drawing.palette import GRADIENTS, LIGHT_COLOURS, blend, rgb, tones_of
from connectk.drawing.shapes import Circle, Holes, Picture, Polygon, Rect, Shape, Stroke, Text
from connectk.errors import MissingExtra
from connectk.rules.game import Game
from connectk.rules.variant import Cell

try:
    from PIL import GifImagePlugin, Image, ImageChops, ImageDraw, ImageFont
except ImportError:
    raise MissingExtra("pictures", "pictures") from None

SUPERSAMPLING = 4  # a mask is drawn this many times larger and then reduced, which makes its edge smooth
GRADIENT_TONES = 24  # the number of colours in a gradient
MAX_BLENDED_COLOURS = 84  # palette colours for smooth edges, where two colours blend
PALETTE_SAMPLE_PIXELS = 300  # the size of the small picture in which the blended colours are found
MIN_COLOUR_DISTANCE = 12  # in a channel from 0 to 255
FALLBACK_FONT_FILES = ("DejaVuSans.ttf", "LiberationSans-Regular.ttf", "Arial.ttf", "arial.ttf", "Helvetica.ttc")
UNCHANGED_FRAME_BOX = (0, 0, 1, 1)  # a frame in which nothing changes repeats one pixel
PILLOW_ANCHORS = {"start": "ls", "middle": "ms", "end": "rs"}


def write_png(picture: Picture, size: int) -> bytes:
    """The picture as PNG, with `size` pixels on its longer side."""
    image = paint(picture, picture.scale_to(size))
    file = io.BytesIO()
    _reduce_colours(image, _colour_palette(picture)).save(file, "PNG", compress_level=6)
    return file.getvalue()


def _colour_palette(picture: Picture) -> Image.Image:
    """The palette of the reduced picture: the colours of its shapes and gradients, and the blended colours that occur
    in a small rendering."""
    names = sorted({shape.colour for shape in picture.shapes})
    plain = sorted({tone for name in names for tone in tones_of(name)})
    exact = [rgb(LIGHT_COLOURS[name]) for name in plain]
    shades = [(name, (i + 0.5) / GRADIENT_TONES) for name in names if name in GRADIENTS for i in range(GRADIENT_TONES)]
    exact += [rgb(_tone(*shade)) for shade in shades]
    found = paint(picture, picture.scale_to(PALETTE_SAMPLE_PIXELS)).quantize(MAX_BLENDED_COLOURS).getpalette() or []
    steps = [step for step in zip(*[iter(found)] * 3, strict=True) if not any(_are_similar(step, own) for own in exact)]
    colours = Image.new("P", (1, 1))
    colours.putpalette([channel for colour in (*exact, *steps) for channel in colour])
    return colours


def _are_similar(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether two colours are so similar that Pillow may use one for the other."""
    return all(abs(a - b) < MIN_COLOUR_DISTANCE for a, b in zip(one, other, strict=True))


def _reduce_colours(image: Image.Image, colours: Image.Image) -> Image.Image:
    """Reduce the image to a palette. Flat shapes look the same, but the file is half as large."""
    return image.quantize(palette=colours, dither=Image.Dither.NONE)


def paint(picture: Picture, scale: float) -> Image.Image:
    """Render the picture at `scale` pixels per unit."""
    canvas = _Canvas(picture, scale)
    for shape in picture.shapes:
        canvas.paint(shape)
    return canvas.image


class _Canvas:
    def __init__(self, picture: Picture, scale: float) -> None:
        self.scale = scale
        size = max(1, round(picture.width * scale)), max(1, round(picture.height * scale))
        self.image = Image.new("RGB", size, rgb(LIGHT_COLOURS["paper"]))

    def paint(self, shape: Shape) -> None:
        match shape:
            case Rect():
                self._rect(shape)
            case Circle():
                self._circle(shape)
            case Polygon():
                self._polygon(shape)
            case Holes():
                self._holes(shape)
            case Stroke():
                self._stroke(shape)
            case Text():
                self._text(shape)

    def _paste(self, mask: Image.Image, left: float, top: float, colour: str) -> None:
        where = round(left), round(top)
        if colour in GRADIENTS:
            self.image.paste(_gradient(colour, mask.height).resize(mask.size), where, mask)
        else:
            self.image.paste(rgb(LIGHT_COLOURS[colour]), where, mask)

    def _rect(self, rect: Rect) -> None:
        size = round(rect.width * self.scale), round(rect.height * self.scale)
        mask = _rounded(*size, round(rect.radius * self.scale))
        self._paste(mask, rect.x * self.scale, rect.y * self.scale, rect.colour)

    def _circle(self, circle: Circle) -> None:
        mask = _ring(round(2 * self.scale * (circle.radius + circle.outline / 2)), round(circle.outline * self.scale))
        left, top = (self.scale * value - mask.width / 2 for value in (circle.x, circle.y))
        self._paste(mask, left, top, circle.colour)

    def _polygon(self, polygon: Polygon) -> None:
        corners = tuple((x * self.scale, y * self.scale) for x, y in polygon.corners)
        mask = _star(corners, polygon.edge * self.scale)
        left, top = (self.scale * value - mask.width / 2 for value in (polygon.x, polygon.y))
        self._paste(mask, left, top, polygon.colour)

    def _holes(self, holes: Holes) -> None:
        """Paint one row of holes as a mask and repeat it for all rows. Each hole is exactly where a disc would be."""
        disc = _ring(round(2 * self.scale * holes.radius), 0)
        if holes.shift:
            disc = _crescent(disc, round(self.scale * holes.shift))
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
            rgb(LIGHT_COLOURS[text.colour]),
            font,
            anchor=PILLOW_ANCHORS[text.anchor],
            stroke_width=size / 40 if text.bold else 0,
        )


@lru_cache(maxsize=32)
def _font(size: int, is_ascii: bool) -> Any:
    """Pillow's built-in font, which is the same on all systems. For text beyond ASCII, a font of the system."""
    for name in () if is_ascii else FALLBACK_FONT_FILES:
        with suppress(OSError):
            return ImageFont.truetype(name, size)
    return ImageFont.load_default(size)


def _plain(words: str) -> str:
    """The text with only the characters of Pillow's built-in font, such as 'a' instead of 'ä'."""
    letters = unicodedata.normalize("NFD", words.replace("–", "-"))
    return "".join(letter for letter in letters if not unicodedata.combining(letter))


@lru_cache(maxsize=64)
def _ring(diameter: int, width: int) -> Image.Image:
    """The mask of a disc. If a width is given, the mask of a ring."""
    diameter = max(1, diameter)
    mask = Image.new("L", (SUPERSAMPLING * diameter, SUPERSAMPLING * diameter))
    box = (0, 0, SUPERSAMPLING * diameter - 1, SUPERSAMPLING * diameter - 1)
    ImageDraw.Draw(mask).ellipse(box, fill=None if width else 255, outline=255, width=SUPERSAMPLING * max(1, width))
    return mask.reduce(SUPERSAMPLING)


def _crescent(disc: Image.Image, shift: int) -> Image.Image:
    """The mask of a crescent. It is a disc from which the same disc, moved down by `shift` pixels, is cut out."""
    moved = Image.new("L", disc.size)
    moved.paste(disc, (0, shift))
    return ImageChops.subtract(disc, moved)


@lru_cache(maxsize=16)
def _star(corners: tuple[tuple[float, float], ...], edge: float) -> Image.Image:
    """The mask of a star whose corners are given relative to its middle. An outline makes the corners round."""
    half = ceil(max(abs(value) for corner in corners for value in corner) + edge)
    mask = Image.new("L", (2 * SUPERSAMPLING * half, 2 * SUPERSAMPLING * half))
    fine = [(SUPERSAMPLING * (x + half), SUPERSAMPLING * (y + half)) for x, y in corners]
    draw = ImageDraw.Draw(mask)
    draw.polygon(fine, 255)
    if edge:
        draw.line([*fine, *fine[:2]], 255, max(1, round(SUPERSAMPLING * edge)), joint="curve")
    return mask.reduce(SUPERSAMPLING)


@lru_cache(maxsize=64)
def _gradient(name: str, height: int) -> Image.Image:
    """A gradient with a width of one pixel, from the top to the bottom of a shape of this height."""
    column = Image.new("RGB", (1, height))
    for y in range(height):
        column.putpixel((0, y), rgb(_tone(name, (y + 0.5) / height)))
    return column


def _tone(name: str, offset: float) -> str:
    """The colour of a gradient at an offset between 0 and 1."""
    stops = GRADIENTS[name]
    start, end = stops[0], stops[-1]
    for start, end in pairwise(stops):  # noqa: B007 the last two are meant
        if offset <= end[0]:
            break
    share = (offset - start[0]) / (end[0] - start[0])
    return blend(LIGHT_COLOURS[end[1]], LIGHT_COLOURS[start[1]], min(1.0, max(0.0, share)))


@lru_cache(maxsize=8)
def _rounded(width: int, height: int, radius: int) -> Image.Image:
    """The mask of a rectangle with rounded corners."""
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
    """The game as an animated GIF: the start, then each drop. The last frame is shown longer.

    A frame holds only the changed part of the picture and is written at once, so that long games need no more memory.
    """
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
    """Yields each frame and its upper left corner. All frames are cut from a picture of the final board, so that they
    share a palette."""
    board = board_of(game.position)
    scale = picture_of(game.start, board).scale_to(size)
    last = picture_of(game.position, board)
    colours = _colour_palette(last)
    ended, full, start = (
        _reduce_colours(paint(picture, scale), colours)
        for picture in (last, *(picture_of(moment, board, end=False) for moment in (game.position, game.start)))
    )
    yield start, (0, 0)
    for position in game.positions[1:]:
        cell = position.last_drop
        yield _crop(full, _box(board, cell, scale) if cell is not None and board.shows(cell) else UNCHANGED_FRAME_BOX)
    yield _crop(ended, ImageChops.subtract_modulo(ended, full).getbbox() or UNCHANGED_FRAME_BOX)


def _crop(image: Image.Image, box: tuple[int, int, int, int]) -> tuple[Image.Image, tuple[int, int]]:
    return image.crop(box), box[:2]


def _box(board: BoardLayout, cell: Cell, scale: float) -> tuple[int, int, int, int]:
    (x, y), half = board.middle(cell), board.cell / 2
    left, top, right, bottom = (value * scale for value in (x - half, y - half, x + half, y + half))
    return round(left), round(top), round(right), round(bottom)
