"""Shows pictures in terminals that support them: with the protocol of kitty or iTerm2, or as sixels.

The program asks the terminal which of these it supports. The last of its questions, about the terminal's attributes, is
one that every terminal answers, so its answer ends the wait. Then the line is erased, because a terminal may print a
question that it does not understand.
"""

from __future__ import annotations

import base64
import os
import re
import sys
from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from connectk.terminal.asking import ATTRIBUTES_QUERY, ask_terminal

if TYPE_CHECKING:
    from PIL.Image import Image

    from connectk.drawing import Picture

KITTY_QUERY = b"\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\"
ITERM_QUERY = b"\x1b]1337;ReportCellSize\x07"
ERASE_LINE = b"\r\x1b[K"
KITTY_REPLY = re.compile(rb"\x1b_Gi=31;OK")
ITERM_REPLY = re.compile(rb"\x1b\]1337;ReportCellSize=")
SIXEL_ATTRIBUTE = re.compile(rb"\x1b\[\?[0-9;]*;4[;c]")
TERMINALS_WITHOUT_PICTURES = ("dumb", "linux", "screen")  # terminals that are known not to show pictures
KITTY_CHUNK_CHARS = 4096
SIXEL_COLOURS = 64
CELL_PIXELS = 10  # the assumed width of a character


class Protocol(StrEnum):
    KITTY = "kitty"
    ITERM = "iterm"
    SIXEL = "sixel"


@cache
def picture_protocol() -> Protocol | None:
    """The way in which this terminal shows pictures; None if it cannot, if there is no terminal, or without Pillow."""
    streams = (sys.stdin, sys.stdout)
    if not all(stream is not None and stream.isatty() for stream in streams) or find_spec("PIL") is None:
        return None
    return (
        _protocol_of(ask_terminal(KITTY_QUERY + ITERM_QUERY + ATTRIBUTES_QUERY, ERASE_LINE))
        if _may_ask(os.environ)
        else None
    )


def _may_ask(environment: Mapping[str, str]) -> bool:
    return (
        not environment.get("TERM", "dumb").startswith(TERMINALS_WITHOUT_PICTURES)
        and environment.get("TERM_PROGRAM") != "Apple_Terminal"
    )


def _protocol_of(answer: bytes) -> Protocol | None:
    if KITTY_REPLY.search(answer):
        return Protocol.KITTY
    if ITERM_REPLY.search(answer):
        return Protocol.ITERM
    return Protocol.SIXEL if SIXEL_ATTRIBUTE.search(answer) else None


def show_picture(picture: Picture, columns: int, protocol: Protocol) -> None:
    """Draw a picture at the cursor, `columns` characters wide. Afterwards the cursor is below the picture."""
    data = write_picture(picture, columns, protocol)
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.flush()


def write_picture(picture: Picture, columns: int, protocol: Protocol) -> bytes:
    """The bytes that make a terminal show the picture."""
    from connectk.drawing import to_png
    from connectk.drawing.raster import paint

    if protocol is Protocol.SIXEL:
        image = paint(picture, columns * CELL_PIXELS / picture.width)
        return b"\x1bPq" + b"".join(sixels(image)) + b"\x1b\\\n"
    png = base64.b64encode(to_png(picture, 4 * columns * CELL_PIXELS))
    if protocol is Protocol.ITERM:
        return b"\x1b]1337;File=inline=1;width=%d:%s\x07\n" % (columns, png)
    return b"".join(_kitty_chunks(png, columns)) + b"\n"


def _kitty_chunks(png: bytes, columns: int) -> Iterator[bytes]:
    """The PNG data in the pieces that kitty requires. The first piece names the format, and `m=0` marks the last."""
    for start in range(0, len(png), KITTY_CHUNK_CHARS):
        head = b"a=T,f=100,q=2,c=%d," % columns if start == 0 else b""
        more = start + KITTY_CHUNK_CHARS < len(png)
        yield b"\x1b_G%sm=%d;%s\x1b\\" % (head, more, png[start : start + KITTY_CHUNK_CHARS])


def sixels(image: Image) -> Iterator[bytes]:
    """The image as sixel data: strips of six rows of pixels. Each strip is drawn once for every colour in it."""
    reduced = image.convert("RGB").quantize(SIXEL_COLOURS)
    palette, width, height = reduced.getpalette() or [], *reduced.size
    yield b'"1;1;%d;%d' % (width, height)
    for colour in range(len(palette) // 3):
        red, green, blue = (round(part * 100 / 255) for part in palette[3 * colour : 3 * colour + 3])
        yield b"#%d;2;%d;%d;%d" % (colour, red, green, blue)
    pixels = reduced.tobytes()
    for top in range(0, height, 6):
        rows = [pixels[y * width : (y + 1) * width] for y in range(top, min(top + 6, height))]
        for colour in sorted(set(b"".join(rows))):
            bits = (sum(1 << bit for bit, row in enumerate(rows) if row[x] == colour) for x in range(width))
            yield b"#%d%s$" % (colour, _run_lengths(bytes(63 + bit for bit in bits)))
        yield b"-"


def _run_lengths(band: bytes) -> bytes:
    """Compress sixel data: a character that is repeated more than three times is replaced by its count and the
    character."""
    return re.sub(rb"(.)\1{3,}", lambda found: b"!%d%s" % (len(found[0]), found[1]), band, flags=re.DOTALL)
