"""Measures what a bot uses: the memory of all its processes, and the files in its scratch folder.

The guard measures this every few milliseconds. This module imports only the standard library, because the guard runs
without packages.
"""

from __future__ import annotations

import mmap
import os
import stat
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

PAGE_BYTES = mmap.PAGESIZE
MIN_ENTRY_BYTES = 4096  # even an empty file or folder counts as this much
MAX_PROC_FILE_BYTES = 1 << 20  # of one file; reading a very long list of mappings would delay the guard
MAX_PATH_BYTES = 3500  # the kernel opens no path of more than 4096 bytes
SCOPE_PREFIX = "connectk-bot-"  # the names of the cgroups that botscope.py makes begin with it
CGROUP_ROOT = Path("/sys/fs/cgroup")
# The kinds of memory of a cgroup that count. The file cache does not count, because the kernel frees it when memory is
# short.
COUNTED_MEMORY_FIELDS = (b"anon", b"shmem", b"sock", b"kernel_stack", b"pagetables", b"percpu", b"slab_unreclaimable")


def memory_of_group(family: list[int], limit: int, cgroup: Path | None) -> int:
    """The bytes of memory that these processes use together. The kernel's count for their cgroup is used
    if there is one. Otherwise a quick count comes first, in which shared memory counts once for each process. Only if
    that exceeds the limit is each process counted with its share."""
    if cgroup and (counted := cgroup_memory(cgroup)) is not None:
        return counted
    used = sum(map(resident_bytes, family))
    return used if used <= limit else sum(map(proportional_bytes, family))


def resident_bytes(pid: int) -> int:
    """The memory of a process in bytes, including all memory that it shares with other processes."""
    numbers = read(f"/proc/{pid}/statm").split()
    return int(numbers[1]) * PAGE_BYTES if numbers else 0


def proportional_bytes(pid: int) -> int:
    """The memory of a process in bytes, counting only its own share of shared memory. This takes longer to read."""
    for line in read(f"/proc/{pid}/smaps_rollup").splitlines():
        if line.startswith(b"Pss:"):
            return int(line.split()[1]) * 1024
    return resident_bytes(pid)


def own_scope() -> Path | None:
    """The cgroup of this process if connectk made it for a bot (botscope.py); otherwise None."""
    name = read("/proc/self/cgroup").rpartition(b"0::/")[2].decode().strip()
    return CGROUP_ROOT / name if name.rpartition("/")[2].startswith(SCOPE_PREFIX) else None


def cgroup_memory(cgroup: Path) -> int | None:
    """The number of bytes that the kernel counts for a cgroup; None if it cannot be read. It includes memory that no
    process has mapped, such as the contents of pipes."""
    numbers = dict(line.split() for line in read(f"{cgroup}/memory.stat").splitlines())
    return sum(int(numbers.get(name, 0)) for name in COUNTED_MEMORY_FIELDS) if numbers else None


def was_out_of_memory(cgroup: Path | None) -> bool:
    """Whether the kernel has killed a process of this cgroup because it used too much memory."""
    lines = read(f"{cgroup}/memory.events").splitlines() if cgroup else []
    return any(line.startswith(b"oom_kill ") and line != b"oom_kill 0" for line in lines)


def scratch_bytes(folder: Path, family: list[int], limit: int) -> int:
    """The bytes on disk of all files in this folder, including deleted files that are still open or mapped.

    Counting ends as soon as the limit is exceeded. If the folder cannot be read, for instance because its folders are
    nested too deep, the result is above the limit.
    """
    used = 0
    try:
        for size in (*_deleted_sizes(str(folder), family).values(), *_sizes_below(str(folder))):
            used += size
            if used > limit:
                break
    except OSError:
        return limit + 1
    return used


def _sizes_below(folder: str) -> Iterator[int]:
    folders = [folder]
    while folders:
        try:
            entries = os.scandir(folders.pop())
        except FileNotFoundError:  # deleted meanwhile
            continue
        with entries:
            for entry in entries:
                if len(entry.path) > MAX_PATH_BYTES:
                    raise OSError
                with suppress(FileNotFoundError):
                    yield max(MIN_ENTRY_BYTES, entry.stat(follow_symlinks=False).st_blocks * 512)
                if entry.is_dir(follow_symlinks=False):
                    folders.append(entry.path)


def _deleted_sizes(folder: str, family: list[int]) -> dict[int, int]:
    """The size in bytes of each deleted file in the folder that is still in use, by the number of its inode."""
    found: dict[int, int] = {}
    for pid in family:
        with suppress(OSError):  # it ended meanwhile
            for link in Path(f"/proc/{pid}/fd").iterdir():
                _add_deleted(found, link, folder)
        for line in read(f"/proc/{pid}/maps").splitlines():
            if line.endswith(b"(deleted)") and folder.encode() in line:
                _add_mapped(found, pid, line.split())
    return found


def _add_deleted(found: dict[int, int], link: Path, folder: str) -> None:
    with suppress(OSError):
        if str(link.readlink()).startswith(folder):
            facts = link.stat()
            if stat.S_ISREG(facts.st_mode) and not facts.st_nlink:
                found[facts.st_ino] = facts.st_blocks * 512


def _add_mapped(found: dict[int, int], pid: int, line: list[bytes]) -> None:
    """Add a deleted file that is mapped but not open. Only root can read the size of such a file. Other users know only
    that the file is at least as long as its mapped part."""
    place, offset, inode = line[0].decode(), int(line[2], 16), int(line[4])
    begin, end = (int(number, 16) for number in place.split("-"))
    try:
        size = Path(f"/proc/{pid}/map_files/{place}").stat().st_blocks * 512
    except OSError:
        size = offset + end - begin
    found[inode] = max(size, found.get(inode, 0))


def is_in_memory(folder: Path) -> bool:
    """Whether the files of a folder are in memory and not on a disk."""
    mounts = [line.split() for line in read("/proc/self/mountinfo").splitlines()]
    kinds = {line[4].decode(): line[line.index(b"-") + 1] for line in mounts}
    nearest = next((kinds[str(parent)] for parent in (folder, *folder.parents) if str(parent) in kinds), b"")
    return nearest in (b"tmpfs", b"ramfs")


def read(file: str) -> bytes:
    """The first part of a file. Empty if the file cannot be read, for instance because its process has ended."""
    try:
        handle = os.open(file, os.O_RDONLY)
    except OSError:
        return b""
    try:
        found = b""
        while len(found) < MAX_PROC_FILE_BYTES and (part := os.read(handle, MAX_PROC_FILE_BYTES)):
            found += part
        return found
    except OSError:
        return b""
    finally:
        os.close(handle)
