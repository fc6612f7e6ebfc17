"""Monte Carlo tree search with a network. The core searches, and your network evaluates the leaves in batches.

    def evaluate(planes, masks):                      # float32 (n, 2, height, width) and bool (n, width)
        values, logits = network(planes)              # with NumPy, PyTorch, ONNX Runtime, JAX or another library
        return values, logits                         # (n,) or (n, 1), from -1 to 1, and (n, width): any finite numbers

    found = network_search(Boards("7x6x4", 256), evaluate, simulations=64, considered=7)
    found.columns, found.policies, found.values

Values are for the side to move, and its discs are the first plane. The core ignores the logits of full columns. It
writes the next leaves into the same arrays, so copy the leaves that you want to keep.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from operator import index
from typing import Any, NamedTuple

from connectk import _native
from connectk.arrays import Boards
from connectk.arrays.boards import SEED_COUNT
from connectk.errors import MissingExtra, SearchStopped
from connectk.players import Choice, Clock
from connectk.players.player import Thought, require_open
from connectk.rules import Position
from connectk.solver.solver import require_supported
from connectk.watch import Stop, Watch

try:
    import numpy as np
except ImportError:
    raise MissingExtra("network", "arrays") from None

Evaluate = Callable[[Any, Any], tuple[Any, Any]]  # (planes, masks) -> (values, logits)
DEFAULT_SIMULATIONS, DEFAULT_BATCH = 128, 256
MAX_BOARD_SIMULATIONS = 1 << 20  # for each board
EXPLORATION = 1.5  # the weight of the policy in PUCT
TIMED_BATCH = 16  # leaves in a batch if there is a clock, so that the clock is checked often


class NetworkSearchResult(NamedTuple):
    """The result of a search, with one row for each game. A game that is over has the column -1 and zeros.

    `policies` is the improved policy, from which a network learns. `values` are for the side to move.
    """

    columns: Any  # int64, (games,)
    policies: Any  # float32, (games, width)
    values: Any  # float32, (games,)
    visits: Any  # int32, (games, width)


def network_search(
    boards: Boards,
    evaluate: Evaluate,
    *,
    simulations: int = DEFAULT_SIMULATIONS,
    batch: int = DEFAULT_BATCH,
    considered: int = 0,
    exploration: float = EXPLORATION,
    seed: int = 0,
    stop: Stop | None = None,
) -> NetworkSearchResult:
    """Search all games at once. `evaluate` gets leaves from all games together, up to `batch` of them at a time.

    If `considered` is not 0, the root chooses among that many columns by Gumbel noise and sequential halving, which
    improves the policy even with few simulations. If it is 0, the root is searched by PUCT like the rest of the tree.
    If `stop` is set, raises `SearchStopped`. A board may have up to 128 bits, as for the solver.
    """
    search = BatchedSearch(boards, evaluate, simulations, batch, considered, exploration, seed)
    watch = Watch(stop)
    while search.step():
        if watch.should_stop():
            raise SearchStopped(())
    return search.result()


class BatchedSearch:
    """One search, with the arrays that all its batches use."""

    def __init__(
        self,
        boards: Boards,
        evaluate: Evaluate,
        simulations: int,
        batch: int,
        considered: int,
        exploration: float,
        seed: int,
    ) -> None:
        if not 1 <= simulations <= MAX_BOARD_SIMULATIONS or batch < 1 or considered < 0 or not exploration >= 0:
            raise ValueError(
                f"simulations are 1 to {MAX_BOARD_SIMULATIONS}, a batch has at least one leaf, the rest is not negative"
            )
        variant = boards.variant
        require_supported(variant)
        self._evaluate, self._games, self._width = evaluate, len(boards), variant.width
        self._planes = np.zeros((batch, 2, variant.height, variant.width), np.float32)
        self._masks = np.zeros((batch, variant.width), bool)
        self._core = _native.TreeSearch(
            variant.width,
            variant.height,
            variant.run,
            boards.bits,
            simulations=simulations,
            considered=considered,
            exploration=exploration,
            seed=index(seed) % SEED_COUNT,
        )

    @property
    def simulations(self) -> int:
        return self._core.simulations

    def step(self) -> bool:
        """Evaluate one batch of leaves. Returns false when nothing is left to search."""
        leaves = self._core.collect(self._planes, self._masks)
        if leaves:
            values, logits = self._evaluate(self._planes[:leaves], self._masks[:leaves])
            self._core.apply(_floats(values).reshape(-1), _floats(logits))
        return not self._core.is_done

    def result(self) -> NetworkSearchResult:
        games, width = self._games, self._width
        columns, visits = np.zeros(games, np.int64), np.zeros((games, width), np.int32)
        policies, values = np.zeros((games, width), np.float32), np.zeros(games, np.float32)
        self._core.result(columns, visits, policies, values)
        return NetworkSearchResult(columns, policies, values, visits)


def _floats(values: Any) -> Any:
    """The numbers as NumPy's float32. A PyTorch tensor may be on any device and have a gradient."""
    if hasattr(values, "detach"):
        values = values.detach().cpu().float().numpy()
    return np.ascontiguousarray(values, np.float32)


class NetworkPlayer:
    """A network with a search as a player, for `connectk measure`, the arena and every other command.

    In a bot file write `choose = NetworkPlayer(evaluate).column`. Without a clock the player runs `simulations`
    simulations. With a clock it stops earlier, when its share of the time is used.
    """

    def __init__(
        self,
        evaluate: Evaluate,
        simulations: int = DEFAULT_SIMULATIONS,
        considered: int = 0,
        batch: int = TIMED_BATCH,
        name: str = "network",
        seed: int | None = None,
    ) -> None:
        self.name = name
        self._evaluate, self._simulations, self._considered = evaluate, simulations, considered
        self._batch, self._random = batch, random.Random(seed)

    def choose(self, position: Position, clock: Clock) -> Choice:
        require_open(position)
        search = BatchedSearch(
            Boards.from_positions([position]),
            self._evaluate,
            self._simulations,
            self._batch,
            self._considered,
            EXPLORATION,
            self._random.getrandbits(63),
        )
        share = clock.share
        started_left = clock.left
        while search.step():
            used = 0.0 if started_left is None or clock.left is None else started_left - clock.left
            if clock.is_up or (share is not None and used >= share):
                break
        found = search.result()
        column = int(found.columns[0])
        return Choice(column, Thought(float(found.values[0]), (column,), nodes=search.simulations))

    def column(self, position: Position) -> int:
        """The chosen column alone, which a bot's `choose` must return."""
        return self.choose(position, Clock()).column

    def new_game(self, seed: int | None = None) -> None:
        """Use this seed for the Gumbel noise of the next choices."""
        self._random = random.Random(seed)

    def close(self) -> None:
        """Does nothing, because the network belongs to the caller."""
