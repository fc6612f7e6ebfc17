"""Monte Carlo tree search: many random games decide."""

from __future__ import annotations

import random

from connectk.players.drops import centre_first, urgent_drop
from connectk.players.player import Choice, Clock, Thought, require_open
from connectk.players.registry import number_in
from connectk.players.view import Core, View
from connectk.rules import Position

MAX_SIMULATIONS = 10_000_000


class MctsPlayer:
    """Plays so many random games for each choice, and the column that did best."""

    def __init__(self, simulations: int, seed: int | None = None, name: str = "mcts") -> None:
        self.name = name
        self._simulations = simulations
        self._random = random.Random(seed)
        self._core = Core(table_bytes=0)

    def choose(self, position: Position, clock: Clock) -> Choice:
        require_open(position)
        view = View.of(position)
        urgent = None if view.whole else urgent_drop(position)
        if urgent is not None:
            return Choice(urgent, Thought(line=(urgent,), depth=1))
        simulated = self._core.thinker(view).simulate(
            view.own, view.everyone, self._simulations, self._random.getrandbits(63), stopped=lambda: clock.is_up
        )
        if simulated.column < 0:
            return Choice(centre_first(position)[0])
        line = tuple(view.first_column + column for column in simulated.line)
        return Choice(line[0], Thought(simulated.mean, line, len(line), simulated.simulations))

    def new_game(self, seed: int | None = None) -> None:
        self._random = random.Random(seed)

    def close(self) -> None:
        """Nothing to give back."""


def make_mcts(name: str, parameter: str, seed: int | None) -> MctsPlayer:
    return MctsPlayer(number_in(name, parameter, 1, MAX_SIMULATIONS), seed, name)
