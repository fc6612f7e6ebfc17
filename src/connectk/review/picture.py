"""A review as one picture: the board, the graph and the turning point."""

from __future__ import annotations

import textwrap

from connectk.drawing.board import Board
from connectk.drawing.graph import Dot, Graph
from connectk.drawing.shapes import Picture, Rect, Shape, Text
from connectk.notation import SavedGame
from connectk.review.lines import lines_of
from connectk.review.report import headline, verdict
from connectk.review.review import Label, MoveReview, Review
from connectk.texts import Texts

PAD, BOARD, GRAPH, HEIGHT_OF_GRAPH = 32, 400, 560, 200
LINE = 24  # from one line of text to the next
CHARACTERS = 70  # in a line


def draw_review(saved: SavedGame, review: Review, texts: Texts) -> Picture:
    """The whole picture; `connectk.drawing` writes it as SVG or PNG."""
    title = headline(saved, texts)
    words = [line for sentence in verdict(review, texts) for line in textwrap.wrap(sentence, CHARACTERS)]
    left, top = PAD + BOARD + PAD, PAD + LINE + 16
    board = Board.fitted(review.game.variant, PAD, top, BOARD)
    text_top = top + HEIGHT_OF_GRAPH + 56
    lines_top = max(text_top + LINE * len(words), top + board.height) + PAD / 2
    lines, height = _lines(review.turning_point, lines_top, texts)
    size = 20 if len(title) <= 80 else 16
    shapes: list[Shape] = [
        Rect(0, 0, left + GRAPH + PAD, height, "paper"),
        Text(PAD, PAD + 12, textwrap.shorten(title, 110, placeholder=" …"), size, "ink", bold=True),
        *board.shapes(review.game.position),
        *_graph(review, left, top, texts),
        *(Text(left, text_top + LINE * row, line, 16, "ink") for row, line in enumerate(words)),
        *lines,
    ]
    return Picture(left + GRAPH + PAD, height, title, tuple(shapes))


def _lines(turn: MoveReview | None, top: float, texts: Texts) -> tuple[list[Shape], float]:
    """The better line and how the move is met, side by side with their drops numbered; and where they end."""
    shapes: list[Shape] = []
    bottom, left = top, float(PAD)
    for line in lines_of(turn):
        board = Board.fitted(line.position.variant, left, top + LINE, BOARD)
        shapes += [Text(left, top + LINE / 2, texts(line.title), 16, "ink", bold=True), *board.shapes(line.position)]
        shapes += board.tags(line.numbers)
        bottom, left = board.top + board.height + PAD / 2, left + BOARD + PAD
    return shapes, bottom


def _graph(review: Review, left: float, top: float, texts: Texts) -> list[Shape]:
    graph = Graph(
        [review.moves[0].advantage_before, *(move.advantage for move in review.moves)],
        left,
        top,
        GRAPH,
        HEIGHT_OF_GRAPH,
    )
    blunders = [i for i, move in enumerate(review.moves, start=1) if move.label is Label.BLUNDER]
    dots = [Dot(i, str(review.moves[i - 1].number)) for i in blunders]
    end = texts("report.last_move", number=review.moves[-1].number)
    return list(graph.shapes(dots, texts("report.first_wins"), texts("report.second_wins"), end))
