"""Draws the preview picture that is shown beside a shared link: a board, and a few words."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

from connectk.drawing import measures
from connectk.drawing.board import BoardLayout
from connectk.drawing.shapes import Picture, Shape, Text
from connectk.notation.window import window_of
from connectk.rules.position import Position

PREVIEW_WIDTH, PREVIEW_HEIGHT = 1200, 630  # the size in pixels that sites which show links ask for
MAX_PREVIEW_CELLS = 1600  # of a larger board, the part around the last disc is drawn
MARGIN = 60.0
BOARD_WIDTH, BOARD_HEIGHT = 600.0, PREVIEW_HEIGHT - 2 * MARGIN
TITLE_SIZE, FONT_SIZE, BRAND_SIZE = 56.0, 34.0, 30.0
MAX_TITLE_LINES, MAX_LINES = 4, 5
LETTER_WIDTH = 0.56  # of an average letter, in parts of the text's size


def draw_preview(position: Position, title: str, words: str) -> Picture:
    """The preview picture of a link. The board is on the left; a title, some words and the name of the site are on the
    right."""
    board = _fitted(position)
    return Picture(
        PREVIEW_WIDTH,
        PREVIEW_HEIGHT,
        title,
        (*board.shapes(position), *_column(board.left + board.width, title, words)),
    )


def _fitted(position: Position) -> BoardLayout:
    """The largest board that fits into the left part. It is centred vertically."""
    window = window_of(position, MAX_PREVIEW_CELLS)
    whole = BoardLayout(window)
    cell = measures.CELL_SIZE * min(BOARD_WIDTH / whole.width, BOARD_HEIGHT / whole.height)
    fitted = BoardLayout(window, cell=cell)
    return BoardLayout(window, MARGIN, (PREVIEW_HEIGHT - fitted.height) / 2, cell)


def _column(right_of: float, title: str, words: str) -> Iterator[Shape]:
    """The words beside the board, starting at the top. The name of the site is at the bottom."""
    left = right_of + MARGIN
    y = MARGIN
    for line in _wrapped(title, TITLE_SIZE, left, MAX_TITLE_LINES):
        y += 1.2 * TITLE_SIZE
        yield Text(left, y, line, TITLE_SIZE, "ink", bold=True)
    y += 0.8 * FONT_SIZE
    for line in _wrapped(words, FONT_SIZE, left, MAX_LINES):
        y += 1.4 * FONT_SIZE
        yield Text(left, y, line, FONT_SIZE, "quiet")
    yield Text(left, PREVIEW_HEIGHT - MARGIN, "connectk", BRAND_SIZE, "link", bold=True)


def _wrapped(words: str, size: float, left: float, max_lines: int) -> Sequence[str]:
    """The lines of a text, broken so that each ends before the right margin."""
    words = words.replace(" × ", "x")  # the built-in font has no ×
    letters = int((PREVIEW_WIDTH - MARGIN - left) / (LETTER_WIDTH * size))
    return textwrap.wrap(words, letters, max_lines=max_lines, placeholder="...")
