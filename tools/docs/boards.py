"""Draws boards in the documentation with connectk itself. A click on a board opens its game on the page.

Below each board that is written as text, a picture of the same board is added. These directives draw more boards:

    ```{board} 7x6x4 4453
    ```
    ```{playable} 7x6x4
    ```
    ```{reviewed} 7x6x4 44444752232255311
    Who played, and why it is worth a look.
    ```
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective
from sphinx.util.logging import getLogger

import connectk
from connectk.drawing import draw_svg, to_svg
from connectk.errors import ConnectkError
from connectk.notation import SavedGame, parse_diagram, parse_moves, write_moves
from connectk.notation.start import write_start
from connectk.review import review_game
from connectk.review.picture import draw_review
from connectk.rules import Game, Position, Variant
from connectk.texts import load_texts

BOARD_PIXELS, REVIEW_PIXELS = 320, 1000  # pixels
LOG = getLogger(__name__)
DIAGRAM_ROW_PATTERN = re.compile(r"^(?:\.\.\. )?\s*[.xoXO○●](?: [.xoXO○●])+\s*$")
LINK_PATTERN = re.compile(r"\]\(([^)#\s:]+)(?:#[^)]*)?\)")
ROOT = Path(connectk.__file__).parents[2]


def linked(drawn: str, address: str, docname: str) -> nodes.raw:
    """A picture with a link that opens its game on the page."""
    up = "../" * (docname.count("/") + 1)
    link = f'<a class="board" href="{up}index.html#{address}" title="Play on from here">{drawn}</a>'
    return nodes.raw("", link, format="html")


def picture(position: Position, address: str, docname: str) -> nodes.raw:
    return linked(draw_svg(position, BOARD_PIXELS), address, docname)


def address_of(game: Game) -> str:
    start = write_start(game.start)
    moves = write_moves(game.moves, game.variant) or "-"
    return f"/game/{game.variant}/{moves}" + (f"/{start}" if start else "")


class BoardDirective(SphinxDirective):
    """A position after some moves."""

    required_arguments = 1
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        game = game_of(self.arguments)
        return [picture(game.position, address_of(game), self.env.docname)]


class PlayableDirective(BoardDirective):
    """An empty board that the reader can play on, made by `play.js`. If the script cannot run, a picture links to the
    page."""

    def run(self) -> list[nodes.Node]:
        (drawn,) = super().run()
        assert isinstance(drawn, nodes.raw)
        script = "../" * self.env.docname.count("/") + "_static/play.js"
        begin = f'<div class="playable" data-variant="{self.arguments[0]}">'
        html = f'{begin}{drawn.astext()}</div><script type="module" src="{script}"></script>'
        return [nodes.raw("", html, format="html")]


class ReviewedDirective(SphinxDirective):
    """A game with its review: the last board, the graph, the accuracy of both sides and the turning point."""

    required_arguments = 2
    has_content = True

    def run(self) -> list[nodes.Node]:
        game, texts = game_of(self.arguments), load_texts("en")
        review = review_game(game)
        drawn = to_svg(draw_review(SavedGame(game), review, texts), REVIEW_PIXELS)
        return [nodes.paragraph(text=" ".join(self.content)), linked(drawn, address_of(game), self.env.docname)]


def game_of(arguments: list[str]) -> Game:
    variant = Variant.parse(arguments[0])
    return Game(variant, parse_moves(arguments[1] if len(arguments) > 1 else "", variant))


def boards_in(text: str) -> Iterator[Position]:
    """The boards that are drawn in a text. A board has at least three rows."""
    rows: list[str] = []
    for line in [*text.splitlines(), ""]:
        if DIAGRAM_ROW_PATTERN.match(line):
            rows.append(line.removeprefix("... ").lower())
            continue
        if len(rows) > 2:
            yield from _position(rows)
        rows = []


def _position(rows: list[str]) -> Iterator[Position]:
    """The position that these rows show. None if they are not a position, for example a board with marks."""
    try:
        yield parse_diagram("\n".join(rows))
    except ConnectkError:
        return


def draw_boards(app: Sphinx, doctree: nodes.document) -> None:
    """Insert a picture of the board below each board that is drawn as text."""
    for block in list(doctree.findall(nodes.literal_block)):
        for position in reversed(list(boards_in(block.astext()))):
            index = block.parent.index(block)
            block.parent.insert(index + 1, picture(position, address_of(Game(position)), app.env.docname))


def check_links(app: Sphinx, docname: str, source: list[str]) -> None:
    """Warn about links to files of the repository, such as examples, that do not exist."""
    page = Path(app.env.doc2path(docname))
    for link in LINK_PATTERN.findall(source[0]):
        if not (page.parent / link).exists():
            LOG.warning("no such file: %s", link, location=docname)


def bring_files(app: Sphinx, _error: Exception | None) -> None:
    """Copy the pictures that raw HTML uses, and the page's colours."""
    shutil.copytree(Path(app.srcdir) / "pictures", Path(app.outdir) / "pictures", dirs_exist_ok=True)
    shutil.copy(Path(connectk.__file__).parent / "web/css/tokens.css", Path(app.outdir) / "_static/tokens.css")


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("board", BoardDirective)
    app.add_directive("playable", PlayableDirective)
    app.add_directive("reviewed", ReviewedDirective)
    app.connect("doctree-read", draw_boards)
    app.connect("source-read", check_links)
    app.connect("build-finished", bring_files)
    return {"parallel_read_safe": True, "version": "1"}
