"""Short names for players. The names are the same in every command, in the arena and on the server.

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

TEXT_KIND = "text"  # `text:COMMAND` or `text:URL`: an agent that answers in words; never offered to others
BEST_LEVEL = 10  # this level is the engine
SAFE_PARAMETER_PATTERN = re.compile(r"[0-9]*|[0-9.]+(ms|s)")


@dataclass(frozen=True, slots=True)
class PlayerKind:
    """A kind of player. A new kind needs an entry in `PLAYER_REGISTRY` and two texts.

    The keys of both texts end in the name of the kind. The text whose key begins with `player.` is the name that people
    see. The text whose key begins with `players.` says what the player does.
    """

    example: str  # a complete name of such a player, for the help and for lists
    maker: str  # a module here and its function, which is called with the name, the text after the colon, and a seed
    default: int = 0  # the number if none follows the colon
    words: tuple[str, ...] = ()  # words that an untrusted client may write after the colon, besides numbers and times
    heavy: bool | int = False  # uses all its time and a table of 32 megabytes: always, or only with this number
    compiled: bool = False  # runs in the page (native/web/requests.cpp); any other kind needs a server with Python

    def make(self, name: str, parameter: str, seed: int | None) -> Player:
        module, _, function = self.maker.partition(":")
        maker: Callable[[str, str, int | None], Player]
        maker = getattr(import_module(f"connectk.players.{module}"), function)
        return maker(name, parameter, seed)


PLAYER_REGISTRY: Mapping[str, PlayerKind] = {
    "random": PlayerKind("random", "random_and_greedy:make_random", compiled=True),
    "greedy": PlayerKind("greedy", "random_and_greedy:make_greedy", compiled=True),
    "minimax": PlayerKind(
        "minimax:5",
        "minimax_player:make_minimax",
        default=5,
        words=("windows", "centre", "lines", "combined"),
        compiled=True,
    ),
    "engine": PlayerKind("engine:500ms", "engine_player:make_engine", heavy=True, compiled=True),
    "mcts": PlayerKind("mcts:1000", "mcts_player:make_mcts", default=1000, compiled=True),
    "perfect": PlayerKind("perfect", "perfect_player:make_perfect", heavy=True, compiled=True),
    "level": PlayerKind("level:3", "levels:make_level", heavy=BEST_LEVEL, compiled=True),
}


def load_player(name: str, seed: int | None = None, bots: BotOptions | None = None) -> Player:
    """Create the player of this name. A player without a clock makes the same choices whenever the seed is the same.

    `bots` says what the bot of a user may use, and which Python runs it.
    """
    kind, _, rest = name.strip().partition(":")
    if kind in PLAYER_REGISTRY:
        return PLAYER_REGISTRY[kind].make(name.strip(), rest.strip(), seed)
    if kind == TEXT_KIND:
        from connectk.players.text_agents import make_text_player

        return make_text_player(name.strip())
    if is_bot(name):
        from connectk.players.bots import BotOptions, load_bot

        options = bots or BotOptions()
        return load_bot(name, seed=seed, limits=options.limits, python=options.python, solver=options.solver)
    raise UnknownPlayer(name, known=", ".join(entry.example for entry in PLAYER_REGISTRY.values()))


def is_safe(name: str) -> bool:
    """Whether an untrusted client may use this player. Such a player uses no files, no other programs and no additional
    threads."""
    kind, _, rest = name.strip().partition(":")
    words = map(str.strip, rest.split(","))
    return kind in PLAYER_REGISTRY and all(
        SAFE_PARAMETER_PATTERN.fullmatch(word) or word in PLAYER_REGISTRY[kind].words for word in words
    )


def is_heavy(name: str) -> bool:
    """Whether this player is built in and needs all its time and a large table."""
    kind, _, rest = name.strip().partition(":")
    known = PLAYER_REGISTRY.get(kind)
    return known is not None and (known.heavy is True or rest.strip() == str(known.heavy))


def cannot_play(name: str, variant: Variant) -> ConnectkError | str | None:
    """The reason why the player of this name cannot play on a board; None if it can. This starts no bot."""
    if is_bot(name):
        from connectk.players.bots import Bot

        return Bot.cannot_play(variant)
    player = load_player(name)
    player.close()
    return refusal_on(player, variant)


def with_evaluation(name: str, evaluation: str) -> str:
    """The name of a minimax player with this evaluation added. Other names, and names with an evaluation, are returned
    unchanged."""
    kind, _, rest = name.strip().partition(":")
    return (
        f"minimax:{rest or PLAYER_REGISTRY[kind].default},{evaluation}"
        if kind == "minimax" and "," not in rest
        else name
    )


def file_behind(name: str) -> Path | None:
    """The file of a user from which this player is made: a bot or an evaluation. None for built-in players."""
    evaluation = evaluation_behind(name)
    path = Path(evaluation.rpartition(":")[0] if evaluation else name)
    return path if path.is_file() else None


def evaluation_behind(name: str) -> str | None:
    """The evaluation of a user in the name of a minimax player, such as `mine.py:evaluate`; None if there is none."""
    kind, _, rest = name.strip().partition(":")
    evaluation = rest.partition(",")[2].strip()
    return evaluation if kind == "minimax" and ".py:" in evaluation else None


def is_bot(name: str) -> bool:
    """Whether this names a bot, which is a file of a user, and not a built-in player or a text agent."""
    if name.strip().partition(":")[0] in {*PLAYER_REGISTRY, TEXT_KIND}:
        return False
    return name.endswith(".py") or "/" in name or "\\" in name or Path(name).is_file()


def require_no_parameter(name: str, rest: str) -> None:
    """Raise `UnknownPlayer` if the name has a parameter, because this player takes none."""
    if rest:
        raise UnknownPlayer(name, "error.UnknownPlayer.too_much", wanted=name.partition(":")[0])


def number_parameter(name: str, text: str, min_value: int, max_value: int) -> int:
    """The number after the colon in the name. If there is none, the default number of the player."""
    kind = PLAYER_REGISTRY[name.partition(":")[0]]
    text = text.strip() or str(kind.default)
    if not (text.isascii() and text.isdigit() and len(text) < 20 and min_value <= int(text) <= max_value):
        raise UnknownPlayer(name, "error.UnknownPlayer.number", least=min_value, most=max_value, example=kind.example)
    return int(text)
