"""Supervises one bot. It starts the bot under limits, monitors all its processes, and kills them at the end.

    connectk ──socket── guard ──── bot ──── whatever the bot starts

The guard is a separate program, so that the bot's processes end even when connectk is killed. The socket then closes,
and the guard kills all processes of the bot. The guard adopts the children of processes that have ended (Linux: "child
subreaper"), so a process cannot escape by a double fork or a new session. The guard uses only the standard library and
runs without `site`, so that it starts quickly. isolation.py isolates the bot as far as the system allows. The bot gets
a scratch folder that is deleted at the end. botusage.py measures how much memory and disk space all processes of the
bot use together.

    python guard.py SOCKET MEMORY PROCESSES SCRATCH COMMAND...
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
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))  # the rest of connectk is not loaded
from botusage import (  # type: ignore[import-not-found]
    is_in_memory,
    memory_of_group,
    own_scope,
    read,
    scratch_bytes,
    was_out_of_memory,
)
from isolation import isolate  # type: ignore[import-not-found]

PR_SET_CHILD_SUBREAPER = 36
GUARD_INTERVAL_SECONDS = 0.02
WATCHES_PER_SCRATCH_SCAN = 10  # the scratch folder is measured at every tenth check only
ADDRESS_SPACE_FACTOR = 4  # times the memory limit: programs reserve more address space than they use
SPARE_PROCESSES = 256  # allowed in addition to the threads that the user runs now
MAX_OPEN_FILES = 1024  # of each process
MAX_OOM_SCORE_ADJ = 1000  # when memory is short the kernel kills processes with this score first
MANAGER_VARIABLES = ("DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR")  # set for systemd-run, which starts this guard


@dataclass(frozen=True)
class GuardLimits:
    """The limits for all processes of the bot together: bytes of memory, number of processes, and bytes of scratch
    files."""

    memory: int
    processes: int
    scratch: int


def main(arguments: list[str]) -> None:
    control = socket.socket(fileno=int(arguments[0]))
    limits = GuardLimits(*map(int, arguments[1:4]))
    adopt_orphans()
    raise_priority()
    scratch = make_scratch()
    bot = start(arguments[4:], limits, scratch)
    release_pipes()
    end = watch(control, bot, limits, scratch)
    end_all(bot)
    remove(scratch)
    control.sendall(end.encode())


def make_scratch() -> Path:
    """Create a temporary folder for the bot, and set TMPDIR to this folder."""
    folder = Path(os.environ.get("TMPDIR") or "/tmp", f"connectk-bot-{os.urandom(8).hex()}").resolve()
    folder.mkdir(0o700)
    os.environ.update(dict.fromkeys(("TMPDIR", "TMP", "TEMP"), str(folder)))
    for name in MANAGER_VARIABLES:
        os.environ.pop(name, None)
    return folder


def remove(folder: Path) -> None:
    """Remove a folder and everything in it. Links are removed, but their targets are not."""
    with contextlib.suppress(OSError):
        while folders := remove_files(folder):
            for each in folders:
                for nested in remove_files(each):
                    nested.rename(folder / os.urandom(8).hex())  # a path would become too long to be used
                each.rmdir()
        folder.rmdir()


def remove_files(folder: Path) -> list[Path]:
    """Remove the files in a folder, and return the folders in it."""
    folder.chmod(0o700)  # a bot can make a folder that may not be read
    with os.scandir(folder) as found:
        entries = list(found)
    for entry in entries:
        if not entry.is_dir(follow_symlinks=False):
            Path(entry.path).unlink()
    return [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]


def adopt_orphans() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def raise_priority() -> None:
    """Use real-time scheduling, so that the guard gets CPU time even if the bot forks hundreds of processes.

    Only root may do that. The processes of other users are limited by `RLIMIT_NPROC`, which has no effect for root.
    """
    with contextlib.suppress(AttributeError, OSError):
        os.sched_setscheduler(0, os.SCHED_RR | os.SCHED_RESET_ON_FORK, os.sched_param(1))


def start(command: list[str], limits: GuardLimits, scratch: Path) -> int:
    """Start the bot in a new session, and return its process id."""
    pid = os.fork()
    if pid == 0:
        exec_bot(command, limits, scratch)
    return pid


def exec_bot(command: list[str], limits: GuardLimits, scratch: Path) -> None:
    os.setsid()
    prefer_oom_kill()
    lower_limit(resource.RLIMIT_AS, ADDRESS_SPACE_FACTOR * limits.memory)
    if running := threads_of_user():  # 0 if unknown
        lower_limit(resource.RLIMIT_NPROC, running + SPARE_PROCESSES)
    lower_limit(resource.RLIMIT_FSIZE, limits.scratch)
    lower_limit(resource.RLIMIT_NOFILE, MAX_OPEN_FILES)
    lower_limit(resource.RLIMIT_CORE, 0)
    isolate(str(scratch))
    try:
        os.execvp(command[0], command)
    except OSError as error:
        os.write(2, f"{error.strerror}\n".encode())
        os._exit(127)


def prefer_oom_kill() -> None:
    """Make the kernel kill the bot, and not the guard, when memory is short."""
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text(str(MAX_OOM_SCORE_ADJ), encoding="ascii")


def threads_of_user() -> int:
    """The number of threads that this user runs. The kernel compares this number with `RLIMIT_NPROC`."""
    return sum(map(threads, Path("/proc").glob("[0-9]*")))


def threads(process: Path) -> int:
    try:
        return len(list((process / "task").iterdir())) if process.stat().st_uid == os.getuid() else 0
    except OSError:  # it ended meanwhile
        return 0


def lower_limit(limit: int, value: int) -> None:
    """Lower a resource limit. Does nothing if the system does not support the limit: macOS does not limit the address
    space."""
    _, most = resource.getrlimit(limit)
    value = value if most == resource.RLIM_INFINITY else min(value, most)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(limit, (value, value))


def release_pipes() -> None:
    """Close the guard's copies of the bot's pipes. Otherwise connectk would not see the end of the bot's output when
    the bot ends."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)


def watch(control: socket.socket, bot: int, limits: GuardLimits, scratch: Path) -> str:
    """Wait until the bot ends or breaks a limit, or until connectk closes the socket. Returns `closed`, `exit STATUS`,
    `processes COUNT`, `memory BYTES` or `scratch BYTES`."""
    scope, files_take_memory = own_scope(), is_in_memory(scratch)
    watches = files = 0
    while not select.select([control], [], [], GUARD_INTERVAL_SECONDS)[0]:
        status = reap(bot)
        if status is not None:
            return f"memory {limits.memory}" if was_out_of_memory(scope) else f"exit {status}"
        family = descendants(os.getpid())
        if len(family) > limits.processes:
            return f"processes {len(family)}"
        if watches % WATCHES_PER_SCRATCH_SCAN == 0:
            files = scratch_bytes(scratch, family, limits.scratch)
        watches += 1
        if files > limits.scratch:
            return f"scratch {files}"
        uncounted = files if files_take_memory and not scope else 0
        used = memory_of_group(family, limits.memory - uncounted, scope) + uncounted
        if used > limits.memory:
            return f"memory {used}"
    return "closed"


def reap(bot: int) -> int | None:
    """Collect the exit status of all children that have ended. Returns the status of the bot itself as soon as it has
    ended. The status is negative if a signal ended the bot."""
    try:
        while (dead := os.waitpid(-1, os.WNOHANG))[0]:
            if dead[0] == bot:
                return os.waitstatus_to_exitcode(dead[1])
    except ChildProcessError:
        pass
    return None


def descendants(pid: int) -> list[int]:
    """The children of a process, their children, and so on."""
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


def end_all(bot: int) -> None:
    """Kill all processes of the bot, again and again until none is left. When a process ends, the guard becomes the
    parent of its children, so the next round finds them."""
    kill(-bot)
    while kill_descendants():
        reap(bot)
        time.sleep(0.001)


def kill_descendants() -> bool:
    """Kill all descendants. Each process is killed before its children are listed. A killed process cannot fork, so no
    child is missed."""
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
