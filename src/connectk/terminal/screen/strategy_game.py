"""The screen of a game against the strategy of an explanation. The strategy answers each disc and gives its reason."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from connectk.errors import ConnectkError
from connectk.rules.variant import Variant
from connectk.terminal.screen.board_screen import COLUMN_KEYS, Key
from connectk.terminal.screen.drop_screen import DropScreen
from connectk.terminal.screen.keys import DROP_BINDINGS, HELP_KEY
from connectk.why.explainer import Why
from connectk.why.playing import StrategyGame, describe_turn, game_against, game_against_opening

STRATEGY_GAME_KEYS: list[Key] = [
    (COLUMN_KEYS, "screen.drop", "key.drop"),
    ("u", "screen.undo", "key.undo"),
    HELP_KEY,
    ("Esc", "screen.leave", "key.leave"),
]


def game_for(why: Why) -> StrategyGame | None:
    """A game against the explanation, or against the certified strategy. None if neither was found."""
    if why.found is not None:
        return game_against(why.found)
    return game_against_opening(why.opening) if why.opening else None


class StrategyGameScreen(DropScreen):
    """A game against a strategy. The user plays the other side."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *DROP_BINDINGS,
        Binding("u", "undo", show=False, priority=True),
        Binding("escape", "leave", show=False, priority=True),
        Binding("q", "app.quit", show=False, priority=True),
    ]

    def __init__(self, game: StrategyGame, headline: str) -> None:
        super().__init__(game.turn.position)
        self.game, self.headline = game, headline

    def compose_side(self) -> ComposeResult:
        yield Static(id="status", markup=False)
        yield Static(id="message", markup=False)

    def on_mount(self) -> None:
        self.show_text("#status", Content.styled(self.headline, "bold"))
        self.show_keys(STRATEGY_GAME_KEYS)
        self._show_turn(dropped=False)

    def pick(self, column: int) -> None:
        """Drop a disc; the strategy answers it."""
        try:
            self.game.drop(column)
        except ConnectkError as error:
            self._say(error.localize(self.texts))
        else:
            self._show_turn(dropped=True)

    def action_undo(self) -> None:
        self.game.take_back()
        self._show_turn(dropped=False)

    def action_leave(self) -> None:
        self.dismiss(None)

    def _show_turn(self, dropped: bool) -> None:
        self.board.show(self.game.turn.position, dropped=dropped)
        self._say(describe_turn(self.game, self.texts))
        self._show_hover()

    def _show_hover(self) -> None:
        position = self.board.position
        self.board.hover(self._column, position.side_to_move if position.outcome is None else None)

    def update_layout(self, variant: Variant) -> None:
        super().update_layout(variant)
        self._show_hover()
