"""Draw the page's icons: a corner of the board, two discs each. Run it after changing the look."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "src/connectk/web/icons"
FRAME, HOLE = "#26418F", "#EEF1F8"
FIRST, RING = "#F2B41B", "#8A5A00"
SECOND, CORE = "#C6402F", "#4A0D06"
CENTRES = ((34, 34), (66, 34), (34, 66), (66, 66))
ROUND, SMOOTH = 13.5, 3  # a hole's radius on a square of 100; samples along each side of a pixel

# Painted in this order: centre, outer and inner radius, colour.
RINGS = [
    *((x, y, ROUND, 0.0, HOLE) for x, y in CENTRES),
    *((x, y, ROUND, 0.0, FIRST) for x, y in (CENTRES[1], CENTRES[2])),
    *((x, y, 9.6, 7.4, RING) for x, y in (CENTRES[1], CENTRES[2])),
    (*CENTRES[3], ROUND, 0.0, SECOND),
    (*CENTRES[3], 5.4, 0.0, CORE),
]


def colour_at(x: float, y: float) -> tuple[int, int, int]:
    colour = FRAME
    for cx, cy, outer, inner, ring in RINGS:
        if inner**2 <= (x - cx) ** 2 + (y - cy) ** 2 <= outer**2:
            colour = ring
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:], 16)


def pixel(column: int, row: int, size: int) -> bytes:
    steps = [(i + 0.5) / SMOOTH for i in range(SMOOTH)]
    samples = [colour_at((column + dx) * 100 / size, (row + dy) * 100 / size) for dx in steps for dy in steps]
    return bytes(sum(channel) // len(samples) for channel in zip(*samples, strict=True))


def png(size: int) -> bytes:
    rows = b"".join(b"\0" + b"".join(pixel(column, row, size) for column in range(size)) for row in range(size))
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    parts = (chunk(b"IHDR", header), chunk(b"IDAT", zlib.compress(rows, 9)), chunk(b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def svg() -> str:
    rings = "".join(
        f'<circle cx="{x}" cy="{y}" r="{outer}" fill="{colour}"/>'
        if not inner
        else f'<circle cx="{x}" cy="{y}" r="{(outer + inner) / 2}" fill="none" stroke="{colour}" stroke-width="2.2"/>'
        for x, y, outer, inner, colour in RINGS
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="10 10 80 80">'
        f'<rect x="10" y="10" width="80" height="80" rx="16" fill="{FRAME}"/>{rings}</svg>\n'
    )


if __name__ == "__main__":
    (FOLDER / "icon.svg").write_text(svg())
    for size in (192, 512):
        (FOLDER / f"icon-{size}.png").write_bytes(png(size))
