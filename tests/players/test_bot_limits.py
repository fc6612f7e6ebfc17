"""Tests attempts of a hostile bot to get around its limits: hidden memory, files, other users' programs, secrets."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from connectk import Position
from connectk.errors import BotForfeit
from connectk.players import Clock, botscope
from connectk.players.botprocess import BOT_VARIABLES, BotLimits
from connectk.players.bots import Bot, load_bot
from connectk.players.botusage import (
    MAX_PROC_FILE_BYTES,
    cgroup_memory,
    memory_of_group,
    read,
    scratch_bytes,
    was_out_of_memory,
)
from connectk.players.guard import remove
from connectk.players.isolation import missing_protections

BYTES_PER_MB = 1 << 20
LIMITS = BotLimits(start=60.0, think=60.0, memory=300 * BYTES_PER_MB, scratch=20 * BYTES_PER_MB)
Write = Callable[[str], Bot]


@pytest.fixture
def bot_of(tmp_path: Path) -> Write:
    def _bot_of(text: str) -> Bot:
        (tmp_path / "bot.py").write_text(text)
        return load_bot(tmp_path / "bot.py", limits=LIMITS)

    return _bot_of


def choose(bot: Bot) -> int:
    try:
        return bot.choose(Position.start(), Clock(60)).column
    finally:
        bot.close()


CALLING_BOT = """
import ctypes, os, sys
libc = ctypes.CDLL(None, use_errno=True)
def memfd_create(): return os.memfd_create("hidden")
def shmget(): return libc.shmget(0, 1 << 20, 0o1600)
def msgget(): return libc.msgget(0, 0o1600)
def semget(): return libc.semget(0, 1, 0o1600)
def add_key(): return libc.syscall(248 if os.uname().machine == "x86_64" else 217, b"user", b"connectk", b"x", 1, -4)
def slow_all_of_the_user(): return libc.setpriority(2, 0, 19)
def slow_the_group(): return libc.setpriority(1, 0, 19)
def starve_all_of_the_user(): return libc.syscall(251 if os.uname().machine == "x86_64" else 30, 3, 0, 3 << 13)
def slow_itself(): return libc.setpriority(0, 0, 19)
def works(call):
    try: return call() >= 0
    except OSError: return False
def choose(position):
    calls = [memfd_create, shmget, msgget, semget, add_key]
    calls += [slow_all_of_the_user, slow_the_group, starve_all_of_the_user]
    done = [call.__name__ for call in calls if works(call)]
    sys.exit("did " + ", ".join(done)) if done else None
    return 5 if works(slow_itself) else 4
"""


@pytest.mark.skipif(bool(missing_protections()), reason="this system cannot keep bots apart")
def test_a_bot_gets_no_memory_that_outlives_it_and_slows_nobody_else(bot_of: Write):
    """A bot cannot use the kernel's shared memory, queues and semaphores, and can change only its own process's
    priority."""
    segments = shared_segments()

    assert choose(bot_of(CALLING_BOT)) == 5
    assert shared_segments() == segments


def shared_segments() -> list[str]:
    """The System V shared memory segments, queues and semaphores of this machine."""
    files = (Path("/proc/sysvipc", kind) for kind in ("shm", "msg", "sem"))
    return [line.split()[1] for file in files if file.exists() for line in file.read_text().splitlines()[1:]]


FILLING_BOTS = {
    "many files": "for n in range(8): open(f'{place}/{n}', 'wb').write(bytes(4 << 20))",
    "deleted but open": "for n in range(8):\n"
    "        held.append(open(f'{place}/file', 'wb', 0)); held[-1].write(bytes(4 << 20)); os.unlink(f'{place}/file')",
    "deleted but mapped": "for n in range(8):\n"
    "        with open(f'{place}/file', 'w+b', 0) as file:\n"
    "            file.write(bytes(4 << 20)); os.unlink(f'{place}/file')\n"
    "            ctypes.CDLL(None).mmap(None, ctypes.c_size_t(4 << 20), 1, 1, file.fileno(), ctypes.c_long(0))",
    "empty files": "for n in range(10_000): open(f'{place}/{n}', 'wb').close()",
    "nested too deep": "for n in range(40):\n        os.mkdir('d' * 200); os.chdir('d' * 200)",
}


@pytest.mark.skipif(sys.platform != "linux", reason="the guard counts files on Linux")
@pytest.mark.parametrize("how", FILLING_BOTS)
def test_a_bot_that_fills_the_disk_forfeits_and_leaves_nothing(
    how: str, bot_of: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """A bot's disk limit covers all its files together, including deleted files that are open and deeply nested
    folders."""
    scratches = tmp_path / "scratches"
    scratches.mkdir()
    monkeypatch.setenv("TMPDIR", str(scratches))
    bot = bot_of(
        "import ctypes, os, time\nplace, held = os.environ['TMPDIR'], []\n"
        "def choose(position):\n    os.chdir(place)\n    " + FILLING_BOTS[how] + "\n    time.sleep(60)\n"
    )

    with pytest.raises(BotForfeit, match=r"filled its scratch folder with \d+ MB; 20 MB are allowed") as forfeit:
        choose(bot)

    assert forfeit.value.cause == "scratch"
    assert list(scratches.iterdir()) == []


@pytest.mark.skipif(not os.path.ismount("/dev/shm"), reason="this system has no folder in memory")
def test_files_that_are_kept_in_memory_count_as_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Files in a scratch folder on tmpfs count as the bot's memory."""
    monkeypatch.setenv("TMPDIR", "/dev/shm")
    text = "import os, time\ndef choose(position):\n    with open(os.environ['TMPDIR'] + '/file', 'wb') as file:\n"
    limits = BotLimits(start=60.0, think=60.0, memory=200 * BYTES_PER_MB, scratch=400 * BYTES_PER_MB)
    (tmp_path / "bot.py").write_text(
        text + "        for _ in range(60): file.write(bytes(4 << 20))\n    time.sleep(60)\n"
    )

    with pytest.raises(BotForfeit, match="200 MB are allowed"):
        choose(load_bot(tmp_path / "bot.py", limits=limits))


def test_the_memory_that_processes_share_counts_once(bot_of: Write):
    """Memory that several processes share counts once: four processes may share 120 MB within a limit of 300 MB."""
    text = """
import mmap, os, time
def choose(position):
    SHARED
    for _ in range(3):
        if os.fork() == 0:
            OWN
            time.sleep(60)
    time.sleep(0.5)
    return 6
"""
    fill = "memory = mmap.mmap(-1, 120 << 20); memory.write(bytes(120 << 20))"

    assert choose(bot_of(text.replace("SHARED", fill).replace("OWN", "sum(memory[::4096])"))) == 6
    with pytest.raises(BotForfeit, match="300 MB are allowed"):
        choose(bot_of(text.replace("SHARED", "pass").replace("OWN", fill).replace("0.5", "60")))


def test_a_bot_inherits_only_named_variables(bot_of: Write, monkeypatch: pytest.MonkeyPatch):
    """A bot inherits only listed environment variables, and not others such as the database's password."""
    monkeypatch.setenv("CONNECTK_DATABASE", "postgresql://connectk:secret@localhost/connectk")
    monkeypatch.setenv("LANG", "fi_FI.UTF-8")
    text = "import os, sys\ndef choose(position):\n    more = set(os.environ) - KNOWN\n"
    known = sorted(BOT_VARIABLES | {"TMP", "TEMP"})
    bot = bot_of(
        text.replace("KNOWN", repr(set(known)))
        + "    return sys.exit(f'inherited {more}') if more else len(os.environ['LANG']) // 3\n"
    )

    assert choose(bot) == 3


READING_BOT = """
import os, sys
def choose(position):
    pid = os.getppid()
    while pid > 1:
        try: found = open(f"/proc/{pid}/environ", "rb").read()
        except OSError: found = b""
        if b"CONNECTK_DATABASE" in found: sys.exit(f"read it from {pid}")
        try: pid = int(open(f"/proc/{pid}/stat").read().rpartition(") ")[2].split()[1])
        except OSError: break
    return 2
"""


STARTING_BOT = """
from connectk import Position
from connectk.players import Clock
from connectk.players.bots import load_bot
bot = load_bot({bot!r})
print(bot.choose(Position.start(), Clock(60)).column)
bot.close()
"""


@pytest.mark.skipif(bool(missing_protections()), reason="this system cannot keep bots apart")
def test_a_bot_cannot_read_the_environment_of_the_processes_above_it(tmp_path: Path):
    """A bot cannot read the environment of connectk's process, because the kernel hides it. The guard's environment has
    no secret."""
    (tmp_path / "bot.py").write_text(READING_BOT)
    script = STARTING_BOT.format(bot=str(tmp_path / "bot.py"))
    environment = {**os.environ, "CONNECTK_DATABASE": "postgresql://connectk:secret@localhost/connectk"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=120)

    assert done.stdout.strip() == "2", done.stderr


def test_a_scratch_folder_is_removed_whatever_is_in_it(tmp_path: Path):
    """A scratch folder is removed even if it has unreadable folders, links to other places, or a path too long for the
    kernel."""
    kept, scratch = tmp_path / "kept", tmp_path / "scratch"
    kept.mkdir()
    (kept / "file").write_text("kept")
    scratch.mkdir()
    (scratch / "hidden").mkdir()
    (scratch / "hidden" / "file").write_text("gone")
    (scratch / "hidden").chmod(0)
    (scratch / "link").symlink_to(kept)
    with contextlib.chdir(scratch):
        for _ in range(40):
            Path("d" * 200).mkdir()
            os.chdir("d" * 200)

    remove(scratch)

    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert (kept / "file").read_text() == "kept"


def test_a_folder_that_does_not_fit_counts_as_over_the_limit(tmp_path: Path):
    """A small file counts as a whole block, and counting stops as soon as the limit is exceeded."""
    assert scratch_bytes(tmp_path, [], BYTES_PER_MB) == 0
    (tmp_path / "empty").touch()
    (tmp_path / "folder").mkdir()
    assert scratch_bytes(tmp_path, [], BYTES_PER_MB) == 8192
    (tmp_path / "folder" / "file").write_bytes(bytes(2 * BYTES_PER_MB))
    assert scratch_bytes(tmp_path, [], BYTES_PER_MB) > BYTES_PER_MB
    assert scratch_bytes(tmp_path / "gone", [], BYTES_PER_MB) == 0


CGROUP_MEMORY = "anon 1000\nfile 900000\nkernel_stack 16\npagetables 4\nsock 300\nshmem 20\nslab_unreclaimable 60\n"


def test_what_the_kernel_counts_for_a_cgroup_is_memory_and_not_the_cache_of_files(tmp_path: Path):
    """The memory of a cgroup includes the contents of pipes and sockets, but not the cache of files."""
    (tmp_path / "memory.stat").write_text(CGROUP_MEMORY)
    (tmp_path / "memory.events").write_text("low 0\noom 1\noom_kill 0\n")

    assert cgroup_memory(tmp_path) == memory_of_group([], 5, tmp_path) == 1400
    assert cgroup_memory(tmp_path / "gone") is None
    assert memory_of_group([os.getpid()], 1, tmp_path / "gone") > BYTES_PER_MB
    assert not was_out_of_memory(tmp_path)
    (tmp_path / "memory.events").write_text("low 0\noom 1\noom_kill 1\n")
    assert was_out_of_memory(tmp_path)
    assert not was_out_of_memory(None)


FAKE_SYSTEMD = """#!/bin/sh
while [ "$1" != -- ]; do said="$said $1"; shift; done
shift
echo "$said" >> {log}
[ "$1" = sh ] && echo {answer} && exit
exec "$@"
"""


@pytest.mark.parametrize(("answer", "is_used"), [(botscope.PROBE_BYTES, True), ("max", False)])
def test_a_bot_runs_in_a_cgroup_where_systemd_gives_one(
    answer: object, is_used: bool, bot_of: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """connectk tests once whether systemd gives it a cgroup with a working memory limit. If it does not, connectk asks
    for no other one."""
    log, program = tmp_path / "log", tmp_path / "bin" / "systemd-run"
    program.parent.mkdir()
    program.write_text(FAKE_SYSTEMD.format(log=log, answer=answer))
    program.chmod(0o755)
    (tmp_path / "cgroup.controllers").touch()
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    monkeypatch.setenv("XDG_RUNTIME_DIR", "/run/user/1")
    monkeypatch.setattr(botscope, "CGROUP_ROOT", tmp_path)
    botscope.has_scopes.cache_clear()
    try:
        assert choose(bot_of("import os\ndef choose(p): return 1 + ('XDG_RUNTIME_DIR' in os.environ)")) == 1
        assert botscope.has_scopes() == is_used
    finally:
        botscope.has_scopes.cache_clear()

    asked = log.read_text().splitlines()
    assert len(asked) == 1 + is_used
    assert all(
        f"--property=MemoryMax={size}" in line
        for size, line in zip((256 * BYTES_PER_MB, 364 * BYTES_PER_MB), asked, strict=False)
    )
    assert all("--scope" in line and f"--unit={botscope.SCOPE_PREFIX}" in line for line in asked)


def test_the_guard_reads_no_file_without_end(tmp_path: Path):
    """The guard reads only the first part of a file of /proc. Otherwise a bot with very many mappings could keep it
    busy."""
    long = tmp_path / "maps"
    long.write_bytes(bytes(5 * BYTES_PER_MB))
    assert len(read(str(long))) <= 2 * MAX_PROC_FILE_BYTES
    assert read(str(tmp_path / "gone")) == b""
    assert len(read("/proc/self/maps").splitlines()) == len(Path("/proc/self/maps").read_text().splitlines())
