"""Shows a finished game again, step by step or automatically. The user can ask for a review of every move."""

from __future__ import annotations

from datetime import date
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static

from connectk.errors import localize_error
from connectk.review import MoveReview, Review
from connectk.review.report import (
    describe_accuracy,
    describe_given_moves,
    describe_ledger,
    describe_lines,
    describe_losing_move,
    describe_move,
    describe_reasons,
    describe_turning_point,
    percent,
)
from connectk.review.text_graph import TextGraph
from connectk.review.variation_boards import variation_boards
from connectk.rules import Cell, Side, Variant
from connectk.terminal.learning_sessions import SavedPractice
from connectk.terminal.match import LocalMatch
from connectk.terminal.screen.board import Pen
from connectk.terminal.screen.board_screen import LOW_SCREEN_LINES, BoardScreen, Key, moves_text, seats_text
from connectk.terminal.screen.keys import HELP_KEY, STEP_BINDINGS
from connectk.terminal.screen.why import WhyScreen
from connectk.terminal.searches import ReviewSearch
from connectk.watch import Report

GRAPH_SCALE = ("○ ", "  ", "● ")  # first player ahead at the top, second at the bottom


class GraphView(Widget):
    """The graph of a review, with a mark at the current move. A click on the graph shows that move."""

    class Picked(Message):
        def __init__(self, ply: int) -> None:
            super().__init__()
            self.ply = ply

    def __init__(self, pen: Pen) -> None:
        super().__init__()
        self._pen = pen
        self._graph: TextGraph | None = None
        self._ply = 0

    def show(self, graph: TextGraph) -> None:
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

    def _line(self, line: str, graph: TextGraph, width: int) -> Content:
        """One line of the graph, with a mark at the current move and with blunders in colour."""
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
    ("v", "screen.review", "key.review"),
    HELP_KEY,
    ("Esc", "screen.leave", "key.leave"),
]
REPLAY_REVIEW_KEYS: list[Key] = [
    ("g", "screen.turning_point", "key.turning_point") if key[0] == "v" else key for key in REPLAY_KEYS
]
REPLAY_BLUNDER_KEYS: list[Key] = [
    REPLAY_KEYS[0],
    ("b", "screen.line", "key.line"),
    ("y", "screen.why", "key.why"),
    *REPLAY_REVIEW_KEYS[2:],
]
REPLAY_INTERVAL_SECONDS = 0.9


class ReplayScreen(BoardScreen):
    """Shows a game again. `ply` is the number of moves that are on the board."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *STEP_BINDINGS,
        Binding("space", "run", show=False, priority=True),
        Binding("v", "review", show=False),
        Binding("g", "turning_point", show=False),
        Binding("b", "line", show=False),
        Binding("t", "threats", show=False),
        Binding("k", "practise", show=False),
        Binding("y", "why", show=False),
        Binding("escape,p", "leave", show=False),
        Binding("q", "app.quit", show=False),
    ]

    class News(Message):
        """The review has made progress, is finished, or has failed."""

        def __init__(self, news: Report | Review | Exception) -> None:
            super().__init__()
            self.news = news

    def __init__(self, match: LocalMatch, review: bool = False, decided: bool = False) -> None:
        """If `decided` is true, the screen goes to the move that decided the game as soon as the review has found
        it."""
        super().__init__(match.game.start)
        self.match, self.ply = match, 0
        self._review_wanted, self._seeks_turning_point = review or decided, decided
        self._search: ReviewSearch | None = None
        self._review: Review | None = None
        self._message = ""
        self._line = 0  # the line shown on the board, counted from 1; 0 for the game itself
        self._threats_shown = False
        self._timer: Timer | None = None

    def compose_side(self) -> ComposeResult:
        yield Static(id="seats")
        yield Static(id="accuracy", markup=False)
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
        self.go_to(self.last_ply if self._seeks_turning_point else 0)

    def on_unmount(self) -> None:
        if self._search:
            self._search.stop()

    # --- navigation

    @property
    def last_ply(self) -> int:
        return len(self.match.game.moves)

    def go_to(self, ply: int) -> None:
        """Show a position of the game. For a single step forward, its disc falls visibly."""
        ply = min(max(0, ply), self.last_ply)
        dropped = ply == self.ply + 1
        self.ply, self._line = ply, 0
        self.show_side_from_top()
        self.board.show(self.match.game.positions[ply], dropped=dropped, numbers=self._threat_marks())
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
        """Go to the turning point. At the turning point, go to the move that lost the game, if that is another one."""
        if self._review is None:
            self._seeks_turning_point = True
            self.action_review()
            return
        moves = [move for move in (self._review.turning_point, self._review.lost_at) if move]
        plies = [move.number - self.match.game.start.ply for move in moves]
        if plies:
            self._jump(plies[-1] if self.ply == plies[0] else plies[0])

    @property
    def _move(self) -> MoveReview | None:
        """The review of the move that led to the position on the board."""
        return self._review.moves[self.ply - 1] if self._review and self.ply else None

    def action_line(self) -> None:
        """Show the next of three: the better line, the refutation of the move, the game's position."""
        self._stop()
        lines = variation_boards(self._move)
        self._line = (self._line + 1) % (len(lines) + 1)
        if self._line:
            shown = lines[self._line - 1]
            self.board.show(shown.position, numbers=shown.numbers)
        else:
            self.board.show(self.match.game.positions[self.ply], numbers=self._threat_marks())
        self._show()

    def action_threats(self) -> None:
        """Show or hide the threats on the board, and the sentences about the side that runs out of safe cells."""
        if self._review:
            self._threats_shown = not self._threats_shown
            self._jump(self.ply)

    def action_practise(self) -> None:
        """If the move was a mistake, save the position before it as a puzzle."""
        if self._move and self._move.label.is_flawed:
            count = SavedPractice().add_mistakes([self._move], date.today())
            self._message = self.texts("puzzle.own.added", count=count)
            self._show()

    def _threat_marks(self) -> dict[Cell, str]:
        """The cells where a side would complete a line. + stands for the first side, - for the second, ± for both."""
        marks: dict[Cell, str] = {}
        if self._threats_shown and self._move:
            threats = self._move.ledger["threats"]
            for sign, cells in (("+", threats["first"]), ("-", threats["second"])):
                for cell in [*cells["odd"], *cells["even"]]:
                    marks[Cell(*cell)] = "±" if Cell(*cell) in marks else sign
        return marks

    def action_why(self) -> None:
        """Explain the position on the board. After a blunder, the explanation tells why the move was wrong. At the end
        of the game, go to the move that decided it."""
        self._stop()
        position = self.match.game.positions[self.ply]
        if position.outcome is None:
            self.app.push_screen(WhyScreen(position, players=self.program.sentences.seats(self.match)))
        else:
            self.action_turning_point()

    def action_run(self) -> None:
        """Start or stop the automatic replay. At the end of the game, it begins again."""
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
        """Pass news to the screen. The thread of the review calls this."""
        self.post_message(self.News(news))

    def on_replay_screen_news(self, event: News) -> None:
        news = event.news
        if isinstance(news, Review):
            self._show_review(news)
        elif isinstance(news, Exception):
            self._message = localize_error(news, self.texts)
        else:
            self._message = self.texts("review.progress", done=news.done, moves=news.total)
        self._show()

    def _show_review(self, review: Review) -> None:
        self._review, self._message = review, ""
        self.query_one(GraphView).show(TextGraph.of(review))
        self.call_after_refresh(self.update_layout, self.match.game.variant)
        if self._seeks_turning_point:
            self._seeks_turning_point = False
            self.action_turning_point()

    # --- display

    def update_layout(self, variant: Variant) -> None:
        """Lay out the screen. On a low screen the board takes the lines of the graph."""
        self.query_one(GraphView).display = self._review is not None and self.size.height >= LOW_SCREEN_LINES
        super().update_layout(variant)

    def action_leave(self) -> None:
        self.dismiss(None)

    def _show(self) -> None:
        position = self.match.game.positions[self.ply]
        to_move = None if position.outcome else position.side_to_move
        marker = self.program.pen.text("▸")
        self.show_text("#seats", seats_text(self.match, to_move, self.program.sentences, marker, are_numbered=True))
        self.show_text("#accuracy", self._accuracy())
        self.show_text("#status", self._status())
        self.show_text("#message", self._message)
        self.show_text("#summary", self._summary())
        self.show_text("#moves", moves_text(self.match, self.ply, self.texts))
        self.query_one(GraphView).mark(self.ply)
        self.show_keys(
            REPLAY_BLUNDER_KEYS if variation_boards(self._move) else REPLAY_REVIEW_KEYS if self._review else REPLAY_KEYS
        )

    def _status(self) -> Content:
        count = Content.styled(self.texts("replay.next", ply=self.ply, last=self.last_ply), "bold")
        if self.ply == 0:
            return count
        sentence = self.program.sentences.move(self.match, self.ply)
        ending = f" {self.program.sentences.result(self.match)}" if self.ply == self.last_ply else ""
        move = self._move
        judged, why = (f"\n{describe_move(move, self.texts)}", describe_reasons(move, self.texts)) if move else ("", "")
        return Content.assemble(
            count, "\n", sentence, ending, (judged, "bold"), why, *self._line_texts(), self._ledger_text()
        )

    def _ledger_text(self) -> str:
        if not self._threats_shown or not self._move:
            return ""
        names = {side: self.program.sentences.name(self.match, side) for side in Side}
        return "".join(f"\n{line}" for line in describe_ledger(self._move.ledger, names, self.texts))

    def _line_texts(self) -> list[Content]:
        """The better line and the refutation. The line that the board shows is bold."""
        lines = enumerate(describe_lines(self._move, self.texts), start=1)
        return [Content.styled(f"\n{line}", "bold" if number == self._line else "") for number, line in lines]

    def _accuracy(self) -> str:
        """The accuracy of each side. It is shown at every move."""
        if not self._review:
            return ""
        discs = self.program.sentences.discs
        return self.texts("review.both", **{str(side): f"{discs[side]} {percent(self._review, side)}" for side in Side})

    def _summary(self) -> str:
        """The turning point and a sentence about each side's accuracy. It is shown only at the start and at the end."""
        if not self._review or self.ply not in (0, self.last_ply):
            return ""
        names = {side: self.program.sentences.name(self.match, side) for side in Side}
        lines = [describe_accuracy(self._review, side, name, self.texts) for side, name in names.items()]
        given = [describe_given_moves(self._review, self.texts)] if self._review.given else []
        turn = [describe_turning_point(self._review, self.texts, names)]
        turn += describe_losing_move(self._review, self.texts, names)
        return "\n".join([*turn, *lines, *given])
