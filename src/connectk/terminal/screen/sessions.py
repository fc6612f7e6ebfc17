"""Puzzles and lessons on the full screen: the board with a question, and the response beside it."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from connectk.errors import ConnectkError
from connectk.rules import Position
from connectk.rules.variant import Variant
from connectk.terminal.screen.board import BoardView
from connectk.terminal.screen.board_screen import BoardScreen, Key
from connectk.terminal.screen.keys import DROP_BINDINGS, TypedNumber
from connectk.terminal.screen.why import WhyScreen
from connectk.terminal.sessions import Reply, Session, ShownCard
from connectk.terminal.thinking import run_in_background

QUESTION_KEYS: list[Key] = [
    ("1-9", "screen.drop", "key.drop"),
    ("h", "screen.hint", "key.hint"),
    ("s", "screen.solution", "key.solution"),
    ("q", "screen.leave", "key.leave"),
]
ANSWERED_KEYS: list[Key] = [
    ("Enter", "screen.drop", "key.next"),
    ("w", "screen.why", "key.why"),
    ("q", "screen.leave", "key.leave"),
]


class SessionScreen(BoardScreen):
    """Shows a session. While a card is open, a column answers it; then Enter shows the next card."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *DROP_BINDINGS,
        Binding("h", "hint", show=False, priority=True),
        Binding("s", "solution", show=False, priority=True),
        Binding("w", "why", show=False, priority=True),
        Binding("n,space", "next", show=False, priority=True),
        Binding("escape,q", "leave", show=False, priority=True),
    ]

    class Done(Message):
        """Background work is done; `show` displays its result."""

        def __init__(self, show: Callable[[], None]) -> None:
            super().__init__()
            self.show = show

    def __init__(self, session: Session, return_to_start: bool = False) -> None:
        """`return_to_start`: leaving returns to the start screen instead of quitting."""
        card = session.card
        super().__init__(card.position if card else Position.start())
        self.session, self._return_to_start = session, return_to_start
        self._column = 0
        self._typed = TypedNumber()
        self._busy = False

    def compose_side(self) -> ComposeResult:
        yield Static(id="seats", markup=False)
        yield Static(id="status", markup=False)
        yield Static(id="message", markup=False)
        yield Static(id="moves", markup=False)

    def on_mount(self) -> None:
        self._show_card()

    # --- user actions

    @property
    def _asks(self) -> bool:
        card = self.session.card
        return card is not None and card.asks and self.session.is_open

    def action_digit(self, digit: str) -> None:
        if self.board.position.variant.width > 9:
            self._typed.add(digit)
            self._point(self._typed.column or 0)
        elif digit != "0":
            self.pick(int(digit) - 1)

    def action_erase(self) -> None:
        self._typed.erase()

    def action_move(self, step: int) -> None:
        self._typed.pop()
        self._point(self._column + step)

    def _point(self, column: int) -> None:
        self._column = min(max(0, column), self.board.position.variant.width - 1)
        self._show_hover()

    def on_board_view_pointed(self, event: BoardView.Pointed) -> None:
        self._point(event.column)

    def on_board_view_picked(self, event: BoardView.Picked) -> None:
        if self._asks:
            self.pick(event.column)

    def action_drop(self) -> None:
        """Answer an open card, or go to the next card."""
        typed = self._typed.pop()
        if self._asks:
            self.pick(self._column if typed is None else typed)
        else:
            self.action_next()

    def pick(self, column: int) -> None:
        self._point(column)
        if self._asks:
            self._work(lambda: self._answer_in_background(column))

    def action_solution(self) -> None:
        if self._asks:
            self._work(lambda: self._reply(self.session.solution()))

    def action_hint(self) -> None:
        if self._asks:
            self._say(self.session.hint(), good=True)

    async def action_leave(self) -> None:
        if self._return_to_start:
            self.app.pop_screen()
        else:
            await self.app.action_quit()

    def action_next(self) -> None:
        if self._asks or self._busy or self.session.card is None:
            return
        self.session.next_card()
        self._show_card()

    def action_why(self) -> None:
        """Show the explanation on a separate screen."""
        card = self.session.card
        if card is not None and not self._asks and card.position.outcome is None:
            self.app.push_screen(WhyScreen(card.position, card.position.side_to_move if card.asks else None))

    # --- background work

    def _work(self, work: Callable[[], Callable[[], None]]) -> None:
        if not self._busy:
            self._busy = True
            run_in_background(lambda: self._post_result(work))

    def _post_result(self, work: Callable[[], Callable[[], None]]) -> None:
        self.post_message(self.Done(work()))

    def on_session_screen_done(self, event: Done) -> None:
        self._busy = False
        event.show()

    def _answer_in_background(self, column: int) -> Callable[[], None]:
        try:
            return self._reply(self.session.answer(column))
        except ConnectkError as error:
            words = error.localize(self.texts)
            return lambda: self._say(words)

    def _reply(self, reply: Reply) -> Callable[[], None]:
        def show() -> None:
            self.board.show(reply.position, dropped=reply.position.ply != self.board.position.ply)
            self._say(reply.text, good=reply.right)
            self._show_progress()

        return show

    # --- display

    def _show_card(self) -> None:
        card = self.session.card
        self._say("")
        self.show_text("#seats", Content.styled(card.title if card else "", "bold"))
        self.show_text("#status", card.text if card else self.texts("learn.no_more"))
        if card:
            self._show_board(card)
        self._show_progress()

    def _show_board(self, card: ShownCard) -> None:
        self.board.show(card.position)
        self.update_layout(card.position.variant)
        self._point((card.position.variant.width - 1) // 2)

    def _show_progress(self) -> None:
        self.show_text("#moves", Content.styled(self.session.progress_text(), "$quiet"))
        self.show_keys(QUESTION_KEYS if self._asks else ANSWERED_KEYS if self.session.card else ANSWERED_KEYS[2:])
        self._show_hover()

    def _show_hover(self) -> None:
        position = self.board.position
        self.board.hover(self._column, position.side_to_move if self._asks and position.outcome is None else None)

    def _say(self, text: str, good: bool = False) -> None:
        self.show_text("#message", Content.styled(text, "$good") if good else text)

    def update_layout(self, variant: Variant) -> None:
        super().update_layout(variant)
        self._show_hover()
