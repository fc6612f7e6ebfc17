"""Runs a bot written in Python: `choose(position)`, or a Kaggle agent, behind the text protocol.

    python -m connectk.players.bothost mybot.py [SEED]

What the bot prints goes to the error output, so that it cannot be mistaken for an answer.
"""

from __future__ import annotations

import inspect
import os
import random
import sys
from collections.abc import Callable, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from operator import index
from pathlib import Path
from types import ModuleType
from typing import Any, TextIO

from connectk.players.player import Clock
from connectk.players.textprotocol import HELLO, READY, parse_go, parse_position
from connectk.rules import Position, Variant

Chooser = Callable[[Position, float], Any]
WANTED = "has no function choose(position) or agent(observation, configuration)."


def main(path: str, seed: str | None = None) -> None:
    answers = _keep_the_output_clean()
    random.seed(seed)
    bot = _load(Path(path))
    if seed is not None and "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(int(seed) % 2**32)
    _serve(_find(vars(bot)), answers)


def _keep_the_output_clean() -> TextIO:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return answers


def _load(path: Path) -> ModuleType:
    sys.path.insert(0, str(path.resolve().parent))
    sys.argv = [str(path)]
    spec = spec_from_file_location("bot", path)
    if spec is None or spec.loader is None:
        sys.exit(f"{path} is not a Python file.")
    sys.modules["bot"] = bot = module_from_spec(spec)
    spec.loader.exec_module(bot)
    return bot


def _find(names: dict[str, Any]) -> Chooser | None:
    """The entry point: `choose`, `agent`, or as on Kaggle the last function that takes an observation."""
    if callable(names.get("choose")):
        return _own(names["choose"])
    agents = [names.get("agent"), *(value for value in reversed(names.values()) if _takes_observation(value))]
    return next((_kaggle(agent) for agent in agents if callable(agent)), None)


def _takes_observation(value: Any) -> bool:
    return inspect.isfunction(value) and next(iter(inspect.signature(value).parameters), "").startswith("obs")


def _own(choose: Callable[..., Any]) -> Chooser:
    """A bot that takes a second argument is given the clock."""
    if len(inspect.signature(choose).parameters) < 2:
        return lambda position, _: choose(position)
    return lambda position, seconds: choose(position, Clock(seconds))


def _kaggle(agent: Callable[..., Any]) -> Chooser:
    takes = len(inspect.signature(agent).parameters)
    return lambda position, seconds: agent(*(observation(position), configuration(position, seconds))[:takes])


class Facts(dict[str, Any]):
    """Kaggle's way to hand over facts: `observation.board` and `observation["board"]` are the same."""

    def __init__(self, **facts: Any) -> None:
        super().__init__(facts)
        self.__dict__ = self


def observation(position: Position) -> Facts:
    """What a ConnectX agent sees: the cells from the top left, 0 empty, 1 and 2 the players."""
    mark = 1 + position.side_to_move.value
    return Facts(board=list(_cells(position)), mark=mark, step=position.ply, remainingOverageTime=60)


def _cells(position: Position) -> Iterator[int]:
    for row in reversed(range(position.variant.height)):
        for column in range(position.variant.width):
            side = position.disc_at(column, row)
            yield 0 if side is None else 1 + side.value


def configuration(position: Position, seconds: float) -> Facts:
    width, height, run = position.variant.width, position.variant.height, position.variant.run
    board = {"columns": width, "rows": height, "inarow": run, "episodeSteps": 1000}
    return Facts(**board, timeout=seconds, actTimeout=seconds, agentTimeout=60, runTimeout=1200)


def _serve(chooser: Chooser | None, answers: TextIO) -> None:
    variant, position = Variant(), Position.start()
    while line := sys.stdin.readline().strip():
        word = line.partition(" ")[0]
        if line == HELLO:
            _write(answers, READY if chooser else f"error {WANTED}")
        elif word == "variant":
            variant = Variant.parse(line.split()[1])
        elif word == "position":
            position = parse_position(line, variant)
        elif word == "go" and chooser:
            _write(answers, f"bestmove {_column(chooser(position, parse_go(line))) + 1}")
        elif word == "quit":
            return


def _column(answer: Any) -> int:
    try:
        return index(answer)
    except TypeError:
        sys.exit(f"The bot answered {answer!r:.60}, not a column.")


def _write(answers: TextIO, line: str) -> None:
    print(line, file=answers, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
