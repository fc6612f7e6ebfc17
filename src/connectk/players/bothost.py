"""Runs a bot written in Python: `choose(position)`, or a Kaggle agent, behind the text protocol.

    python -c BOOTSTRAP connectk/__init__.py mybot.py

The bot is loaded once. A bot of functions and constants plays all games in this process; any other is forked for each
game, so that no state is carried over. A bot that cannot be forked sets `FRESH = True` and gets a new process for each
game instead. The bot's stdout is redirected to stderr, so that a print cannot be mistaken for an answer.
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

from connectk.players.botstate import keeps_state
from connectk.players.player import Clock
from connectk.players.textprotocol import FRESH, HELLO, READY, ShownPosition, parse_go, parse_new_game
from connectk.rules import Position

Chooser = Callable[[Position, float], Any]
NO_ENTRY_POINT = "no_function"  # a bot without choose(position) or agent(observation, configuration)

# The bot may run in another Python with its own packages, so connectk is imported by path, without its site-packages.
BOOTSTRAP = """
import sys
if sys.version_info < (3, 11):
    sys.exit(print("error needs Python 3.11 or newer, and this is " + sys.version.split()[0] + ".", flush=True))
from importlib.util import module_from_spec, spec_from_file_location
spec = spec_from_file_location("connectk", sys.argv[1])
sys.modules["connectk"] = module_from_spec(spec)
spec.loader.exec_module(sys.modules["connectk"])
from connectk.players.bothost import main
main(sys.argv[2])
"""


def main(path: str) -> None:
    answers = _redirect_stdout()
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
    random.seed(0)  # what is drawn while loading is the same in every process
    sys.modules["bot"] = bot = module_from_spec(spec)
    spec.loader.exec_module(bot)
    return bot


def _modules() -> Iterator[str | None]:
    return (getattr(module, "__file__", None) for module in list(sys.modules.values()))


class BotFiles:
    """Tracks the files in a bot's folder that it loads: its modules, and everything it opens while it runs."""

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
    """The modules in a file's folder that it imports anywhere, even inside functions, and those that these import."""
    found, unread = [path], [path]
    while unread:
        places = _imported(unread.pop(), path.parent)
        files = [file for place in places for file in (place.with_suffix(".py"), place / "__init__.py")]
        new = [file for file in dict.fromkeys(files) if file.is_file() and file not in found]
        found += new
        unread += new
    return found


def _imported(file: Path, folder: Path) -> Iterator[Path]:
    """The paths in the folder where a file's imports would be; none if the file is not valid Python."""
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
    """The lines from stdin. Data that was read ahead is in `rest`, so that a fork can return it to its parent."""

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
    """Runs the bot protocol for a bot."""

    def __init__(self, bot: ModuleType, files: BotFiles, answers: int, forks: bool) -> None:
        self._chooser = find_chooser(vars(bot))
        self._files, self._answers = files, answers
        self._forks = forks
        self._shown = ShownPosition()
        has_threads = threading.active_count() > 1  # which a fork does not copy
        self._new_process_per_game = has_threads or bool(getattr(bot, "FRESH", False))

    def serve(self, lines: StdinLines) -> None:
        gc.freeze()  # a fork shares what it does not touch
        for line in lines:
            word = line.partition(" ")[0]
            if line == HELLO:
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
        fresh = [FRESH] if self._new_process_per_game else []
        self._write(*files, *fresh, READY if self._chooser else f"error {NO_ENTRY_POINT}")
        self._files.on_file = lambda name: self._write(f"file {name}")  # what is opened while it plays

    def _play_in_a_fork(self, line: str, lines: StdinLines) -> bytes:
        """Play one game in a fork; returns the input that the fork read beyond it."""
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

    def _write(self, *lines: str) -> None:
        os.write(self._answers, "".join(f"{line}\n" for line in lines).encode())


def _seed_random(seed: int | None) -> None:
    random.seed(seed)
    if seed is not None and "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(seed % 2**32)


def _exit_now() -> NoReturn:
    """Exit without the interpreter's slow shutdown."""
    sys.stderr.flush()
    os._exit(0)


def _rest_of(pid: int, read_end: int) -> bytes:
    """The input that the fork left unprocessed. If the fork crashed or exited, this process ends in the same way."""
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    os.set_blocking(read_end, False)  # what the bot started may still hold the other end
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
    """The entry point: `choose`, or, by Kaggle's own rule, the last callable in the file."""
    if callable(names.get("choose")):
        return _own(names["choose"])
    callables = [value for value in names.values() if callable(value)]
    return _kaggle(callables[-1]) if callables else None


def _own(choose: Callable[..., Any]) -> Chooser:
    """Passes the clock to a bot that takes a second argument."""
    if _arguments(choose) < 2:
        return lambda position, _: choose(position)
    return lambda position, seconds: choose(position, Clock(seconds))


def _kaggle(agent: Callable[..., Any]) -> Chooser:
    takes = _arguments(agent)
    return lambda position, seconds: agent(*(observation(position), configuration(position, seconds))[:takes])


def _arguments(function: Callable[..., Any]) -> int:
    """The number of positional parameters; 2 if it is unknown, as for some C functions."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return 2
    kinds = [parameter.kind for parameter in parameters]
    if inspect.Parameter.VAR_POSITIONAL in kinds:
        return 2
    return sum(kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD) for kind in kinds)


class AttributeDict(dict[str, Any]):
    """A dict with attribute access as in Kaggle: `observation.board` and `observation["board"]` are the same."""

    def __init__(self, **facts: Any) -> None:
        super().__init__(facts)
        self.__dict__ = self


def observation(position: Position) -> AttributeDict:
    """What a ConnectX agent sees: the cells from the top left, 0 empty, 1 and 2 the players."""
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
