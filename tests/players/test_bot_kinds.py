"""Tests bots that are classes, and bots that may not import connectk's solver."""

from __future__ import annotations

from pathlib import Path

import pytest

from connectk import Position
from connectk.errors import BotForfeit, BotUnusable
from connectk.players.botprocess import BotLimits
from connectk.players.bots import Bot, load_bot
from connectk.players.player import Clock

LIMITS = BotLimits(start=60.0, think=60.0)
COUNTING_BOT = """
class Bot:
    def __init__(self): self.count = -1
    def choose(self, position):
        self.count += 1
        return self.count
"""


def bot_of(folder: Path, text: str, solver: bool = True) -> Bot:
    path = folder / "bot.py"
    path.write_text(text)
    return load_bot(path, limits=LIMITS, solver=solver)


def columns(bot: Bot, moves: int) -> list[int]:
    return [bot.choose(Position.start(), Clock()).column for _ in range(moves)]


def test_a_class_named_bot_with_choose_is_a_bot(tmp_path: Path) -> None:
    """A class `Bot` gets a new object for each game, which may remember anything during the game."""
    bot = bot_of(tmp_path, COUNTING_BOT)

    assert columns(bot, 3) == [0, 1, 2]
    bot.new_game(2)
    assert columns(bot, 2) == [0, 1]
    bot.close()


def test_a_function_goes_before_a_class(tmp_path: Path) -> None:
    bot = bot_of(tmp_path, COUNTING_BOT + "def choose(position): return 6\n")

    assert columns(bot, 1) == [6]
    bot.close()


@pytest.mark.parametrize(
    "text",
    [
        "from connectk import solve",
        "import connectk.players.minimax",
        "from connectk.players.registry import load_player; load_player('greedy')",
        "import connectk._native",
        "import connectk.why",
        "import connectz",
    ],
)
def test_without_the_solver_no_bot_gets_help(text: str, tmp_path: Path) -> None:
    """If the solver is switched off, a bot cannot import it while it loads or while it plays."""
    own = "def choose(position): return position.legal_columns[3]\n"
    with pytest.raises(BotUnusable, match="solver and players are switched off"):
        bot_of(tmp_path, f"{text}\n{own}", solver=False)
    lazy = bot_of(tmp_path, f"def choose(position):\n    {text}\n    return 3\n", solver=False)
    with pytest.raises(BotForfeit, match="solver and players are switched off"):
        columns(lazy, 1)


def test_without_the_solver_a_bot_has_the_rules(tmp_path: Path) -> None:
    text = """
import random
from connectk import Position, Variant
def choose(position):
    assert str(position.drop(3)) and Position.from_moves("4453").outcome is None and Variant.parse("5x4x4").run == 4
    return random.choice(position.legal_columns)
"""
    bot = bot_of(tmp_path, text, solver=False)

    assert columns(bot, 1)[0] in range(7)
    bot.close()


def test_with_the_solver_a_bot_may_ask_it(tmp_path: Path) -> None:
    bot = bot_of(tmp_path, "from connectk import solve\ndef choose(position): return solve(position).best_columns[0]\n")

    assert columns(bot, 1) == [3]
    bot.close()
