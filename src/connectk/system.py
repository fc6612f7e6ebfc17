"""Handles the differences between operating systems: file locks, atomic writes, processes, signals, consoles."""

from __future__ import annotations

import os
import select
import shutil
import stat
import sys
import tempfile
import textwrap
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TextIO

LOCK_OFFSET_BYTES = 1 << 30  # Windows denies reads of a locked range, so we lock a byte beyond the end of the file
STDIN_NOTICE_DELAY_SECONDS = 1.0
PR_SET_PDEATHSIG = 1  # an option of Linux's prctl
M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8  # options of glibc's mallopt
MMAP_THRESHOLD_BYTES = 256 * 1024  # bytes


def lock(file: int) -> bool:
    """Try to lock an open file until it is closed. On a system without file locks this always succeeds."""
    try:
        import fcntl
    except ImportError:
        return _lock_on_windows(file)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _lock_on_windows(file: int) -> bool:
    try:
        import msvcrt
    except ImportError:
        return True
    before = os.lseek(file, 0, os.SEEK_CUR)
    try:
        os.lseek(file, LOCK_OFFSET_BYTES, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
    except OSError:
        return False
    finally:
        os.lseek(file, before, os.SEEK_SET)
    return True


def sync_folder(folder: Path) -> None:
    """Flush a folder to the disk, so that the name of a new file survives a crash. On Windows this is not needed."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)


def write_atomically(path: Path, text: Callable[[], str], mode: int = 0o644) -> None:
    """Write one of connectk's own files atomically. If its folder does not exist, create it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with opened_for_writing(path, mode) as file:
        file.write(text().encode())


@contextmanager
def opened_for_writing(path: Path, mode: int = 0o644) -> Iterator[IO[bytes]]:
    """Open a temporary file that replaces `path` once it is complete, so that readers never see a partial file.

    If `path` is a symbolic link, its target is replaced. A device or a FIFO is written to directly.
    """
    if _is_written_in_place(path):
        with path.open("wb") as file:
            yield file
        return
    target = Path(os.path.realpath(path))
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:100]}-")
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(handle)
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _is_written_in_place(path: Path) -> bool:
    """Whether a path is a special file, such as a device or a FIFO.

    All of /dev and /proc counts as special, because `/dev/stdout` may be a link to a regular file that is already open.
    """
    return (path.exists() and not path.is_file()) or path.absolute().parts[1:2] in (("dev",), ("proc",))


@contextmanager
def blocking_signals_in_children(*names: str) -> Iterator[None]:
    """Child processes that start in this block do not receive these signals until they call `ignore_signals`.

    Without this, Ctrl-C would print a traceback while a child process starts. On Windows this does nothing.
    """
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # start it first: it unblocks the signals itself
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.Signals[name] for name in names})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ignore_signals(*names: str) -> None:
    """Ignore and unblock these signals in a process started under `blocking_signals_in_children`."""
    import signal

    numbers = {signal.Signals[name] for name in names}
    for number in numbers:
        signal.signal(number, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)


def end_with_parent() -> None:
    """End a `multiprocessing` child process when its parent is gone, even if the parent was killed."""
    import multiprocessing
    import threading

    parent = multiprocessing.parent_process()
    if parent is None:
        return

    def watch() -> None:
        parent.join()
        os._exit(1)

    threading.Thread(target=watch, name="parent-watch", daemon=True).start()


def die_with_parent() -> None:
    """End this process when its parent is gone; on Linux, without any delay.

    On Linux the kernel ends it together with the thread that started it, so that thread must live as long as this
    process.
    """
    end_with_parent()
    if sys.platform == "linux":
        import ctypes
        import signal

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def tune_malloc() -> None:
    """Make glibc return large freed blocks to the system; does nothing with other C libraries.

    By default, a thread that has read a large file keeps the freed memory.
    """
    import ctypes
    from contextlib import suppress

    with suppress(OSError, AttributeError, TypeError):  # another C library, or Windows
        library = ctypes.CDLL(None)
        library.mallopt(M_MMAP_THRESHOLD, MMAP_THRESHOLD_BYTES)
        library.mallopt(M_ARENA_MAX, 2)


def cores() -> int:
    """The number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def can_encode(text: str, encoding: str | None) -> bool:
    """Whether a console with this encoding can show the text."""
    try:
        text.encode(encoding or "ascii")
    except (UnicodeError, LookupError):
        return False
    return True


def open_closed_streams() -> None:
    """Open the standard streams that were closed when this process started (`<&-`, `>&-`). The input becomes an empty
    file, and everything written to the outputs is discarded."""
    for number, (name, mode) in enumerate((("stdin", "r"), ("stdout", "w"), ("stderr", "w"))):
        if getattr(sys, name) is None:
            handle = os.open(os.devnull, os.O_RDONLY if mode == "r" else os.O_WRONLY)
            if handle != number:
                os.dup2(handle, number)
                os.close(handle)
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))


def stdin_has_content(on_wait: Callable[[], None]) -> bool:
    """Whether standard input is a file, or a pipe with something to read.

    For a pipe, the answer is known only when something arrives or the other end is closed. If that takes long,
    `on_wait` is called once.
    """
    try:
        handle = sys.stdin.fileno()
        status = os.fstat(handle)
        if stat.S_ISREG(status.st_mode):
            return os.lseek(handle, 0, os.SEEK_CUR) < status.st_size
    except (OSError, ValueError):  # no real file, as in tests
        return False
    return stat.S_ISFIFO(status.st_mode) and _pipe_has_content(handle, on_wait)


def _pipe_has_content(handle: int, on_wait: Callable[[], None]) -> bool:
    try:
        import fcntl
        import termios
    except ImportError:  # Windows, where nothing reads past the buffer of `sys.stdin`
        return bool(sys.stdin.buffer.peek(1))  # type: ignore[union-attr]  # it is a `BufferedReader`
    if not select.select([handle], [], [], STDIN_NOTICE_DELAY_SECONDS)[0]:
        on_wait()
        select.select([handle], [], [])
    return any(fcntl.ioctl(handle, termios.FIONREAD, bytes(4)))  # no bytes: the other end is closed


def follow_ascii_locale() -> None:
    """Print only ASCII if the locale is C or POSIX, where Python itself would print UTF-8.

    If no locale is set, as in most containers, nothing is known about the terminal and nothing changes.
    """
    chosen = os.environ.get("LC_ALL") or os.environ.get("LANG")
    if not sys.flags.utf8_mode or chosen not in ("C", "POSIX"):
        return
    if not any(os.environ.get(name) for name in ("PYTHONUTF8", "PYTHONIOENCODING")):
        for stream in (sys.stdout, sys.stderr):
            if hasattr(stream, "reconfigure"):
                stream.reconfigure(encoding="ascii", errors="replace")


def replace_unencodable_characters() -> None:
    """Print a question mark for a character that the console cannot encode, instead of raising an error."""
    for stream in (sys.stdout, sys.stderr):
        _replace_errors(stream)


def _replace_errors(stream: TextIO | None) -> None:
    if stream is not None and hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="replace")


def state_folder() -> Path:
    """The folder of the user's saved games, seats and preferences."""
    from platformdirs import user_state_path

    return user_state_path("connectk", appauthor=False)


def books_folder() -> Path:
    """The folder of the user's opening books. The folder may not exist. `CONNECTK_BOOKS` names another one."""
    if place := os.environ.get("CONNECTK_BOOKS"):
        return Path(place)
    from platformdirs import user_data_path

    return user_data_path("connectk", appauthor=False) / "books"


def wrapped(text: str, stream: TextIO) -> str:
    """The text, with long lines broken between words at the width of the terminal. It is unchanged if the output is not
    a terminal."""
    if not stream.isatty():
        return text
    width = shutil.get_terminal_size().columns
    lines = text.split("\n")
    return "\n".join(_wrap(line, width) if len(line) > width else line for line in lines)


def _wrap(line: str, width: int) -> str:
    return textwrap.fill(line, width, break_long_words=False, break_on_hyphens=False)
