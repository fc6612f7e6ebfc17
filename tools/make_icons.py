"""Draws the page's icons: a corner of the board with one disc and three holes. `make tokens` runs it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from connectk.drawing import to_png, to_svg
from connectk.drawing.board import BoardLayout
from connectk.drawing.measures import CELL_SIZE, FRAME_MARGIN
from connectk.drawing.preview import PREVIEW_WIDTH, draw_preview
from connectk.drawing.shapes import Picture, Rect, Shape
from connectk.notation.moves import parse_moves
from connectk.notation.window import Window
from connectk.rules import Cell, Game, Side, Variant
from connectk.site import DEMO_GAME

ICONS_FOLDER = Path(__file__).parents[1] / "src/connectk/web/icons"
ICON_DISCS = {Cell(0, 0): Side.FIRST, Cell(1, 1): Side.FIRST, Cell(1, 0): Side.SECOND}
BOARD_SIZE = 2 * CELL_SIZE + 2 * FRAME_MARGIN


def icon(room: float, corner: float) -> Picture:
    """Two columns and two rows of the board, with the margin `room` for systems that crop icons to a circle."""
    board = BoardLayout(Window(0, 2, 0, 2), room, room)
    whole = BOARD_SIZE + 2 * room
    return Picture(whole, whole, "connectk", (Rect(0, 0, whole, whole, "frame", corner), *_board(board)))


def preview() -> Picture:
    """The preview picture that is shown where somebody shares a link to the page."""
    game = Game(Variant(), parse_moves(DEMO_GAME))
    return draw_preview(
        game.position, "connectk", "Connect Four and every connect-k, with perfect play beside the board."
    )


def _board(board: BoardLayout) -> Iterator[Shape]:
    yield from board.frame()
    for cell, side in ICON_DISCS.items():
        yield from board.disc(cell, side)


def files() -> dict[Path, str | bytes]:
    """The content of every icon file. Phones may crop the PNG icons to any shape."""
    return {
        ICONS_FOLDER / "icon.svg": to_svg(icon(10, 40), 128) + "\n",
        ICONS_FOLDER / "icon-192.png": to_png(icon(45, 0), 192),
        ICONS_FOLDER / "icon-512.png": to_png(icon(45, 0), 512),
        ICONS_FOLDER / "preview.png": to_png(preview(), PREVIEW_WIDTH),
    }


if __name__ == "__main__":
    for path, drawn in files().items():
        path.write_bytes(drawn.encode() if isinstance(drawn, str) else drawn)
