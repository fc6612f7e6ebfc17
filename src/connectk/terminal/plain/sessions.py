"""Puzzles and lessons in sentences: a card, a question, what is to be said to the answer, and why."""

from __future__ import annotations

from connectk.errors import ConnectkError
from connectk.rules import Side
from connectk.terminal.plain.game import PersonLeft, Talk, draw
from connectk.terminal.sentences import Discs
from connectk.terminal.sessions import Reply, Session, ShownCard
from connectk.texts import Texts
from connectk.why import CheckedExplanation
from connectk.why.boards import shown_pages
from connectk.why.telling import claim_in, drawn, sentences


class PlainSession:
    """One card after the other until there is none, or the person leaves."""

    def __init__(self, session: Session, talk: Talk, discs: Discs) -> None:
        self.session, self.talk, self.texts, self.discs = session, talk, talk.texts, discs

    def run(self) -> None:
        """Ends with `PersonLeft` or `EOFError` when the person does not go on."""
        while card := self.session.card:
            self._show(card)
            if card.asks:
                self._ask(card)
            self._go_on()
        self.talk.say(self.texts("learn.no_more"))

    def _show(self, card: ShownCard) -> None:
        self.talk.say(f"\n{card.title}\n{card.text}\n\n{draw(card.position, self.discs)}\n")

    def _ask(self, card: ShownCard) -> None:
        self.talk.say(self.texts("learn.keys"))
        while self.session.is_open:
            word = self.talk.ask(self.texts("learn.column"))
            if reply := self._reply(word, card):
                self.talk.say(reply.text)
                self._show_board(reply, card)
        if standing := self.session.standing():
            self.talk.say(standing)

    def _show_board(self, reply: Reply, card: ShownCard) -> None:
        if reply.position != card.position:
            self.talk.say(f"\n{draw(reply.position, self.discs)}\n")

    def _reply(self, word: str, card: ShownCard) -> Reply | None:
        """What a word leads to; None where it was only talked about."""
        if self.talk.means(word, "quit"):
            raise PersonLeft
        if self.talk.means(word, "hint"):
            self.talk.say(self.session.hint())
        elif self.talk.means(word, "solution"):
            return self.session.solution()
        elif not (word.isascii() and word.isdigit() and len(word) < 10):
            self.talk.say(self.texts("learn.keys"))
        else:
            return self._drop(int(word) - 1)
        return None

    def _drop(self, column: int) -> Reply | None:
        try:
            return self.session.answer(column)
        except ConnectkError as error:
            self.talk.say(error.localize(self.texts))
            return None

    def _go_on(self) -> None:
        """Enter goes on; w tells why, as often as it is asked."""
        while True:
            word = self.talk.ask(self.texts("learn.next"))
            if self.talk.means(word, "quit"):
                raise PersonLeft
            if not self.talk.means(word, "why"):
                break
            self._say_why()
        self.session.go_on()

    def _say_why(self) -> None:
        found = self.session.why()
        self.talk.say(
            self.texts("why.none") if found is None else "\n".join(explanation_in(self.texts, found, self.discs))
        )


def explanation_in(texts: Texts, found: CheckedExplanation, discs: Discs) -> list[str]:
    """An explanation in lines: the claim, then each board with its sentences."""
    lines = [claim_in(found.explanation, texts)]
    for shown in shown_pages(found):
        board = drawn(shown, "".join(discs[side] for side in Side))
        lines += [texts("why.board", number=shown.number + 1), board, *sentences(shown, texts)]
    return [*lines, texts("why.legend")] if any(page.answers for page in found.explanation.pages) else lines
