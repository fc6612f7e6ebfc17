"""Puzzles and lessons as text: a card, a question, the response and the explanation."""

from __future__ import annotations

from connectk.errors import ConnectkError
from connectk.rules import Side
from connectk.terminal.plain.game import Prompter, UserQuit, draw_board
from connectk.terminal.sentences import Discs
from connectk.terminal.sessions import Reply, Session, ShownCard
from connectk.texts import Texts
from connectk.why import CheckedExplanation
from connectk.why.boards import shown_pages
from connectk.why.telling import claim_in, drawn, sentences


class PlainSession:
    """Runs a session until its last card or until the user quits."""

    def __init__(self, session: Session, prompter: Prompter, discs: Discs) -> None:
        self.session, self.prompter, self.texts, self.discs = session, prompter, prompter.texts, discs

    def run(self) -> None:
        """Raises `UserQuit` or `EOFError` if the user quits."""
        while card := self.session.card:
            self._show(card)
            if card.asks:
                self._ask(card)
            self._next_card()
        self.prompter.say(self.texts("learn.no_more"))

    def _show(self, card: ShownCard) -> None:
        self.prompter.say(f"\n{card.title}\n{card.text}\n\n{draw_board(card.position, self.discs)}\n")

    def _ask(self, card: ShownCard) -> None:
        self.prompter.say(self.texts("learn.keys"))
        while self.session.is_open:
            word = self.prompter.ask(self.texts("learn.column"))
            if reply := self._reply(word, card):
                self.prompter.say(reply.text)
                self._show_board(reply, card)
        if progress_text := self.session.progress_text():
            self.prompter.say(progress_text)

    def _show_board(self, reply: Reply, card: ShownCard) -> None:
        if reply.position != card.position:
            self.prompter.say(f"\n{draw_board(reply.position, self.discs)}\n")

    def _reply(self, word: str, card: ShownCard) -> Reply | None:
        """Handle an input; None if it gets no reply from the session."""
        if self.prompter.matches(word, "quit"):
            raise UserQuit
        if self.prompter.matches(word, "hint"):
            self.prompter.say(self.session.hint())
        elif self.prompter.matches(word, "solution"):
            return self.session.solution()
        elif not (word.isascii() and word.isdigit() and len(word) < 10):
            self.prompter.say(self.texts("learn.keys"))
        else:
            return self._drop(int(word) - 1)
        return None

    def _drop(self, column: int) -> Reply | None:
        try:
            return self.session.answer(column)
        except ConnectkError as error:
            self.prompter.say(error.localize(self.texts))
            return None

    def _next_card(self) -> None:
        """Continue on Enter; print the explanation on w."""
        while True:
            word = self.prompter.ask(self.texts("learn.next"))
            if self.prompter.matches(word, "quit"):
                raise UserQuit
            if not self.prompter.matches(word, "why"):
                break
            self._print_explanation()
        self.session.next_card()

    def _print_explanation(self) -> None:
        found = self.session.why()
        self.prompter.say(
            self.texts("why.none") if found is None else "\n".join(explanation_lines(self.texts, found, self.discs))
        )


def explanation_lines(texts: Texts, found: CheckedExplanation, discs: Discs) -> list[str]:
    """Return an explanation as lines: the claim, then each board with its sentences."""
    lines = [claim_in(found.explanation, texts)]
    for shown in shown_pages(found):
        board = drawn(shown, "".join(discs[side] for side in Side))
        lines += [texts("why.board", number=shown.number + 1), board, *sentences(shown, texts)]
    return [*lines, texts("why.legend")] if any(page.answers for page in found.explanation.pages) else lines
