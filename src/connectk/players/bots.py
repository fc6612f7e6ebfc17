"""Your own bot as a player: a Python file or any program, in a process of its own."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from connectk.errors import BotForfeit, BotUnusable, IllegalDrop, NotationError, UnsupportedVariant
from connectk.players.botprocess import BotLimits, BotProcess
from connectk.players.player import Choice, Clock, Thought
from connectk.players.textprotocol import (
    HELLO,
    READY,
    History,
    parse_answer,
    parse_info,
    write_go,
    write_position,
)
from connectk.rules import Position

MOST_CELLS = 100_000  # a larger board does not fit into a line of text that anyone would want to read
DEFAULTS = BotLimits()


def load_bot(path: str | Path, *, seed: int | None = None, limits: BotLimits = DEFAULTS) -> Bot:
    """The bot in this file, started and ready: Python with `choose` or a Kaggle `agent`, or a program."""
    bot = Bot(str(path), _command(str(path), seed), limits)
    bot.start()
    return bot


def _command(name: str, seed: int | None) -> list[str]:
    path = Path(name)
    if not path.is_file():
        raise BotUnusable(name, "is not a file; a bot is a Python file or a program.")
    if path.suffix == ".py":
        return [sys.executable, "-m", "connectk.players.bothost", name, *([] if seed is None else [str(seed)])]
    if not os.access(path, os.X_OK):
        raise BotUnusable(name, "is not a program: make it executable, or give a Python file that ends in .py.")
    return [str(path.resolve())]


class Bot:
    """A player in a process of its own. After a forfeit the next choice starts a fresh process."""

    def __init__(self, name: str, command: list[str], limits: BotLimits) -> None:
        self._name, self._command, self._limits = name, command, limits
        self._process: BotProcess | None = None
        self._history = History()

    @property
    def name(self) -> str:
        return self._name

    def start(self) -> None:
        """Start the process and wait until the bot is ready; `BotUnusable` when it never is."""
        if not hasattr(os, "fork"):
            raise BotUnusable(self._name, "cannot be kept within limits here: that needs fork (on Windows, use WSL).")
        self._process = BotProcess(self._name, self._command, self._limits)
        try:
            self._greet(self._process)
        except BotForfeit as forfeit:
            self.close()
            raise BotUnusable(self._name, f"cannot be started: it {forfeit.reason}") from forfeit
        except BaseException:
            self.close()
            raise

    def _greet(self, process: BotProcess) -> None:
        deadline = time.monotonic() + self._limits.start
        process.say(HELLO, deadline=deadline)
        while (line := process.hear(deadline)) != READY:
            word, _, rest = line.partition(" ")
            if word == "error":
                raise BotUnusable(self._name, rest)

    def choose(self, position: Position, clock: Clock) -> Choice:
        """The bot's column; `BotForfeit` when it breaks a limit, answers nonsense or not at all."""
        if position.variant.cells > MOST_CELLS:
            raise UnsupportedVariant(position.variant, f"bots play on boards of up to {MOST_CELLS:,} cells.")
        try:
            return self._checked(self._ask(position, clock), position)
        except BaseException:
            self.close()
            raise

    def _ask(self, position: Position, clock: Clock) -> Choice:
        if self._process is None:
            self.start()
        assert self._process
        seconds = self._limits.think if clock.left is None else max(clock.left, 0.0)
        deadline = time.monotonic() + seconds + self._limits.grace
        board = write_position(position, self._history.lead_to(position))
        share = seconds if clock.share is None else max(clock.share, 0.0)
        self._process.say(f"variant {position.variant}", board, write_go(share), deadline=deadline)
        return self._answer(self._process, deadline, clock)

    def _answer(self, process: BotProcess, deadline: float, clock: Clock) -> Choice:
        thought = Thought()
        while True:
            line = process.hear(deadline, clock.stop)
            try:
                column = parse_answer(line)
            except NotationError as error:
                raise BotForfeit(self._name, "illegal", f"answered with no column: {error}") from error
            if column is not None:
                return Choice(column, thought)
            thought = (parse_info(line) if line else None) or thought

    def _checked(self, choice: Choice, position: Position) -> Choice:
        try:
            position.drop(choice.column)
        except IllegalDrop as error:
            raise BotForfeit(self._name, "illegal", f"chose column {choice.column + 1}: {error}") from error
        return choice

    def close(self) -> None:
        if self._process is not None:
            self._process.close()
            self._process = None
