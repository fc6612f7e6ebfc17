"""An explanation as one picture: its boards side by side, what answers what drawn over them."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from connectk.drawing import Picture
from connectk.drawing import measures as m
from connectk.drawing.board import Board, Ring
from connectk.drawing.shapes import Circle, Rect, Shape, Stroke, Text
from connectk.rules import Cell
from connectk.texts import Texts
from connectk.why.boards import ShownPage, shown_pages
from connectk.why.checker import CheckedExplanation
from connectk.why.telling import above, claim_in, sentences

PAD, BOARD, LINE, LETTER = 32, 360, 20, 14
CHARACTERS = 52  # in a line beneath a board
IN_A_ROW = 3


def draw_explanation(found: CheckedExplanation, texts: Texts) -> Picture:
    """The whole picture; `connectk.drawing` writes it as SVG or PNG."""
    shown = shown_pages(found)
    across = min(IN_A_ROW, len(shown))
    wide = BOARD + PAD
    shapes: list[Shape] = []
    top = 2.0 * PAD + LINE
    for start in range(0, len(shown), across):
        row = shown[start : start + across]
        for i, one in enumerate(row):
            shapes += _page(one, PAD + i * wide, top, texts)
        top += max(_height(one, texts) for one in row) + PAD
    title = claim_in(found.explanation, texts)
    width = PAD + across * wide
    behind: list[Shape] = [Rect(0, 0, width, top, "paper"), Text(PAD, PAD + LINE / 2, title, 20, "ink", bold=True)]
    return Picture(width, top, title, (*behind, *shapes))


def _words(shown: ShownPage, texts: Texts) -> list[str]:
    told = sentences(shown, texts)
    return [line for words in told for line in textwrap.wrap(words, CHARACTERS, subsequent_indent="    ")]


def _height(shown: ShownPage, texts: Texts) -> float:
    return LINE + Board.fitted(shown.after.variant, 0, 0, BOARD).height + LINE * (1 + len(_words(shown, texts)))


def _page(shown: ShownPage, left: float, top: float, texts: Texts) -> Iterator[Shape]:
    yield Text(left, top, texts("why.board", number=shown.number + 1), 16, "ink", bold=True)
    board = Board.fitted(shown.after.variant, left, top + LINE / 2, BOARD)
    last = [Ring(shown.after.last_drop, "good")] if shown.page.drop is not None and shown.after.last_drop else []
    if shown.force:
        yield from _force(shown, board)
    else:
        yield from board.shapes(shown.after, last)
        yield from _answers(shown, board)
    below = board.top + board.height + LINE
    for row, line in enumerate(_words(shown, texts)):
        yield Text(left, below + row * LINE, line, LETTER, "ink")


def _force(shown: ShownPage, board: Board) -> Iterator[Shape]:
    """The drops as discs with their numbers."""
    position, numbers = shown.position, {}
    for number, column in enumerate(shown.force, start=1):
        numbers[Cell(column, position.height_of(column))] = number
        position = position.drop(column)
    yield from board.shapes(position)
    yield from board.tags(numbers)


def _answers(shown: ShownPage, board: Board) -> Iterator[Shape]:
    """A stroke from each cell to its answer, with a dot at the answer; rings around the threats that decide."""
    for step in shown.steps:
        if step.kind != "always":
            continue
        for cell, answer in step.pairs:
            colour = "quiet" if answer == above(cell) else "good"
            yield Stroke((board.middle(cell), board.middle(answer)), colour, 4 * board.unit)
            yield Circle(*board.middle(answer), 9 * board.unit, colour)
        for cell in step.threats:
            yield Circle(*board.middle(cell), m.RADIUS * board.unit, "bad", m.WON_WIDTH * board.unit)
