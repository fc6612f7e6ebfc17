"""Draws cells with characters, finds their places on the screen, and moves a falling disc.

hovering disc      cell_height lines
rows of the board  cell_height lines each, a character of frame on either side
foot of the frame  one line
column numbers     one line

Each character is split into four quarters, its pixels, and shows at most two inks: ▙ has one ink in three quarters. A
cell that is h lines high is 2h characters wide, which is about square on a screen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Set
from dataclasses import dataclass, replace
from functools import lru_cache
from math import sqrt

from textual.geometry import Region

from connectk.rules import Cell, Side, Variant
from connectk.terminal.screen.colours import DRAWN_INKS, Ink
from connectk.terminal.sentences import ROUND_DISCS

MAX_CELL_LINES = 8


@dataclass(frozen=True, slots=True)
class Geometry:
    """The place of each part of a board on the screen, if a cell is `cell_height` lines high."""

    variant: Variant
    cell_height: int

    @classmethod
    def fitting(cls, variant: Variant, width: int, height: int, max_cell_lines: int = MAX_CELL_LINES) -> Geometry:
        """The layout with the largest cells that fit into this space. If no layout fits, a cell is one line high."""
        for cell_height in range(max_cell_lines, 1, -1):
            geometry = cls(variant, cell_height)
            if geometry.width <= width and geometry.height <= height:
                return geometry
        return cls(variant, 1)

    @property
    def cell_width(self) -> int:
        """The width of a cell in characters. A cell looks about square, has at least three characters, and has room for
        its column's number."""
        return max(3, 2 * self.cell_height, len(str(self.variant.width)) + 1 if self.cell_height == 1 else 0)

    @property
    def width(self) -> int:
        return self.variant.width * self.cell_width + 2

    @property
    def height(self) -> int:
        return (self.variant.height + 1) * self.cell_height + 2

    def column_at(self, x: int) -> int | None:
        column = (x - 1) // self.cell_width
        return column if 0 <= column < self.variant.width else None

    def row_at(self, y: int) -> int:
        """The row at line `y`. Above the board it is the board's number of rows. Below the board it is negative."""
        return self.variant.height - y // self.cell_height

    def region_of(self, cell: Cell) -> Region:
        left = 1 + cell.column * self.cell_width
        top = (self.variant.height - cell.row) * self.cell_height
        return Region(left, top, self.cell_width, self.cell_height)


ONE_ROW_FALL_SECONDS = 0.09
BOUNCE_ROWS = 0.12
MAX_FALL_SECONDS = 0.5  # from any height


def height_above(rows: float, seconds: float) -> float:
    """The number of rows that a falling disc is above its cell after `seconds`. It started `rows` above its cell. The
    result is 0 after the disc has landed."""
    landed = _landing_seconds(rows)
    if seconds < landed:
        return rows * (1 - (seconds / landed) ** 2)
    return _bounce_height(seconds - landed)


def _landing_seconds(rows: float) -> float:
    return min(ONE_ROW_FALL_SECONDS * sqrt(rows), MAX_FALL_SECONDS - _bounce_seconds())


def _bounce_height(seconds: float) -> float:
    half = _bounce_seconds() / 2
    return max(0.0, BOUNCE_ROWS * (1 - ((seconds - half) / half) ** 2))


def _bounce_seconds() -> float:
    return 2 * ONE_ROW_FALL_SECONDS * sqrt(BOUNCE_ROWS)


def fall_seconds(rows: float) -> float:
    """The seconds from the drop until the disc has landed."""
    return _landing_seconds(rows) + _bounce_seconds()


QUADRANT_CHARACTERS = " ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█"  # by bits: 1 top left, 2 top right, 4 bottom left, 8 bottom right
MIN_LINE_CELL_LINES = 5  # the smallest cell in which a winning line leaves its disc recognisable
DISC_RADIUS_BY_CELL_LINES = {
    2: 0.8,
    4: 0.86,
}  # as a share of half a cell, by cell height, chosen to look round; 0.84 at other heights

Direction = tuple[int, int]
Run = tuple[str, Ink, Ink]  # characters, their foreground ink and their background ink
Rows = tuple[tuple[Run, ...], ...]

NO_LINES: frozenset[Direction] = frozenset()
DISC_INKS = {Side.FIRST: Ink.FIRST, Side.SECOND: Ink.SECOND}
INSIDE_INKS = {Side.FIRST: Ink.RECESS, Side.SECOND: Ink.CORE}
INSIDE_RADIUS = {Side.FIRST: 0.56, Side.SECOND: 0.48}  # as a share of the disc's radius
MARK_RADIUS = 0.3  # the mark of the last disc, as a share of its radius; on a small disc it fills the inside
ON_DISC_INKS = {Side.FIRST: Ink.FRAME, Side.SECOND: Ink.GLOW}  # readable on a disc
GHOST_INKS = {Side.FIRST: Ink.GHOST_FIRST, Side.SECOND: Ink.GHOST_SECOND}


@dataclass(frozen=True, slots=True)
class CellLook:
    """The content of a cell. `fall` is the height of a falling disc above this cell, in cells. `lines` are the winning
    lines through the cell."""

    disc: Side | None = None
    ghost: bool = False
    fall: float = 0.0
    lines: frozenset[Direction] = NO_LINES
    frame: bool = True
    last: bool = False  # whether this is the last disc dropped
    number: str = ""  # one character, written on the disc or into the hole


@lru_cache(maxsize=4096)
def draw_cell(look: CellLook, height: int) -> Rows:
    """Draw a cell as lines of text from top to bottom. Each line is a list of pieces of text with their colours."""
    if height == 1:
        return (_in_one_row(look),)
    rows = [[_character(inks) for inks in row] for row in _pixels(look, height)]
    if look.number:
        inks = (Ink.SIGN, Ink.HOLE) if look.disc is None else (ON_DISC_INKS[look.disc], DISC_INKS[look.disc])
        rows[height // 2][height - 1] = (look.number, *inks)
    return tuple(map(_merge_runs, rows))


def _merge_runs(characters: Iterable[Run]) -> tuple[Run, ...]:
    """Join neighbouring characters with the same colours, so that there are fewer pieces of text."""
    runs: list[Run] = []
    for text, front, behind in characters:
        if runs and runs[-1][1:] == (front, behind):
            runs[-1] = (runs[-1][0] + text, front, behind)
        else:
            runs.append((text, front, behind))
    return tuple(runs)


@lru_cache(maxsize=4096)
def draw_cell_without_colour(look: CellLook, height: int) -> tuple[str, ...]:
    """Draw a cell without colours, as lines of text. The first player's disc is a ring; the second player's disc is
    filled."""
    if height == 1:
        return ("".join(character for character, _, _ in _in_one_row(look)),)
    plain = replace(look, lines=NO_LINES, last=False, number="")
    rows = ["".join(_quarters(inks, DRAWN_INKS) for inks in row) for row in _pixels(plain, height)]
    if look.number:
        row = rows[height // 2]
        rows[height // 2] = f"{row[: height - 1]}{look.number}{row[height:]}"
    return tuple(_with_corners(rows) if look.last else rows)


def _with_corners(rows: list[str]) -> list[str]:
    """Draw the corners of a cell, which mark the cell. A disc never covers them."""
    top, bottom = rows[0], rows[-1]
    return [f"╭{top[1:-1]}╮", *rows[1:-1], f"╰{bottom[1:-1]}╯"]


def _pixels(look: CellLook, height: int) -> Iterator[list[list[Ink]]]:
    """Yields the pixels of each line of text. Each character has four: top left, top right, bottom left, bottom
    right."""
    pixel = _painter(look, height)
    xs = [_pixel_centre(index, 4 * height) for index in range(4 * height)]
    ys = [_pixel_centre(index, 2 * height) for index in range(2 * height)]
    for y in range(0, 2 * height, 2):
        yield [[pixel(xs[x + i], ys[y + j]) for j in (0, 1) for i in (0, 1)] for x in range(0, 4 * height, 2)]


def _in_one_row(look: CellLook) -> tuple[Run, ...]:
    """A cell with a height of one line: three characters with the disc in the middle."""
    around = Ink.FRAME if look.frame else Ink.PAPER
    if look.disc is None or abs(look.fall) >= 0.5:
        return _framed(look.number or ("·" if look.frame else " "), Ink.HOLE, around)
    if look.ghost:
        return _framed("▾", Ink.GLOW, around)
    if look.lines or look.number:
        return _framed(look.number or ROUND_DISCS[look.disc], ON_DISC_INKS[look.disc], DISC_INKS[look.disc])
    if look.last:
        return ("(", Ink.GLOW, around), (ROUND_DISCS[look.disc], DISC_INKS[look.disc], around), (")", Ink.GLOW, around)
    return _framed(ROUND_DISCS[look.disc], DISC_INKS[look.disc], around)


def _framed(text: str, front: Ink, behind: Ink) -> tuple[Run, ...]:
    return (" ", behind, behind), (text, front, behind), (" ", behind, behind)


def _character(inks: list[Ink]) -> Run:
    """The character that shows these four pixels. A character has only two colours, so the two most common inks are
    shown."""
    inks = [Ink.HOLE if ink is Ink.DOT else ink for ink in inks]
    (behind, _), *others = Counter(inks).most_common()
    front = others[0][0] if others else behind
    return (_quarters(inks, {front}) if others else " "), front, behind


def _quarters(inks: list[Ink], drawn: Set[Ink]) -> str:
    return QUADRANT_CHARACTERS[sum(1 << bit for bit, ink in enumerate(inks) if ink in drawn)]


def _pixel_centre(index: int, count: int) -> float:
    """The middle of a pixel; the edges of the cell are at -1 and 1."""
    return (2 * index + 1) / count - 1


def _painter(look: CellLook, height: int) -> Callable[[float, float], Ink]:
    """Returns a function that gives the ink at a point. The middle of the cell is 0, 0; x grows to the right, y grows
    downwards."""
    # Small discs look round only with an odd number of pixels, so they are placed half a pixel low.
    radius, lower = DISC_RADIUS_BY_CELL_LINES.get(height, 0.84), (0.5 / height if height <= 4 else 0.0)

    mark = INSIDE_RADIUS[look.disc] if look.disc is not None and height < MIN_LINE_CELL_LINES else MARK_RADIUS

    def pixel(x: float, y: float) -> Ink:
        y -= lower
        if height >= MIN_LINE_CELL_LINES and _on_line(x, y, look.lines):
            return Ink.GLOW
        if x * x + y * y > radius * radius:
            return _ink_around_hole(x, y, look, height)
        return _ink_in_hole(x / radius, (y + 2 * look.fall) / radius, look, mark)

    return pixel


def _ink_around_hole(x: float, y: float, look: CellLook, height: int) -> Ink:
    if look.lines and (height < MIN_LINE_CELL_LINES or x * x + y * y < 1.0):
        return Ink.GLOW
    return Ink.FRAME if look.frame else Ink.PAPER


def _ink_in_hole(x: float, y: float, look: CellLook, mark: float) -> Ink:
    behind = Ink.HOLE if look.frame else Ink.PAPER
    distance = (x * x + y * y) ** 0.5
    if look.disc is None and look.frame and distance < 0.3:
        return Ink.DOT
    if look.disc is None or distance > 1:
        return behind
    if look.ghost:
        return GHOST_INKS[look.disc] if distance > 0.62 else Ink.DOT if look.frame and distance < 0.5 else behind
    if look.last and distance < mark:
        return Ink.GLOW
    return INSIDE_INKS[look.disc] if distance < INSIDE_RADIUS[look.disc] else DISC_INKS[look.disc]


def _on_line(x: float, y: float, lines: frozenset[Direction]) -> bool:
    """Whether a winning line runs through this point. The row numbers of a line grow upwards, but y grows downwards."""
    return any(abs(x * dr + y * dc) < 0.13 * (dc * dc + dr * dr) ** 0.5 for dc, dr in lines)
