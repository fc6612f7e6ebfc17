"""Short names for players: the same in every command, in the arena and on the server.

random   greedy   minimax:5   minimax:5,lines   engine:500ms   mcts:1000   perfect   level:3   mybot.py   ./my-program
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from connectk.errors import ConnectkError, UnknownPlayer
from connectk.players.player import Player, objection

if TYPE_CHECKING:
    from connectk.players.bots import BotOptions
    from connectk.rules import Variant

DEFAULT_DEPTH, DEEPEST = 5, 60
MOST_THREADS = 256
DEFAULT_SIMULATIONS, MOST_SIMULATIONS = 1000, 10_000_000


@dataclass(frozen=True, slots=True)
class PlayerKind:
    """One kind of player: how it is written, and how it is made from what follows the colon. What it does is said by
    the text `players.` and its name."""

    example: str
    build: Callable[[str, str, int | None], Player]  # name, what follows the colon, seed


def load_player(name: str, seed: int | None = None, bots: BotOptions | None = None) -> Player:
    """The player of this name. With the same seed, a player without a clock makes the same choices.

    `bots` says what a bot of yours may use, and which Python runs it.
    """
    kind, _, rest = name.strip().partition(":")
    if kind in REGISTRY:
        return REGISTRY[kind].build(name.strip(), rest.strip(), seed)
    if is_bot(name):
        from connectk.players.bots import BotOptions, load_bot

        options = bots or BotOptions()
        return load_bot(name, seed=seed, limits=options.limits, python=options.python)
    raise UnknownPlayer(name, known=", ".join(entry.example for entry in REGISTRY.values()))


def cannot_play(name: str, variant: Variant) -> ConnectkError | str | None:
    """Why the player of this name cannot play on a board; None where it can. It starts no bot."""
    if is_bot(name):
        from connectk.players.bots import Bot

        return Bot.cannot_play(variant)
    player = load_player(name)
    player.close()
    return objection(player, variant)


def with_evaluation(name: str, evaluation: str) -> str:
    """The same player; a minimax that names no evaluation gets this one."""
    kind, _, rest = name.strip().partition(":")
    return f"minimax:{rest or DEFAULT_DEPTH},{evaluation}" if kind == "minimax" and "," not in rest else name


def file_behind(name: str) -> Path | None:
    """The file of yours that decides how this player plays: a bot, or an evaluation; None when there is none."""
    evaluation = evaluation_behind(name)
    path = Path(evaluation.rpartition(":")[0] if evaluation else name)
    return path if path.is_file() else None


def evaluation_behind(name: str) -> str | None:
    """The evaluation of yours that a minimax is named with, such as `mine.py:evaluate`."""
    kind, _, rest = name.strip().partition(":")
    evaluation = rest.partition(",")[2].strip()
    return evaluation if kind == "minimax" and ".py:" in evaluation else None


def is_bot(name: str) -> bool:
    """Whether the name is that of a file of yours, and not of a player of connectk's."""
    if name.strip().partition(":")[0] in REGISTRY:
        return False
    return name.endswith(".py") or "/" in name or "\\" in name or Path(name).is_file()


def _random(name: str, rest: str, seed: int | None) -> Player:
    from connectk.players.simple import RandomPlayer

    _expect_nothing(name, rest)
    return RandomPlayer(seed)


def _greedy(name: str, rest: str, seed: int | None) -> Player:
    from connectk.players.simple import GreedyPlayer

    _expect_nothing(name, rest)
    return GreedyPlayer()


def _minimax(name: str, rest: str, seed: int | None) -> Player:
    from connectk.players.evaluations import NAMED, load_evaluation
    from connectk.players.searching import MinimaxPlayer

    depth, _, evaluation = (part.strip() for part in rest.partition(","))
    evaluation = evaluation or "combined"
    judge = evaluation if evaluation in NAMED else load_evaluation(evaluation)
    return MinimaxPlayer(_number(name, depth or str(DEFAULT_DEPTH), 1, DEEPEST), judge, name)


def _engine(name: str, rest: str, seed: int | None) -> Player:
    from connectk.notation import parse_duration
    from connectk.players.timed import EnginePlayer

    time, threads = None, 1
    for word in filter(None, (part.strip() for part in rest.split(","))):
        if word.startswith("threads="):
            threads = _number(name, word.removeprefix("threads="), 1, MOST_THREADS)
        else:
            time = parse_duration(word)
    return EnginePlayer(time, threads, name)


def _mcts(name: str, rest: str, seed: int | None) -> Player:
    from connectk.players.mcts import MctsPlayer

    return MctsPlayer(_number(name, rest or str(DEFAULT_SIMULATIONS), 1, MOST_SIMULATIONS), seed, name)


def _perfect(name: str, rest: str, seed: int | None) -> Player:
    from connectk.players.perfect import PerfectPlayer

    _expect_nothing(name, rest)
    return PerfectPlayer()


def _level(name: str, rest: str, seed: int | None) -> Player:
    from connectk.players.levels import BEST, level_player

    return level_player(_number(name, rest, 1, BEST), seed)


def _expect_nothing(name: str, rest: str) -> None:
    if rest:
        raise UnknownPlayer(name, "error.UnknownPlayer.too_much", wanted=name.partition(":")[0])


def _number(name: str, text: str, least: int, most: int) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
        example = REGISTRY[name.partition(":")[0]].example
        raise UnknownPlayer(name, "error.UnknownPlayer.number", least=least, most=most, example=example)
    return int(text)


REGISTRY: Mapping[str, PlayerKind] = {
    "random": PlayerKind("random", _random),
    "greedy": PlayerKind("greedy", _greedy),
    "minimax": PlayerKind(f"minimax:{DEFAULT_DEPTH}", _minimax),
    "engine": PlayerKind("engine:500ms", _engine),
    "mcts": PlayerKind(f"mcts:{DEFAULT_SIMULATIONS}", _mcts),
    "perfect": PlayerKind("perfect", _perfect),
    "level": PlayerKind("level:3", _level),
}
