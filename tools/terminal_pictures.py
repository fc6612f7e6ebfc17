"""Takes pictures of the terminal game for the docs and the tests: `python -m tools.terminal_pictures docs/pictures`.

A screen is drawn as SVG. Block characters become shapes instead of letters of a font, so that the picture looks the
same everywhere.
"""

from __future__ import annotations

import asyncio
import sys
import tempfile
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.pilot import Pilot
from textual.strip import Strip

from connectk.notation import parse_moves
from connectk.rules import Game, Side
from connectk.terminal.match import PERSON_SEAT, LocalMatch
from connectk.terminal.screen.app import ConnectkApp
from connectk.terminal.screen.cells import QUADRANT_CHARACTERS
from connectk.terminal.screen.game import GameScreen
from connectk.terminal.settings import TerminalSettings
from connectk.terminal.store import Autosaves

CHAR_WIDTH, CHAR_HEIGHT = 10, 20  # a character
MARGIN = 20
LINE_OVERLAP = 0.3  # how far a rectangle reaches under the next line
STYLE = "text{font:16px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,monospace;white-space:pre}"
TERMINAL_SIZE = (98, 32)
MOVES = "7421317566632346"  # wins, draws and losses are all still possible
TITLE = "connectk play: the game in a terminal, with a hint for every column"


def screen_lines(app: App[None]) -> list[Strip]:
    """The lines of the screen. Open dialogs are drawn over the game."""
    strips = app.screen._compositor.render_strips(app.size)
    return [strip.crop(0, app.size.width) for strip in strips]


def screen_text(app: App[None]) -> str:
    """The characters of the screen, without colours."""
    return "\n".join(strip.text.rstrip() for strip in screen_lines(app))


def draw_screen(app: App[None], title: str) -> str:
    """The screen as SVG. Its margin has the colour of the screen's background."""
    width, height = app.size.width * CHAR_WIDTH + 2 * MARGIN, app.size.height * CHAR_HEIGHT + 2 * MARGIN
    paper = app.theme_variables["paper"]
    body = "".join(_draw_line(strip, y) for y, strip in enumerate(screen_lines(app)))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" role="img">'
        f"<title>{escape(title)}</title><style>{STYLE}</style>"
        f'<rect width="{width}" height="{height}" rx="10" fill="{paper}"/>'
        f'<g transform="translate({MARGIN} {MARGIN})">{body}</g></svg>\n'
    )


def _draw_line(strip: Strip, y: int) -> str:
    return "".join(_paths(_rectangles(strip, y))) + "".join(_words(strip, y))


Rectangle = tuple[float, float, float, float, str]  # left, top, width, height, colour


def _rectangles(strip: Strip, y: int) -> Iterator[Rectangle]:
    x = 0
    for text, style, _ in strip:
        front, behind = _colours(style)
        for character in text:
            yield x * CHAR_WIDTH, y * CHAR_HEIGHT, CHAR_WIDTH, CHAR_HEIGHT, behind
            yield from _quarters(character, x, y, front)
            x += 1


def _quarters(character: str, x: int, y: int, colour: str) -> Iterator[Rectangle]:
    bits = QUADRANT_CHARACTERS.find(character)
    for bit in range(4):
        if bits > 0 and bits >> bit & 1:
            yield (
                x * CHAR_WIDTH + bit % 2 * CHAR_WIDTH / 2,
                y * CHAR_HEIGHT + bit // 2 * CHAR_HEIGHT / 2,
                CHAR_WIDTH / 2,
                CHAR_HEIGHT / 2,
                colour,
            )


def _paths(rectangles: Iterable[Rectangle]) -> Iterator[str]:
    """The SVG paths, one for each colour. Whole characters come before quarters, and neighbouring cells are joined."""
    rows: dict[tuple[float, str], list[list[float]]] = {}
    for left, top, width, height, colour in rectangles:
        pieces = rows.setdefault((height, colour), [])
        if pieces and pieces[-1][:2] == [top, left]:
            pieces[-1][1] += width
        else:
            pieces.append([top, left + width, left])
    for (height, colour), pieces in sorted(rows.items(), key=lambda row: -row[0][0]):
        drawn = "".join(
            f"M{left:g} {top:g}H{right:g}v{height + LINE_OVERLAP:g}H{left:g}z" for top, right, left in pieces
        )
        yield f'<path fill="{colour}" d="{drawn}"/>'


def _words(strip: Strip, y: int) -> Iterator[str]:
    x = 0
    for segment in strip:
        text = "".join(" " if character in QUADRANT_CHARACTERS else character for character in segment.text)
        if text.strip():
            start = x + len(text) - len(text.lstrip())
            yield _word(text.strip(), start, y, segment)
        x += segment.cell_length


def _word(text: str, x: int, y: int, segment: Segment) -> str:
    colour, _ = _colours(segment.style)
    weight = ' font-weight="bold"' if segment.style and segment.style.bold else ""
    place = f'x="{x * CHAR_WIDTH}" y="{y * CHAR_HEIGHT + 15}" textLength="{len(text) * CHAR_WIDTH}"'
    return f'<text {place} fill="{colour}"{weight}>{escape(text)}</text>'


def _colours(style: Style | None) -> tuple[str, str]:
    front, behind = (style.color, style.bgcolor) if style else (None, None)
    pair = _hex(front, "#000000"), _hex(behind, "#ffffff")
    return (pair[1], pair[0]) if style and style.reverse else pair


def _hex(colour: Color | None, otherwise: str) -> str:
    return colour.get_truecolor().hex if colour and not colour.is_default else otherwise


async def take_picture(theme: str) -> str:
    """A picture of a game against the computer, with a hint."""
    match = LocalMatch(Game(moves=parse_moves(MOVES)), {Side.FIRST: PERSON_SEAT, Side.SECOND: "level:7"})
    with tempfile.TemporaryDirectory() as state:
        settings = TerminalSettings(theme=theme, reduced_motion=True, autosaves=Autosaves(Path(state)))
        app = ConnectkApp(settings, match)
        async with app.run_test(size=TERMINAL_SIZE) as pilot:
            await pilot.press("h")
            await _wait_for_hint(app, pilot)
            return draw_screen(app, TITLE)


async def _wait_for_hint(app: ConnectkApp, pilot: Pilot[None]) -> None:
    screen = app.screen
    assert isinstance(screen, GameScreen)
    while not screen.hint_is_finished:
        await pilot.pause(0.1)


def main(folder: str) -> None:
    """Write a picture for each theme."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    for theme in ("light", "dark"):
        Path(folder, f"terminal-{theme}.svg").write_text(asyncio.run(take_picture(theme)), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
