"""A board as a picture, for notebooks and pages."""

from __future__ import annotations

from collections.abc import Iterator

from connectk.notation.window import Window, window_of
from connectk.rules.outcome import Side
from connectk.rules.position import Position
from connectk.rules.variant import Cell

CELL = 40  # the side of a cell; a disc's radius is 16
LARGEST_DRAWN_WHOLE = 10_000  # cells
LONGEST_SIDE = 640

# The colours of the page (web/css/tokens.css), light and dark.
# Every rule starts with .connectk, because a notebook puts the picture into its own page.
COLOURS = {
    "frame": ("#26418F", "#3D5FC4"),
    "hole": ("#EEF1F8", "#0E1016"),
    "first": ("#F2B41B", "#F5C445"),
    "second": ("#C6402F", "#E0604E"),
    "core": ("#4A0D06", "#5A130B"),
    "number": ("#5F6673", "#9AA3B2"),
}
SHAPES = """
.connectk .ring{fill:none;stroke:#8A5A00;stroke-width:3}
.connectk .number{font:14px sans-serif;text-anchor:middle}.connectk .won{fill:none;stroke:#FFF;stroke-width:4}
.connectk .line{stroke:#FFF;stroke-width:5;stroke-linecap:round}
""".strip()
LIGHT = "".join(f".connectk .{name}{{fill:{light}}}" for name, (light, _) in COLOURS.items())
DARK = "".join(f".connectk .{name}{{fill:{dark}}}" for name, (_, dark) in COLOURS.items())
STYLE = f"{LIGHT}{SHAPES}@media(prefers-color-scheme:dark){{{DARK}}}"


def draw_svg(position: Position) -> str:
    """The board as SVG, discs told apart by shape and colour, the winning line drawn through."""
    window = window_of(position, LARGEST_DRAWN_WHOLE)
    width, height = CELL * len(window.columns), CELL * len(window.rows)
    scale = min(1.0, LONGEST_SIDE / max(width, height))
    return "".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height + 24}" '
            f'width="{width * scale:.0f}" height="{(height + 24) * scale:.0f}" class="connectk" role="img">',
            f"<title>{_title(position)}</title><style>{STYLE}</style>",
            # Holes are one repeating pattern, so an empty board of any size is a short text.
            f'<pattern id="holes" width="{CELL}" height="{CELL}" patternUnits="userSpaceOnUse">'
            f'<circle class="hole" cx="20" cy="20" r="16"/></pattern>',
            f'<rect class="frame" width="{width}" height="{height}" rx="8"/>',
            f'<rect fill="url(#holes)" width="{width}" height="{height}"/>',
            *_discs(position, window),
            *_winning_lines(position, window),
            *_numbers(window, height),
            "</svg>",
        ]
    )


def _title(position: Position) -> str:
    state = str(position.outcome or f"{position.side_to_move} to move")
    return f"{position.variant}, {position.ply} discs, {state}"


def _discs(position: Position, window: Window) -> Iterator[str]:
    for column in window.columns:
        for row in range(window.bottom, min(window.top, position.height_of(column))):
            x, y = _middle(Cell(column, row), window)
            if position.disc_at(column, row) is Side.FIRST:
                yield f'<circle class="first" cx="{x}" cy="{y}" r="16"/><circle class="ring" cx="{x}" cy="{y}" r="10"/>'
            else:
                yield f'<circle class="second" cx="{x}" cy="{y}" r="16"/><circle class="core" cx="{x}" cy="{y}" r="6"/>'


def _winning_lines(position: Position, window: Window) -> Iterator[str]:
    for cell in position.winning_cells:
        x, y = _middle(cell, window)
        yield f'<circle class="won" cx="{x}" cy="{y}" r="16"/>'
    for line in position.winning_lines:
        (x1, y1), (x2, y2) = _middle(line[0], window), _middle(line[-1], window)
        yield f'<line class="line" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>'


def _numbers(window: Window, height: int) -> Iterator[str]:
    every = 1 if len(window.columns) <= 40 and window.right < 10_000 else 10
    for column in window.columns:
        if (column + 1) % every == 0:
            x, _ = _middle(Cell(column, window.bottom), window)
            yield f'<text class="number" x="{x}" y="{height + 17}">{column + 1}</text>'


def _middle(cell: Cell, window: Window) -> tuple[int, int]:
    return (cell.column - window.left) * CELL + CELL // 2, (window.top - 1 - cell.row) * CELL + CELL // 2
