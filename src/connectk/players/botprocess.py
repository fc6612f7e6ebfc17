"""A bot's process under its guard: exchanges lines with the bot, with limits on time and output."""

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

from connectk.errors import BotForfeit
from connectk.watch import Stop, is_stop_requested

GUARD_SCRIPT = Path(__file__).with_name("guard.py")
STOP_CHECK_SECONDS = 0.05
GUARD_TIMEOUT_SECONDS = 5.0  # to report why the bot ended; on a busy machine the guard may need some
UNFLUSHED_OUTPUT_TIMEOUT_SECONDS = 1.0  # for a late bot to write what it never flushed
MAX_STDERR_BYTES = 4096  # the tail that is kept
MEGABYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class BotLimits:
    """The limits of a bot in seconds and bytes. `grace` is how late an answer may be; `think` is for no clock."""

    start: float = 10.0
    think: float = 10.0
    grace: float = 0.25
    memory: int = 1 << 30
    processes: int = 32
    output: int = 1 << 16


class BotProcess:
    """A running bot. A violated limit raises `BotForfeit`; `close` kills the bot with all its processes."""

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
        """Write lines to the bot, after discarding any output that it was not asked for."""
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
        """The bot's next line."""
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
        """Why a bot is silent: `unflushed` if it waits for input and answers at the end of input, else `late`."""
        if self._guard.stdin and is_waiting(self._guard.pid):
            self._guard.stdin.close()
            if self._writes_at_end_of_input():
                return "unflushed"
        return "late"

    def _writes_at_end_of_input(self) -> bool:
        deadline = time.monotonic() + UNFLUSHED_OUTPUT_TIMEOUT_SECONDS
        while (left := deadline - time.monotonic()) > 0 and _ready([self._out], select.POLLIN, left):
            data = os.read(self._out, 1 << 16)
            if data.strip():
                return True
            if not data:
                break
        return False

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
        """The forfeit for the reason that the guard reports."""
        word, number = self._exit_report()
        if word == "processes":
            return self._forfeit("processes", "processes", number=number, most=self._limits.processes)
        if word == "memory":
            used, allowed = int(number) // MEGABYTE, self._limits.memory // MEGABYTE
            return self._forfeit("memory", "memory", used=used, most=allowed)
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
        """The last line of stderr; for Python that is the error, with its line in the bot's file."""
        self._read_stderr()
        words = self._stderr_tail.decode("utf-8", "replace")
        last = next((line.strip() for line in reversed(words.split("\n")) if line.strip()), "")
        return f": {last[:200]}{self._line_in(words)}" if last else "."

    def _line_in(self, traceback: str) -> str:
        """The last line of the bot's own file in the traceback."""
        name = re.escape(Path(self._bot).name)
        places = re.findall(rf'^ *File "(?:[^"]*/)?{name}", line (\d+)', traceback, re.MULTILINE)
        return f" (line {places[-1]})" if places else ""

    def _read_stderr(self) -> None:
        while _ready([self._err], select.POLLIN, 0) and (data := os.read(self._err, 1 << 16)):
            self._stderr_tail = (self._stderr_tail + data)[-MAX_STDERR_BYTES:]

    def _forfeit(self, cause: str, reason: str, **told: object) -> BotForfeit:
        return BotForfeit(self._bot, cause, f"error.BotForfeit.{reason}", **told)

    def close(self) -> None:
        """Kill the bot and all its processes, and wait until they are gone."""
        self._control.close()
        for stream in (self._guard.stdin, self._guard.stdout, self._guard.stderr):
            if stream:
                stream.close()
        self._guard.wait()


def _start_guard(command: Sequence[str], limits: BotLimits, control: socket.socket) -> subprocess.Popen[bytes]:
    guard = [sys.executable, "-I", "-S", str(GUARD_SCRIPT)]
    return subprocess.Popen(
        [*guard, str(control.fileno()), str(limits.memory), str(limits.processes), *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
        pass_fds=[control.fileno()],
        start_new_session=True,
    )


def _pipes_of(guard: subprocess.Popen[bytes]) -> tuple[int, int, int]:
    streams = [stream.fileno() for stream in (guard.stdin, guard.stdout, guard.stderr) if stream]
    os.set_blocking(streams[0], False)
    return streams[0], streams[1], streams[2]


def _ready(streams: list[int], event: int, seconds: float) -> list[int]:
    """The streams that are ready within `seconds`. Unlike `select` it works with file descriptors over 1023."""
    poll = select.poll()
    for stream in streams:
        poll.register(stream, event)
    return [stream for stream, _ in poll.poll(math.ceil(1000 * seconds))]


def is_waiting(guard: int) -> bool:
    """Whether all descendants of the guard are asleep."""
    family = [guard]
    for parent in family:
        family += _children(parent)  # the list grows while it is walked
    return len(family) > 1 and all(_state(pid) == "S" for pid in family[1:])


def _children(pid: int) -> list[int]:
    try:
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="utf-8").split()]
    except OSError:  # it has ended, or this system has no such file
        return []


def _state(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(") ")[2][:1]
    except OSError:
        return ""
