"""Supervises one bot: starts it under limits, monitors all its processes, and kills them at the end.

    connectk ──socket── guard ──── bot ──── whatever the bot starts

It is a program of its own, so that the bot's processes end even when connectk is killed: the socket then closes, and
the guard kills them all. It adopts orphans (Linux: "child subreaper"), so no double fork or new session escapes it.
It uses only the standard library and is started without `site`, which makes it quick. The bot is isolated as far as the
system allows (isolation.py), with a scratch folder that is deleted at the end.

    python guard.py SOCKET MEMORY PROCESSES COMMAND...
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import resource
import select
import signal
import socket
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from isolation import isolate  # type: ignore[import-not-found]  # in this folder; the rest of connectk is not loaded

PR_SET_CHILD_SUBREAPER = 36
WATCH_INTERVAL_SECONDS = 0.02
MAX_FILE_BYTES = 1 << 28
ADDRESS_SPACE_FACTOR = 4  # times the memory limit: programs reserve more address space than they use
SPARE_PROCESSES = 256  # beyond those that the user runs now
PAGE_BYTES = resource.getpagesize()


def main(arguments: list[str]) -> None:
    control = socket.socket(fileno=int(arguments[0]))
    memory, processes = int(arguments[1]), int(arguments[2])
    adopt_orphans()
    raise_priority()
    scratch = make_scratch()
    bot = start(arguments[3:], memory, scratch)
    release_pipes()
    end = watch(control, bot, memory, processes)
    end_all(bot)
    remove(scratch)
    control.sendall(end.encode())


def make_scratch() -> Path:
    """Create a temporary folder for the bot, and point TMPDIR to it."""
    folder = Path(os.environ.get("TMPDIR") or "/tmp", f"connectk-bot-{os.urandom(8).hex()}")
    folder.mkdir(0o700)
    os.environ.update(dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(folder)))
    return folder


def remove(folder: Path) -> None:
    """Remove a folder and its content; links are removed but not followed."""
    with contextlib.suppress(OSError):
        for path in folder.iterdir():
            if path.is_dir() and not path.is_symlink():
                remove(path)
            else:
                path.unlink()
        folder.rmdir()


def adopt_orphans() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def raise_priority() -> None:
    """Use real-time scheduling, so that hundreds of forking processes cannot starve the guard.

    Only root may do that; other users are limited by `RLIMIT_NPROC`, which does not apply to root.
    """
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))


def start(command: list[str], memory: int, scratch: Path) -> int:
    """The process id of the bot, in a session of its own."""
    pid = os.fork()
    if pid == 0:
        exec_bot(command, memory, scratch)
    return pid


def exec_bot(command: list[str], memory: int, scratch: Path) -> None:
    os.setsid()
    lower_limit(resource.RLIMIT_AS, ADDRESS_SPACE_FACTOR * memory)
    if running := threads_of_user():  # 0 if unknown
        lower_limit(resource.RLIMIT_NPROC, running + SPARE_PROCESSES)
    lower_limit(resource.RLIMIT_FSIZE, MAX_FILE_BYTES)
    lower_limit(resource.RLIMIT_CORE, 0)
    isolate(str(scratch))
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{error.strerror}\n".encode())
        os._exit(127)


def threads_of_user() -> int:
    """How many threads this user runs: what the kernel counts against `RLIMIT_NPROC`."""
    return sum(map(threads, Path("/proc").glob("[0-9]*")))


def threads(process: Path) -> int:
    try:
        return len(list((process / "task").iterdir())) if process.stat().st_uid == os.getuid() else 0
    except OSError:  # it ended meanwhile
        return 0


def lower_limit(limit: int, value: int) -> None:
    """Lower a resource limit if the system supports it: macOS does not limit the address space."""
    _, most = resource.getrlimit(limit)
    value = value if most == resource.RLIM_INFINITY else min(value, most)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(limit, (value, value))


def release_pipes() -> None:
    """Close the guard's copies of the bot's pipes, so that connectk sees end of file when the bot ends."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)


def watch(control: socket.socket, bot: int, memory: int, processes: int) -> str:
    """Wait until the bot ends or must end. Returns `closed`, `exit STATUS`, `processes COUNT` or `memory BYTES`."""
    while not select.select([control], [], [], WATCH_INTERVAL_SECONDS)[0]:
        status = reap(bot)
        if status is not None:
            return f"exit {status}"
        family = descendants(os.getpid())
        if len(family) > processes:
            return f"processes {len(family)}"
        if sum(map(resident_bytes, family)) > memory and (used := sum(map(proportional_bytes, family))) > memory:
            return f"memory {used}"
    return "closed"


def reap(bot: int) -> int | None:
    """Reap ended children. Returns the bot's exit status, negative for a signal, once it has ended."""
    try:
        while (dead := os.waitpid(-1, os.WNOHANG))[0]:
            if dead[0] == bot:
                return os.waitstatus_to_exitcode(dead[1])
    except ChildProcessError:
        pass
    return None


def descendants(pid: int) -> list[int]:
    """All direct and indirect children of a process."""
    found = children(pid)
    for child in found:
        found += children(child)  # the list grows while it is walked
    return found


def children(pid: int) -> list[int]:
    try:
        with os.scandir(f"/proc/{pid}/task") as tasks:
            return [int(child) for task in tasks for child in read(f"{task.path}/children").split()]
    except OSError:
        return []


def read(file: str) -> bytes:
    try:
        handle = os.open(file, os.O_RDONLY)
    except OSError:  # it ended meanwhile
        return b""
    try:
        return os.read(handle, 1 << 20)
    except OSError:
        return b""
    finally:
        os.close(handle)


def resident_bytes(pid: int) -> int:
    """Bytes of memory that a process has in use."""
    numbers = read(f"/proc/{pid}/statm").split()
    return int(numbers[1]) * PAGE_BYTES if numbers else 0


def proportional_bytes(pid: int) -> int:
    """The same, but memory shared by several processes is divided between them; slower to read."""
    for line in read(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return resident_bytes(pid)


def end_all(bot: int) -> None:
    """Kill repeatedly until no process is left; orphans are reparented to the guard and found in the next round."""
    kill(-bot)
    while kill_descendants():
        reap(bot)
        time.sleep(0.001)


def kill_descendants() -> bool:
    """Kill all descendants, each before its children are listed: a killed process cannot fork, so none is missed."""
    family = children(os.getpid())
    for pid in family:
        kill(pid)
        family += children(pid)  # the list grows while it is walked
    return bool(family)


def kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    main(sys.argv[1:])
