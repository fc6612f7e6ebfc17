"""Draws a review as one picture: the final board, the graph and the turning point."""

from __future__ import annotations

import textwrap

from connectk.drawing.board import BoardLayout
from connectk.drawing.graph import Graph, GraphDot
from connectk.drawing.shapes import Picture, Rect, Shape, Text
from connectk.notation import SavedGame
from connectk.review.report import headline, summary_sentences
from connectk.review.review import MoveReview, Review
from connectk.review.variation_boards import variation_boards
from connectk.texts import Texts

PADDING, BOARD_SIZE, GRAPH_WIDTH, REVIEW_GRAPH_HEIGHT = 32, 400, 560, 200
LINE_HEIGHT = 24
MAX_CHARS_PER_LINE = 70


def draw_review(saved: SavedGame, review: Review, texts: Texts) -> Picture:
    """Draw the whole picture; `connectk.drawing` writes it as SVG or PNG."""
    title = headline(saved, texts)
    words = [
        line
        for sentence in summary_sentences(review, texts, saved.swapped)
        for line in textwrap.wrap(sentence, MAX_CHARS_PER_LINE)
    ]
    left, top = PADDING + BOARD_SIZE + PADDING, PADDING + LINE_HEIGHT + 16
    board = BoardLayout.fitted(review.game.variant, PADDING, top, BOARD_SIZE)
    text_top = top + REVIEW_GRAPH_HEIGHT + 56
    lines_top = max(text_top + LINE_HEIGHT * len(words), top + board.height) + PADDING / 2
    lines, height = _lines(review.turning_point, lines_top, texts)
    size = 20 if len(title) <= 80 else 16
    shapes: list[Shape] = [
        Rect(0, 0, left + GRAPH_WIDTH + PADDING, height, "paper"),
        Text(PADDING, PADDING + 12, textwrap.shorten(title, 110, placeholder=" …"), size, "ink", bold=True),
        *board.shapes(review.game.position),
        *_graph(review, left, top, texts),
        *(Text(left, text_top + LINE_HEIGHT * row, line, 16, "ink") for row, line in enumerate(words)),
        *lines,
    ]
    return Picture(left + GRAPH_WIDTH + PADDING, height, title, tuple(shapes))


def _lines(turn: MoveReview | None, top: float, texts: Texts) -> tuple[list[Shape], float]:
    """Draw the boards of the better line and of the refutation side by side. Also returns the y coordinate of their
    lower end."""
    shapes: list[Shape] = []
    bottom, left = top, float(PADDING)
    for line in variation_boards(turn):
        board = BoardLayout.fitted(line.position.variant, left, top + LINE_HEIGHT, BOARD_SIZE)
        shapes += [
            Text(left, top + LINE_HEIGHT / 2, texts(line.title), 16, "ink", bold=True),
            *board.shapes(line.position),
        ]
        shapes += board.tags(line.numbers)
        bottom, left = board.top + board.height + PADDING / 2, left + BOARD_SIZE + PADDING
    return shapes, bottom


def _graph(review: Review, left: float, top: float, texts: Texts) -> list[Shape]:
    graph = Graph(
        [review.moves[0].advantage_before, *(move.advantage for move in review.moves)],
        left,
        top,
        GRAPH_WIDTH,
        REVIEW_GRAPH_HEIGHT,
    )
    blunders = [i for i, move in enumerate(review.moves, start=1) if move.label.is_serious]
    dots = [GraphDot(i, str(review.moves[i - 1].number)) for i in blunders]
    end = texts("report.last_move", number=review.moves[-1].number)
    return list(graph.shapes(dots, texts("report.first_wins"), texts("report.second_wins"), end))
