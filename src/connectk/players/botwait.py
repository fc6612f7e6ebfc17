"""Asks the kernel whether a bot's processes wait for input, and not for something else such as the end of a sleep.

Only Linux can answer. On other systems, or if the kernel refuses, the answer is no.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

STDIN_DESCRIPTOR = 0
INFINITE_TIMEOUTS = {0xFFFFFFFF, 0xFFFFFFFFFFFFFFFF}  # a timeout of -1 in 32 and 64 bits

Waiting = Callable[[Sequence[int]], bool]


def _from_stdin(arguments: Sequence[int]) -> bool:
    return arguments[0] == STDIN_DESCRIPTOR


def _without_timeout(place: int, values: set[int]) -> Waiting:
    return lambda arguments: arguments[place] in values


# The system calls in which a program may wait for input, by number. The function tells from the arguments of the call
# whether the program does.
INPUT_CALLS: dict[str, dict[int, Waiting]] = {
    "x86_64": {
        0: _from_stdin,  # read
        19: _from_stdin,  # readv
        7: _without_timeout(2, INFINITE_TIMEOUTS),  # poll
        23: _without_timeout(4, {0}),  # select
        270: _without_timeout(4, {0}),  # pselect6
        271: _without_timeout(2, {0}),  # ppoll
        232: _without_timeout(3, INFINITE_TIMEOUTS),  # epoll_wait
        281: _without_timeout(3, INFINITE_TIMEOUTS),  # epoll_pwait
    },
    "aarch64": {
        63: _from_stdin,  # read
        65: _from_stdin,  # readv
        72: _without_timeout(4, {0}),  # pselect6
        73: _without_timeout(2, {0}),  # ppoll
        22: _without_timeout(3, INFINITE_TIMEOUTS),  # epoll_pwait
    },
}
SLEEP_CALLS = {"x86_64": {35, 230}, "aarch64": {101, 115}}  # nanosleep, clock_nanosleep


def waits_for_input(guard: int) -> bool:
    """Whether the bot waits for input: all descendants of the guard are blocked, at least one of them waits for input,
    and none sleeps."""
    machine = os.uname().machine
    family = [guard]
    for parent in family:
        family += _children(parent)  # the list grows while it is walked
    calls = [_call(thread) for pid in family[1:] for thread in _threads(pid)]
    if None in calls or any(call and call[0] in SLEEP_CALLS.get(machine, ()) for call in calls):
        return False
    known = INPUT_CALLS.get(machine, {})
    return any(call and call[0] in known and known[call[0]](call[1:]) for call in calls)


def _children(pid: int) -> list[int]:
    return [int(child) for child in _read(f"/proc/{pid}/task/{pid}/children").split()]


def _threads(pid: int) -> list[str]:
    try:
        return [str(thread) for thread in Path(f"/proc/{pid}/task").iterdir()]
    except OSError:  # it has ended
        return []


def _call(thread: str) -> list[int] | None:
    """The number of the system call in which a thread is blocked, and the arguments of this call. None if the thread is
    running or its state is unknown."""
    words = _read(f"{thread}/syscall").split()
    return [int(word, 0) for word in words] if len(words) > 1 and words[0] != "-1" else None


def _read(file: str) -> str:
    try:
        return Path(file).read_text(encoding="utf-8")
    except OSError:  # it has ended, or this system has no such file or does not let it be read
        return ""
