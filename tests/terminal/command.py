"""Runs `connectk` in this process, through a pipe, or on a real pseudo-terminal."""

from __future__ import annotations

import io
import json
import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from connectk.cli import main
from connectk.terminal.store import Autosaves

STREAMS = ("stdin", "stdout", "stderr")
CONNECTK = [sys.executable, "-c", "from connectk.cli import main; main()"]
PROGRAM = [*CONNECTK, "play"]
CONTROL_SEQUENCE = re.compile(rb"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[=>]")


def environment(state: Path, **more: str) -> dict[str, str]:
    """Environment variables without the developer's own locale, colours and autosaves."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "VIRTUAL_ENV") if name in os.environ}
    return {
        **kept,
        "XDG_STATE_HOME": str(state),
        "CONNECTK_SETTINGS": os.devnull,
        "CONNECTK_BOOKS": os.devnull,
        "LANG": "C.UTF-8",
        "TERM": "xterm-256color",
        **more,
    }


def autosaved_moves(state: Path) -> str:
    """Return the moves of the only autosave."""
    (game,) = Autosaves(state / "connectk" / "games").all()
    return str(json.loads(game.path.read_text())["moves"])


class Done(NamedTuple):
    """The exit status and output of a finished command."""

    returncode: int
    stdout: str
    stderr: str


def pipe(state: Path, *options: str, answers: str = "", encoding: str = "utf-8", **more: str) -> Done:
    """Run `connectk play` in this process with all answers given at once."""
    with patch.dict(os.environ, environment(state, **more), clear=True):
        return run_in_process("play", *options, answers=answers, encoding=encoding)


def run_in_process(*words: str, answers: str = "", encoding: str = "utf-8") -> Done:
    """Run any command in this process, which is quicker than starting Python."""
    streams = [io.TextIOWrapper(io.BytesIO(text), encoding=encoding) for text in (answers.encode(), b"", b"")]
    with patch.multiple(sys, argv=["connectk", *words], **dict(zip(STREAMS, streams, strict=True))):
        status = status_of(main)
    _, out, err = streams
    return Done(status, *(_written(stream) for stream in (out, err)))


def status_of(program: Callable[[], None]) -> int:
    try:
        program()
    except SystemExit as end:
        return int(end.code or 0)
    return 0


def _written(stream: io.TextIOWrapper) -> str:
    stream.flush()
    return stream.buffer.getvalue().decode()  # type: ignore[attr-defined]


def real_pipe(state: Path, *options: str, answers: str) -> Done:
    """Run `connectk play` in a subprocess with piped input."""
    done = subprocess.run(
        [*PROGRAM, *options],
        input=answers.encode(),
        capture_output=True,
        timeout=60,
        env=environment(state),
        check=False,
    )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


class Terminal:
    """`connectk play`, or another command, in a subprocess on its own pseudo-terminal."""

    def __init__(
        self,
        state: Path,
        *options: str,
        size: tuple[int, int] = (80, 24),
        controlling: bool = True,
        command: Sequence[str] = ("play",),
        **more: str,
    ) -> None:
        """Start the program. If the terminal is `controlling`, closing it sends the program a signal."""
        self.master, slave = pty.openpty()
        termios.tcsetwinsize(self.master, (size[1], size[0]))
        self.before = termios.tcgetattr(slave)
        self.seen = b""
        self.process = subprocess.Popen(
            [*CONNECTK, *command, *options],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environment(state, **more),
            start_new_session=True,
            preexec_fn=self._take_terminal if controlling else None,
        )
        self.slave = slave

    @staticmethod
    def _take_terminal() -> None:
        import fcntl

        fcntl.ioctl(0, termios.TIOCSCTTY, 0)

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    def wait_for(self, text: str, seconds: float = 60.0) -> str:
        """Wait until `text` appears; return all output so far."""
        until = time.monotonic() + seconds
        while text not in self.text:
            if not self._read(until - time.monotonic()):
                raise AssertionError(f"{text!r} did not come; seen:\n{self.text[-2000:]}")
        return self.text

    def wait_for_bytes(self, data: bytes, start: int = 0, seconds: float = 60.0) -> None:
        """Wait until these bytes appear after position `start`."""
        until = time.monotonic() + seconds
        while data not in self.seen[start:]:
            if not self._read(until - time.monotonic()):
                raise AssertionError(f"{data!r} did not come")

    def wait_until_stopped(self, seconds: float = 60.0) -> None:
        """Wait until the program is suspended and all its output has been read."""
        until = time.monotonic() + seconds
        while "State:\tT" not in Path(f"/proc/{self.process.pid}/status").read_text():
            self._read(0.05)
            assert time.monotonic() < until, "it did not stop"
        while self._read(0.1):
            pass

    def read_until_quiet(self, seconds: float = 1.0) -> None:
        """Read until the program has written nothing for this long."""
        while self._read(seconds):
            pass

    def _read(self, seconds: float) -> bool:
        ready, _, _ = select.select([self.master], [], [], max(0.0, seconds))
        if not ready:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:  # the other end is closed
            return False
        self.seen += data
        return bool(data)

    @property
    def text(self) -> str:
        return CONTROL_SEQUENCE.sub(b"", self.seen).decode("utf-8", "replace")

    def end(self, seconds: float = 60.0) -> int:
        """Wait for the exit status, reading the output meanwhile so that the program can finish writing."""
        until = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < until:
            self._read(0.05)
        while self._read(0.05):
            pass
        return self.process.wait(timeout=10)

    @property
    def is_sane(self) -> bool:
        """Whether the terminal's settings are the same as before the program ran."""
        return termios.tcgetattr(self.slave) == self.before

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for end in (self.master, self.slave):
            with suppress(OSError):
                os.close(end)
