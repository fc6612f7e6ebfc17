"""Draw the page's icons: a corner of the board, one disc and three holes around it. `make tokens` runs it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from connectk.drawing import to_png, to_svg
from connectk.drawing.board import Board
from connectk.drawing.measures import CELL, MARGIN
from connectk.drawing.shapes import Picture, Rect, Shape
from connectk.notation.window import Window
from connectk.rules import Cell, Side

FOLDER = Path(__file__).parents[1] / "src/connectk/web/icons"
DISC_PALETTES = {Cell(0, 0): Side.FIRST, Cell(1, 1): Side.FIRST, Cell(1, 0): Side.SECOND}
BOARD = 2 * CELL + 2 * MARGIN


def icon(room: float, corner: float) -> Picture:
    """Two columns and two rows, with `room` around them for whoever cuts an icon round."""
    board = Board(Window(0, 2, 0, 2), room, room)
    whole = BOARD + 2 * room
    return Picture(whole, whole, "connectk", (Rect(0, 0, whole, whole, "frame", corner), *_board(board)))


def _board(board: Board) -> Iterator[Shape]:
    yield from board.frame()
    for cell, side in DISC_PALETTES.items():
        yield from board.disc(cell, side)


def files() -> dict[Path, str | bytes]:
    """Every icon as it should be; those of a telephone may be cut to any shape."""
    return {
        FOLDER / "icon.svg": to_svg(icon(10, 40), 128) + "\n",
        FOLDER / "icon-192.png": to_png(icon(45, 0), 192),
        FOLDER / "icon-512.png": to_png(icon(45, 0), 512),
    }


if __name__ == "__main__":
    for path, drawn in files().items():
        path.write_bytes(drawn.encode() if isinstance(drawn, str) else drawn)
