"""What systems do differently, in one place: locks, whole files, folders on the disk, processes, cores, consoles."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

LOCK_OFFSET_BYTES = (
    1 << 30
)  # Windows forbids others to read what is locked, so the byte that we lock lies beyond the file
PR_SET_PDEATHSIG = 1  # of Linux's prctl
M_MMAP_THRESHOLD, M_ARENA_MAX = -3, -8  # of glibc's mallopt
MMAP_THRESHOLD_BYTES = 256 * 1024  # bytes


def lock(file: int) -> bool:
    """Whether this open file is now ours alone, until it is closed. Where a system has no locks, everyone's."""
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
    """A new file's name is part of its folder, and must reach the disk as well; Windows sees to that by itself."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    os.fsync(handle)
    os.close(handle)


def write_atomically(path: Path, text: Callable[[], str], mode: int = 0o644) -> None:
    """Written beside it first and then moved in place, so that a file is never half of itself."""
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
    """Processes that are started meanwhile do not hear these signals, where the system can, until `ignore_signals`.
    One that has not come to ignore Ctrl-C yet would answer it with a traceback."""
    import signal

    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # it hears again by itself, when it starts
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.Signals[name] for name in names})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def ignore_signals(*names: str) -> None:
    """Of a process that was started so: from now on they are heard, and nothing is done about them."""
    import signal

    numbers = {signal.Signals[name] for name in names}
    for number in numbers:
        signal.signal(number, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, numbers)


def end_with_parent() -> None:
    """Of a process that `multiprocessing` has started: end when its parent is gone, even if that was killed. A pipe
    tells, of which only the parent holds the other end."""
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
    """The same at once and whatever this process is busy with, where the system can: Linux does it as soon as the
    thread ends that has started this process, so that must be one that stays as long as its process does."""
    end_with_parent()
    if sys.platform == "linux":
        import ctypes
        import signal

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def tune_malloc() -> None:
    """Where the C library can: a large piece of memory goes back to the system as soon as nobody needs it. Left alone,
    glibc keeps what large files once took, for every thread that has read one."""
    import ctypes
    from contextlib import suppress

    with suppress(OSError, AttributeError, TypeError):  # another C library, or Windows
        library = ctypes.CDLL(None)
        library.mallopt(M_MMAP_THRESHOLD, MMAP_THRESHOLD_BYTES)
        library.mallopt(M_ARENA_MAX, 2)


def cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def can_encode(text: str, encoding: str | None) -> bool:
    """Whether a console that writes so has all of these letters and signs."""
    try:
        text.encode(encoding or "ascii")
    except (UnicodeError, LookupError):
        return False
    return True


def replace_unencodable_characters() -> None:
    """Let a console that lacks a letter show a question mark, rather than end the program with an error."""
    for stream in (sys.stdout, sys.stderr):
        _replace_errors(stream)


def _replace_errors(stream: TextIO | None) -> None:
    if stream is not None and hasattr(stream, "reconfigure"):
        stream.reconfigure(errors="replace")


def state_folder() -> Path:
    """Where this person's games in progress, seats and choices lie."""
    from platformdirs import user_state_path

    return user_state_path("connectk", appauthor=False)
