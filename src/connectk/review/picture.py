"""A review as one picture: the board, the graph and the turning point; drawn as shapes, written as SVG or PNG."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from connectk.notation import SavedGame
from connectk.review.report import headline, verdict
from connectk.review.review import Label, Review
from connectk.review.shapes import Circle, Picture, Rect, Shape, Stroke, Text
from connectk.rules import Cell, Position, Side

PAD, BOARD, GRAPH, HEIGHT_OF_GRAPH = 32, 380, 560, 200
LINE = 24  # from one line of text to the next
CHARACTERS = 70  # in a line


def draw_review(saved: SavedGame, review: Review) -> Picture:
    """The whole picture."""
    words = [line for sentence in verdict(review) for line in textwrap.wrap(sentence, CHARACTERS)]
    left, top = PAD + BOARD + PAD, PAD + LINE + 16
    variant = review.game.variant
    cell = BOARD / max(variant.width, variant.height)
    text_top = top + HEIGHT_OF_GRAPH + 56
    height = max(text_top + LINE * len(words), top + cell * variant.height + LINE) + PAD / 2
    size = 20 if len(headline(saved)) <= 80 else 16
    shapes: list[Shape] = [
        Rect(0, 0, left + GRAPH + PAD, height, "paper"),
        Text(PAD, PAD + 12, textwrap.shorten(headline(saved), 110, placeholder=" …"), size, "ink", bold=True),
        *_board(review.game.position, PAD, top, cell),
        *_graph(review, left, top),
        *(Text(left, text_top + LINE * row, line, 16, "ink") for row, line in enumerate(words)),
    ]
    return Picture(left + GRAPH + PAD, height, headline(saved), tuple(shapes))


def _board(position: Position, left: float, top: float, cell: float) -> Iterator[Shape]:
    variant = position.variant
    yield Rect(left, top, cell * variant.width, cell * variant.height, "frame", radius=10)
    for column in range(variant.width):
        for row in range(variant.height):
            yield from _cell(position, Cell(column, row), left, top, cell)
        if variant.width <= 20:
            x, y = left + cell * (column + 0.5), top + cell * variant.height + 20
            yield Text(x, y, str(column + 1), 14, "quiet", anchor="middle")
    for line in position.winning_lines:
        ends = (_middle(position, end, left, top, cell) for end in (line[0], line[-1]))
        yield Stroke(tuple(ends), "won", cell / 9)


def _cell(position: Position, place: Cell, left: float, top: float, cell: float) -> Iterator[Shape]:
    x, y = _middle(position, place, left, top, cell)
    side, radius = position.disc_at(*place), 0.4 * cell
    yield Circle(x, y, radius, "hole" if side is None else str(side))
    if side is Side.FIRST:
        yield Circle(x, y, 0.25 * cell, "ring", outline=0.075 * cell)
    if side is Side.SECOND:
        yield Circle(x, y, 0.15 * cell, "core")
    if place in position.winning_cells:
        yield Circle(x, y, radius, "won", outline=0.08 * cell)


def _middle(position: Position, place: Cell, left: float, top: float, cell: float) -> tuple[float, float]:
    return left + cell * (place.column + 0.5), top + cell * (position.variant.height - place.row - 0.5)


def _graph(review: Review, left: float, top: float) -> Iterator[Shape]:
    """One line, time from left to right, first up; blunders are dots."""
    middle = top + HEIGHT_OF_GRAPH / 2
    step = GRAPH / len(review.moves)
    points = [(left, middle)]
    points += [(left + step * i, _y(move.advantage, top)) for i, move in enumerate(review.moves, start=1)]
    yield Stroke(((left, middle), (left + GRAPH, middle)), "quiet", 1)
    yield Text(left, top + 8, "first wins", 14, "quiet")
    yield Text(left, top + HEIGHT_OF_GRAPH, "second wins", 14, "quiet")
    yield Stroke(tuple(points), "ink", 2.5)
    for point, move in zip(points[1:], review.moves, strict=True):
        if move.label is Label.BLUNDER:
            yield Circle(*point, 6, "bad")
            beside = point[1] + (-12 if move.advantage >= 0 else 22)
            yield Text(point[0], beside, str(move.number), 14, "bad", anchor="middle")
    yield Text(left + GRAPH, top + HEIGHT_OF_GRAPH + 20, f"move {review.moves[-1].number}", 14, "quiet", anchor="end")


def _y(advantage: float, top: float) -> float:
    """The ends keep clear of the labels above and below."""
    return top + HEIGHT_OF_GRAPH / 2 - advantage * (HEIGHT_OF_GRAPH / 2 - 28)
