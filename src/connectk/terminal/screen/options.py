"""The rows of the start screen: a label, and a choice or a line to type in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static


class Option(Static, can_focus=True):
    """One of several values; left and right, or a click, change it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "turn(-1)", show=False),
        Binding("right,space", "turn(1)", show=False),
    ]

    class Changed(Message):
        def __init__(self, option: Option) -> None:
            super().__init__()
            self.option = option

    def __init__(self, values: Sequence[tuple[str, str]], value: str, arrows: str, *, id: str) -> None:  # noqa: A002
        super().__init__(id=id)
        self._values, self._arrows = values, arrows
        self._index = next((i for i, (known, _) in enumerate(values) if known == value), 0)

    @property
    def value(self) -> str:
        return self._values[self._index][0]

    def render(self) -> Content:
        before, after = self._arrows[0], self._arrows[1]
        return Content.assemble((f"{before} ", "$quiet"), self._values[self._index][1], (f" {after}", "$quiet"))

    def action_turn(self, step: int) -> None:
        self._index = (self._index + step) % len(self._values)
        self.refresh(layout=True)
        self.post_message(self.Changed(self))

    def on_click(self, event: events.Click) -> None:
        self.action_turn(-1 if event.x < 2 else 1)


class Row(Horizontal):
    """A label and its widget."""

    def __init__(self, label: str, widget: Widget) -> None:
        super().__init__(id=f"row-{widget.id}")
        self._label, self._widget = label, widget

    def compose(self) -> ComposeResult:
        yield Static(self._label, classes="label")
        yield self._widget


class Go(Static, can_focus=True):
    """A word that does something when Enter or a click says so."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter,space", "go", show=False)]

    class Pressed(Message):
        def __init__(self, go: Go) -> None:
            super().__init__()
            self.go = go

    def action_go(self) -> None:
        self.post_message(self.Pressed(self))

    def on_click(self) -> None:
        self.action_go()
