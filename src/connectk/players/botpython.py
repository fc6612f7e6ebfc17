"""Chooses the Python interpreter that runs a bot: connectk's own, one that the user names, or a virtual environment
with the packages that the bot requires."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from connectk.errors import BotUnusable
from connectk.texts import load_texts, preferred_language

REQUIREMENTS_FILE = "requirements.txt"


def python_for(bot: Path, named: str | None) -> str:
    """The interpreter for a bot: `named` if it is given; otherwise one with the packages of the bot's
    `requirements.txt`; and connectk's own if the bot has no such file."""
    if named is not None:
        return _named(bot, named)
    wanted = bot.resolve().with_name(REQUIREMENTS_FILE)
    return str(_with_packages(bot, wanted)) if wanted.is_file() else sys.executable


def _named(bot: Path, name: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise BotUnusable(str(bot), "error.BotUnusable.no_python", python=name)
    return str(Path(found).absolute())  # not resolved: Python finds its virtual environment through the link


def _with_packages(bot: Path, wanted: Path) -> Path:
    """The interpreter of a virtual environment with the required packages. The environment is made on first use and
    cached."""
    home = _home_of(wanted.read_bytes())
    if not home.exists():
        unfinished = home.with_name(f"{home.name}-{os.getpid()}")
        try:
            _make(bot, wanted, unfinished)
            _move(unfinished, home)
        finally:
            shutil.rmtree(unfinished, ignore_errors=True)
    return home / "bin" / "python"


def _home_of(wanted: bytes) -> Path:
    """The cache folder for a virtual environment with these requirements and this version of Python."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    name = hashlib.sha256(wanted + sys.version.encode()).hexdigest()[:16]
    return cache / "connectk" / "bots" / name


def _make(bot: Path, wanted: Path, home: Path) -> None:
    texts = load_texts(preferred_language(os.environ))
    print(texts("work.packages", bot=bot, file=REQUIREMENTS_FILE), file=sys.stderr)
    python, lent = str(home / "bin" / "python"), find_spec("pip") is not None  # using our own pip is quicker
    pip = [sys.executable, "-m", "pip", "--python", python] if lent else [python, "-m", "pip"]
    _run(bot, [sys.executable, "-m", "venv", *(["--without-pip"] if lent else []), str(home)])
    _run(bot, [*pip, "install", "-q", "-r", str(wanted)])


def _run(bot: Path, command: list[str]) -> None:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if done.returncode:
        words = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
        reason = next((line for line in words if line.startswith("ERROR:")), words[-1] if words else "no reason given")
        raise BotUnusable(str(bot), "error.BotUnusable.packages", file=REQUIREMENTS_FILE, reason=reason[:200])


def _move(made: Path, home: Path) -> None:
    try:
        made.rename(home)
    except OSError:
        if not home.exists():  # otherwise another process has created it meanwhile
            raise
