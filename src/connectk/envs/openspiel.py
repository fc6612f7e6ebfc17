"""connectk's players for OpenSpiel's connect_four of any size, and OpenSpiel's bots as players.

    bot = as_bot("level:5", seed=1)                                                     # a pyspiel.Bot
    player = as_player(lambda game, side: pyspiel.make_uniform_random_bot(side, 1))     # a connectk player

For the arena and every command that takes a bot, a file says `choose = chooser(make)`.
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

MakeBot = Callable[[Any, int], Any]  # a game and a side -> a pyspiel.Bot


def pyspiel() -> Any:
    """OpenSpiel's module; raises `MissingExtra` if it is not installed."""
    try:
        return import_module("pyspiel")
    except ImportError:
        raise MissingExtra("openspiel", "openspiel") from None


def game_of(variant: Variant) -> Any:
    """OpenSpiel's connect_four with these sizes."""
    sizes = {"rows": variant.height, "columns": variant.width, "x_in_row": variant.run}
    return pyspiel().load_game("connect_four", sizes)


def variant_of(game: Any) -> Variant:
    sizes = game.get_parameters()
    return Variant(sizes["columns"], sizes["rows"], sizes["x_in_row"])


def position_of(state: Any) -> Position:
    """A state of connect_four as a position."""
    return Position.from_moves(state.history(), variant_of(state.get_game()))


def as_bot(player: str | Player, seed: int | None = None) -> Any:
    """A player, or the name of one, as a `pyspiel.Bot`."""

    class PlayerBot(pyspiel().Bot):  # type: ignore[misc]  # made here, since pyspiel may be absent
        """Calls the player in each state."""

        def __init__(self) -> None:
            super().__init__()
            self.player = load_player(player, seed) if isinstance(player, str) else player
            self._rng = random.Random(seed)

        def step(self, state: Any) -> int:
            return self.player.choose(position_of(state), Clock()).column

        def restart_at(self, state: Any) -> None:
            start_new_game(self.player, self._rng.getrandbits(32))

        def restart(self) -> None:
            start_new_game(self.player, self._rng.getrandbits(32))

    return PlayerBot()


class BotPlayer:
    """An OpenSpiel bot as a player; `make` creates the bot for a game and a side, 0 or 1."""

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
            game = game_of(variant)
            self._bots[variant, side] = (game, self._make(game, side))
        return self._bots[variant, side]

    def new_game(self, seed: int | None = None) -> None:
        self._history = MoveHistory()
        for _, bot in self._bots.values():
            bot.restart()

    def close(self) -> None:
        """The bots go with the player."""
        self._bots.clear()


def as_player(make: MakeBot, name: str = "openspiel") -> BotPlayer:
    """A bot of OpenSpiel's as a player of ours."""
    return BotPlayer(make, name)


def chooser(make: MakeBot) -> Callable[[Position], int]:
    """The `choose` of a bot file, played by a bot of OpenSpiel's."""
    player = as_player(make)
    return lambda position: player.choose(position, Clock()).column
