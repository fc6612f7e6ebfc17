"""Converts connectk's players to OpenSpiel bots for connect_four of any size, and OpenSpiel bots to players.

    bot = as_bot("level:5", seed=1)                                                     # a pyspiel.Bot
    player = as_player(lambda game, side: pyspiel.make_uniform_random_bot(side, 1))     # a connectk player
    policy = solver_policy(pyspiel.load_game("connect_four"))                           # perfect play, a Policy

To use an OpenSpiel bot in the arena or in commands, write `choose = chooser(make)` in a bot file.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from importlib import import_module
from typing import Any

from connectk.errors import MissingExtra, UnsupportedVariant
from connectk.players import Choice, Clock, Player, load_player, start_new_game
from connectk.players.textprotocol import MoveHistory
from connectk.rules import Position, Variant
from connectk.solver import Solver

MakeBot = Callable[[Any, int], Any]  # a game and a side -> a pyspiel.Bot


def pyspiel() -> Any:
    """The module of OpenSpiel. Raises `MissingExtra` if it is not installed."""
    try:
        return import_module("pyspiel")
    except ImportError:
        raise MissingExtra("openspiel", "openspiel") from None


def openspiel_game(variant: Variant) -> Any:
    """OpenSpiel's connect_four with the board size and the run of a variant."""
    sizes = {"rows": variant.height, "columns": variant.width, "x_in_row": variant.run}
    return pyspiel().load_game("connect_four", sizes)


def variant_of_game(game: Any) -> Variant:
    sizes = game.get_parameters()
    return Variant(sizes["columns"], sizes["rows"], sizes["x_in_row"])


def position_from_state(state: Any) -> Position:
    """The position of an OpenSpiel connect_four state."""
    return Position.from_moves(state.history(), variant_of_game(state.get_game()))


def as_bot(player: str | Player, seed: int | None = None) -> Any:
    """Turns a player, or the player with this name, into a `pyspiel.Bot`."""

    class PlayerBot(pyspiel().Bot):  # type: ignore[misc]  # made here, since pyspiel may be absent
        """Calls the player in each state."""

        def __init__(self) -> None:
            super().__init__()
            self.player = load_player(player, seed) if isinstance(player, str) else player
            self._rng = random.Random(seed)

        def step(self, state: Any) -> int:
            return self.player.choose(position_from_state(state), Clock()).column

        def restart_at(self, state: Any) -> None:
            start_new_game(self.player, self._rng.getrandbits(32))

        def restart(self) -> None:
            start_new_game(self.player, self._rng.getrandbits(32))

    return PlayerBot()


class BotPlayer:
    """An OpenSpiel bot as a player. `make` creates the bot for a game and a side, 0 or 1."""

    def __init__(self, make: MakeBot, name: str = "openspiel") -> None:
        self._make, self._name = make, name
        self._bots: dict[tuple[Variant, int], tuple[Any, Any]] = {}  # a game and its bot
        self._history = MoveHistory()

    @property
    def name(self) -> str:
        return self._name

    def choose(self, position: Position, clock: Clock) -> Choice:
        game, bot = self._seat(position.variant, position.side_to_move.value)
        moves = self._history.moves_to(position)
        if moves is None:
            raise UnsupportedVariant(position.variant, "no drops were found that lead to this position.")
        state = game.new_initial_state()
        for column in moves:
            state.apply_action(column)
        return Choice(int(bot.step(state)))

    def _seat(self, variant: Variant, side: int) -> tuple[Any, Any]:
        if (variant, side) not in self._bots:
            game = openspiel_game(variant)
            self._bots[variant, side] = (game, self._make(game, side))
        return self._bots[variant, side]

    def new_game(self, seed: int | None = None) -> None:
        self._history = MoveHistory()
        for _, bot in self._bots.values():
            bot.restart()

    def close(self) -> None:
        """Release the bots."""
        self._bots.clear()


def as_player(make: MakeBot, name: str = "openspiel") -> BotPlayer:
    """Turns an OpenSpiel bot into a connectk player."""
    return BotPlayer(make, name)


def chooser(make: MakeBot) -> Callable[[Position], int]:
    """A function `choose` for a bot file. It plays the moves of an OpenSpiel bot."""
    player = as_player(make)
    return lambda position: player.choose(position, Clock()).column


def solver_policy(game: Any, solver: Solver | None = None) -> Any:
    """Perfect play as an OpenSpiel `Policy`: each best column has the same probability.

    Its method `value(state)` returns the result for the side to move: 1, 0 or -1. `score(state)` returns the exact
    score.
    """
    try:
        policy: Any = import_module("open_spiel.python.policy")
    except ImportError:
        raise MissingExtra("openspiel", "openspiel") from None
    perfect = solver or Solver(variant_of_game(game))

    class SolverPolicy(policy.Policy):  # type: ignore[misc]  # made here, since OpenSpiel may be absent
        """Solves each state when it is asked about it."""

        def __init__(self) -> None:
            super().__init__(game, list(range(game.num_players())))

        def action_probabilities(self, state: Any, player_id: int | None = None) -> dict[int, float]:
            columns = perfect.solve(position_from_state(state)).best_columns
            return {column: 1 / len(columns) for column in columns}

        def score(self, state: Any) -> int:
            return perfect.find(position_from_state(state)).lower

        def value(self, state: Any) -> int:
            score = self.score(state)
            return (score > 0) - (score < 0)

    return SolverPolicy()
