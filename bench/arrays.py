"""Games side by side: drops, drops with planes and random games a second on one core, next to others where installed.

python bench/arrays.py            # pip install open_spiel pettingzoo 'pgx' to see those beside it
"""

import random
import time
from collections.abc import Callable

import numpy as np

from connectk.arrays import Boards
from connectk.rules import Position

BOARDS = ["7x6x4", "8x8x4", "9x7x5", "20x20x5", "100x100x5", "1000x1000x5"]
WANTED = {"7x6x4": (40e6, 20e6), "9x7x5": (20e6, 10e6), "20x20x5": (5e6, 2.5e6)}  # bare, and with planes
GAMES, PLIES, ROUNDS = 4096, 100, 7
FEW = 64  # games on a board of more than a thousand cells


def quickest(work: Callable[[], object]) -> float:
    """Processor seconds of the quickest round; the others were disturbed."""
    times = []
    for _ in range(ROUNDS):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


class Plan:
    """Drops for many games, made beforehand: games that end begin again, and that is part of what is measured."""

    def __init__(self, size: str) -> None:
        self.boards = Boards(size, GAMES if Boards(size).variant.cells <= 1000 else FEW)
        self.drops = len(self.boards) * PLIES
        self.steps = [self._step(seed) for seed in range(PLIES)]
        self.out = self.boards.planes()

    def _step(self, seed: int) -> tuple[np.ndarray, np.ndarray]:
        columns = self.boards.random_columns(seed)
        self.boards.drop(columns)
        over = np.flatnonzero(self.boards.outcome >= 0)
        self.boards.reset(over)
        return columns, over

    def play(self, planes: bool = False) -> None:
        self.boards.reset()
        for columns, over in self.steps:
            self.boards.drop(columns)
            self.boards.reset(over)
            if planes:
                self.boards.planes(self.out)

    def play_out(self) -> None:
        self.boards.reset()
        self.boards.play_out(1)


def measure(size: str) -> float:
    """Print a line; the answer is bare drops a second."""
    plan = Plan(size)
    bare = plan.drops / quickest(plan.play)
    planes = plan.drops / quickest(lambda: plan.play(planes=True))
    games = len(plan.boards) / quickest(plan.play_out)
    bits = plan.boards.variant.width * (plan.boards.variant.height + 1)
    memory = plan.boards.nbytes * 8 / len(plan.boards) / bits
    asked = " (asked: {:.1f} and {:.1f})".format(*(rate / 1e6 for rate in WANTED[size])) if size in WANTED else ""
    print(f"{size:>13}  {bare / 1e6:8.1f}  {planes / 1e6:8.1f}  {games / 1e6:8.3f}  {memory:6.2f}{asked}")
    return bare


def recorded_games(count: int) -> list[list[int]]:
    rng, games = random.Random(1), []
    for _ in range(count):
        position, columns = Position.start(), []
        while position.outcome is None:
            columns.append(rng.choice(position.legal_columns))
            position = position.drop(columns[-1])
        games.append(columns)
    return games


def rules_drops() -> float:
    games = recorded_games(300)
    return sum(map(len, games)) / quickest(lambda: [Position.from_moves(columns) for columns in games])


def pyspiel_drops() -> float:
    import pyspiel

    game, games = pyspiel.load_game("connect_four"), recorded_games(1000)

    def play() -> None:
        for columns in games:
            state = game.new_initial_state()
            for column in columns:
                state.apply_action(column)

    return sum(map(len, games)) / quickest(play)


def pettingzoo_drops() -> float:
    from pettingzoo.classic import connect_four_v3

    env, games = connect_four_v3.env(), recorded_games(20)

    def play() -> None:
        for columns in games:
            env.reset()
            for column in columns:
                env.step(column)

    return sum(map(len, games)) / quickest(play)


def pgx_drops() -> float:
    """Random games, compiled, as many side by side; Pgx draws its columns itself."""
    import jax
    import pgx

    env = pgx.make("connect_four")
    step, init = jax.jit(jax.vmap(env.step)), jax.jit(jax.vmap(env.init))
    state = init(jax.random.split(jax.random.PRNGKey(1), GAMES))
    plan = Plan("7x6x4")
    states = []
    for columns, _ in plan.steps[:7]:
        states.append((state, jax.numpy.array(columns)))
        state = step(*states[-1])
    return 7 * GAMES / quickest(lambda: [step(*pair)._step_count.block_until_ready() for pair in states])


def main() -> None:
    print("millions a second, one core; memory as a multiple of the board's bits")
    print(f"{'board':>13}  {'drops':>8}  {'+planes':>8}  {'games':>8}  {'memory':>6}")
    rates = {size: measure(size) for size in BOARDS}
    print("\n7x6x4, drops a second called from Python, and how many times as many Boards makes")
    peers = {"rules.Position": rules_drops, "pyspiel": pyspiel_drops, "PettingZoo": pettingzoo_drops, "Pgx": pgx_drops}
    for name, peer in peers.items():
        try:
            rate = peer()
        except ImportError as missing:
            print(f"{name:>15}  not installed ({missing.name})")
            continue
        print(f"{name:>15}  {rate:12,.0f}  {rates['7x6x4'] / rate:8,.0f} times")


if __name__ == "__main__":
    main()
