"""The replay of a game: step by step, automatic or by jumping, with an optional review of every move."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from connectk.review import MoveReview, Review
from connectk.review.graph import GraphShape
from connectk.review.lines import lines_of
from connectk.review.report import say_accuracy, say_given, say_lines, say_move, say_reason, say_turning_point
from connectk.rules import Side
from connectk.terminal.match import LocalMatch
from connectk.terminal.screen.board import Pen
from connectk.terminal.screen.board_screen import BoardScreen, Help, Key, moves_text, seats_text
from connectk.terminal.screen.keys import STEP_BINDINGS
from connectk.terminal.screen.why import WhyScreen
from connectk.terminal.searches import ReviewSearch
from connectk.watch import Report

GRAPH_SCALE = ("○ ", "  ", "● ")  # first player ahead at the top, second at the bottom


class GraphView(Widget):
    """The review graph with the current ply marked; a click jumps to a ply."""

    class Picked(Message):
        def __init__(self, ply: int) -> None:
            super().__init__()
            self.ply = ply

    def __init__(self, pen: Pen) -> None:
        super().__init__()
        self._pen = pen
        self._graph: GraphShape | None = None
        self._ply = 0

    def show(self, graph: GraphShape) -> None:
        self._graph = graph
        self.refresh()

    def mark(self, ply: int) -> None:
        self._ply = ply
        self.refresh()

    def render(self) -> Content:
        if self._graph is None:
            return Content("")
        width, height = self.size.width - len(GRAPH_SCALE[0]), self.size.height
        lines = self._graph.draw(width, height)
        scale = [GRAPH_SCALE[0], *[GRAPH_SCALE[1]] * (height - 2), GRAPH_SCALE[2]]
        drawn = [self._line(line, self._graph, width) for line in lines]
        return Content("\n").join(self._pen.text(mark) + line for mark, line in zip(scale, drawn, strict=True))

    def _line(self, line: str, graph: GraphShape, width: int) -> Content:
        """A line of the graph, with the current ply marked and blunders coloured."""
        text = self._pen.text(line)
        content = Content(text).stylize("$quiet")
        at = graph.x_of(self._ply, width)
        for x, character in enumerate(line):
            if character == "●":
                content = content.stylize("$bad bold", x, x + 1)
        return content.stylize("$ink on $shade" if self._pen.palette else "reverse", at, at + 1)

    def on_click(self, event: events.Click) -> None:
        if self._graph:
            width = self.size.width - len(GRAPH_SCALE[0])
            self.post_message(self.Picked(self._graph.ply_at(event.x - len(GRAPH_SCALE[0]), width)))


REPLAY_KEYS: list[Key] = [
    ("←→", "screen.forward", "key.step"),
    ("Space", "screen.run", "key.run"),
    ("Home", "screen.to_start", "key.first"),
    ("End", "screen.to_end", "key.last"),
    ("v", "screen.review", "key.review"),
    ("Esc", "screen.leave", "key.leave"),
]
REPLAY_REVIEW_KEYS: list[Key] = [
    ("t", "screen.turning_point", "key.turning_point") if key[0] == "v" else key for key in REPLAY_KEYS
]
REPLAY_BLUNDER_KEYS: list[Key] = [
    REPLAY_KEYS[0],
    ("b", "screen.line", "key.line"),
    ("y", "screen.why", "key.why"),
    *(key for key in REPLAY_REVIEW_KEYS[2:] if key[0] != "End"),
]
REPLAY_INTERVAL_SECONDS = 0.9


class ReplayScreen(BoardScreen):
    """Replays a game; `ply` is the number of moves shown."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *STEP_BINDINGS,
        Binding("space", "run", show=False, priority=True),
        Binding("v", "review", show=False),
        Binding("t", "turning_point", show=False),
        Binding("b", "line", show=False),
        Binding("y", "why", show=False),
        Binding("question_mark,f1", "help", show=False),
        Binding("escape,q,p", "leave", show=False),
    ]

    class News(Message):
        """Progress, result or error of the review."""

        def __init__(self, news: Report | Review | Exception) -> None:
            super().__init__()
            self.news = news

    def __init__(self, match: LocalMatch, review: bool = False) -> None:
        super().__init__(match.game.start)
        self.match, self.ply = match, 0
        self._review_wanted = review
        self._search: ReviewSearch | None = None
        self._review: Review | None = None
        self._message = ""
        self._line = 0  # the line shown on the board, counted from 1; 0 for the game itself
        self._timer: Timer | None = None

    def compose_side(self) -> ComposeResult:
        yield Static(id="seats")
        yield Static(id="status", markup=False)
        yield Static(id="message", markup=False)
        yield Static(id="summary", markup=False)
        yield Static(id="moves")

    def compose_foot(self) -> ComposeResult:
        yield GraphView(self.program.pen)

    def on_mount(self) -> None:
        self.query_one(GraphView).display = False
        if self._review_wanted:
            self.action_review()
        self.go_to(0)

    def on_unmount(self) -> None:
        if self._search:
            self._search.stop()

    # --- navigation

    @property
    def last_ply(self) -> int:
        return len(self.match.game.moves)

    def go_to(self, ply: int) -> None:
        """Show a position of the game; a step forward animates its disc."""
        ply = min(max(0, ply), self.last_ply)
        self.board.show(self.match.game.positions[ply], dropped=ply == self.ply + 1)
        self.ply, self._line = ply, 0
        if ply == self.last_ply:
            self._stop()
        self._show()

    def action_back(self) -> None:
        self._jump(self.ply - 1)

    def action_forward(self) -> None:
        self._jump(self.ply + 1)

    def action_to_start(self) -> None:
        self._jump(0)

    def action_to_end(self) -> None:
        self._jump(self.last_ply)

    def on_graph_view_picked(self, event: GraphView.Picked) -> None:
        self._jump(event.ply)

    def _jump(self, ply: int) -> None:
        self._stop()
        self.go_to(ply)

    def action_turning_point(self) -> None:
        turn = self._review.turning_point if self._review else None
        if turn:
            self._jump(turn.number - self.match.game.start.ply)

    @property
    def _move(self) -> MoveReview | None:
        """The review of the move that led to the position shown."""
        return self._review.moves[self.ply - 1] if self._review and self.ply else None

    def action_line(self) -> None:
        """Show in turn the better line, the refutation, and the game's position."""
        self._stop()
        lines = lines_of(self._move)
        self._line = (self._line + 1) % (len(lines) + 1)
        if self._line:
            shown = lines[self._line - 1]
            self.board.show(shown.position, numbers=shown.numbers)
        else:
            self.board.show(self.match.game.positions[self.ply])
        self._show()

    def action_why(self) -> None:
        """Explain the position shown; after a blunder, this shows why it lost."""
        self._stop()
        position = self.match.game.positions[self.ply]
        if position.outcome is None:
            self.app.push_screen(WhyScreen(position))

    def action_run(self) -> None:
        """Start or stop the automatic replay; from the end it restarts."""
        if self._timer:
            self._stop()
            return
        if self.ply == self.last_ply:
            self.go_to(0)
        self._timer = self.set_interval(REPLAY_INTERVAL_SECONDS, lambda: self.go_to(self.ply + 1))

    def _stop(self) -> None:
        if self._timer:
            self._timer.stop()
        self._timer = None

    # --- review

    def action_review(self) -> None:
        if self._search is None and self.match.game.moves:
            self._message = self.texts("review.thinking")
            self._search = ReviewSearch(self.match, self._post)
            self._show()

    def _post(self, news: Report | Review | Exception) -> None:
        """Called in the thread of the review."""
        self.post_message(self.News(news))

    def on_replay_screen_news(self, event: News) -> None:
        news = event.news
        if isinstance(news, Review):
            self._show_review(news)
        elif isinstance(news, Exception):
            self._message = str(news)
        else:
            self._message = self.texts("review.progress", done=news.done, moves=news.total)
        self._show()

    def _show_review(self, review: Review) -> None:
        self._review, self._message = review, ""
        graph = self.query_one(GraphView)
        graph.display = True
        graph.show(GraphShape.of(review))
        self.call_after_refresh(self.update_layout, self.match.game.variant)

    # --- display

    def action_help(self) -> None:
        self.app.push_screen(Help())

    def action_leave(self) -> None:
        self.dismiss(None)

    def _show(self) -> None:
        position = self.match.game.positions[self.ply]
        to_move = None if position.outcome else position.side_to_move
        marker = self.program.pen.text("▸")
        self.show_text("#seats", seats_text(self.match, to_move, self.program.sentences, marker))
        self.show_text("#status", self._status())
        self.show_text("#message", self._message)
        self.show_text("#summary", self._summary())
        self.show_text("#moves", moves_text(self.match, self.ply, self.texts))
        self.query_one(GraphView).mark(self.ply)
        self.show_keys(
            REPLAY_BLUNDER_KEYS if lines_of(self._move) else REPLAY_REVIEW_KEYS if self._review else REPLAY_KEYS
        )

    def _status(self) -> Content:
        count = Content.styled(self.texts("replay.next", ply=self.ply, last=self.last_ply), "bold")
        if self.ply == 0:
            return count
        sentence = self.program.sentences.move(self.match, self.ply)
        ending = f" {self.program.sentences.result(self.match)}" if self.ply == self.last_ply else ""
        move = self._move
        judged, why = (f"\n{say_move(move, self.texts)}", say_reason(move, self.texts)) if move else ("", "")
        return Content.assemble(count, "\n", sentence, ending, (judged, "bold"), why, *self._line_texts())

    def _line_texts(self) -> list[Content]:
        """The better line and the refutation, with the line on the board in bold."""
        lines = enumerate(say_lines(self._move, self.texts), start=1)
        return [Content.styled(f"\n{line}", "bold" if number == self._line else "") for number, line in lines]

    def _summary(self) -> str:
        """The turning point and each side's accuracy, shown only at the start and the end."""
        if not self._review or self.ply not in (0, self.last_ply):
            return ""
        names = {side: self.program.sentences.name(self.match, side) for side in Side}
        lines = [say_accuracy(self._review, side, name, self.texts) for side, name in names.items()]
        given = [say_given(self._review, self.texts)] if self._review.given else []
        return "\n".join([say_turning_point(self._review, self.texts), *lines, *given])
