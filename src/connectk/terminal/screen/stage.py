"""What every screen with a board has: the board, quiet type beside or below it, and the keys at the foot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from connectk.rules import Position, Variant
from connectk.terminal.screen.board import BoardView
from connectk.terminal.screen.geometry import Geometry
from connectk.texts import Texts

if TYPE_CHECKING:
    from connectk.terminal.screen.app import ConnectkApp

SIDE_WIDTH, BELOW_HEIGHT, BELOW_HEIGHT_LOW = 36, 6, 4  # as in app.tcss
LOW = 20  # lines
NO_BREAK = "\u00a0"

Key = tuple[str, str, str]  # the key as written, the action it runs, and its text's key in the catalogue


class Stage(Screen[None]):
    """`board` and `keys` are there once it is mounted."""

    def __init__(self, position: Position) -> None:
        super().__init__()
        self._first_position = position

    @property
    def program(self) -> ConnectkApp:
        return cast("ConnectkApp", self.app)

    @property
    def texts(self) -> Texts:
        return self.program.texts

    def compose(self) -> ComposeResult:
        self.set_class(self.program.ascii_only, "ascii")
        with Container(id="stage"):
            motion = not self.program.settings.reduced_motion
            yield BoardView(self._first_position, self.program.pen, motion)
            with VerticalScroll(id="side", can_focus=False):
                yield from self.compose_side()
        yield from self.compose_foot()
        yield Static(id="keys")

    def compose_side(self) -> ComposeResult:
        """What stands beside the board."""
        yield Static()

    def compose_foot(self) -> ComposeResult:
        """What stands under both, above the keys."""
        return iter(())

    @property
    def board(self) -> BoardView:
        return self.query_one(BoardView)

    def show_keys(self, keys: Sequence[Key]) -> None:
        """The keys at the foot; each can be clicked, too."""
        words = [self._key(*key) for key in keys]
        self.query_one("#keys", Static).update(Content("  ").join(words))

    def _key(self, key: str, action: str, text: str) -> Content:
        glue = self.program.pen.text(NO_BREAK)
        word = self.texts(text).replace(" ", glue)
        key = self.program.pen.text(key)
        return Content.from_markup(f"[b $ink]$key[/]{glue}[@click={action}]$word[/]", key=key, word=word)

    def show_text(self, place: str, text: str | Content) -> None:
        """Text in one of the places beside the board; an empty one takes no room."""
        static = self.query_one(place, Static)
        static.update(text)
        static.display = bool(text)

    def on_resize(self, event: events.Resize) -> None:
        self.make_room(self.board.position.variant)

    def make_room(self, variant: Variant) -> None:
        """The type beside the board, or below it where that lets the board be larger."""
        width, height = self.size
        low = height < LOW
        foot = sum(widget.outer_size.height for widget in self.query("#keys, GraphView") if widget.display)
        beside = Geometry.fitting(variant, width - SIDE_WIDTH, height - foot)
        below = Geometry.fitting(variant, width, height - foot - (BELOW_HEIGHT_LOW if low else BELOW_HEIGHT))
        fits = beside.width <= width - SIDE_WIDTH
        self.set_class(low, "low")
        self.set_class(below.cell_height > beside.cell_height or not fits, "below")
