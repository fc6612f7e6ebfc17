"""Makes connectk's players available as agents for Kaggle's ConnectX.

    kaggle_environments.make("connectx").run([agent("engine:1s"), "random"])

A Kaggle agent can also play in connectk without more code, because the file of a Kaggle agent is a bot. Example:
`connectk arena agent.py level:3`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from connectk.players import Clock, load_player
from connectk.rules import Position, Side, Variant


def agent(player: str = "engine:1s", seed: int | None = None) -> Callable[[Any, Any], int]:
    """A Kaggle agent that plays the moves of this player, on any ConnectX board."""
    chooser = load_player(player, seed)

    def choose(observation: Any, configuration: Any) -> int:
        return chooser.choose(position_from_observation(observation, configuration), Clock()).column

    return choose


def position_from_observation(observation: Any, configuration: Any) -> Position:
    """Convert a ConnectX observation to a position. The observation lists the cells from the top left: 0 for empty, 1
    and 2 for the players."""
    variant = Variant(configuration["columns"], configuration["rows"], configuration["inarow"])
    from_the_top = [observation["board"][column :: variant.width] for column in range(variant.width)]
    columns = [[_disc(cell) for cell in reversed(cells)] for cells in from_the_top]
    return Position.from_columns(columns, variant, Side(observation["mark"] - 1))


def _disc(cell: int) -> Side | None:
    return Side(cell - 1) if cell else None
