"""Exchanges lines of text with a bot's process, and limits its time and its output. A guard process supervises the
bot."""

from __future__ import annotations

import contextlib
import math
import os
import re
import select
import socket
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from connectk.errors import BotForfeit, NotationError
from connectk.players.botscope import bus_variables, scope_command
from connectk.players.botwait import waits_for_input
from connectk.players.textprotocol import parse_answer
from connectk.watch import Stop, is_stop_requested

GUARD_SCRIPT = Path(__file__).with_name("guard.py")
STOP_CHECK_SECONDS = 0.05
GUARD_TIMEOUT_SECONDS = 5.0  # for the guard to report why the bot ended, on a busy machine too
UNFLUSHED_OUTPUT_TIMEOUT_SECONDS = 1.0  # for a late bot to write what it never flushed
MAX_STDERR_BYTES = 4096  # only the last bytes are kept
MEGABYTE = 1 << 20
# The environment variables that a bot gets. Programs need these variables to run, and none of them may hold a secret.
BOT_VARIABLES = frozenset(
    (
        *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "TZ", "TMPDIR"),
        *("LANG", "LANGUAGE", "LC_ALL", "LC_COLLATE", "LC_CTYPE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME"),
        *(
            "PYTHONHASHSEED",
            "PYTHONHOME",
            "PYTHONPATH",
            "PYTHONUNBUFFERED",
            "PYTHONUTF8",
            "VIRTUAL_ENV",
            "CONDA_PREFIX",
        ),
        *("LD_LIBRARY_PATH", "JAVA_HOME", "NODE_PATH", "CUDA_VISIBLE_DEVICES"),
        *("GOMAXPROCS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"),
    )
)


@dataclass(frozen=True, slots=True)
class BotLimits:
    """The limits of a bot, in seconds and bytes. An answer may be `grace` seconds late. `think` is the limit for a move
    if there is no clock."""

    start: float = 10.0
    think: float = 10.0
    grace: float = 0.25
    memory: int = 1 << 30
    processes: int = 32
    output: int = 1 << 16
    scratch: int = 1 << 28


class BotProcess:
    """A running bot. Its methods raise `BotForfeit` if the bot breaks a limit. `close` kills the bot and all its
    processes."""

    def __init__(self, bot: str, command: Sequence[str], limits: BotLimits) -> None:
        self._bot, self._limits = bot, limits
        self._control, theirs = socket.socketpair()
        self._guard = _start_guard(command, limits, theirs)
        theirs.close()
        self._in, self._out, self._err = _pipes_of(self._guard)
        self._lines = b""
        self._stderr_tail = b""
        self._written = 0

    def send(self, *lines: str, deadline: float) -> None:
        """Send lines to the bot. Before that, discard everything that the bot has written without being asked."""
        self._written = 0
        self._discard_unrequested_output()
        rest = "".join(f"{line}\n" for line in lines).encode()
        while rest:
            if _ready([self._in], select.POLLOUT, self._left(deadline)):
                rest = rest[self._write(rest) :]

    def _discard_unrequested_output(self) -> None:
        while _ready([self._out], select.POLLIN, 0):
            self._read(self._out)
        self._lines = b""

    def read_line(self, deadline: float, stop: Stop | None = None) -> str:
        """Wait for the next line that the bot writes, and return it."""
        while b"\n" not in self._lines:
            if stop is not None and is_stop_requested(stop):
                raise self._forfeit("stopped", "stopped")
            for stream in _ready([self._out, self._err], select.POLLIN, min(STOP_CHECK_SECONDS, self._left(deadline))):
                self._read(stream)
        line, _, self._lines = self._lines.partition(b"\n")
        return line.decode("utf-8", "replace").strip()

    def _left(self, deadline: float) -> float:
        left = deadline - time.monotonic()
        if left <= 0:
            raise self._forfeit("late", self._why_silent())
        return left

    def _why_silent(self) -> str:
        """The reason why the bot has not answered in time.

        `unflushed` means that the bot waits for input while its answer is still in its own output buffer. Otherwise it
        is `late`.
        """
        if self._guard.stdin and waits_for_input(self._guard.pid):
            self._guard.stdin.close()
            if any(map(_is_answer, self._written_at_end_of_input())):
                return "unflushed"
        return "late"

    def _written_at_end_of_input(self) -> list[bytes]:
        """The whole lines that the bot writes after its input has been closed."""
        deadline, data = time.monotonic() + UNFLUSHED_OUTPUT_TIMEOUT_SECONDS, b""
        while (left := deadline - time.monotonic()) > 0 and _ready([self._out], select.POLLIN, left):
            part = os.read(self._out, 1 << 16)
            data += part
            if not part or len(data) > self._limits.output:
                break
        return data.split(b"\n")[:-1]

    def _write(self, data: bytes) -> int:
        try:
            return os.write(self._in, data)
        except BlockingIOError:
            return 0
        except BrokenPipeError:
            raise self._ended() from None

    def _read(self, stream: int) -> None:
        data = os.read(stream, 1 << 16)
        self._written += len(data)
        if stream == self._err:
            self._stderr_tail = (self._stderr_tail + data)[-MAX_STDERR_BYTES:]
        elif not data:
            raise self._ended()
        else:
            self._lines += data
        if self._written > self._limits.output:
            raise self._forfeit("flood", "flood", most=self._limits.output >> 10)
        if not data:
            time.sleep(0.001)  # a closed error output is always ready; no need to spin

    def _ended(self) -> BotForfeit:
        """The `BotForfeit` for a bot whose process has ended, with the reason that the guard reports."""
        word, number = self._exit_report()
        if word == "processes":
            return self._forfeit("processes", "processes", number=number, most=self._limits.processes)
        if word == "memory":
            used, allowed = int(number) // MEGABYTE, self._limits.memory // MEGABYTE
            return self._forfeit("memory", "memory", used=used, most=allowed)
        if word == "scratch":
            used, allowed = math.ceil(int(number) / MEGABYTE), self._limits.scratch // MEGABYTE
            return self._forfeit("scratch", "scratch", used=used, most=allowed)
        if word == "exit":
            kind, status = ("signal", -int(number)) if int(number) < 0 else ("exit", int(number))
            return self._forfeit("crash", kind, status=status, complaint=self._last_error_line())
        return self._forfeit("crash", "closed", complaint=self._last_error_line())

    def _exit_report(self) -> tuple[str, str]:
        self._control.settimeout(GUARD_TIMEOUT_SECONDS)
        with contextlib.suppress(TimeoutError):
            word, _, number = self._control.recv(100).decode().partition(" ")
            return word, number
        return "closed", ""

    def _last_error_line(self) -> str:
        """The last line of stderr, and the number of the line in the bot's file where the error occurred. In Python,
        the last line of stderr names the error."""
        self._read_stderr()
        words = self._stderr_tail.decode("utf-8", "replace")
        last = next((line.strip() for line in reversed(words.split("\n")) if line.strip()), "")
        return f": {last[:200]}{self._line_in(words)}" if last else "."

    def _line_in(self, traceback: str) -> str:
        """The last line number of the bot's own file in the traceback, written as ` (line 12)`; empty if there is
        none."""
        name = re.escape(Path(self._bot).name)
        places = re.findall(rf'^ *File "(?:[^"]*/)?{name}", line (\d+)', traceback, re.MULTILINE)
        return f" (line {places[-1]})" if places else ""

    def _read_stderr(self) -> None:
        while _ready([self._err], select.POLLIN, 0) and (data := os.read(self._err, 1 << 16)):
            self._stderr_tail = (self._stderr_tail + data)[-MAX_STDERR_BYTES:]

    def printed(self) -> str:
        """The end of what the bot has written to stderr, which includes the output of `print` in a Python bot."""
        self._read_stderr()
        return self._stderr_tail.decode("utf-8", "replace").strip()

    def _forfeit(self, cause: str, reason: str, **facts: object) -> BotForfeit:
        return BotForfeit(self._bot, cause, f"error.BotForfeit.{reason}", **facts)

    def close(self) -> None:
        """Kill the bot and all its processes, and wait until they are gone."""
        self._control.close()
        for stream in (self._guard.stdin, self._guard.stdout, self._guard.stderr):
            if stream:
                stream.close()
        self._guard.wait()


def _start_guard(command: Sequence[str], limits: BotLimits, control: socket.socket) -> subprocess.Popen[bytes]:
    guard = [sys.executable, "-I", "-S", str(GUARD_SCRIPT), str(control.fileno())]
    scope = scope_command(limits.memory, limits.processes)
    return subprocess.Popen(
        [*scope, *guard, str(limits.memory), str(limits.processes), str(limits.scratch), *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        pass_fds=[control.fileno()],
        start_new_session=True,
        env={**bot_environment(), **(bus_variables(os.environ) if scope else {})},
    )


def bot_environment() -> dict[str, str]:
    """The environment variables that a bot gets. Other variables may hold secrets, such as the password in
    CONNECTK_DATABASE."""
    return {name: value for name, value in os.environ.items() if name in BOT_VARIABLES}


def _pipes_of(guard: subprocess.Popen[bytes]) -> tuple[int, int, int]:
    streams = [stream.fileno() for stream in (guard.stdin, guard.stdout, guard.stderr) if stream]
    os.set_blocking(streams[0], False)
    return streams[0], streams[1], streams[2]


def _ready(streams: list[int], event: int, seconds: float) -> list[int]:
    """The streams that become ready within `seconds`. This uses `poll` because `select` does not accept file
    descriptors above 1023."""
    poll = select.poll()
    for stream in streams:
        poll.register(stream, event)
    return [stream for stream, _ in poll.poll(math.ceil(1000 * seconds))]


def _is_answer(line: bytes) -> bool:
    with contextlib.suppress(NotationError):
        return parse_answer(line.decode("utf-8", "replace").strip()) is not None
    return False
