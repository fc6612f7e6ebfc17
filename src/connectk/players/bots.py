"""A user's own bot as a player. The bot is a Python file or any other program, and it runs in its own process."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import connectk
from connectk.errors import BotForfeit, BotUnusable, NotationError, UnsupportedVariant
from connectk.players.bothost import BOOTSTRAP, NO_ENTRY_POINT, NO_SOLVER
from connectk.players.botprocess import BotLimits, BotProcess
from connectk.players.botpython import python_for
from connectk.players.player import Choice, Clock, Thought
from connectk.players.textprotocol import (
    HELLO_LINE,
    KEEP_LINE,
    NEW_PROCESS_LINE,
    READY_LINE,
    SWAP_LINE,
    MoveHistory,
    parse_answer,
    parse_info,
    write_go,
    write_new_game,
    write_position,
    write_swap,
)
from connectk.rules import Position, Variant

MAX_BOT_CELLS = 100_000  # the protocol sends a board as one line of text
MAX_BOT_FILES = 10_000
DEFAULT_LIMITS = BotLimits()


@dataclass(frozen=True, slots=True)
class BotOptions:
    """The settings for all bots of a tournament: their limits, the interpreter of Python bots, and whether Python bots
    may import connectk's solver."""

    limits: BotLimits = DEFAULT_LIMITS
    python: str | None = None
    solver: bool = True


def load_bot(
    path: str | Path,
    *,
    seed: int | None = None,
    limits: BotLimits = DEFAULT_LIMITS,
    python: str | None = None,
    solver: bool = True,
) -> Bot:
    """Start the bot in this file: a Python file with `choose`, a Kaggle agent, or any program.

    If `solver` is false, a Python bot cannot import connectk's solver and players.
    """
    bot = Bot(str(path), _command(str(path), python, solver), limits, seed)
    bot.start()
    return bot


def _command(name: str, python: str | None, solver: bool) -> list[str]:
    path = Path(name)
    if not path.is_file():
        raise BotUnusable(name, "error.BotUnusable.not_a_file")
    if is_python(name):
        switches = [] if solver else [NO_SOLVER]
        return [python_for(path, python), "-c", BOOTSTRAP, connectk.__file__, name, *switches]
    if not os.access(path, os.X_OK):
        raise BotUnusable(name, "error.BotUnusable.not_a_program")
    return [str(path.resolve())]


def is_python(name: str) -> bool:
    return name.endswith(".py")


class Bot:
    """A player in its own process. The process runs until `close`. After a forfeit, the next move starts a new
    process."""

    def __init__(self, name: str, command: list[str], limits: BotLimits, seed: int | None = None) -> None:
        self._name, self._command, self._limits = name, command, limits
        self._process: BotProcess | None = None
        self._needs_new_process = self._knows_swap = False
        self.files: set[str] = set()  # the files in its folder that the bot reported to have loaded
        self._reset(seed)

    @property
    def name(self) -> str:
        return self._name

    def _reset(self, seed: int | None) -> None:
        self._seed, self._is_new = seed, True
        self._history = MoveHistory()

    def new_game(self, seed: int | None = None) -> None:
        """Forget the last game.

        If the bot needs a new process for each game, it starts here, so that the start does not use the bot's time.
        """
        was_used = not self._is_new
        self._reset(seed)
        if self._needs_new_process and was_used:
            self.close()
        if self._process is None:
            self.start()

    @staticmethod
    def cannot_play(variant: Variant) -> UnsupportedVariant | None:
        """The reason why bots cannot play on this board; None if they can."""
        if variant.cells <= MAX_BOT_CELLS:
            return None
        return UnsupportedVariant(variant, "error.UnsupportedVariant.bots", most=f"{MAX_BOT_CELLS:,}")

    def start(self) -> None:
        """Start the process and wait until the bot is ready. Raises `BotUnusable` if the bot does not get ready in
        time."""
        if not hasattr(os, "fork"):
            raise BotUnusable(self._name, "error.BotUnusable.no_fork")
        self._process = BotProcess(self._name, self._command, self._limits)
        self._is_new = True
        try:
            self._greet(self._process)
        except BotForfeit as forfeit:
            self.close()
            raise BotUnusable(self._name, "error.BotUnusable.start", why=forfeit) from forfeit
        except BaseException:
            self.close()
            raise

    def _greet(self, process: BotProcess) -> None:
        deadline = time.monotonic() + self._limits.start
        process.send(HELLO_LINE, deadline=deadline)
        while (line := process.read_line(deadline)) != READY_LINE:
            word, _, rest = line.partition(" ")
            if word == "error":
                raise BotUnusable(self._name, "error.BotUnusable.no_function" if rest == NO_ENTRY_POINT else rest)
            self._add_reported_file(word, rest)
            self._needs_new_process |= line == NEW_PROCESS_LINE
            self._knows_swap |= line == SWAP_LINE

    def _add_reported_file(self, word: str, rest: str) -> None:
        if word == "file" and len(self.files) < MAX_BOT_FILES:
            self.files.add(rest)

    def choose(self, position: Position, clock: Clock) -> Choice:
        """The bot's column. Raises `BotForfeit` if the bot breaks a limit or gives no valid answer."""
        if refusal := self.cannot_play(position.variant):
            raise refusal
        try:
            return self._checked(self._ask(position, clock), position)
        except BaseException:
            self.close()
            raise

    def wants_swap(self, position: Position, clock: Clock) -> bool:
        """Whether the bot takes over the other side instead of making a move. False if the bot does not know the swap
        rule."""
        if self._process is None:
            self.start()
        if not self._knows_swap:
            return False
        try:
            process, deadline = self._send(position, clock, write_swap)
            while (line := process.read_line(deadline, clock.stop)) not in (SWAP_LINE, KEEP_LINE):
                self._add_reported_file(*line.partition(" ")[::2])
            return line == SWAP_LINE
        except BaseException:
            self.close()
            raise

    def _ask(self, position: Position, clock: Clock) -> Choice:
        process, deadline = self._send(position, clock, write_go)
        return self._answer(process, deadline, clock)

    def _send(self, position: Position, clock: Clock, question: Callable[[float], str]) -> tuple[BotProcess, float]:
        """Send the bot the position and a question with its time. Returns the process, and the time by which the bot
        must have answered."""
        if self._process is None:
            self.start()
        assert self._process
        seconds = self._limits.think if clock.left is None else max(clock.left, 0.0)
        deadline = time.monotonic() + seconds + self._limits.grace
        board = write_position(position, self._history.moves_to(position))
        share = seconds if clock.share is None else max(clock.share, 0.0)
        beginning = [write_new_game(self._seed)] if self._is_new else []
        self._is_new = False
        self._process.send(*beginning, f"variant {position.variant}", board, question(share), deadline=deadline)
        return self._process, deadline

    def _answer(self, process: BotProcess, deadline: float, clock: Clock) -> Choice:
        thought = Thought()
        while True:
            line = process.read_line(deadline, clock.stop)
            self._add_reported_file(*line.partition(" ")[::2])
            try:
                column = parse_answer(line)
            except NotationError as error:
                raise BotForfeit(self._name, "illegal", "error.BotForfeit.no_column", why=error) from error
            if column is not None:
                return Choice(column, thought)
            thought = (parse_info(line) if line else None) or thought

    def printed(self) -> str:
        """The output of the running process, apart from its answers."""
        return "" if self._process is None else self._process.printed()

    def _checked(self, choice: Choice, position: Position) -> Choice:
        if not position.can_drop(choice.column):
            raise self._column_refusal(choice.column, position.variant)
        return choice

    def _column_refusal(self, column: int, variant: Variant) -> BotForfeit:
        """The `BotForfeit` for an illegal column. Its message counts columns as the bot itself does: from 0 for Python
        bots, from 1 for other programs."""
        first = 0 if is_python(self._name) else 1
        reason = f"error.BotForfeit.{'full' if 0 <= column < variant.width else 'range'}"
        counted = {"column": column + first, "first": first, "last": variant.width - 1 + first}
        return BotForfeit(self._name, "illegal", reason, variant=variant, **counted)

    def close(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None
