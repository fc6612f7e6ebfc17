"""The screen that explains step by step why a side wins or holds a draw."""

from __future__ import annotations

from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from connectk.errors import localize_error
from connectk.files import write_file
from connectk.rules import Position, Side
from connectk.terminal.screen.board_screen import BoardScreen, Key, SaveAs
from connectk.terminal.screen.keys import HELP_KEY, STEP_BINDINGS
from connectk.terminal.screen.strategy_game import StrategyGameScreen, game_for
from connectk.terminal.searches import ExplanationSteps, WhySearch, step_board
from connectk.why import Explanation, write_explanation
from connectk.why.coach import describe_coach, describe_opening
from connectk.why.steps import Step
from connectk.why.wording import headline_for, legend, say

WHY_KEYS: list[Key] = [
    ("←→", "screen.forward", "key.step"),
    HELP_KEY,
    ("Esc", "screen.leave", "key.leave"),
]
WHY_BOARDS_KEYS: list[Key] = [WHY_KEYS[0], ("Tab", "screen.next_board", "key.board"), *WHY_KEYS[1:]]
SAVE_KEY: Key = ("s", "screen.save", "key.save")
PLAY_AGAINST_KEY: Key = ("x", "screen.play_against", "key.against")


class WhyScreen(BoardScreen):
    """Looks for an explanation of a position, and then shows its steps."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *STEP_BINDINGS,
        Binding("space", "forward", show=False, priority=True),
        Binding("tab", "next_board", show=False, priority=True),
        Binding("shift+tab", "board_before", show=False, priority=True),
        Binding("s", "save", show=False),
        Binding("x", "play_against", show=False),
        Binding("escape,y", "leave", show=False),
        Binding("q", "app.quit", show=False),
    ]

    class News(Message):
        """The search has found an explanation, or has failed."""

        def __init__(self, news: ExplanationSteps | Exception) -> None:
            super().__init__()
            self.news = news

    def __init__(self, position: Position, side: Side | None = None, players: str = "") -> None:
        """In a drawn position, `side` is the side whose defence is explained.

        `players` is the sentence that says who the first and the second player are. Without it, a sentence says which
        discs belong to whom.
        """
        super().__init__(position)
        self.position, self.side, self.at, self._players = position, side, 0, players
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
        """The number of the last step. It is 0 if there are no steps, as for an opening."""
        return max(0, len(self.found.steps) - 1) if self.found else 0

    def go_to(self, at: int) -> None:
        self.at, self._message = min(max(0, at), self._last), ""
        if self.found and self.found.steps:
            position, signs = step_board(self.found.steps[self.at])
            self.board.show(position, numbers=signs)
        self.show_side_from_top()
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
        """Go to the first step on the next or previous board."""
        pages = [one.page for one in self.found.steps] if self.found else []
        if pages:
            wanted = min(max(0, pages[self.at] + step), pages[-1])
            self.go_to(pages.index(wanted))

    # --- display

    def _show(self) -> None:
        if not self.found:
            return
        steps = self.found.steps
        self.show_text("#status", Content.styled(headline_for(self.found.why, self.texts), "bold"))
        self.show_text("#message", self._message)
        coached = self._coach_lines(self.found) if self.at == 0 else []
        self.show_text("#hint", "\n\n".join([*coached, *([self._step_sentence(steps[self.at])] if steps else [])]))
        self.show_text("#moves", self._step_label())
        boards = {step.page for step in steps}
        *keys, leave = WHY_BOARDS_KEYS if len(boards) > 1 else WHY_KEYS if len(steps) > 1 else WHY_KEYS[1:]
        against = [PLAY_AGAINST_KEY] if self._explanation or self.found.why.opening else []
        self.show_keys([*keys, *([SAVE_KEY] if self._explanation else []), *against, leave])

    def _coach_lines(self, found: ExplanationSteps) -> list[str]:
        """The text of the first step: the coach's sentences and, for an opening, the answers of a certified
        strategy."""
        coached = [describe_coach(one, self.texts) for one in found.coach]
        opening = found.why.opening
        answers = ["\n".join(describe_opening(opening, self.texts))] if opening and not found.why.found else []
        discs = self.program.sentences.discs
        who = self._players or self.texts("coach.who", first=discs[Side.FIRST], second=discs[Side.SECOND])
        return [who, *coached, *answers] if coached else answers

    def _step_sentence(self, step: Step) -> str:
        """The sentence of this step. A legend explains the signs of its cells, because a terminal cannot draw lines
        between them."""
        return self.texts("why.always") if step.kind == "always" else say(step.kind, step.facts, self.texts)

    def _step_label(self) -> Content:
        """The number of the step, the number of its board, and the legend."""
        if not self.found or not self.found.steps:
            return Content("")
        step, boards = self.found.steps[self.at], 1 + max(one.page for one in self.found.steps)
        board = f"  {self.texts('why.page.board', number=step.page + 1, count=boards)}" if boards > 1 else ""
        discs = "".join(self.program.sentences.discs[side] for side in Side)
        words = f"\n{legend(self.texts, discs)}" if step.pairs or step.threats else ""
        return Content.styled(f"{self.at + 1} / {len(self.found.steps)}{board}{words}", "$quiet")

    @property
    def _explanation(self) -> Explanation | None:
        return self.found.why.explanation if self.found else None

    def action_save(self) -> None:
        """Save the explanation to a file. `connectk why --check` can check this file."""
        explanation = self._explanation
        if explanation is None:
            return

        def write(path: Path) -> None:
            write_file(path, write_explanation(explanation))

        self.app.push_screen(SaveAs("why.json", write), self._saved)

    def _saved(self, path: Path | None) -> None:
        if path:
            self._message = self.texts("why.page.saved", command=f"connectk why --check {path}")
            self._show()

    def action_play_against(self) -> None:
        """Play against the explanation on a separate screen."""
        game = game_for(self.found.why) if self.found else None
        if game and self.found:
            self.app.push_screen(StrategyGameScreen(game, headline_for(self.found.why, self.texts)))

    def action_leave(self) -> None:
        self.dismiss(None)
