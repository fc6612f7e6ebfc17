"""The graph of a reviewed game, which is also the way to move along it."""

from __future__ import annotations

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from connectk.terminal.graph import Graph
from connectk.terminal.screen.painting import Pen

SCALE = ("○ ", "  ", "● ")  # who is ahead: the first player at the top, the second at the bottom


class GraphView(Widget):
    """Shows where in the game we are; a click goes there."""

    class Picked(Message):
        def __init__(self, ply: int) -> None:
            super().__init__()
            self.ply = ply

    def __init__(self, pen: Pen) -> None:
        super().__init__()
        self._pen = pen
        self._graph: Graph | None = None
        self._ply = 0

    def show(self, graph: Graph) -> None:
        self._graph = graph
        self.refresh()

    def mark(self, ply: int) -> None:
        self._ply = ply
        self.refresh()

    def render(self) -> Content:
        if self._graph is None:
            return Content("")
        width, height = self.size.width - len(SCALE[0]), self.size.height
        lines = self._graph.draw(width, height)
        scale = [SCALE[0], *[SCALE[1]] * (height - 2), SCALE[2]]
        drawn = [self._line(line, self._graph, width) for line in lines]
        return Content("\n").join(self._pen.text(mark) + line for mark, line in zip(scale, drawn, strict=True))

    def _line(self, line: str, graph: Graph, width: int) -> Content:
        """One line, the place of the present ply marked, blunders in their own colour."""
        text = self._pen.text(line)
        content = Content(text).stylize("$quiet")
        at = graph.x_of(self._ply, width)
        for x, character in enumerate(line):
            if character == "●":
                content = content.stylize("$bad bold", x, x + 1)
        return content.stylize("$ink on $shade" if self._pen.palette else "reverse", at, at + 1)

    def on_click(self, event: events.Click) -> None:
        if self._graph:
            width = self.size.width - len(SCALE[0])
            self.post_message(self.Picked(self._graph.ply_at(event.x - len(SCALE[0]), width)))
