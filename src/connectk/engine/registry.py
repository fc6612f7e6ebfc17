"""Short names for players: the same in every command, in the arena and on the server.

random   greedy   minimax:5   minimax:5,lines   engine:500ms   mcts:1000   perfect   level:3   mybot.py   ./my-program
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from connectk.engine.player import Player
from connectk.errors import UnknownPlayer

DEEPEST = 60


@dataclass(frozen=True, slots=True)
class Entry:
    """One kind of player: how it is written, what it does, and how it is made from what follows the colon."""

    example: str
    sentence: str
    build: Callable[[str, str, int | None], Player]  # name, what follows the colon, seed


def load_player(name: str, seed: int | None = None) -> Player:
    """The player of this name. With the same seed, a player without a clock makes the same choices."""
    kind, _, rest = name.strip().partition(":")
    if kind in REGISTRY:
        return REGISTRY[kind].build(name.strip(), rest.strip(), seed)
    if _is_a_file(name):
        from connectk.engine.bots import load_bot

        return load_bot(name, seed=seed)
    raise UnknownPlayer(name, f"There is no player {name!r}; {known_players()}")


def known_players() -> str:
    """One sentence that lists what `load_player` takes."""
    examples = ", ".join(entry.example for entry in REGISTRY.values())
    return f"there are {examples}, and bots of your own: mybot.py or ./my-program."


def _is_a_file(name: str) -> bool:
    return name.endswith(".py") or "/" in name or "\\" in name or Path(name).is_file()


def _random(name: str, rest: str, seed: int | None) -> Player:
    from connectk.engine.simple import RandomPlayer

    _expect_nothing(name, rest)
    return RandomPlayer(seed)


def _greedy(name: str, rest: str, seed: int | None) -> Player:
    from connectk.engine.simple import GreedyPlayer

    _expect_nothing(name, rest)
    return GreedyPlayer()


def _minimax(name: str, rest: str, seed: int | None) -> Player:
    from connectk.engine.evaluations import load_evaluation
    from connectk.engine.searching import MinimaxPlayer

    depth, _, evaluation = rest.partition(",")
    return MinimaxPlayer(
        _number(name, depth or "5", 1, DEEPEST), load_evaluation(evaluation.strip() or "combined"), name
    )


def _expect_nothing(name: str, rest: str) -> None:
    if rest:
        raise UnknownPlayer(name, f"{name!r} says too much; {known_players()}")


def _number(name: str, text: str, least: int, most: int) -> int:
    text = text.strip()
    if not (text.isascii() and text.isdigit() and len(text) < 20 and least <= int(text) <= most):
        example = REGISTRY[name.partition(":")[0]].example
        raise UnknownPlayer(name, f"{name!r} needs a number from {least} to {most}, as in {example}.")
    return int(text)


REGISTRY: Mapping[str, Entry] = {
    "random": Entry("random", "drops anywhere", _random),
    "greedy": Entry("greedy", "wins if it can, blocks if it must, and likes the centre", _greedy),
    "minimax": Entry("minimax:5", "looks that many moves ahead; minimax:5,lines picks the evaluation", _minimax),
}
