"""Puzzles and lessons as text: a card, a question, the reply to the answer, and the explanation."""

from __future__ import annotations

import re

from connectk.errors import ConnectkError
from connectk.rules import Side
from connectk.terminal.learning_sessions import LearningSession, Reply, ShownCard
from connectk.terminal.plain.game import Prompter, UserQuit, explanation_lines
from connectk.terminal.plain.speech import BoardDescriber

DISC_PATTERN = re.compile(r" \([○●xo]\)")  # beside the name of a player


class PlainLearningSession:
    """Shows the cards of a session one after the other."""

    def __init__(self, session: LearningSession, prompter: Prompter, boards: BoardDescriber) -> None:
        self.session, self.prompter, self.texts, self.boards = session, prompter, prompter.texts, boards

    def run(self) -> None:
        """Show all cards. If the user leaves earlier, this raises `UserQuit` or `EOFError`."""
        while card := self.session.card:
            self._show(card)
            if card.asks:
                self._ask(card)
            self._next_card()
        self.prompter.say(self.texts("learn.no_more"))

    def _show(self, card: ShownCard) -> None:
        self._say(f"\n{card.title}\n{card.text}\n{self.boards.show(card.position)}")

    def _say(self, text: str) -> None:
        """Print a text. With `--no-board`, leave out the discs in brackets, because a screen reader would spell them
        out."""
        self.prompter.say(text if self.boards.draws else DISC_PATTERN.sub("", text))

    def _ask(self, card: ShownCard) -> None:
        self.prompter.say(self.texts("learn.keys"))
        while self.session.is_open:
            word = self.prompter.ask(self._question(card))
            if reply := self._reply(word, card):
                self._say(reply.text)
                self._show_board(reply, card)
        if progress_text := self.session.progress_text():
            self.prompter.say(progress_text)

    def _question(self, card: ShownCard) -> str:
        question = self.texts("learn.column")
        if self.boards.draws:
            return question
        turn = self.texts("turn.other", name=self.texts(f"name.{card.position.side_to_move}"))
        return f"{turn} {question}"

    def _show_board(self, reply: Reply, card: ShownCard) -> None:
        """Draw the board after the answer. With `--no-board`, list the columns of the moves that follow."""
        if self.boards.draws and reply.position != card.position:
            self.prompter.say(self.boards.show(reply.position, reply.numbers))
        elif reply.numbers:
            columns = [str(cell.column + 1) for cell, _ in sorted(reply.numbers.items(), key=lambda item: item[1])]
            self.prompter.say(self.texts("spoken.line", columns=", ".join(columns)))

    def _reply(self, word: str, card: ShownCard) -> Reply | None:
        """The session's reply to the user's input. None if the input needs no reply."""
        if self.prompter.matches(word, "quit"):
            raise UserQuit
        if self.prompter.matches(word, "hint"):
            self.prompter.say(self.session.hint())
        elif self.prompter.matches(word, "solution"):
            return self.session.solution()
        elif self.prompter.matches(word, "board"):
            self.prompter.say(self.boards.describe(card.position))
        elif self.prompter.matches(word, "threats"):
            self.prompter.say(self.boards.threats(card.position, {side: self.texts(f"name.{side}") for side in Side}))
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
        """Wait for Enter, then show the next card. If the user types y, print the explanation first."""
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
        self.prompter.say(self.texts("why.none") if found is None else "\n".join(explanation_lines(found, self.boards)))
