"""The base of all screens on which a person chooses a column with digits, with the arrows and Enter, or with the
mouse."""

from __future__ import annotations

from collections.abc import Callable

from textual.message import Message

from connectk.rules import Position
from connectk.terminal.screen.board import BoardView
from connectk.terminal.screen.board_screen import BoardScreen
from connectk.terminal.screen.keys import TypedNumber

MAX_ONE_DIGIT_WIDTH = 9  # on a wider board the digits of a column are collected until Enter


class DropScreen(BoardScreen):
    """A screen with a board on which a person points at a column and picks it. Its bindings are `DROP_BINDINGS`."""

    class Posted(Message):
        """A function to call in the screen's thread."""

        def __init__(self, act: Callable[[], None]) -> None:
            super().__init__()
            self.act = act

    def __init__(self, position: Position) -> None:
        super().__init__(position)
        self._column = (position.variant.width - 1) // 2
        self._typed = TypedNumber()

    def post(self, act: Callable[[], None]) -> None:
        """Call a function in the screen's thread. Any thread may use this."""
        self.post_message(self.Posted(act))

    def on_drop_screen_posted(self, event: Posted) -> None:
        event.act()

    def pick(self, column: int) -> None:
        """Called when the person has picked a column. The column may be full, or the board may not have it."""
        raise NotImplementedError

    def _show_hover(self) -> None:
        """If the person may drop, show a disc above the selected column."""
        raise NotImplementedError

    def _say(self, text: str) -> None:
        self.show_text("#message", text)

    @property
    def _width(self) -> int:
        return self.board.position.variant.width

    def action_digit(self, digit: str) -> None:
        """Pick the column with this number. On a board of ten columns or more, digits are collected until Enter."""
        if self._width > MAX_ONE_DIGIT_WIDTH:
            self._typed.add(digit)
            self._show_typed()
        else:
            self._point(int(digit) - 1)
            self.pick(int(digit) - 1)

    def action_erase(self) -> None:
        """Delete the last digit that was typed."""
        if self._typed.text:
            self._typed.erase()
            self._show_typed()

    def action_move(self, step: int) -> None:
        self._clear_typed()
        self._point(self._column + step)

    def action_drop(self) -> None:
        """Pick the column whose number was typed. If none was typed, pick the selected column."""
        typed = self._typed.pop()
        self.pick(self._column if typed is None else typed)

    def on_board_view_pointed(self, event: BoardView.Pointed) -> None:
        self._column = event.column
        self._show_hover()

    def on_board_view_picked(self, event: BoardView.Picked) -> None:
        self._clear_typed()
        self._point(event.column)
        self.pick(event.column)

    def _point(self, column: int) -> None:
        """Select a column. If the board does not have it, select the nearest one."""
        self._column = min(max(0, column), self._width - 1)
        self._show_hover()
        self.board.reveal_column(self._column)

    def _show_typed(self) -> None:
        column = self._typed.column
        if column is not None and 0 <= column < self._width:
            self._point(column)
        self._say(self.texts("typed.number", number=self._typed.text) if self._typed.text else "")

    def _clear_typed(self) -> None:
        if self._typed.pop() is not None:
            self._say("")
