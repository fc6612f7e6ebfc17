"""The game as one line in the terminal: time from left to right, first up, blunders as dots."""

from __future__ import annotations

from connectk.review.review import Label, Review
from connectk.texts import Texts

ROWS = 9
LABELS = {0: "report.first_wins", ROWS // 2: "worth.draw", ROWS - 1: "report.second_wins"}
PLAIN = str.maketrans("─│╭╮╰╯●┄", "-|....O-")


def draw_graph(review: Review, width: int, texts: Texts, plain: bool = False) -> str:
    """The graph in so many characters; `plain` for a terminal that knows only ASCII."""
    labels = {row: texts(key) for row, key in LABELS.items()}
    margin = max(map(len, labels.values())) + 1
    heights = [_row(review.moves[0].advantage_before), *(_row(move.advantage) for move in review.moves)]
    step = max(1, min(4, (width - margin) // len(heights)))
    canvas = _canvas(review, heights, step)
    lines = [f"{labels.get(row, ''):>{margin - 1}} {''.join(cells)}".rstrip() for row, cells in enumerate(canvas)]
    text = "\n".join([*lines, _numbers(review, step, margin)])
    return text.translate(PLAIN) if plain else text


def _canvas(review: Review, heights: list[int], step: int) -> list[list[str]]:
    canvas = [[" "] * (step * len(heights)) for _ in range(ROWS)]
    for x in range(0, step * len(heights), 2):
        canvas[ROWS // 2][x] = "┄"
    for index, (before, after) in enumerate(zip([heights[0], *heights], heights, strict=False)):
        _draw_step(canvas, step * index, step, before, after)
    for index, move in enumerate(review.moves, start=1):
        if move.label is Label.BLUNDER:
            canvas[heights[index]][step * index + step // 2] = "●"
    return canvas


def _row(advantage: float) -> int:
    return round((1 - advantage) / 2 * (ROWS - 1))


def _draw_step(canvas: list[list[str]], x: int, step: int, before: int, after: int) -> None:
    """From one height to the next in the first character, then level."""
    if before == after:
        canvas[after][x] = "─"
    else:
        down = before < after
        canvas[before][x], canvas[after][x] = ("╮", "╰") if down else ("╯", "╭")
        for row in range(min(before, after) + 1, max(before, after)):
            canvas[row][x] = "│"
    for more in range(1, step):
        canvas[after][x + more] = "─"


def _numbers(review: Review, step: int, margin: int) -> str:
    """Every tenth move's number, under its move."""
    first = review.moves[0].number
    line = [" "] * (margin + step * (len(review.moves) + 1) + 4)
    for index, move in enumerate(review.moves, start=1):
        if move.number % 10 == 0 or move.number == first:
            x = margin + step * index + step // 2
            line[x : x + len(str(move.number))] = str(move.number)
    return "".join(line).rstrip()
