"""One match as text: prompts, drawn boards and hints."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from types import MappingProxyType

from connectk.errors import ConnectkError, localize_error
from connectk.notation.window import window_of
from connectk.players import Choice
from connectk.rules import Cell, Position
from connectk.terminal.form import Preferences
from connectk.terminal.match import LocalMatch
from connectk.terminal.sentences import Discs, Sentences
from connectk.terminal.store import Autosaves, save_game
from connectk.terminal.thinking import ComputerPlayers, HintProgress, HintSearch
from connectk.texts import Texts


class UserQuit(Exception):
    """The user asked to quit."""


class Prompter:
    """Asks questions and repeats one until its answer is valid. `EOFError` at the end of input."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts

    def say(self, text: str = "") -> None:
        print(text, flush=True)

    def ask(self, question: str) -> str:
        answer = input(f"{question} ").strip()
        if not sys.stdin.isatty():
            self.say(answer)  # echo piped input, so that the output reads as a conversation
        return answer

    def _answer(self, question: str, default: str) -> str:
        """Return the answer or, if it is empty, the default. q quits everywhere, ? prints help."""
        while True:
            answer = self.ask(self.texts("ask.default", question=question, default=default)) or default
            if self.matches(answer, "quit"):
                raise UserQuit
            if not self.matches(answer, "help"):
                return answer
            self.say(self.texts("ask.help"))

    def matches(self, answer: str, command: str) -> bool:
        """Whether the answer is the command's letter or word, in the user's language or in English."""
        words = {*self.texts(COMMAND_WORD_KEYS[command]).split(), command}
        return answer in words or answer.lower() in words

    def menu(self, question: str, options: Sequence[str], default: int = 0, commands: Sequence[str] = ()) -> int:
        """Return the index of the option chosen by its number or by the letter or word of its command."""
        self.say(question)
        for number, option in enumerate(options, start=1):
            letter = f" ({self._letter(commands[number - 1])})" if commands else ""
            self.say(f"  {number}  {option}{letter}")
        while True:
            answer = self._answer(self.texts("ask.number"), str(default + 1))
            for index, command in enumerate(commands):
                if self.matches(answer, command):
                    return index
            picked = self._number(answer, 1, len(options))
            if picked is not None:
                return picked - 1

    def _letter(self, command: str) -> str:
        return self.texts(COMMAND_WORD_KEYS[command]).split()[0]

    def number(self, question: str, least: int, most: int, default: int) -> int:
        while True:
            number = self._number(self._answer(question, str(default)), least, most)
            if number is not None:
                return number

    def _number(self, answer: str, least: int, most: int) -> int | None:
        if answer.isascii() and answer.isdigit() and len(answer) < 10 and least <= int(answer) <= most:
            return int(answer)
        self.say(self.texts("ask.not_a_number", answer=answer, least=least, most=most))
        return None

    def yes(self, question: str, default: bool = True) -> bool:
        """Ask for yes or no, in the user's language or in English."""
        yes, no = self.texts("ask.yes").split(), self.texts("ask.no").split()
        question = f"{question} ({self.texts('ask.yes_or_no')})"
        while True:
            answer = self._answer(question, (yes if default else no)[1]).lower()
            if answer in {*yes, "y", "yes"}:
                return True
            if answer in {*no, "n", "no"}:
                return False
            self.say(self.texts("ask.not_yes_or_no", answer=answer))


PROMPT_COMMANDS = "undo redo hints hint restart save help quit replay swap review start solution why"
COMMAND_WORD_KEYS = {name: f"word.{name}" for name in PROMPT_COMMANDS.split()}


MAX_WHOLE_BOARD_CELLS = 10_000  # a larger board is drawn only around its last disc


def draw_board(position: Position, discs: Discs, numbers: Mapping[Cell, int] = MappingProxyType({})) -> str:
    """Draw the board with column numbers below, and numbers on given discs; only a window of a large board."""
    window = window_of(position, MAX_WHOLE_BOARD_CELLS)
    won = set(position.winning_cells)
    signs = {cell: str(number) for cell, number in numbers.items()}
    digits = len(str(window.right))

    def drawn(cell: Cell) -> str:
        side = position.disc_at(*cell)
        sign = "." if side is None else signs.get(cell, discs[side])
        return f"{'(' if cell in won else ' '}{sign:>{digits}}{')' if cell in won else ' '}"

    lines = ["".join(drawn(Cell(column, row)) for column in window.columns) for row in reversed(window.rows)]
    lines.append("".join(f" {column + 1:>{digits}} " for column in window.columns))
    return "\n".join(line.rstrip() for line in lines)


FULL_HINT_TIMEOUT_SECONDS = 1.0  # then the hint is printed with what is known
FIRST_HINT_TIMEOUT_SECONDS = 10.0  # until there is any advice, on a busy machine


def print_hint(position: Position, prompter: Prompter) -> None:
    """Print a line for each column with a known result, then the advice."""
    hint = _search_hint(position)
    for column, worth in sorted(hint.worths.items()):
        if worth.is_informative:
            prompter.say(prompter.texts("hint.column", column=column + 1, worth=worth.describe(prompter.texts)))
    prompter.say(hint.sentence(prompter.texts) or prompter.texts("hint.thinking"))


def _search_hint(position: Position) -> HintProgress:
    updates: SimpleQueue[HintProgress] = SimpleQueue()
    search = HintSearch(position, lambda _, hint: updates.put(hint))
    hint, started = HintProgress({}), monotonic()
    try:
        while not hint.is_finished:
            wait = (
                FULL_HINT_TIMEOUT_SECONDS
                if hint.proven_columns or hint.advice is not None
                else FIRST_HINT_TIMEOUT_SECONDS
            )
            hint = updates.get(timeout=max(0.0, started + wait - monotonic()))
    except Empty:
        pass
    finally:
        search.stop()
    return hint


THINKING_NOTICE_DELAY_SECONDS = 1.0  # before a message says that the computer is thinking


class PlainGame:
    """Plays a match to its end."""

    def __init__(
        self, match: LocalMatch, prompter: Prompter, discs: Discs, autosaves: Autosaves, preferences: Preferences
    ) -> None:
        self.match, self.prompter, self.texts, self.discs, self.autosaves = (
            match,
            prompter,
            prompter.texts,
            discs,
            autosaves,
        )
        self._remembered, self._reported_save_error = preferences, autosaves.save_error
        self.sentences = Sentences(prompter.texts, discs)
        self._answers: SimpleQueue[Choice | Exception] = SimpleQueue()
        self._hinted_at: Position | None = None
        self._computers = ComputerPlayers(lambda _, answer: self._answers.put(answer))
        self._commands = {
            "undo": self._undo,
            "redo": self._redo,
            "hints": self._toggle_hints,
            "hint": self._hint,
            "restart": self._restart,
            "save": self.save,
            "help": self._help,
            "quit": self._quit,
        }

    def play(self) -> None:
        """Until the game is over; `UserQuit` when the person leaves before that."""
        try:
            if not self.match.is_demo:
                self._help()
            self.show()
            while not self.match.is_over:
                self._turn()
        finally:
            self._computers.close()
        self.prompter.say(self.sentences.result(self.match))
        if self.match.position.winning_cells:
            self.prompter.say(self.sentences.winning_line(self.match.position))

    def show(self) -> None:
        self.prompter.say(f"\n{draw_board(self.match.position, self.discs)}\n")

    def _turn(self) -> None:
        name = self.match.computer_to_move
        if name:
            self._play_computer_move(name)
            return
        if self._remembered.hints_stay and self._hinted_at is not self.match.position:
            self._hint()
        self._handle_input(self.prompter.ask(self.texts("ask.column", turn=self.sentences.turn(self.match))))

    def _play_computer_move(self, name: str) -> None:
        try:
            answer = self._choice_of(name)
            if isinstance(answer, Exception):
                raise answer
            self._drop(answer.column)
        except Exception as error:
            self.match.replace_player(name)
            self.prompter.say(self.texts("computer.failed", name=name, reason=localize_error(error, self.texts)))

    def _choice_of(self, name: str) -> Choice | Exception:
        self._computers.think(name, self.match.position)
        try:
            return self._answers.get(timeout=THINKING_NOTICE_DELAY_SECONDS)
        except Empty:
            self.prompter.say(self.texts("computer.thinking", name=self.sentences.player(name)))
            return self._answers.get()

    def _drop(self, column: int) -> None:
        self.match.game.drop(column)
        self._autosave()
        self.prompter.say(self.sentences.move(self.match, len(self.match.game.moves)))
        self.show()

    def _handle_input(self, answer: str) -> None:
        try:
            if answer.isascii() and answer.isdigit() and len(answer) < 20:
                self._drop(int(answer) - 1)
            else:
                self._command(answer)()
        except ConnectkError as error:
            self.prompter.say(error.localize(self.texts))

    def _command(self, answer: str) -> Callable[[], None]:
        for name, action in self._commands.items():
            if self.prompter.matches(answer, name):
                return action
        width = self.match.game.variant.width
        wrong = self.texts("ask.not_a_column", answer=answer, width=width)
        return lambda: self.prompter.say(wrong if answer else self.texts("ask.no_column", width=width))

    def _autosave(self) -> None:
        """Save the game for `--resume`; print a failure once."""
        self.autosaves.update(self.match)
        if self.autosaves.save_error and self.autosaves.save_error != self._reported_save_error:
            self.prompter.say(
                self.texts("kept.trouble", folder=self.autosaves.folder, reason=self.autosaves.save_error)
            )
        self._reported_save_error = self.autosaves.save_error

    def _undo(self) -> None:
        self.match.undo()
        self._say_and_show(self.texts("done.undo"))

    def _redo(self) -> None:
        self.match.redo()
        self._say_and_show(self.texts("done.redo"))

    def _restart(self) -> None:
        if self.prompter.yes(self.texts("ask.restart")):
            self.match = self.match.rematch()
            self._say_and_show(self.texts("done.restart"))

    def _say_and_show(self, text: str) -> None:
        self._autosave()
        self.prompter.say(text)
        self.show()

    def _hint(self) -> None:
        self._hinted_at = self.match.position
        print_hint(self.match.position, self.prompter)

    def _toggle_hints(self) -> None:
        """Turn hints at every turn on or off."""
        self._remembered.hints_stay = not self._remembered.hints_stay
        self._remembered.save()
        self.prompter.say(self.texts("hint.stay_on" if self._remembered.hints_stay else "hint.stay_off"))

    def save(self) -> None:
        """Ask for a file name and save the game; print an error if it cannot be written."""
        name = self.prompter.ask(self.texts("ask.file"))
        if not name or (Path(name).exists() and not self.prompter.yes(self.texts("ask.replace", file=name))):
            self.prompter.say(self.texts("done.not_saved"))
            return
        try:
            save_game(self.match, Path(name))
            self.prompter.say(self.texts("done.saved", file=name))
        except OSError as error:
            self.prompter.say(self.texts("error.save", file=name, reason=error.strerror or error))

    def _help(self) -> None:
        self.prompter.say(self.texts("help.plain", width=self.match.game.variant.width))

    def _quit(self) -> None:
        question = self.texts("ask.leave_lost" if self.autosaves.save_error else "ask.leave_kept")
        if not self.match.is_running or self.prompter.yes(question):
            raise UserQuit
