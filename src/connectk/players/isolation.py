"""Isolates a bot on Linux without root rights. The bot has no network, cannot send signals to other processes, and
cannot write outside its folder.

Files are protected by Landlock, and signals too since Linux 6.12. A seccomp filter refuses sockets, and on older
kernels also signals. The guard of a bot calls `isolate` in the bot's process before the bot's program starts. Child
processes have the same restrictions. This module uses only the standard library, because the guard runs without
packages.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys
from collections.abc import Iterable

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
CAPABILITY_VERSION, CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH = 0x20080522, 1 << 1, 1 << 2
LANDLOCK_CREATE_RULESET, LANDLOCK_ADD_RULE, LANDLOCK_RESTRICT_SELF = 444, 445, 446
LANDLOCK_VERSION, PATH_BENEATH = 1, 1
WRITE_FILE, REFER, TRUNCATE = 1 << 1, 1 << 13, 1 << 14
WRITE_RIGHTS = sum(1 << right for right in (1, *range(4, 13)))  # write, remove and make files of every kind
SIGNAL_SCOPE_VERSION = 6  # the first version of Landlock that restricts signals and abstract sockets
TCP, ABSTRACT_SOCKETS_AND_SIGNALS = 3, 3
ALLOWED_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")

ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | 1  # a refused call fails with EPERM
LOAD, JUMP_IF_EQUAL, JUMP_IF_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
CALL_NUMBER, ARCHITECTURE, FIRST_ARGUMENT, SECOND_ARGUMENT = 0, 4, 16, 24
PRIO_PROCESS, IOPRIO_WHO_PROCESS = 0, 1  # mean one process; other values mean a group or all processes of a user
X32_SYSCALL_BIT = 0x40000000  # x86-64's second set of system calls


class SyscallTable:
    """The numbers of the filtered system calls on one processor architecture."""

    def __init__(self, architecture: int, seccomp: int, refused: Iterable[int], **numbers: tuple[int, ...]) -> None:
        self.architecture, self.seccomp = architecture, seccomp
        self.refused = tuple(refused)
        self.signals = numbers["signals"]  # calls whose first argument is the process to be signalled
        self.first_is_process = numbers["first_is_process"]  # calls that can change limits of other processes
        self.setpriority, self.ioprio_set = numbers["priorities"]  # arguments: process, group or user; then its id


# The refused calls are, in this order: socket, io_uring_setup, ptrace; all forms of chmod and chown; calls that make
# memory outside any process (memfd_create, memfd_secret, shmget, shmat); calls that make objects that outlive a process
# (msgget, semget, mq_open, add_key, request_key, keyctl).
SYSCALL_TABLES = {
    "x86_64": SyscallTable(
        0xC000003E,
        317,
        (41, 425, 101, 90, 91, 92, 93, 94, 260, 268, 452, 319, 447, 29, 30, 68, 64, 240, 248, 249, 250),
        signals=(62, 129, 200, 234, 297, 424),
        first_is_process=(302, 203, 144, 142, 314),
        priorities=(141, 251),
    ),
    "aarch64": SyscallTable(
        0xC00000B7,
        277,
        (198, 425, 117, 52, 53, 54, 55, 452, 279, 447, 194, 196, 186, 190, 180, 217, 218, 219),
        signals=(129, 130, 131, 138, 240, 424),
        first_is_process=(261, 122, 119, 118, 274),
        priorities=(140, 30),
    ),
}


def missing_protections() -> list[str]:
    """The restrictions that this machine cannot enforce, out of network, signals, files and memory."""
    landlock, seccomp = _landlock_version(), _has_seccomp()
    gaps = {
        "network": seccomp,
        "signals": seccomp or landlock >= SIGNAL_SCOPE_VERSION,
        "files": landlock > 0,
        "memory": sys.platform == "linux",  # where the guard can read memory usage
    }
    return [gap for gap, kept in gaps.items() if not kept]


def isolate(scratch: str) -> None:
    """Apply all restrictions that the system supports to this process and its children. Only the folder `scratch` stays
    writable."""
    if sys.platform != "linux":
        return
    _call("prctl", PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    _drop_capabilities()
    version = _landlock_version()
    if version > 0:
        _restrict_files(version, scratch)
    if _has_seccomp():
        _filter_calls(signals_are_kept=version >= SIGNAL_SCOPE_VERSION)


def _drop_capabilities() -> None:
    """Give up the rights of root, except the right to read any file."""
    header, kept = struct.pack("=Ii", CAPABILITY_VERSION, 0), CAP_DAC_OVERRIDE | CAP_DAC_READ_SEARCH
    if os.geteuid() == 0:
        _call("capset", header, struct.pack("=6I", kept, kept, 0, 0, 0, 0))


def _restrict_files(version: int, scratch: str) -> None:
    rights = WRITE_RIGHTS | (REFER if version >= 2 else 0) | (TRUNCATE if version >= 3 else 0)
    attributes = struct.pack("=QQQ", rights, TCP, ABSTRACT_SOCKETS_AND_SIGNALS)
    known = 24 if version >= SIGNAL_SCOPE_VERSION else 16 if version >= 4 else 8  # bytes of the struct in this version
    rules = _call("syscall", LANDLOCK_CREATE_RULESET, attributes, known, 0)
    if rules < 0:
        return
    _allow(rules, scratch, rights)
    for device in filter(os.path.exists, ALLOWED_DEVICES):
        _allow(rules, device, rights & (WRITE_FILE | TRUNCATE))
    _call("syscall", LANDLOCK_RESTRICT_SELF, rules, 0)
    os.close(rules)


def _allow(rules: int, path: str, rights: int) -> None:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    _call("syscall", LANDLOCK_ADD_RULE, rules, PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
    os.close(place)


def _filter_calls(*, signals_are_kept: bool) -> None:
    program = b"".join(_filter(SYSCALL_TABLES[os.uname().machine], signals_are_kept, os.getpid()))
    code = ctypes.create_string_buffer(program)
    length_and_address = struct.pack("@HP", len(program) // 8, ctypes.addressof(code))
    _call("prctl", PR_SET_SECCOMP, SECCOMP_MODE_FILTER, length_and_address, 0, 0)


def _filter(calls: SyscallTable, signals_are_kept: bool, own: int) -> Iterable[bytes]:
    """The BPF program that the kernel runs before each system call."""
    yield _step(LOAD, ARCHITECTURE)
    yield _step(JUMP_IF_EQUAL, calls.architecture, 1, 0)
    yield _step(RETURN, REFUSE)
    yield _step(LOAD, CALL_NUMBER)
    yield _step(JUMP_IF_AT_LEAST, X32_SYSCALL_BIT, 0, 1)
    yield _step(RETURN, REFUSE)
    for call in calls.refused:
        yield _step(JUMP_IF_EQUAL, call, 0, 1)
        yield _step(RETURN, REFUSE)
    for call in calls.first_is_process:
        yield from _only_for(call, {FIRST_ARGUMENT: 0})
    yield from _only_for(calls.setpriority, {FIRST_ARGUMENT: PRIO_PROCESS, SECOND_ARGUMENT: 0})
    yield from _only_for(calls.ioprio_set, {FIRST_ARGUMENT: IOPRIO_WHO_PROCESS, SECOND_ARGUMENT: 0})
    for call in () if signals_are_kept else calls.signals:
        yield from _only_for(call, {FIRST_ARGUMENT: own})
    yield _step(RETURN, ALLOW)


def _only_for(call: int, wanted: dict[int, int]) -> Iterable[bytes]:
    """Allow this system call only if its arguments have these values."""
    yield _step(JUMP_IF_EQUAL, call, 0, 2 * len(wanted) + 2)
    for left, (argument, value) in zip(range(len(wanted) - 1, -1, -1), wanted.items(), strict=True):
        yield _step(LOAD, argument)
        yield _step(JUMP_IF_EQUAL, value, 0, 2 * left + 1)
    yield _step(RETURN, ALLOW)
    yield _step(RETURN, REFUSE)


def _step(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_so, if_not, value)


def _landlock_version() -> int:
    if sys.platform != "linux":
        return 0
    return max(0, _call("syscall", LANDLOCK_CREATE_RULESET, None, 0, LANDLOCK_VERSION))


def _has_seccomp() -> bool:
    """Whether this kernel supports seccomp filters. The test changes nothing."""
    calls = SYSCALL_TABLES.get(os.uname().machine) if sys.platform == "linux" else None
    if calls is None or sys.byteorder != "little":
        return False
    get_action_available, action = 2, struct.pack("=I", REFUSE & 0xFFFF0000)
    return _call("syscall", calls.seccomp, get_action_available, 0, action) == 0


def _call(function: str, *arguments: object) -> int:
    """Call a function of the C library; integers are passed as `long`."""
    wide = [ctypes.c_long(value) if isinstance(value, int) else value for value in arguments]
    found = getattr(ctypes.CDLL(None, use_errno=True), function)
    found.restype = ctypes.c_long
    return int(found(*wide))
