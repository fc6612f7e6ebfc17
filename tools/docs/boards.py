"""Boards in the documentation: drawn by connectk itself, and one click away from being played on.

Where a page shows a board as text, the same board is drawn beneath it. `{board}` and `{reviewed}` draw more:

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

SIZE, REVIEW_SIZE = 320, 1000  # pixels
LOG = getLogger(__name__)
CELLS = re.compile(r"^(?:\.\.\. )?\s*[.xoXO○●](?: [.xoXO○●])+\s*$")
LINK = re.compile(r"\]\(([^)#\s:]+)(?:#[^)]*)?\)")
ROOT = Path(connectk.__file__).parents[2]


def linked(drawn: str, address: str, docname: str) -> nodes.raw:
    """A picture as a link to the page that plays on from it."""
    up = "../" * (docname.count("/") + 1)
    link = f'<a class="board" href="{up}index.html#{address}" title="Play on from here">{drawn}</a>'
    return nodes.raw("", link, format="html")


def picture(position: Position, address: str, docname: str) -> nodes.raw:
    return linked(draw_svg(position, SIZE), address, docname)


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
    """An empty board to play on right here, by `play.js`; where that cannot run, a picture that links to the page."""

    def run(self) -> list[nodes.Node]:
        (drawn,) = super().run()
        assert isinstance(drawn, nodes.raw)
        script = "../" * self.env.docname.count("/") + "_static/play.js"
        begin = f'<div class="playable" data-variant="{self.arguments[0]}">'
        html = f'{begin}{drawn.astext()}</div><script type="module" src="{script}"></script>'
        return [nodes.raw("", html, format="html")]


class ReviewedDirective(SphinxDirective):
    """A game with its review: the last board, the graph, how well both played and where it turned."""

    required_arguments = 2
    has_content = True

    def run(self) -> list[nodes.Node]:
        game, texts = game_of(self.arguments), load_texts("en")
        review = review_game(game)
        drawn = to_svg(draw_review(SavedGame(game), review, texts), REVIEW_SIZE)
        return [nodes.paragraph(text=" ".join(self.content)), linked(drawn, address_of(game), self.env.docname)]


def game_of(arguments: list[str]) -> Game:
    variant = Variant.parse(arguments[0])
    return Game(variant, parse_moves(arguments[1] if len(arguments) > 1 else "", variant))


def boards_in(text: str) -> Iterator[Position]:
    """The boards that are drawn in a text, each at least three rows high."""
    rows: list[str] = []
    for line in [*text.splitlines(), ""]:
        if CELLS.match(line):
            rows.append(line.removeprefix("... ").lower())
            continue
        if len(rows) > 2:
            yield from _position(rows)
        rows = []


def _position(rows: list[str]) -> Iterator[Position]:
    """What cannot be a position, such as a board of marks, is left as text."""
    try:
        yield parse_diagram("\n".join(rows))
    except ConnectkError:
        return


def draw_boards(app: Sphinx, doctree: nodes.document) -> None:
    """Beneath each text that shows a board, the board itself."""
    for block in list(doctree.findall(nodes.literal_block)):
        for position in reversed(list(boards_in(block.astext()))):
            index = block.parent.index(block)
            block.parent.insert(index + 1, picture(position, address_of(Game(position)), app.env.docname))


def check_links(app: Sphinx, docname: str, source: list[str]) -> None:
    """A link to a file beside docs/, such as an example, must lead to one."""
    page = Path(app.env.doc2path(docname))
    for link in LINK.findall(source[0]):
        if not (page.parent / link).exists():
            LOG.warning("no such file: %s", link, location=docname)


def bring_files(app: Sphinx, _error: Exception | None) -> None:
    """The page's own colours, and pictures that are named in plain HTML, one for light and one for dark."""
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
