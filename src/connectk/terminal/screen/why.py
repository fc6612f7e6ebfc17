"""The screen of an explanation of why a side wins or holds, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from connectk.errors import localize_error
from connectk.rules import Position, Side
from connectk.terminal.screen.board_screen import BoardScreen, Help, Key, SaveAs
from connectk.terminal.screen.keys import STEP_BINDINGS
from connectk.terminal.searches import ExplanationSteps, WhySearch, step_board
from connectk.why import Explanation, write_explanation
from connectk.why.boards import Step
from connectk.why.telling import headline_of, say

WHY_KEYS: list[Key] = [
    ("←→", "screen.forward", "key.step"),
    ("Home", "screen.to_start", "key.first"),
    ("End", "screen.to_end", "key.last"),
    ("Esc", "screen.leave", "key.leave"),
]
WHY_BOARDS_KEYS: list[Key] = [WHY_KEYS[0], ("PgDn", "screen.next_board", "key.board"), *WHY_KEYS[1:]]
SAVE_KEY: Key = ("s", "screen.save", "key.save")


class WhyScreen(BoardScreen):
    """Searches an explanation of a position, then shows its steps."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *STEP_BINDINGS,
        Binding("space", "forward", show=False, priority=True),
        Binding("pagedown", "next_board", show=False, priority=True),
        Binding("pageup", "board_before", show=False, priority=True),
        Binding("s", "save", show=False),
        Binding("question_mark,f1", "help", show=False),
        Binding("escape,q,y", "leave", show=False),
    ]

    class News(Message):
        """The result of the search."""

        def __init__(self, news: ExplanationSteps | Exception) -> None:
            super().__init__()
            self.news = news

    def __init__(self, position: Position, side: Side | None = None) -> None:
        """In a drawn position, `side` is the side whose defence is explained."""
        super().__init__(position)
        self.position, self.side, self.at = position, side, 0
        self._search: WhySearch | None = None
        self.found: ExplanationSteps | None = None
        self._message = ""

    def compose_side(self) -> ComposeResult:
        yield Static(id="status", markup=False)
        yield Static(id="message", markup=False)
        yield Static(id="hint", markup=False)
        yield Static(id="moves", markup=False)

    def on_mount(self) -> None:
        self._search = WhySearch(self.position, lambda news: self.post_message(self.News(news)), self.side)
        self.show_keys(WHY_KEYS)
        self.show_text("#status", self.texts("why.page.looking"))
        for place in ("#message", "#hint", "#moves"):
            self.show_text(place, "")

    def on_unmount(self) -> None:
        if self._search:
            self._search.stop()

    def on_why_screen_news(self, event: News) -> None:
        if isinstance(event.news, ExplanationSteps):
            self.found = event.news
            self.go_to(0)
        else:
            error = event.news
            self.show_text("#status", localize_error(error, self.texts))

    # --- navigation

    @property
    def _last(self) -> int:
        return len(self.found.steps) - 1 if self.found else 0

    def go_to(self, at: int) -> None:
        self.at, self._message = min(max(0, at), self._last), ""
        if self.found and self.found.steps:
            position, signs = step_board(self.found.steps[self.at])
            self.board.show(position, numbers=signs)
        self._show()

    def action_forward(self) -> None:
        self.go_to(self.at + 1)

    def action_back(self) -> None:
        self.go_to(self.at - 1)

    def action_to_start(self) -> None:
        self.go_to(0)

    def action_to_end(self) -> None:
        self.go_to(self._last)

    def action_next_board(self) -> None:
        self._to_board(1)

    def action_board_before(self) -> None:
        self._to_board(-1)

    def _to_board(self, step: int) -> None:
        """Go to the first step of another board."""
        pages = [one.page for one in self.found.steps] if self.found else []
        if pages:
            wanted = min(max(0, pages[self.at] + step), pages[-1])
            self.go_to(pages.index(wanted))

    # --- display

    def _show(self) -> None:
        if not self.found:
            return
        steps = self.found.steps
        self.show_text("#status", Content.styled(headline_of(self.found.why, self.texts), "bold"))
        self.show_text("#message", self._message)
        self.show_text("#hint", self._step_sentence(steps[self.at]) if steps else "")
        self.show_text("#moves", self._step_label())
        boards = {step.page for step in steps}
        self.show_keys(
            [*(WHY_BOARDS_KEYS if len(boards) > 1 else WHY_KEYS), *([SAVE_KEY] if self._explanation else [])]
        )

    def _step_sentence(self, step: Step) -> str:
        """The step's sentence. The page draws lines between cells; here a legend explains the signs instead."""
        return self.texts("why.always") if step.kind == "always" else say(step.kind, step.facts, self.texts)

    def _step_label(self) -> Content:
        """The step number, the board, and the legend."""
        if not self.found or not self.found.steps:
            return Content("")
        step, boards = self.found.steps[self.at], 1 + max(one.page for one in self.found.steps)
        board = f"  {self.texts('why.page.board', number=step.page + 1, count=boards)}" if boards > 1 else ""
        legend = f"\n{self.texts('why.legend')}" if step.pairs or step.threats else ""
        return Content.styled(f"{self.at + 1} / {len(self.found.steps)}{board}{legend}", "$quiet")

    @property
    def _explanation(self) -> Explanation | None:
        return self.found.why.explanation if self.found else None

    def action_save(self) -> None:
        """Save the explanation to a file that `connectk why --check` can check."""
        explanation = self._explanation
        if explanation is None:
            return

        def write(path: Path) -> None:
            path.write_text(write_explanation(explanation), encoding="utf-8")

        self.app.push_screen(SaveAs("why.json", write), self._saved)

    def _saved(self, path: Path | None) -> None:
        if path:
            self._message = self.texts("why.page.saved", command=f"connectk why --check {path}")
            self._show()

    def action_help(self) -> None:
        self.app.push_screen(Help())

    def action_leave(self) -> None:
        self.dismiss(None)
