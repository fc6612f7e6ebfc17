"""One game after another, in sentences and drawn boards."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic

from connectk.errors import ConnectkError
from connectk.notation.window import Window, window_of
from connectk.players import Choice
from connectk.rules import Cell, Position
from connectk.terminal.match import LocalMatch
from connectk.terminal.sentences import Discs, Sentences
from connectk.terminal.settings import explain
from connectk.terminal.store import Autosave, save_game
from connectk.terminal.thinking import Computers, Hint, HintSearch
from connectk.texts import Texts


class Talk:
    """One question at a time; a wrong answer is asked again with the reason. `EOFError` when nobody answers."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts

    def say(self, text: str = "") -> None:
        print(text, flush=True)

    def ask(self, question: str) -> str:
        answer = input(f"{question} ").strip()
        if not sys.stdin.isatty():
            self.say(answer)  # so that what came through a pipe reads as a conversation
        return answer

    def menu(self, question: str, options: Sequence[str]) -> int:
        """The option picked, counted from 0."""
        self.say(question)
        for number, option in enumerate(options, start=1):
            self.say(f"  {number}  {option}")
        return self.number(self.texts("ask.number"), 1, len(options)) - 1

    def number(self, question: str, least: int, most: int) -> int:
        while True:
            answer = self.ask(question)
            if answer.isascii() and answer.isdigit() and len(answer) < 10 and least <= int(answer) <= most:
                return int(answer)
            self.say(self.texts("ask.not_a_number", answer=answer, least=least, most=most))

    def yes(self, question: str) -> bool:
        """Yes or no, in the person's language or in English."""
        while True:
            answer = self.ask(f"{question} ({self.texts('ask.yes_or_no')})").lower()
            if answer in {*self.texts("ask.yes").split(), "y", "yes"}:
                return True
            if answer in {*self.texts("ask.no").split(), "n", "no"}:
                return False
            self.say(self.texts("ask.not_yes_or_no", answer=answer))


LARGEST_DRAWN_WHOLE = 10_000  # cells


def draw(position: Position, discs: Discs) -> str:
    """The board with column numbers below; of a huge one the part around the last disc."""
    window = window_of(position, LARGEST_DRAWN_WHOLE)
    won = set(position.winning_cells)
    digits = len(str(window.right))
    lines = [_row(position, row, window, discs, won, digits) for row in reversed(window.rows)]
    lines.append("".join(f" {column + 1:>{digits}} " for column in window.columns))
    return "\n".join(line.rstrip() for line in lines)


def _row(position: Position, row: int, window: Window, discs: Discs, won: set[Cell], digits: int) -> str:
    return "".join(_cell(position, Cell(column, row), discs, won, digits) for column in window.columns)


def _cell(position: Position, cell: Cell, discs: Discs, won: set[Cell], digits: int) -> str:
    side = position.disc_at(*cell)
    disc = "." if side is None else discs[side]
    return f"{'(' if cell in won else ' '}{disc:>{digits}}{')' if cell in won else ' '}"


LONGEST = 10.0  # seconds before what is known is said


def say_hint(position: Position, talk: Talk) -> None:
    """A line for each column, in order, and the best ones."""
    talk.say(talk.texts("hint.thinking"))
    hint = _look(position)
    for column, worth in sorted(hint.worths.items()):
        talk.say(talk.texts("hint.column", column=column + 1, worth=worth.words(talk.texts)))
    if hint.best_columns:
        best = ", ".join(str(column + 1) for column in sorted(hint.best_columns))
        talk.say(talk.texts("hint.best", count=len(hint.best_columns), columns=best))


def _look(position: Position) -> Hint:
    told: SimpleQueue[Hint] = SimpleQueue()
    search = HintSearch(position, lambda _, hint: told.put(hint))
    hint, until = Hint({}), monotonic() + LONGEST
    try:
        while not hint.is_finished:
            hint = told.get(timeout=max(0.0, until - monotonic()))
    except Empty:
        pass
    finally:
        search.stop()
    return hint


PATIENCE = 1.0  # seconds of thinking before a word is said about it


class Left(Exception):
    """The person wants to stop."""


class PlainGame:
    """A match from its next move to its end."""

    def __init__(self, match: LocalMatch, talk: Talk, discs: Discs, autosave: Autosave) -> None:
        self.match, self.talk, self.texts, self.discs, self.autosave = match, talk, talk.texts, discs, autosave
        self.sentences = Sentences(talk.texts, discs)
        self._answers: SimpleQueue[Choice | Exception] = SimpleQueue()
        self._computers = Computers(lambda _, answer: self._answers.put(answer))
        self._commands = {
            "undo": self._undo,
            "redo": self._redo,
            "hint": self._hint,
            "restart": self._restart,
            "save": self.save,
            "help": self._help,
            "quit": self._quit,
        }

    def play(self) -> None:
        """Until the game is over; `Left` when the person leaves before that."""
        try:
            if not self.match.is_demo:
                self._help()
            self.show()
            while not self.match.is_over:
                self._turn()
        finally:
            self._computers.close()
        self.talk.say(self.sentences.result(self.match))
        if self.match.position.winning_cells:
            self.talk.say(self.sentences.line(self.match.position))

    def show(self) -> None:
        self.talk.say(f"\n{draw(self.match.position, self.discs)}\n")

    def _turn(self) -> None:
        name = self.match.computer_to_move
        if name:
            self._let_computer_move(name)
        else:
            self._act(self.talk.ask(self.texts("ask.column", turn=self.sentences.turn(self.match))))

    def _let_computer_move(self, name: str) -> None:
        try:
            answer = self._choice_of(name)
            if isinstance(answer, Exception):
                raise answer
            self._drop(answer.column)
        except Exception as error:
            self.match.give_seat(name)
            self.talk.say(self.texts("computer.failed", name=name, reason=str(error)))

    def _choice_of(self, name: str) -> Choice | Exception:
        self._computers.think(name, self.match.position)
        try:
            return self._answers.get(timeout=PATIENCE)
        except Empty:
            self.talk.say(self.texts("computer.thinking", name=self.sentences.player(name)))
            return self._answers.get()

    def _drop(self, column: int) -> None:
        self.match.game.drop(column)
        self.autosave.keep(self.match)
        self.talk.say(self.sentences.move(self.match, len(self.match.game.moves)))
        self.show()

    def _act(self, answer: str) -> None:
        try:
            if answer.isascii() and answer.isdigit() and len(answer) < 20:
                self._drop(int(answer) - 1)
            else:
                self._command(answer)()
        except ConnectkError as error:
            self.talk.say(explain(error, self.texts))

    def _command(self, answer: str) -> Callable[[], None]:
        for name, action in self._commands.items():
            if answer.lower() in {*self.texts(WORDS[name]).split(), name}:
                return action
        return lambda: self.talk.say(self.texts("ask.not_a_column", answer=answer, width=self.match.game.variant.width))

    def _undo(self) -> None:
        self.match.undo()
        self._say_and_show(self.texts("done.undo"))

    def _redo(self) -> None:
        self.match.redo()
        self._say_and_show(self.texts("done.redo"))

    def _restart(self) -> None:
        if self.talk.yes(self.texts("ask.restart")):
            self.match = self.match.again()
            self._say_and_show(self.texts("done.restart"))

    def _say_and_show(self, text: str) -> None:
        self.autosave.keep(self.match)
        self.talk.say(text)
        self.show()

    def _hint(self) -> None:
        say_hint(self.match.position, self.talk)

    def save(self) -> None:
        """Into a file whose name is asked for; what cannot be written is said."""
        name = self.talk.ask(self.texts("ask.file"))
        if not name or (Path(name).exists() and not self.talk.yes(self.texts("ask.replace", file=name))):
            self.talk.say(self.texts("done.not_saved"))
            return
        try:
            save_game(self.match, Path(name))
            self.talk.say(self.texts("done.saved", file=name))
        except OSError as error:
            self.talk.say(self.texts("error.save", file=name, reason=error.strerror or error))

    def _help(self) -> None:
        self.talk.say(self.texts("help.plain", width=self.match.game.variant.width))

    def _quit(self) -> None:
        raise Left


WORDS = {
    "undo": "word.undo",
    "redo": "word.redo",
    "hint": "word.hint",
    "restart": "word.restart",
    "save": "word.save",
    "help": "word.help",
    "quit": "word.quit",
}
