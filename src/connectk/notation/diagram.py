"""Parses and draws boards as text.

. . . X . . .
. . X o . . .      x and o are the first and the second player; a winning line is drawn in capitals
. X o o . . .
X o x x . . o
1 2 3 4 5 6 7
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from connectk.errors import ImpossibleVariant, NotationError
from connectk.notation.window import Window, window_of
from connectk.rules.outcome import Side
from connectk.rules.position import Position
from connectk.rules.variant import CLASSIC, Cell, Variant
from connectk.texts import load_texts

SIDE_OF_SYMBOL: dict[str, Side | None] = {
    **dict.fromkeys(".0_-·", None),
    **dict.fromkeys("xX1○◎", Side.FIRST),
    **dict.fromkeys("oO2●◉", Side.SECOND),
}
TO_WINNING_SYMBOLS = str.maketrans("xo○●", "XO◎◉")  # how a disc of a winning line is drawn
MAX_DIAGRAM_CELLS = 1_000_000  # cells

Row = list[str]


def parse_diagram(text: str, variant: Variant | None = None, side_to_move: Side | None = None) -> Position:
    """Parse a drawn position; empty rows at the top may be left out.

    The symbols are `. x o`, `0 1 2` or `○ ●`, and `X O` or `◎ ◉` in a winning line. Cells may be separated by spaces or
    `|`. Borders and column numbers are skipped. Without a `variant`, the board is the classic one if the drawing fits
    it. Otherwise the board has the size of the drawing, and a run of 4 wins.
    """
    rows = _rows_of(text)
    variant = variant or _variant_of(rows)
    if len(rows) > variant.height:
        raise NotationError("notation.rows", rows=len(rows), height=variant.height, text=text)
    for row in rows:
        _check(row, variant.width, text)
    columns = [[SIDE_OF_SYMBOL[row[column]] for row in reversed(rows)] for column in range(variant.width)]
    return Position.from_columns(columns, variant, side_to_move)


def _rows_of(text: str) -> list[Row]:
    lines = [line for line in text.splitlines() if line.strip() and not _is_border(line)]
    rows = [_cells_of(line) for line in lines]
    if rows and _is_footer(lines, rows):
        rows.pop()
    if not rows:
        raise NotationError("notation.no_board", text=text)
    return rows


def _is_border(line: str) -> bool:
    return set(line) <= set("+-=| ") and bool(set(line) & set("+="))


def _cells_of(line: str) -> Row:
    words = line.replace("|", " ").split()
    return words if len(words) > 1 else list("".join(words))


def _is_footer(lines: list[str], rows: list[Row]) -> bool:
    """Whether the last line holds the column numbers. A row of discs written as 1 and 2 does not count."""
    width = len(rows[0])
    numbered = lines[-1].replace("|", " ").split() == [str(column + 1) for column in range(width)]
    return numbered and (width > 2 or any(not cell.isdigit() for cell in rows[0]))


def _variant_of(rows: list[Row]) -> Variant:
    width, height = len(rows[0]), len(rows)
    if width == CLASSIC.width and height <= CLASSIC.height:
        return CLASSIC
    try:
        return Variant(width, height, CLASSIC.run)
    except ImpossibleVariant as error:
        raise NotationError("notation.name_variant", reason=error) from error


def _check(row: Row, width: int, text: str) -> None:
    if len(row) != width:
        raise NotationError("notation.row", cells=len(row), width=width, row=" ".join(row), text=text)
    for cell in row:
        if cell not in SIDE_OF_SYMBOL:
            raise NotationError("notation.disc", cell=repr(cell), text=text)


def draw_diagram(position: Position, marks: Mapping[Cell, str] | None = None, discs: str = "xo") -> str:
    """Draw the board with column numbers below it. If the board has more than a million cells, draw only the part
    around the last disc.

    A cell in `marks` shows its mark instead of its disc. `discs` are the characters of the first and the second player,
    such as "xo" or "○●".
    """
    window = window_of(position, MAX_DIAGRAM_CELLS)
    digits = len(str(window.right))
    won = {cell: _symbol(position, cell, discs).translate(TO_WINNING_SYMBOLS) for cell in position.winning_cells}
    drawn = won | dict(marks or {})
    lines = [
        " ".join((drawn.get(cell) or _symbol(position, cell, discs)).rjust(digits) for cell in _row(window, row))
        for row in reversed(window.rows)
    ]
    numbers = " ".join(str(column + 1).rjust(digits) for column in window.columns)
    return "\n".join([*lines, numbers, *_caption(window, position.variant)])


def _row(window: Window, row: int) -> Iterator[Cell]:
    return (Cell(column, row) for column in window.columns)


def _symbol(position: Position, cell: Cell, discs: str) -> str:
    side = position.disc_at(*cell)
    return "." if side is None else discs[side.value]


def _caption(window: Window, variant: Variant) -> list[str]:
    if window.is_whole(variant):
        return []
    ends = {"left": window.left + 1, "right": window.right, "bottom": window.bottom + 1, "top": window.top}
    return [load_texts("en")("drawn.part", **ends, variant=variant)]
