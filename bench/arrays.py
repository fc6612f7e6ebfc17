"""Measures many boards at once: drops, full steps and random games per second on one core, beside other packages that
are installed.

A full step makes a drop, computes the outcome, the open columns and the planes, and restarts the games that are over.
An agent needs all of this, and Pgx's step with auto-reset does the same. All packages are measured with the same step.

python bench/arrays.py            # pip install open_spiel pettingzoo 'pgx' to see those beside it
"""

import random
import time
from collections.abc import Callable

import numpy as np

from connectk.arrays import Boards
from connectk.rules import Position

BOARDS = ["7x6x4", "8x8x4", "9x7x5", "20x20x5", "100x100x5", "1000x1000x5"]
TARGET_STEPS_PER_SECOND = {
    "7x6x4": (40e6, 20e6),
    "9x7x5": (20e6, 10e6),
    "20x20x5": (5e6, 2.5e6),
}  # drops, and full steps
GAME_COUNT, MAX_PLIES, REPETITIONS = 4096, 100, 7
OPPONENTS = ["random", "greedy", "level:1", "level:3", "level:5", "minimax:2"]
LARGE_BOARD_GAME_COUNT = 64  # games on a board of more than a thousand cells


def quickest(work: Callable[[], object]) -> float:
    """The processor seconds of the quickest round, which other programs have disturbed least."""
    times = []
    for _ in range(REPETITIONS):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


class Plan:
    """Random drops for many games, chosen before the measurement. Games that end start again within the measured
    time."""

    def __init__(self, size: str) -> None:
        self.boards = Boards(size, GAME_COUNT if Boards(size).variant.cells <= 1000 else LARGE_BOARD_GAME_COUNT)
        self.drops = len(self.boards) * MAX_PLIES
        self.steps = [self._step(seed) for seed in range(MAX_PLIES)]
        self.out = self.boards.planes()

    def _step(self, seed: int) -> tuple[np.ndarray, np.ndarray]:
        columns = self.boards.random_columns(seed)
        self.boards.drop(columns)
        over = np.flatnonzero(self.boards.outcome >= 0)
        self.boards.reset(over)
        return columns, over

    def play(self) -> None:
        self.boards.reset()
        for columns, over in self.steps:
            self.boards.drop(columns)
            self.boards.reset(over)

    def step(self) -> None:
        self.boards.reset()
        for columns, _ in self.steps:
            self.boards.step(columns, self.out, restart=True)

    def play_out(self) -> None:
        self.boards.reset()
        self.boards.play_out(1)


def measure(size: str) -> float:
    """Print a line of the table, and return the full steps per second."""
    plan = Plan(size)
    bare = plan.drops / quickest(plan.play)
    full = plan.drops / quickest(plan.step)
    games = len(plan.boards) / quickest(plan.play_out)
    bits = plan.boards.variant.width * (plan.boards.variant.height + 1)
    memory = plan.boards.nbytes * 8 / len(plan.boards) / bits
    asked = (
        " (asked: {:.1f} and {:.1f})".format(*(rate / 1e6 for rate in TARGET_STEPS_PER_SECOND[size]))
        if size in TARGET_STEPS_PER_SECOND
        else ""
    )
    print(f"{size:>13}  {bare / 1e6:8.1f}  {full / 1e6:10.1f}  {games / 1e6:8.3f}  {memory:6.2f}{asked}")
    return full


def recorded_games(count: int) -> list[list[int]]:
    rng, games = random.Random(1), []
    for _ in range(count):
        position, columns = Position.start(), []
        while position.outcome is None:
            columns.append(rng.choice(position.legal_columns))
            position = position.drop(columns[-1])
        games.append(columns)
    return games


def rules_steps() -> float:
    """Measure drops alone, because a `Position` computes everything else only when it is used."""
    games = recorded_games(300)
    return sum(map(len, games)) / quickest(lambda: [Position.from_moves(columns) for columns in games])


def pyspiel_steps() -> float:
    import pyspiel

    game, games = pyspiel.load_game("connect_four"), recorded_games(300)

    def play() -> None:
        for columns in games:
            state = game.new_initial_state()
            for column in columns:
                state.apply_action(column)
                if not state.is_terminal():
                    state.legal_actions_mask()
                    state.observation_tensor()

    return sum(map(len, games)) / quickest(play)


def pettingzoo_steps() -> float:
    from pettingzoo.classic import connect_four_v3

    env, games = connect_four_v3.env(), recorded_games(20)

    def play() -> None:
        for columns in games:
            env.reset()
            for column in columns:
                env.last()
                env.step(column)

    return sum(map(len, games)) / quickest(play)


def pgx_steps() -> float:
    """The steps per second of Pgx, compiled and with auto-reset, on the same drops and number of games."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("connect_four")
    init = jax.jit(jax.vmap(env.init))
    step = jax.jit(jax.vmap(auto_reset(env.step, env.init)))
    keys = jax.random.split(jax.random.PRNGKey(1), GAME_COUNT)
    plan, state, states = Plan("7x6x4"), init(keys), []
    for columns, _ in plan.steps:
        states.append((state, jax.numpy.array(columns)))
        state = step(*states[-1], keys)

    def play() -> None:
        for before, columns in states:
            after = step(before, columns, keys)
            jax.block_until_ready((after.observation, after.legal_action_mask, after.terminated))

    return len(states) * GAME_COUNT / quickest(play)


def opponents() -> None:
    """Print the steps per second of the vector environment. The time includes the answers of a named opponent."""
    from connectk.envs.gymnasium import ConnectKVectorEnv

    print("\n7x6x4, steps a second of the vector environment against a named opponent, one core")
    for name in OPPONENTS:
        env = ConnectKVectorEnv(GAME_COUNT, opponent=name)
        env.reset(seed=1)

        def play(env: ConnectKVectorEnv = env) -> None:
            for seed in range(20):
                env.step(env.boards.random_columns(seed))

        print(f"{name:>15}  {20 * GAME_COUNT / quickest(play):12,.0f}")


def main() -> None:
    print("millions a second, one core; memory as a multiple of the board's bits")
    print(f"{'board':>13}  {'drops':>8}  {'full steps':>10}  {'games':>8}  {'memory':>6}")
    rates = {size: measure(size) for size in BOARDS}
    print("\n7x6x4, full steps a second called from Python, and how many times as many Boards makes")
    peers = {"rules.Position": rules_steps, "pyspiel": pyspiel_steps, "PettingZoo": pettingzoo_steps, "Pgx": pgx_steps}
    for name, peer in peers.items():
        try:
            rate = peer()
        except ImportError as missing:
            print(f"{name:>15}  not installed ({missing.name})")
            continue
        print(f"{name:>15}  {rate:12,.0f}  {rates['7x6x4'] / rate:8,.0f} times")
    opponents()


if __name__ == "__main__":
    main()
