"""Draws an explanation as one picture, with its boards side by side. The answers of each board are drawn over the
board."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from connectk.drawing import Picture, measures
from connectk.drawing.board import BoardLayout, HighlightRing
from connectk.drawing.shapes import Circle, Rect, Shape, Stroke, Text
from connectk.rules import Cell
from connectk.texts import Texts
from connectk.why.checker import CheckedExplanation
from connectk.why.steps import ShownPage, shown_pages
from connectk.why.wording import above, describe_claim, page_sentences

PADDING, BOARD_SIZE, LINE_HEIGHT, FONT_SIZE = 32, 360, 20, 14
MAX_CHARS_PER_LINE = 52
MAX_BOARDS_PER_ROW = 3


def draw_explanation(found: CheckedExplanation, texts: Texts) -> Picture:
    """Draw the whole picture; `connectk.drawing` writes it as SVG or PNG."""
    shown = shown_pages(found)
    across = min(MAX_BOARDS_PER_ROW, len(shown))
    wide = BOARD_SIZE + PADDING
    shapes: list[Shape] = []
    top = 2.0 * PADDING + LINE_HEIGHT
    for start in range(0, len(shown), across):
        row = shown[start : start + across]
        for i, one in enumerate(row):
            shapes += _page(one, PADDING + i * wide, top, texts)
        top += max(_height(one, texts) for one in row) + PADDING
    title = describe_claim(found.explanation, texts)
    width = PADDING + across * wide
    meaning = texts("why.picture.legend", first=texts("coach.first"))
    for line in textwrap.wrap(meaning, MAX_CHARS_PER_LINE * across):
        shapes.append(Text(PADDING, top, line, FONT_SIZE, "quiet"))
        top += LINE_HEIGHT
    top += PADDING
    behind: list[Shape] = [
        Rect(0, 0, width, top, "paper"),
        Text(PADDING, PADDING + LINE_HEIGHT / 2, title, 20, "ink", bold=True),
    ]
    return Picture(width, top, title, (*behind, *shapes))


def _words(shown: ShownPage, texts: Texts) -> list[str]:
    sentences = page_sentences(shown, texts)
    return [line for words in sentences for line in textwrap.wrap(words, MAX_CHARS_PER_LINE, subsequent_indent="    ")]


def _height(shown: ShownPage, texts: Texts) -> float:
    return (
        LINE_HEIGHT
        + BoardLayout.fitted(shown.after.variant, 0, 0, BOARD_SIZE).height
        + LINE_HEIGHT * (1 + len(_words(shown, texts)))
    )


def _page(shown: ShownPage, left: float, top: float, texts: Texts) -> Iterator[Shape]:
    yield Text(left, top, texts("why.board", number=shown.number + 1), 16, "ink", bold=True)
    board = BoardLayout.fitted(shown.after.variant, left, top + LINE_HEIGHT / 2, BOARD_SIZE)
    last = (
        [HighlightRing(shown.after.last_drop, "good")] if shown.page.drop is not None and shown.after.last_drop else []
    )
    if shown.force:
        yield from _force(shown, board)
    else:
        yield from board.shapes(shown.after, last)
        yield from _answers(shown, board)
    below = board.top + board.height + LINE_HEIGHT
    for row, line in enumerate(_words(shown, texts)):
        yield Text(left, below + row * LINE_HEIGHT, line, FONT_SIZE, "ink")


def _force(shown: ShownPage, board: BoardLayout) -> Iterator[Shape]:
    """The board of a page with a force. The drops of the force are numbered discs."""
    position, numbers = shown.position, {}
    for number, column in enumerate(shown.force, start=1):
        numbers[Cell(column, position.height_of(column))] = number
        position = position.drop(column)
    yield from board.shapes(position)
    yield from board.tags(numbers)


def _answers(shown: ShownPage, board: BoardLayout) -> Iterator[Shape]:
    """The shapes of a page's answers. A stroke leads from each cell to the cell that answers it, and ends there in a
    dot. Rings mark the keeper's threats."""
    for step in shown.steps:
        if step.kind != "always":
            continue
        for cell, answer in step.pairs:
            colour = "quiet" if answer == above(cell) else "good"
            yield Stroke((board.middle(cell), board.middle(answer)), colour, 4 * board.unit)
            yield Circle(*board.middle(answer), 9 * board.unit, colour)
        for cell in step.threats:
            yield Circle(
                *board.middle(cell), measures.DISC_RADIUS * board.unit, "bad", measures.WIN_RING_WIDTH * board.unit
            )
