"""Short names for players: the same in every command, in the arena and on the server.

random   greedy   minimax:5   minimax:5,lines   engine:500ms   mcts:1000   perfect   level:3   mybot.py   ./my-program
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from connectk.errors import ConnectkError, UnknownPlayer
from connectk.players.player import Player, refusal_on

if TYPE_CHECKING:
    from connectk.players.bots import BotOptions
    from connectk.rules import Variant

BEST_LEVEL = 10  # the level that plays as the engine does
SAFE_PARAMETER = re.compile(r"[0-9]*|[0-9.]+(ms|s)")


@dataclass(frozen=True, slots=True)
class PlayerKind:
    """One kind of player; a new one needs its line in REGISTRY and two texts: `player.` and its name is what a person
    calls it, `players.` and its name is what it does."""

    example: str  # as the help writes it and lists offer it
    maker: str  # the module here and its function: makes one of its name, what follows the colon, and a seed
    default: int = 0  # the number that is meant where none follows the colon
    words: tuple[str, ...] = ()  # besides numbers and times, what a stranger may write after the colon
    heavy: bool | int = False  # thinks as long as it may, with a table of 32 megabytes: always, or with this number
    compiled: bool = False  # the page's core has it (native/web/ask.cpp); another one needs a server with Python

    def make(self, name: str, parameter: str, seed: int | None) -> Player:
        module, _, function = self.maker.partition(":")
        maker: Callable[[str, str, int | None], Player]
        maker = getattr(import_module(f"connectk.players.{module}"), function)
        return maker(name, parameter, seed)


REGISTRY: Mapping[str, PlayerKind] = {
    "random": PlayerKind("random", "simple:make_random", compiled=True),
    "greedy": PlayerKind("greedy", "simple:make_greedy", compiled=True),
    "minimax": PlayerKind(
        "minimax:5",
        "searching:make_minimax",
        default=5,
        words=("windows", "centre", "lines", "combined"),
        compiled=True,
    ),
    "engine": PlayerKind("engine:500ms", "timed:make_engine", heavy=True, compiled=True),
    "mcts": PlayerKind("mcts:1000", "mcts:make_mcts", default=1000, compiled=True),
    "perfect": PlayerKind("perfect", "perfect:make_perfect", heavy=True, compiled=True),
    "level": PlayerKind("level:3", "levels:make_level", heavy=BEST_LEVEL, compiled=True),
}


def load_player(name: str, seed: int | None = None, bots: BotOptions | None = None) -> Player:
    """The player of this name. With the same seed, a player without a clock makes the same choices.

    `bots` says what a bot of yours may use, and which Python runs it.
    """
    kind, _, rest = name.strip().partition(":")
    if kind in REGISTRY:
        return REGISTRY[kind].make(name.strip(), rest.strip(), seed)
    if is_bot(name):
        from connectk.players.bots import BotOptions, load_bot

        options = bots or BotOptions()
        return load_bot(name, seed=seed, limits=options.limits, python=options.python)
    raise UnknownPlayer(name, known=", ".join(entry.example for entry in REGISTRY.values()))


def is_safe(name: str) -> bool:
    """Whether an untrusted client may use this player: no files, no programs, no threads."""
    kind, _, rest = name.strip().partition(":")
    words = map(str.strip, rest.split(","))
    return kind in REGISTRY and all(SAFE_PARAMETER.fullmatch(word) or word in REGISTRY[kind].words for word in words)


def is_heavy(name: str) -> bool:
    """Whether this built-in player uses all its time and a large table."""
    kind, _, rest = name.strip().partition(":")
    known = REGISTRY.get(kind)
    return known is not None and (known.heavy is True or rest.strip() == str(known.heavy))


def cannot_play(name: str, variant: Variant) -> ConnectkError | str | None:
    """The reason why the player of this name cannot play on a board, or None. Starts no bot."""
    if is_bot(name):
        from connectk.players.bots import Bot

        return Bot.cannot_play(variant)
    player = load_player(name)
    player.close()
    return refusal_on(player, variant)


def with_evaluation(name: str, evaluation: str) -> str:
    """The same name, with this evaluation added to a minimax without one."""
    kind, _, rest = name.strip().partition(":")
    return f"minimax:{rest or REGISTRY[kind].default},{evaluation}" if kind == "minimax" and "," not in rest else name


def file_behind(name: str) -> Path | None:
    """The user's file behind this player, a bot or an evaluation; None for built-in players."""
    evaluation = evaluation_behind(name)
    path = Path(evaluation.rpartition(":")[0] if evaluation else name)
    return path if path.is_file() else None


def evaluation_behind(name: str) -> str | None:
    """The user's evaluation in a minimax's name, such as `mine.py:evaluate`, or None."""
    kind, _, rest = name.strip().partition(":")
    evaluation = rest.partition(",")[2].strip()
    return evaluation if kind == "minimax" and ".py:" in evaluation else None


def is_bot(name: str) -> bool:
    """Whether the name is that of a user's file rather than a built-in player."""
    if name.strip().partition(":")[0] in REGISTRY:
        return False
    return name.endswith(".py") or "/" in name or "\\" in name or Path(name).is_file()


def expect_nothing(name: str, rest: str) -> None:
    """Raise `UnknownPlayer` if a player that takes no parameter has one."""
    if rest:
        raise UnknownPlayer(name, "error.UnknownPlayer.too_much", wanted=name.partition(":")[0])


def number_in(name: str, text: str, least: int, most: int) -> int:
    """The number after the colon, or the player's default."""
    kind = REGISTRY[name.partition(":")[0]]
    text = text.strip() or str(kind.default)
    if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
        raise UnknownPlayer(name, "error.UnknownPlayer.number", least=least, most=most, example=kind.example)
    return int(text)
