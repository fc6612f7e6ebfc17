"""Computes the version of a user's player: a fingerprint of all files that affect how it plays."""

from __future__ import annotations

import hashlib
import sys
from contextlib import suppress
from pathlib import Path

from connectk.errors import BadEvaluation, BotForfeit, BotUnusable
from connectk.players.botpython import REQUIREMENTS_FILE
from connectk.players.bots import Bot, BotOptions, is_python, load_bot
from connectk.players.evaluations import load_evaluation
from connectk.players.player import Clock
from connectk.players.registry import evaluation_behind, file_behind
from connectk.rules import Position

PROBE_MOVE_SECONDS = 1.0  # seconds
Stamp = tuple[int, int]
_cached: dict[str, tuple[str, dict[Path, Stamp]]] = {}


def version_of(name: str, options: BotOptions | None = None) -> str | None:
    """A fingerprint of the player's files; None for built-in players. It is cached until one of the files changes."""
    if file_behind(name) is None:
        return None
    if name not in _cached or not _are_unchanged(_cached[name][1]):
        files = files_of(name, options or BotOptions())
        _cached[name] = _digest(files), {file: _stamp(file) for file in files}
    return _cached[name][0]


def files_of(name: str, options: BotOptions) -> list[Path]:
    """The player's own file, followed by the files that it loads from the same folder."""
    file = file_behind(name)
    assert file is not None
    beside = _imported_by_evaluation(name, file) if evaluation_behind(name) else _reported_by_bot(name, file, options)
    return [file, *sorted({other for other in beside if other.is_file() and not other.samefile(file)})]


def _reported_by_bot(name: str, file: Path, options: BotOptions) -> list[Path]:
    """The requirements file of the bot, and the files that the bot itself reports. If the bot cannot start, only the
    requirements file."""
    wanted = [] if options.python or not is_python(name) else [file.with_name(REQUIREMENTS_FILE)]
    try:
        bot = load_bot(name, limits=options.limits, python=options.python, solver=options.solver)
    except BotUnusable:
        return wanted
    if is_python(name):
        _play_probe_move(bot)
    bot.close()
    return [*wanted, *(file.parent / other for other in bot.files)]


def _play_probe_move(bot: Bot) -> None:
    """Let the bot play one move and ignore its answer. Some bots load some of their files only when they choose a
    move."""
    with suppress(BotForfeit, BotUnusable):
        bot.choose(Position.start(), Clock(PROBE_MOVE_SECONDS))


def _imported_by_evaluation(name: str, file: Path) -> list[Path]:
    folder, evaluation = file.resolve().parent, evaluation_behind(name)
    assert evaluation is not None
    try:
        load_evaluation(evaluation)
    except BadEvaluation:
        return []
    modules = [getattr(module, "__file__", None) for module in list(sys.modules.values())]
    return [Path(path) for path in modules if path and Path(path).resolve().parent == folder]


def _digest(files: list[Path]) -> str:
    """A digest of one file or of several files. For one file, only the content counts; for several files, their names
    count too."""
    if len(files) == 1:
        return hashlib.sha256(files[0].read_bytes()).hexdigest()[:16]
    lines = [f"{file.name} {hashlib.sha256(file.read_bytes()).hexdigest()}\n" for file in files]
    return hashlib.sha256("".join(lines).encode()).hexdigest()[:16]


def _are_unchanged(stamps: dict[Path, Stamp]) -> bool:
    return all(file.is_file() and _stamp(file) == stamp for file, stamp in stamps.items())


def _stamp(file: Path) -> Stamp:
    facts = file.stat()
    return facts.st_mtime_ns, facts.st_size
