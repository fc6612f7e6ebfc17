"""Plays one match as text, with questions, drawn boards and hints."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic

from connectk.errors import ConnectkError, FileNotWritable, localize_error
from connectk.rules import Position, Side
from connectk.system import wrapped
from connectk.terminal.form import Preferences
from connectk.terminal.match import LocalMatch
from connectk.terminal.plain.speech import BoardDescriber
from connectk.terminal.sentences import Sentences, is_only_person
from connectk.terminal.store import Autosaves, save_game
from connectk.terminal.thinking import Answer, ComputerPlayers, HintProgress, HintSearch
from connectk.texts import Texts
from connectk.why import CheckedExplanation, explain
from connectk.why.coach import coach, describe_coach, describe_without_explanation
from connectk.why.steps import shown_pages
from connectk.why.wording import describe_claim, describe_known_result, drawn, known_result, legend, page_sentences


class UserQuit(Exception):
    """The user wants to stop."""


class Prompter:
    """Asks the user questions. It repeats a question until the answer is valid, and raises `EOFError` at the end of the
    input."""

    def __init__(self, texts: Texts) -> None:
        self.texts = texts

    def say(self, text: str = "") -> None:
        print(wrapped(text, sys.stdout), flush=True)

    def ask(self, question: str) -> str:
        answer = input(f"{question} ").strip()
        if not sys.stdin.isatty():
            self.say(answer)  # echo piped input, so that the output reads as a conversation
        return answer

    def _answer(self, question: str, default: str, repeat: Callable[[], None] | None = None) -> str:
        """The user's answer, or the default if the answer is empty. The answer q raises `UserQuit`. After the answer ?,
        help is printed, `repeat` is called, and the question is asked again."""
        while True:
            answer = self.ask(self.texts("ask.default", question=question, default=default)) or default
            if self.matches(answer, "quit"):
                raise UserQuit
            if not self.matches(answer, "help"):
                return answer
            self.say(self.texts("ask.help"))
            if repeat is not None:
                repeat()

    def matches(self, answer: str, command: str) -> bool:
        """Whether the answer is this command. It may be a letter or a word, in the user's language or in English."""
        words = {*self.texts(COMMAND_WORD_KEYS[command]).split(), command}
        return answer in words or answer.lower() in words

    def menu(
        self,
        question: str,
        options: Sequence[str],
        default: int = 0,
        commands: Sequence[str] = (),
        is_known: bool = False,
    ) -> int:
        """The index of the option that the user chooses, by its number or by the letter or word of its command.

        If the user has seen the list already (`is_known`), it is not printed again, but the answer ? prints it."""
        self.say(question)
        if not is_known:
            self._list(options, commands)
        while True:
            number = self.texts("ask.number")
            answer = self._answer(number, str(default + 1), lambda: self._list(options, commands))
            for index, command in enumerate(commands):
                if self.matches(answer, command):
                    return index
            picked = self._number(answer, 1, len(options))
            if picked is not None:
                return picked - 1

    def _list(self, options: Sequence[str], commands: Sequence[str]) -> None:
        for number, option in enumerate(options, start=1):
            letter = f" ({self.letter(commands[number - 1])})" if commands else ""
            self.say(f"  {number}  {option}{letter}")

    def letter(self, command: str) -> str:
        """The letter that stands for this command, in the user's language."""
        return self.texts(COMMAND_WORD_KEYS[command]).split()[0]

    def text(self, question: str, default: str = "") -> str:
        """The user's answer, which may be any text. An empty answer stands for the default."""
        if default:
            return self._answer(question, default)
        answer = self.ask(question)
        if self.matches(answer, "quit"):
            raise UserQuit
        return answer

    def number(self, question: str, minimum: int, maximum: int, default: int) -> int:
        while True:
            number = self._number(self._answer(question, str(default)), minimum, maximum)
            if number is not None:
                return number

    def _number(self, answer: str, minimum: int, maximum: int) -> int | None:
        if answer.isascii() and answer.isdigit() and len(answer) < 10 and minimum <= int(answer) <= maximum:
            return int(answer)
        self.say(self.texts("ask.not_a_number", answer=answer, least=minimum, most=maximum))
        return None

    def yes(self, question: str, default: bool = True) -> bool:
        """Whether the user answers yes, in the user's language or in English."""
        yes, no = self.texts("ask.yes").split(), self.texts("ask.no").split()
        question = f"{question} ({self.texts('ask.yes_or_no')})"
        while True:
            answer = self._answer(question, (yes if default else no)[1]).lower()
            if answer in {*yes, "y", "yes"}:
                return True
            if answer in {*no, "n", "no"}:
                return False
            self.say(self.texts("ask.not_yes_or_no", answer=answer))


PROMPT_COMMANDS = "undo redo hints hint restart save help quit replay swap review start solution why board threats last"
COMMAND_WORD_KEYS = {name: f"word.{name}" for name in PROMPT_COMMANDS.split()}


def explanation_text(position: Position, boards: BoardDescriber) -> str:
    """An explanation of why a side wins this position or holds a draw; without one, only the known result."""
    texts = boards.texts
    found = explain(position)
    if found.found is None:
        known = describe_known_result(known_result(found), texts)
        return "\n".join([known, *boards.legend(), *describe_without_explanation(found, texts)])
    return "\n".join(explanation_lines(found.found, boards))


def explanation_lines(found: CheckedExplanation, boards: BoardDescriber) -> list[str]:
    """An explanation as lines of text: its claim, then each board with its sentences."""
    texts, explained = boards.texts, found.explanation
    lines, signs = [describe_claim(explained, texts)], "".join(boards.discs[side] for side in Side)
    lines += [*boards.legend(), *(describe_coach(sentence, texts) for sentence in coach(found))]
    for shown in shown_pages(found):
        board = [drawn(shown, signs)] if boards.draws else []
        lines += [texts("why.board", number=shown.number + 1), *board, *page_sentences(shown, texts)]
    has_answers = boards.draws and any(page.answers for page in explained.pages)
    return [*lines, legend(texts, signs)] if has_answers else lines


FULL_HINT_TIMEOUT_SECONDS = 1.0  # after this the hint is printed even if it is incomplete
FIRST_HINT_TIMEOUT_SECONDS = 10.0  # the longest wait for any advice, on a busy machine


def print_hint(position: Position, prompter: Prompter) -> None:
    """Print what is known about each column, and then the advice."""
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


THINKING_NOTICE_DELAY_SECONDS = 1.0  # after this a message says that the computer is thinking


class PlainGame:
    """Plays a match until it is over."""

    def __init__(
        self,
        match: LocalMatch,
        prompter: Prompter,
        boards: BoardDescriber,
        autosaves: Autosaves,
        preferences: Preferences,
    ) -> None:
        self.match, self.prompter, self.texts, self.boards, self.autosaves = (
            match,
            prompter,
            prompter.texts,
            boards,
            autosaves,
        )
        self._remembered, self._reported_save_error = preferences, autosaves.save_error
        self.sentences = Sentences(prompter.texts, boards.discs, spoken=not boards.draws)
        self._answers: SimpleQueue[Answer] = SimpleQueue()
        self._hinted_at: Position | None = None
        self._computers = ComputerPlayers(lambda _, answer: self._answers.put(answer))
        self._commands = {
            "undo": self._undo,
            "redo": self._redo,
            "hints": self._toggle_hints,
            "hint": self._hint,
            "restart": self._restart,
            "board": self._tell_board,
            "threats": self._tell_threats,
            "last": self._tell_last_moves,
            "why": self._why,
            "swap": self._swap_sides,
            "save": self.save,
            "help": self._help,
            "quit": self._quit,
        }

    def play(self) -> None:
        """Play until the game is over. If the user leaves earlier, this raises `UserQuit`."""
        try:
            if not self.match.is_demo and not self.match.is_over:
                self._help()
            self.show()
            if not self.boards.draws and self.match.position.ply:
                self._tell_position()
            while not self.match.is_over:
                self._turn()
        finally:
            self._computers.close()
        self.prompter.say(self.sentences.result(self.match))
        if self.match.position.winning_cells:
            self.prompter.say(self.sentences.winning_line(self.match.position))

    def show(self) -> None:
        """Draw the board. With `--no-board` nothing is drawn, but the user can ask for a description."""
        if self.boards.draws:
            self.prompter.say(self.boards.show(self.match.position))

    def _tell_position(self) -> None:
        """Describe the board and the last moves of a game that did not begin with an empty board."""
        self.prompter.say(self.texts("spoken.resumed"))
        self._tell_board()
        if self.match.game.moves:
            self._tell_last_moves()

    def _tell_board(self) -> None:
        self.prompter.say(self.boards.describe(self.match.position, self._owners(self.match)))

    def _owners(self, match: LocalMatch) -> dict[Side, str]:
        """The names of each side's discs: "yours" and "theirs" if one person plays, otherwise the names of the
        sides."""
        people = [side for side in Side if is_only_person(match, side)]
        if not people:
            return {side: self.texts(f"board.{side}") for side in Side}
        return {people[0]: self.texts("spoken.yours"), people[0].other: self.texts("spoken.theirs")}

    def _tell_threats(self) -> None:
        names = {side: self.sentences.seat(self.match, side) for side in Side}
        self.prompter.say(self.boards.threats(self.match.position, names))

    def _tell_last_moves(self) -> None:
        """Print the last two moves. If there are none, print that the board is empty."""
        last = len(self.match.game.moves)
        for ply in range(max(1, last - 1), last + 1):
            self.prompter.say(self.sentences.move(self.match, ply))
        if not last:
            self.prompter.say(self.texts("spoken.empty"))

    def _why(self) -> None:
        self.prompter.say(self.texts("why.page.looking"))
        self.say_seats()
        self.prompter.say(explanation_text(self.match.position, self.boards))

    def say_seats(self) -> None:
        """Say who is the first and who is the second player, unless the players already have these names."""
        if seats := self.sentences.seats(self.match):
            self.prompter.say(seats)

    def _turn(self) -> None:
        name = self.match.computer_to_move
        if name:
            self._play_computer_move(name)
            return
        if self._remembered.hints_stay and self._hinted_at is not self.match.position:
            self._hint()
        if self.match.can_swap:
            self.prompter.say(self.texts("swap.plain", word=self.prompter.letter("swap")))
        self._handle_input(self.prompter.ask(self.texts("ask.column", turn=self.sentences.turn(self.match))))

    def _play_computer_move(self, name: str) -> None:
        try:
            answer = self._choice_of(name)
            if isinstance(answer, Exception):
                raise answer
            if answer is None:
                self.match.swap_sides()
                self._say_and_show(self.texts("swap.done", name=self.sentences.player(name)))
            else:
                self._drop(answer.column)
        except Exception as error:
            self.match.replace_player(name)
            self.prompter.say(self.texts("computer.failed", name=name, reason=localize_error(error, self.texts)))

    def _choice_of(self, name: str) -> Answer:
        self._computers.think(name, self.match.position, self.match.swap_turn)
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
        """Save the game for `--resume`. If saving fails, tell the user once."""
        self.autosaves.update(self.match)
        if self.autosaves.save_error and self.autosaves.save_error != self._reported_save_error:
            self.prompter.say(self.autosaves.trouble(self.texts))
        self._reported_save_error = self.autosaves.save_error

    def _swap_sides(self) -> None:
        self.match.swap_sides()
        self._say_and_show(self.texts("swap.done_you"))

    def _undo(self) -> None:
        """Take moves back, and print which ones."""
        told = [self.sentences.disc(self.match, ply) for ply in range(1, len(self.match.game.moves) + 1)]
        self.match.undo()
        taken = told[len(self.match.game.moves) :]
        self._say_and_show(self.texts("spoken.undone", discs="; ".join(reversed(taken))))

    def _redo(self) -> None:
        known = len(self.match.game.moves)
        self.match.redo()
        plies = range(known + 1, len(self.match.game.moves) + 1)
        discs = "; ".join(self.sentences.disc(self.match, ply) for ply in plies)
        self._say_and_show(self.texts("spoken.redone", discs=discs))

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
        """Switch automatic hints on or off. They appear at every turn of the user."""
        self._remembered.hints_stay = not self._remembered.hints_stay
        self._remembered.save()
        self.prompter.say(self.texts("hint.stay_on" if self._remembered.hints_stay else "hint.stay_off"))

    def save(self) -> None:
        """Ask for a file name and save the game there. If the file cannot be written, tell the user."""
        name = self.prompter.ask(self.texts("ask.file"))
        if not name or (Path(name).exists() and not self.prompter.yes(self.texts("ask.replace", file=name), False)):
            self.prompter.say(self.texts("done.not_saved"))
            return
        try:
            save_game(self.match, Path(name))
            self.prompter.say(self.texts("done.saved", file=name))
        except FileNotWritable as error:
            self.prompter.say(error.localize(self.texts))

    def _help(self) -> None:
        option = [self.texts("spoken.option")] if self.boards.draws else []
        self.prompter.say(" ".join([self.texts("help.plain", width=self.match.game.variant.width), *option]))

    def _quit(self) -> None:
        question = self.texts("ask.leave_lost" if self.autosaves.save_error else "ask.leave_kept")
        if not self.match.is_running or self.prompter.yes(question):
            raise UserQuit
