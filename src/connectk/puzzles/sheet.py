"""A printable sheet of puzzles: six boards per page, and the solutions on separate pages."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace

from connectk.drawing import Picture, measures
from connectk.drawing.board import BoardLayout
from connectk.drawing.shapes import Circle, Holes, Polygon, Rect, Shape, Stroke, Text
from connectk.notation.window import Window
from connectk.puzzles.puzzle import Puzzle
from connectk.rules import Cell, Position, Side, Variant
from connectk.texts import Texts

PAGE_WIDTH, PAGE_HEIGHT = 1240.0, 1754.0  # A4 at 150 dots per inch
SHEET_MARGIN, FONT_SIZE, LINE_HEIGHT = 90.0, 22.0, 30.0
TITLE_HEIGHT = 60.0
THIN_LINE_WIDTH = 1.5
PUZZLES_ACROSS, PUZZLES_DOWN = 2, 3
SOLUTIONS_ACROSS, SOLUTIONS_DOWN = 4, 6
MAX_LINE_CHARS = 42  # the task above a board


def draw_sheet(puzzles: Sequence[Puzzle], texts: Texts) -> list[Picture]:
    """Return the pages of the sheet. First come the puzzles with their tasks, then the solutions, where a ring marks
    each answer."""
    puzzle_pages = [
        _page(some, texts, PUZZLES_ACROSS, PUZZLES_DOWN, False)
        for some in _numbered_chunks(puzzles, PUZZLES_ACROSS * PUZZLES_DOWN)
    ]
    solution_pages = [
        _page(some, texts, SOLUTIONS_ACROSS, SOLUTIONS_DOWN, True)
        for some in _numbered_chunks(puzzles, SOLUTIONS_ACROSS * SOLUTIONS_DOWN)
    ]
    return puzzle_pages + solution_pages


def _numbered_chunks(puzzles: Sequence[Puzzle], size: int) -> Iterator[list[tuple[int, Puzzle]]]:
    numbered = list(enumerate(puzzles, start=1))
    yield from (numbered[start : start + size] for start in range(0, len(numbered), size))


def _page(some: Sequence[tuple[int, Puzzle]], texts: Texts, across: int, down: int, solved: bool) -> Picture:
    title = texts("puzzle.sheet.solutions" if solved else "puzzle.sheet.title")
    shapes: list[Shape] = [
        Rect(0, 0, PAGE_WIDTH, PAGE_HEIGHT, "paper"),
        Text(SHEET_MARGIN, SHEET_MARGIN, title, 34, "ink", bold=True),
    ]
    wide, high = (PAGE_WIDTH - SHEET_MARGIN) / across, (PAGE_HEIGHT - 2 * SHEET_MARGIN - TITLE_HEIGHT) / down
    for i, (number, puzzle) in enumerate(some):
        left, top = SHEET_MARGIN + i % across * wide, SHEET_MARGIN + TITLE_HEIGHT + i // across * high
        shapes += _draw_puzzle(number, puzzle, texts, (left, top, wide - SHEET_MARGIN, high - LINE_HEIGHT), solved)
    return Picture(PAGE_WIDTH, PAGE_HEIGHT, title, tuple(shapes))


def _draw_puzzle(
    number: int, puzzle: Puzzle, texts: Texts, box: tuple[float, float, float, float], solved: bool
) -> Iterator[Shape]:
    """Draw a board with its caption above it. The board is as large as the box allows."""
    left, top, wide, high = box
    size = FONT_SIZE if not solved else 0.8 * FONT_SIZE
    for row, words in enumerate(_caption(number, puzzle, texts, solved)):
        yield Text(left, top + (row + 1) * LINE_HEIGHT, words, size, "ink", bold=row == 0)
    top += LINE_HEIGHT * (1.6 if solved else 3.6)
    cell = _max_cell_size(puzzle.variant, wide, high - LINE_HEIGHT * (1.6 if solved else 3.6))
    position = puzzle.position
    board = BoardLayout(Window(0, puzzle.variant.width, 0, puzzle.variant.height), left, top, cell)
    yield from _ink_board(position, board)
    if solved:
        target = Cell(puzzle.answer, position.height_of(puzzle.answer))
        yield Circle(*board.middle(target), measures.RING_RADIUS * board.unit, "ink")


def _ink_board(position: Position, board: BoardLayout) -> Iterator[Shape]:
    """Draw the board in thin lines that save ink. Each cell is a circle. A disc of the first player has a ring inside
    the circle, and a disc of the second player has a dot inside it.
    """
    radius, thin, size = measures.DISC_RADIUS * board.unit, THIN_LINE_WIDTH, min(FONT_SIZE, 0.4 * board.cell)
    for column in range(position.variant.width):
        middle = board.middle(Cell(column, 0))[0]
        yield Text(middle, board.top + board.height, str(column + 1), size, "ink", "middle")
        for row in range(position.variant.height):
            x, y = board.middle(Cell(column, row))
            side = position.disc_at(column, row)
            yield Circle(x, y, radius, "quiet" if side is None else "ink", thin if side is None else 2 * thin)
            if side is Side.FIRST:
                yield Circle(x, y, 0.6 * radius, "ink", 2 * thin)
            elif side is Side.SECOND:
                yield Circle(x, y, 0.6 * radius, "ink")


def _caption(number: int, puzzle: Puzzle, texts: Texts, solved: bool) -> list[str]:
    if solved:
        return [texts("puzzle.sheet.answer", number=number, column=puzzle.answer + 1)]
    side = texts(f"puzzle.to_move.{puzzle.position.side_to_move}")
    hard = texts(f"puzzle.difficulty.{puzzle.difficulty}")
    return [f"{number}. {hard}", *textwrap.wrap(f"{side} {texts(f'puzzle.task.{puzzle.aim}')}", MAX_LINE_CHARS)[:2]]


def _max_cell_size(variant: Variant, wide: float, high: float) -> float:
    """The largest cell size at which the board fits."""
    letters = 1.5 * measures.WIDE_BOARD_NUMBER_HEIGHT / measures.CELL_SIZE
    edge = 2 * measures.FRAME_MARGIN / measures.CELL_SIZE
    return min(wide / (variant.width + edge), high / (variant.height + edge + letters))


def stack_pages(pages: Sequence[Picture]) -> Picture:
    """Put all pages below each other in one picture. This is for file formats that have no pages."""
    shapes = [_moved_down(shape, number * PAGE_HEIGHT) for number, page in enumerate(pages) for shape in page.shapes]
    return Picture(PAGE_WIDTH, PAGE_HEIGHT * len(pages), pages[0].title, tuple(shapes))


def _moved_down(shape: Shape, by: float) -> Shape:
    match shape:
        case Stroke():
            return replace(shape, points=tuple((x, y + by) for x, y in shape.points))
        case Rect() | Circle() | Polygon() | Holes() | Text():
            return replace(shape, y=shape.y + by)
