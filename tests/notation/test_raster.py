"""PNG and GIF: decoded again, they show the cells that were drawn."""

import struct
import zlib

import pytest

from connectk.notation.raster import FIRST, FRAME, HOLE, SECOND, draw_gif, draw_png
from connectk.rules import Game, Position, Variant

WON = [3, 4, 3, 4, 3, 4, 3]


def pixels_of_png(data: bytes) -> list[list[tuple[int, ...]]]:
    assert data.startswith(b"\x89PNG\r\n\x1a\n")
    chunks, at = {}, 8
    while at < len(data):
        (length,), kind = struct.unpack(">I", data[at : at + 4]), data[at + 4 : at + 8]
        body = data[at + 8 : at + 8 + length]
        assert struct.unpack(">I", data[at + 8 + length : at + 12 + length])[0] == zlib.crc32(kind + body)
        chunks[kind], at = body, at + 12 + length
    width, height = struct.unpack(">II", chunks[b"IHDR"][:8])
    palette = [tuple(chunks[b"PLTE"][i : i + 3]) for i in range(0, len(chunks[b"PLTE"]), 3)]
    raw = zlib.decompress(chunks[b"IDAT"])
    return [[palette[index] for index in raw[y * (width + 1) + 1 : (y + 1) * (width + 1)]] for y in range(height)]


def frames_of_gif(data: bytes) -> list[list[list[tuple[int, ...]]]]:
    """Each frame as the viewer sees it."""
    assert data.startswith(b"GIF89a")
    width, height, flags = struct.unpack("<HHB", data[6:11])
    colours = 2 << (flags & 7)
    palette = [tuple(data[13 + 3 * i : 16 + 3 * i]) for i in range(colours)]
    screen, frames, at = [[(0, 0, 0)] * width for _ in range(height)], [], 13 + 3 * colours
    while data[at : at + 1] != b";":
        if data[at] == 0x21:
            at = blocks(data, at + 2)[1]
            continue
        left, top, w, h = struct.unpack("<HHHH", data[at + 1 : at + 9])
        packed, after = blocks(data, at + 11)
        indices = unpack(packed, data[at + 10])
        for y in range(h):
            screen[top + y][left : left + w] = [palette[i] for i in indices[y * w : (y + 1) * w]]
        frames.append([list(row) for row in screen])
        at = after
    return frames


def blocks(data: bytes, at: int) -> tuple[bytes, int]:
    joined = b""
    while data[at]:
        joined += data[at + 1 : at + 1 + data[at]]
        at += 1 + data[at]
    return joined, at + 1


def unpack(data: bytes, bits: int) -> bytes:
    """LZW as the GIF standard tells a decoder to do it."""
    stream, at, width, clear = int.from_bytes(data, "little"), 0, bits + 1, 1 << bits
    table: list[bytes] = []
    out, before = b"", b""
    while True:
        code = stream >> at & (1 << width) - 1
        at += width
        if code == clear:
            table, width, before = [bytes([i]) for i in range(clear)] + [b"", b""], bits + 1, b""
            continue
        if code == clear + 1:
            return out
        entry = table[code] if code < len(table) else before + before[:1]
        if before and len(table) < 4096:
            table.append(before + entry[:1])
        width = min(12, max(bits + 1, len(table).bit_length()))
        out, before = out + entry, entry


def at_edge_of_disc(pixels, size: int, height: int, column: int, row: int) -> tuple[int, ...]:
    """A pixel inside the disc, beside its ring or core: a third of the way from the middle to the left edge."""
    return pixels[(height - 1 - row) * size + size // 2][column * size + size // 2 - round(size * 0.33)]


@pytest.mark.parametrize("variant", ["7x6x4", "1x1x1", "20x3x4"])
def test_a_png_shows_the_discs(variant):
    position = Position.from_moves("1", Variant.parse(variant))
    pixels = pixels_of_png(draw_png(position))
    height, size = position.variant.height, len(pixels) // position.variant.height
    assert len(pixels[0]) == size * position.variant.width
    assert pixels[0][0] == FRAME
    assert position.outcome or at_edge_of_disc(pixels, size, height, 0, 0) == FIRST
    if height > 1:
        assert at_edge_of_disc(pixels, size, height, 0, 1) == HOLE


def test_a_gif_plays_the_game_and_ends_like_the_png():
    """The empty board, a frame for each disc, and the winning line at the end."""
    game = Game(moves=WON)
    frames = frames_of_gif(draw_gif(game))
    assert len(frames) == 1 + 7 + 1
    assert frames[0] == pixels_of_png(draw_png(Position.start()))
    assert at_edge_of_disc(frames[2], 48, 6, 4, 0) == SECOND
    assert frames[-1] == pixels_of_png(draw_png(game.position))


def test_a_large_board_is_drawn_small_and_a_huge_one_in_part():
    assert len(pixels_of_png(draw_png(Position.start(Variant(100, 100, 4))))) == 600
    huge = Game(Variant(10**9, 10**9, 4), [5, 10**9 - 1, 6])
    assert len(frames_of_gif(draw_gif(huge))) == 5
