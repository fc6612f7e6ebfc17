"""A board as PNG and a game as animated GIF, from tiles that are drawn once."""

from __future__ import annotations

import struct
import zlib
from functools import lru_cache

from connectk.notation.window import Window, window_of
from connectk.rules.game import Game
from connectk.rules.position import Position
from connectk.rules.variant import Cell

LARGEST_DRAWN_WHOLE = 40_000  # cells
LONGEST_SIDE = 672
LARGEST_TILE, SMALLEST_TILE = 48, 3
FINE = 3  # samples of a pixel, across and down

Colour = tuple[int, int, int]
FRAME, HOLE, WHITE = (0x26, 0x41, 0x8F), (0xEE, 0xF1, 0xF8), (0xFF, 0xFF, 0xFF)
FIRST, RING = (0xF2, 0xB4, 0x1B), (0x8A, 0x5A, 0x00)
SECOND, CORE = (0xC6, 0x40, 0x2F), (0x4A, 0x0D, 0x06)
KINDS = ("hole", "first", "second", "first won", "second won")


class Tiles:
    """Every kind of cell, drawn at one size, in numbers of one palette."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._numbers: dict[Colour, int] = {WHITE: 0}
        self.of = {kind: self._draw(kind) for kind in KINDS}

    @property
    def palette(self) -> list[Colour]:
        return list(self._numbers)

    def _draw(self, kind: str) -> list[bytes]:
        return [bytes(self._pixel(kind, x, y) for x in range(self.size)) for y in range(self.size)]

    def _pixel(self, kind: str, x: int, y: int) -> int:
        """The mean of a few samples, so that discs are round without steps."""
        scale = 40 / (self.size * FINE)
        samples = [
            _colour_at(kind, (FINE * x + i + 0.5) * scale - 20, (FINE * y + j + 0.5) * scale - 20)
            for i in range(FINE)
            for j in range(FINE)
        ]
        red, green, blue = (sum(channel) // len(samples) for channel in zip(*samples, strict=True))
        return self._numbers.setdefault((red, green, blue), len(self._numbers))


@lru_cache(maxsize=64)
def tiles_of(size: int) -> Tiles:
    return Tiles(size)


def _colour_at(kind: str, x: float, y: float) -> Colour:
    """A cell is 40 wide and its middle is the origin; the same shapes as in the SVG."""
    far = (x * x + y * y) ** 0.5
    if kind.endswith("won") and 14 <= far <= 18:
        return WHITE
    if far > 16:
        return FRAME
    if kind == "hole":
        return HOLE
    if kind.startswith("first"):
        return RING if 8.5 <= far <= 11.5 else FIRST
    return CORE if far < 6 else SECOND


class Canvas:
    """The pixels of a board, as numbers of the tiles' palette; the top row first."""

    def __init__(self, position: Position, window: Window) -> None:
        self.window = window
        longest = max(len(window.columns), len(window.rows))
        self.tiles = tiles_of(max(SMALLEST_TILE, min(LARGEST_TILE, LONGEST_SIDE // longest)))
        size = self.tiles.size
        self.width, self.height = len(window.columns) * size, len(window.rows) * size
        hole = self.tiles.of["hole"]
        self.rows = [bytearray(hole[y % size] * len(window.columns)) for y in range(self.height)]
        for cell, side in position.discs():
            self.put(cell, str(side))

    def corner(self, cell: Cell) -> tuple[int, int]:
        """The left and upper edge of a cell, in pixels."""
        size = self.tiles.size
        return (cell.column - self.window.left) * size, (self.window.top - 1 - cell.row) * size

    def put(self, cell: Cell, kind: str) -> None:
        if cell.column in self.window.columns and cell.row in self.window.rows:
            left, top = self.corner(cell)
            for y, line in enumerate(self.tiles.of[kind], start=top):
                self.rows[y][left : left + self.tiles.size] = line

    def mark_win(self, position: Position) -> None:
        """A bright outline around the winning cells, and the line through them."""
        winner = position.outcome and position.outcome.winner
        for cell in position.winning_cells:
            self.put(cell, f"{winner} won")
        for line in position.winning_lines:
            self._stroke(line[0], line[-1])

    def _stroke(self, start: Cell, end: Cell) -> None:
        half = self.tiles.size // 2
        (x1, y1), (x2, y2) = self.corner(start), self.corner(end)
        steps = max(abs(x2 - x1), abs(y2 - y1), 1)
        thick = max(1, self.tiles.size // 16)
        for step in range(steps + 1):
            x, y = half + x1 + (x2 - x1) * step // steps, half + y1 + (y2 - y1) * step // steps
            for row in self.rows[max(0, y - thick) : y + thick + 1]:
                left, right = max(0, x - thick), min(self.width, x + thick + 1)
                row[left:right] = bytes(max(0, right - left))  # white is number 0


def draw_png(position: Position) -> bytes:
    """The board as PNG, with the same discs as the SVG."""
    canvas = Canvas(position, window_of(position, LARGEST_DRAWN_WHOLE))
    canvas.mark_win(position)
    palette = b"".join(bytes(colour) for colour in canvas.tiles.palette)
    pixels = b"".join(b"\0" + bytes(row) for row in canvas.rows)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        [
            _chunk(b"IHDR", struct.pack(">IIBBBBB", canvas.width, canvas.height, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", palette),
            _chunk(b"IDAT", zlib.compress(pixels, 6)),
            _chunk(b"IEND", b""),
        ]
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def draw_gif(game: Game, seconds: float = 0.6) -> bytes:
    """The game as an animated GIF: the start, then each disc, the end held for longer."""
    canvas = Canvas(game.start, window_of(game.position, LARGEST_DRAWN_WHOLE))
    colours = canvas.tiles.palette
    bits = max(2, (len(colours) - 1).bit_length())
    table = b"".join(bytes(colour) for colour in colours).ljust(3 << bits, b"\0")
    delay = round(100 * seconds)
    parts = [
        b"GIF89a" + struct.pack("<HHBBB", canvas.width, canvas.height, 0xF0 | (bits - 1), 0, 0) + table,
        b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0",  # again and again
        _frame(canvas, bits, delay),
    ]
    parts += [_disc_frame(canvas, position, bits, delay) for position in game.positions[1:]]
    canvas.mark_win(game.position)
    return b"".join([*parts, _frame(canvas, bits, 5 * delay), b";"])


def _frame(canvas: Canvas, bits: int, delay: int) -> bytes:
    pixels = b"".join(bytes(row) for row in canvas.rows)
    return _image(0, 0, canvas.width, canvas.height, delay) + _compressed(pixels, bits)


def _disc_frame(canvas: Canvas, position: Position, bits: int, delay: int) -> bytes:
    """Only the cell that has changed; one that is not shown repeats the first pixel's cell."""
    cell, kind = position.last_drop, str(position.side_to_move.other)
    assert cell is not None
    canvas.put(cell, kind)
    left, top = canvas.corner(cell)
    size = canvas.tiles.size
    if not (0 <= left < canvas.width and 0 <= top < canvas.height):
        left = top = 0
    pixels = b"".join(bytes(row[left : left + size]) for row in canvas.rows[top : top + size])
    return _image(left, top, size, size, delay) + _compressed(pixels, bits)


def _image(left: int, top: int, width: int, height: int, delay: int) -> bytes:
    """A frame that lies on the ones before it."""
    return (
        b"\x21\xf9\x04\x04" + struct.pack("<H", delay) + b"\0\0," + struct.pack("<HHHHB", left, top, width, height, 0)
    )


@lru_cache(maxsize=64)
def _compressed(pixels: bytes, bits: int) -> bytes:
    """GIF's LZW in blocks of up to 255 bytes; the few kinds of cells are compressed once."""
    data = _lzw(pixels, bits)
    blocks = (data[start : start + 255] for start in range(0, len(data), 255))
    return bytes([bits]) + b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"


def _lzw(pixels: bytes, bits: int) -> bytes:
    clear, end = 1 << bits, (1 << bits) + 1
    out = _Bits()
    codes: dict[tuple[int, int], int] = {}
    width, following = bits + 1, end + 1
    out.add(clear, width)
    prefix = pixels[0]
    for pixel in pixels[1:]:
        known = codes.get((prefix, pixel))
        if known is not None:
            prefix = known
            continue
        out.add(prefix, width)
        if following < 4096:
            codes[prefix, pixel] = following
            width += following == 1 << width
            following += 1
        else:
            out.add(clear, width)
            codes.clear()
            width, following = bits + 1, end + 1
        prefix = pixel
    out.add(prefix, width)
    out.add(end, width)
    return out.all()


class _Bits:
    """Codes packed from the lowest bit on."""

    def __init__(self) -> None:
        self._value, self._length, self._bytes = 0, 0, bytearray()

    def add(self, code: int, width: int) -> None:
        self._value |= code << self._length
        self._length += width
        while self._length >= 8:
            self._bytes.append(self._value & 0xFF)
            self._value >>= 8
            self._length -= 8

    def all(self) -> bytes:
        return bytes(self._bytes) + (bytes([self._value]) if self._length else b"")
