"""Runs each bot in a cgroup of its own, if systemd can make one. The kernel then counts all memory that the bot uses.

Without a cgroup, memory that no process has mapped is not counted, such as the contents of pipes and sockets.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from functools import cache

from connectk.players.botusage import CGROUP_ROOT, SCOPE_PREFIX

GUARD_BYTES = 64 << 20  # added to the bot's limit for the guard itself and for the kernel's file cache
GUARD_PROCESSES = 8  # added to the bot's limit, so that the guard sees when the bot exceeds it
PROBE_BYTES = 256 << 20
SCOPE_PROBE_TIMEOUT_SECONDS = 5.0
SHOW_LIMIT_SCRIPT = f'cat "{CGROUP_ROOT}$(sed -n "s/^0:://p" /proc/self/cgroup)/memory.max"'
BUS_VARIABLES = ("DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR")  # needed to reach systemd; the bot does not get them


def scope_command(memory: int, processes: int) -> list[str]:
    """The words to put before a command so that it runs in a cgroup with these limits. Empty if no cgroup can be
    made."""
    return _scope_command(memory + GUARD_BYTES, processes) if has_scopes() else []


def bus_variables(environment: Mapping[str, str]) -> dict[str, str]:
    return {name: environment[name] for name in BUS_VARIABLES if name in environment}


@cache
def has_scopes() -> bool:
    """Whether systemd can make cgroups with a memory limit for this user. The first call tries this, and the answer is
    cached."""
    if sys.platform != "linux" or not shutil.which("systemd-run") or not (CGROUP_ROOT / "cgroup.controllers").is_file():
        return False
    command = [*_scope_command(PROBE_BYTES, 8), "sh", "-c", SHOW_LIMIT_SCRIPT]
    try:
        probe = subprocess.run(
            command, capture_output=True, timeout=SCOPE_PROBE_TIMEOUT_SECONDS, check=False, text=True
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return probe.stdout.strip() == str(PROBE_BYTES)


def _scope_command(memory: int, processes: int) -> list[str]:
    """The words to put before a command so that it runs in a new cgroup. Root uses the service manager of the system,
    and other users use their own one."""
    manager = [] if os.geteuid() == 0 else ["--user"]
    limits = {"MemoryMax": memory, "MemorySwapMax": 0, "TasksMax": 16 * processes + GUARD_PROCESSES}
    properties = [f"--property={name}={value}" for name, value in limits.items()]
    name = f"--unit={SCOPE_PREFIX}{os.urandom(8).hex()}"
    return ["systemd-run", *manager, "--scope", "--quiet", "--collect", name, *properties, "--"]
