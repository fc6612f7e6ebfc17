"""The screen of puzzles and lessons. It shows a board with a question, and beside it the reply to the answer."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from connectk.errors import ConnectkError
from connectk.rules import Position
from connectk.rules.variant import Variant
from connectk.terminal.learning_sessions import LearningSession, Reply, ShownCard
from connectk.terminal.screen.board_screen import COLUMN_KEYS, Key
from connectk.terminal.screen.drop_screen import DropScreen
from connectk.terminal.screen.keys import DROP_BINDINGS, HELP_KEY
from connectk.terminal.screen.why import WhyScreen
from connectk.terminal.thinking import run_in_background

QUESTION_KEYS: list[Key] = [
    (COLUMN_KEYS, "screen.drop", "key.drop"),
    ("h", "screen.hint", "key.hint"),
    ("a", "screen.solution", "key.solution"),
    HELP_KEY,
    ("Esc", "screen.leave", "key.leave"),
]
ANSWERED_KEYS: list[Key] = [
    ("Enter", "screen.drop", "key.next"),
    ("y", "screen.why", "key.why"),
    HELP_KEY,
    ("Esc", "screen.leave", "key.leave"),
]


class LearningScreen(DropScreen):
    """Shows puzzles or the cards of a lesson. Picking a column answers the card. After the answer, Enter shows the next
    card."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *DROP_BINDINGS,
        Binding("h", "hint", show=False, priority=True),
        Binding("a", "solution", show=False, priority=True),
        Binding("y", "why", show=False, priority=True),
        Binding("n,space", "next", show=False, priority=True),
        Binding("escape", "leave", show=False, priority=True),
        Binding("q", "app.quit", show=False, priority=True),
    ]

    def __init__(self, session: LearningSession, return_to_start: bool = False) -> None:
        """With `return_to_start`, leaving returns to the start screen instead of ending the program."""
        card = session.card
        super().__init__(card.position if card else Position.start())
        self.session, self._return_to_start = session, return_to_start
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

    def action_drop(self) -> None:
        """Answer the card if it is still open. Otherwise show the next card."""
        if self._asks:
            super().action_drop()
        else:
            self._typed.pop()
            self.action_next()

    def pick(self, column: int) -> None:
        if self._asks:
            self._run_in_background(lambda: self._answer_in_background(column))

    def action_solution(self) -> None:
        if self._asks:
            self._run_in_background(lambda: self._reply(self.session.solution()))

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
        """Show the explanation of the answer on a separate screen."""
        card = self.session.card
        if card is not None and not self._asks and card.position.outcome is None:
            self.app.push_screen(WhyScreen(card.position, card.position.side_to_move if card.asks else None))

    # --- background work

    def _run_in_background(self, work: Callable[[], Callable[[], None]]) -> None:
        if not self._busy:
            self._busy = True
            run_in_background(lambda: self.post(partial(self._finish, work())))

    def _finish(self, show: Callable[[], None]) -> None:
        self._busy = False
        show()

    def _answer_in_background(self, column: int) -> Callable[[], None]:
        try:
            return self._reply(self.session.answer(column))
        except ConnectkError as error:
            words = error.localize(self.texts)
            return lambda: self._say(words)

    def _reply(self, reply: Reply) -> Callable[[], None]:
        def show() -> None:
            dropped = reply.position.ply != self.board.position.ply and not reply.numbers
            self.board.show(reply.position, dropped=dropped, numbers=reply.numbers)
            self._say(reply.text, good=reply.right)
            self._show_progress()

        return show

    # --- display

    def _show_card(self) -> None:
        card = self.session.card
        self._say("")
        self.show_side_from_top()
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
        card = self.session.card
        answered = [key for key in ANSWERED_KEYS if key[0] != "y" or (card and card.position.outcome is None)]
        self.show_keys(QUESTION_KEYS if self._asks else answered if card else ANSWERED_KEYS[2:])
        self._show_hover()

    def _show_hover(self) -> None:
        position = self.board.position
        self.board.hover(self._column, position.side_to_move if self._asks and position.outcome is None else None)

    def _say(self, text: str, good: bool = False) -> None:
        self.show_text("#message", Content.styled(text, "$good") if good else text)

    def update_layout(self, variant: Variant) -> None:
        super().update_layout(variant)
        self._show_hover()
