"""Runs a bot written in Python, so that it answers in the text protocol. The bot is a function `choose(position)`, a
class `Bot` with a method `choose`, or a Kaggle agent.

    python -c BOOTSTRAP connectk/__init__.py mybot.py [--no-solver]

The bot is loaded once. A bot that consists only of functions and constants plays all games in this process. Any other
bot plays each game in a fork of this process, so that it keeps no state from one game to the next. A bot that cannot be
forked sets `FRESH = True`; it gets a new process for each game instead. The bot's stdout is redirected to stderr, so
that nothing that the bot prints is taken for an answer.
"""

from __future__ import annotations

import ast
import gc
import inspect
import os
import random
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from operator import index
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn

from connectk.players.botimports import refuse_help
from connectk.players.botstate import keeps_state
from connectk.players.player import Clock
from connectk.players.textprotocol import (
    HELLO_LINE,
    KEEP_LINE,
    NEW_PROCESS_LINE,
    READY_LINE,
    SWAP_LINE,
    ShownPosition,
    parse_go,
    parse_new_game,
)
from connectk.rules import Position

Chooser = Callable[[Position, float], Any]
NO_ENTRY_POINT = "no_function"  # a bot without choose(position) or agent(observation, configuration)
NO_SOLVER = "--no-solver"  # the bot may not import connectk's solver and players
BOT_CLASS = "Bot"
SWAP_FUNCTION = "swap"  # a bot's function or method that answers whether it takes over the other side

# The bot may run in another Python with its own packages. Therefore connectk is imported by its path, and the packages
# that are installed beside connectk are not visible.
BOOTSTRAP = """
import sys
if sys.version_info < (3, 11):
    sys.exit(print("error needs Python 3.11 or newer, and this is " + sys.version.split()[0] + ".", flush=True))
from importlib.util import module_from_spec, spec_from_file_location
spec = spec_from_file_location("connectk", sys.argv[1])
sys.modules["connectk"] = module_from_spec(spec)
spec.loader.exec_module(sys.modules["connectk"])
from connectk.players.bothost import main
main(*sys.argv[2:])
"""


def main(path: str, *options: str) -> None:
    answers = _redirect_stdout()
    if NO_SOLVER in options:
        refuse_help()
    files = BotFiles(Path(path).resolve().parent)
    bot = _load(Path(path))
    files.note(path, *_modules(), *imports_of(Path(path)))
    forks = keeps_state(bot, files.folder)
    BotHost(bot, files, answers, forks).serve(StdinLines())


def _redirect_stdout() -> int:
    answers = os.dup(1)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return answers


def _load(path: Path) -> ModuleType:
    folder = path.resolve().parent
    sys.path[:] = [str(folder), *filter(None, sys.path)]
    sys.argv = [str(path)]
    spec = spec_from_file_location("bot", path)
    if spec is None or spec.loader is None:
        sys.exit(f"{path} is not a Python file.")
    random.seed(0)  # the bot draws the same random numbers in every process while it is loaded
    sys.modules["bot"] = bot = module_from_spec(spec)
    spec.loader.exec_module(bot)
    if not callable(getattr(bot, "choose", None)) and callable(getattr(getattr(bot, BOT_CLASS, None), "choose", None)):
        _take_methods(bot, getattr(bot, BOT_CLASS)())
    return bot


def _take_methods(bot: ModuleType, player: Any) -> None:
    bot.choose = player.choose  # type: ignore[attr-defined]
    if hasattr(player, SWAP_FUNCTION):
        bot.swap = player.swap  # type: ignore[attr-defined]


def _modules() -> Iterator[str | None]:
    return (getattr(module, "__file__", None) for module in list(sys.modules.values()))


class BotFiles:
    """Records which files in a bot's folder the bot uses: its modules, and every file that it opens."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: set[str] = set()
        self.on_file: Callable[[str], object] = lambda name: None  # called with each new name
        sys.addaudithook(lambda event, facts: self.note(facts[0]) if event == "open" else None)

    def note(self, *files: Any) -> None:
        for file in files:
            name = self._beside(file)
            if name and name not in self.names:
                self.names.add(name)
                self.on_file(name)

    def _beside(self, file: Any) -> str | None:
        if not isinstance(file, str | os.PathLike) or str(file).endswith(".pyc"):
            return None
        path = os.path.realpath(file)
        is_one = Path(path).is_relative_to(self.folder) and os.path.isfile(path) and "\n" not in path  # noqa: PTH113
        return str(Path(path).relative_to(self.folder)) if is_one else None


def imports_of(path: Path) -> list[Path]:
    """The file itself, and all modules in its folder that it imports. The imports may be inside functions, or in other
    modules that the file imports."""
    found, unread = [path], [path]
    while unread:
        places = _imported(unread.pop(), path.parent)
        files = [file for place in places for file in (place.with_suffix(".py"), place / "__init__.py")]
        new = [file for file in dict.fromkeys(files) if file.is_file() and file not in found]
        found += new
        unread += new
    return found


def _imported(file: Path, folder: Path) -> Iterator[Path]:
    """The possible paths, without `.py`, of the modules that a file imports. Nothing if the file is not valid
    Python."""
    try:
        nodes = list(ast.walk(ast.parse(file.read_bytes())))
    except (SyntaxError, ValueError, RecursionError, OSError):
        return
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (folder.joinpath(*name.name.split(".")) for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = [folder, *file.parents][node.level]
            module = base.joinpath(*(node.module or "").split("."))
            yield from (module, *(module / name.name for name in node.names))


class StdinLines:
    """Iterates over the lines of stdin. `rest` is the data that has been read but not used yet; a fork returns this
    data to its parent process."""

    def __init__(self) -> None:
        self.rest = b""

    def __iter__(self) -> Iterator[str]:
        while True:
            line, end, rest = self.rest.partition(b"\n")
            if end:
                self.rest = rest
                yield line.decode()
            elif data := os.read(0, 1 << 16):
                self.rest += data
            else:
                return


class BotHost:
    """Answers connectk's messages for one bot, in the text protocol."""

    def __init__(self, bot: ModuleType, files: BotFiles, answers: int, forks: bool) -> None:
        self._chooser, self._swapper = find_chooser(vars(bot)), find_swapper(vars(bot))
        self._files, self._answers = files, answers
        self._forks = forks
        self._shown = ShownPosition()
        has_threads = threading.active_count() > 1  # which a fork does not copy
        self._new_process_per_game = has_threads or bool(getattr(bot, "FRESH", False))

    def serve(self, lines: StdinLines) -> None:
        gc.freeze()  # the collector of a fork then leaves the shared memory pages alone
        for line in lines:
            word = line.partition(" ")[0]
            if line == HELLO_LINE:
                self._greet()
            elif word == "newgame" and self._forks and not self._new_process_per_game:
                lines.rest = self._play_in_a_fork(line, lines)
            elif word == "newgame":
                _seed_random(parse_new_game(line))
            elif word == "quit":
                return
            else:
                self._play(word, line)

    def _greet(self) -> None:
        files = [f"file {name}" for name in sorted(self._files.names)]
        fresh = [NEW_PROCESS_LINE] if self._new_process_per_game else []
        knows = [SWAP_LINE] if self._swapper else []
        self._write(*files, *fresh, *knows, READY_LINE if self._chooser else f"error {NO_ENTRY_POINT}")
        self._files.on_file = lambda name: self._write(f"file {name}")  # files opened during play

    def _play_in_a_fork(self, line: str, lines: StdinLines) -> bytes:
        """Play one game in a forked process. Returns the input after this game that the fork has already read."""
        read_end, write_end = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(read_end)
            self._play_one_game(line, lines, write_end)
        os.close(write_end)
        rest = _rest_of(pid, read_end)
        os.close(read_end)
        return rest

    def _play_one_game(self, first: str, lines: StdinLines, write_end: int) -> NoReturn:
        _seed_random(parse_new_game(first))
        for line in lines:
            word = line.partition(" ")[0]
            if word == "newgame":
                os.write(write_end, line.encode() + b"\n" + lines.rest)
                _exit_now()
            if word == "quit":
                _exit_now()
            self._play(word, line)
        _exit_now()

    def _play(self, word: str, line: str) -> None:
        if word in ("variant", "position"):
            self._shown.update(word, line)
        elif word == "go" and self._chooser:
            column = _column(self._chooser(self._shown.position, parse_go(line)))
            self._write(f"bestmove {column + 1}")
        elif word == SWAP_LINE and self._swapper:
            self._write(SWAP_LINE if self._swapper(self._shown.position, parse_go(line)) else KEEP_LINE)

    def _write(self, *lines: str) -> None:
        os.write(self._answers, "".join(f"{line}\n" for line in lines).encode())


def _seed_random(seed: int | None) -> None:
    random.seed(seed)
    if seed is not None and "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % 2**32)


def _exit_now() -> NoReturn:
    """Exit at once, without the slow shutdown of the interpreter."""
    sys.stderr.flush()
    os._exit(0)


def _rest_of(pid: int, read_end: int) -> bytes:
    """Wait for the fork, and return the input that it read but did not process. If the fork crashed or exited, this
    process ends in the same way."""
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.set_blocking(read_end, False)  # processes that the bot started may still hold the other end open
    try:
        rest = os.read(read_end, 1 << 16)
    except BlockingIOError:
        rest = b""
    if status < 0:
        signal.signal(-status, signal.SIG_DFL) if -status not in (signal.SIGKILL, signal.SIGSTOP) else None
        os.kill(os.getpid(), -status)
    if status or not rest:
        os._exit(status)
    return rest


def find_chooser(names: dict[str, Any]) -> Chooser | None:
    """The function that chooses a bot's columns: `choose` or, as in Kaggle, the last callable in the file."""
    if callable(names.get("choose")):
        return _own(names["choose"])
    callables = [value for value in names.values() if callable(value)]
    return _kaggle(callables[-1]) if callables else None


def find_swapper(names: dict[str, Any]) -> Chooser | None:
    """The bot's function `swap`. None if the bot has no such function, or if it has no function `choose`."""
    swap = names.get(SWAP_FUNCTION)
    return _own(swap) if callable(swap) and callable(names.get("choose")) else None


def _own(choose: Callable[..., Any]) -> Chooser:
    """Wraps a bot's function. If the function takes a second argument, it gets the clock."""
    if _arguments(choose) < 2:
        return lambda position, _: choose(position)
    return lambda position, seconds: choose(position, Clock(seconds))


def _kaggle(agent: Callable[..., Any]) -> Chooser:
    takes = _arguments(agent)
    return lambda position, seconds: agent(*(observation(position), configuration(position, seconds))[:takes])


def _arguments(function: Callable[..., Any]) -> int:
    """The number of positional parameters of a function.

    2 if the function takes any number of them, or if the number is unknown, as for some C functions.
    """
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 2
    kinds = [parameter.kind for parameter in parameters]
    if inspect.Parameter.VAR_POSITIONAL in kinds:
        return 2
    return sum(kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD) for kind in kinds)


class AttributeDict(dict[str, Any]):
    """A dict whose values are also attributes, as in Kaggle: `observation.board` is the same as
    `observation["board"]`."""

    def __init__(self, **facts: Any) -> None:
        super().__init__(facts)
        self.__dict__ = self


def observation(position: Position) -> AttributeDict:
    """The observation for a Kaggle ConnectX agent. Its board lists the cells from the top left: 0 for an empty cell, 1
    and 2 for the discs of the players."""
    mark = 1 + position.side_to_move.value
    return AttributeDict(board=list(_cells(position)), mark=mark, step=position.ply, remainingOverageTime=60)


def _cells(position: Position) -> Iterator[int]:
    for row in reversed(range(position.variant.height)):
        for column in range(position.variant.width):
            side = position.disc_at(column, row)
            yield 0 if side is None else 1 + side.value


def configuration(position: Position, seconds: float) -> AttributeDict:
    width, height, run = position.variant.width, position.variant.height, position.variant.run
    board = {"columns": width, "rows": height, "inarow": run, "episodeSteps": 1000}
    return AttributeDict(**board, timeout=seconds, actTimeout=seconds, agentTimeout=60, runTimeout=1200)


def _column(answer: Any) -> int:
    try:
        return index(answer)
    except TypeError:
        sys.exit(f"The bot answered {answer!r:.60}, not a column.")
