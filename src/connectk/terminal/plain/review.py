"""Prints the review of a finished game as text: either the whole review, or only the move that decided the game and
why."""

from __future__ import annotations

from contextlib import suppress
from queue import SimpleQueue

from connectk.errors import UnsupportedVariant, localize_error
from connectk.review import Review
from connectk.review.report import (
    describe_accuracy,
    describe_given_moves,
    describe_lines,
    describe_losing_move,
    describe_turning_point,
    mistakes,
)
from connectk.review.text_graph import TextGraph
from connectk.review.variation_boards import variation_boards
from connectk.rules import Position, Side
from connectk.terminal.match import LocalMatch
from connectk.terminal.plain.game import Prompter, explanation_lines
from connectk.terminal.plain.speech import BoardDescriber
from connectk.terminal.searches import ReviewSearch
from connectk.terminal.sentences import LETTER_DISCS, Sentences
from connectk.texts.signs import ASCII_SIGNS
from connectk.watch import Report
from connectk.why import explain

GRAPH_WIDTH_CHARS, GRAPH_HEIGHT_LINES = 72, 7
MAX_REVIEW_EXPLANATION_BOARDS, REVIEW_EXPLANATION_SECONDS = 5, 2.0  # so that the explanation after a game is short


def print_review(match: LocalMatch, prompter: Prompter, boards: BoardDescriber) -> None:
    """Print the graph of a review, the mistakes, the accuracy of each side, and the turning point."""
    _ReviewPrinter(match, prompter, boards).print_all()


def print_turning_point(match: LocalMatch, prompter: Prompter, boards: BoardDescriber) -> None:
    """Print which move decided the game, and why."""
    _ReviewPrinter(match, prompter, boards).print_turning_point()


class _ReviewPrinter:
    def __init__(self, match: LocalMatch, prompter: Prompter, boards: BoardDescriber) -> None:
        self.match, self.prompter, self.texts, self.boards = match, prompter, prompter.texts, boards
        sentences = Sentences(self.texts, boards.discs, spoken=not boards.draws)
        self._names = {side: sentences.name(match, side) for side in Side}
        prompter.say(self.texts("review.thinking"))
        self._review = self._reviewed()
        if self._review and (seats := sentences.seats(match)):
            prompter.say(seats)

    def _reviewed(self) -> Review | None:
        """The review of the game. If it fails, print why and return None."""
        updates: SimpleQueue[Report | Review | Exception] = SimpleQueue()
        search = ReviewSearch(self.match, updates.put)
        try:
            while isinstance(news := updates.get(), Report):
                pass
        finally:
            search.stop()
        if isinstance(news, Review):
            return news
        self.prompter.say(localize_error(news, self.texts))
        return None

    def print_all(self) -> None:
        review, texts = self._review, self.texts
        if review is None:
            return
        if self.boards.draws:
            self.prompter.say(f"\n{self._draw_graph(TextGraph.of(review))}\n")
        for sentence in mistakes(review, texts, self._names):
            self.prompter.say(sentence)
        for side in Side:
            self.prompter.say(describe_accuracy(review, side, self._names[side], texts))
        if review.given:
            self.prompter.say(describe_given_moves(review, texts))
        self.print_turning_point()

    def print_turning_point(self) -> None:
        review, texts = self._review, self.texts
        if review is None:
            return
        turn = review.turning_point
        lines = [describe_turning_point(review, texts, self._names), *describe_lines(turn, texts)]
        self.prompter.say("\n".join([*lines, *describe_losing_move(review, texts, self._names)]))
        for line in variation_boards(turn) if self.boards.draws else ():
            self.prompter.say(f"\n{texts(line.title)}{self.boards.show(line.position, line.numbers)}".rstrip())
        if turn:
            self._print_explanation(turn.after_position)

    def _print_explanation(self, position: Position) -> None:
        """Print a short explanation of the position after the turning point, if the search finds one."""
        found = None
        with suppress(UnsupportedVariant):
            found = explain(position, boards=MAX_REVIEW_EXPLANATION_BOARDS, seconds=REVIEW_EXPLANATION_SECONDS).found
        if found:
            self.prompter.say("\n".join(["", *explanation_lines(found, self.boards)]))

    def _draw_graph(self, graph: TextGraph) -> str:
        first, *middle, second = graph.draw(GRAPH_WIDTH_CHARS, GRAPH_HEIGHT_LINES)
        lines = [f"○ {first}", *(f"  {line}" for line in middle), f"● {second}"]
        text = "\n".join(line.rstrip() for line in lines)
        return text.translate(ASCII_SIGNS) if self.boards.discs is LETTER_DISCS else text
