"""Differences between operating systems in one place: file locks, atomic writes, processes, signals, consoles."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

LOCK_OFFSET_BYTES = 1 << 30  # Windows denies reads of a locked range, so we lock a byte beyond the end of the file
PR_SET_PDEATHSIG = 1  # of Linux's prctl
M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8  # of glibc's mallopt
MMAP_THRESHOLD_BYTES = 256 * 1024  # bytes


def lock(file: int) -> bool:
    """Try to lock an open file until it is closed; always succeeds on a system without locks."""
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
    """Flush a folder to the disk, so that the name of a new file is durable; not needed on Windows."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)


def write_atomically(path: Path, text: Callable[[], str], mode: int = 0o644) -> None:
    """Write a temporary file and rename it, so that readers never see a partial file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text())
        Path(name).chmod(mode)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


@contextmanager
def blocking_signals_in_children(*names: str) -> Iterator[None]:
    """Child processes started in this block have these signals blocked until they call `ignore_signals`. Otherwise
    Ctrl-C during their start would print a traceback. Does nothing on Windows."""
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
    """End a `multiprocessing` child when its parent is gone, even if the parent was killed."""
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
    """The same, but immediate on Linux: the kernel kills this process when the thread that started it ends, so that
    thread must live as long as its process."""
    end_with_parent()
    if sys.platform == "linux":
        import ctypes
        import signal

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def tune_malloc() -> None:
    """Make glibc return large freed blocks to the system. By default it keeps the memory that large files once took,
    for every thread that has read one. Does nothing with other C libraries."""
    import ctypes
    from contextlib import suppress

    with suppress(OSError, AttributeError, TypeError):  # another C library, or Windows
        library = ctypes.CDLL(None)
        library.mallopt(M_MMAP_THRESHOLD, MMAP_THRESHOLD_BYTES)
        library.mallopt(M_ARENA_MAX, 2)


def cores() -> int:
    """The number of cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def can_encode(text: str, encoding: str | None) -> bool:
    """Whether a console with this encoding can show the text."""
    try:
        text.encode(encoding or "ascii")
    except (UnicodeError, LookupError):
        return False
    return True


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
