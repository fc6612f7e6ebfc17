"""Measures the leaves per second of the search with a network, on one core. The evaluator takes almost no time.

python bench/network.py
"""

import time
from typing import Any

import numpy as np

from connectk.arrays import Boards
from connectk.envs.network_search import network_search

BATCH_SIZE, EVALUATION_COUNT = 256, 200_000
CASES = [
    ("one game, PUCT", 1, 20_000, 0),
    ("one game, Gumbel root", 1, 20_000, 7),
    ("256 games, Gumbel root", 256, 64, 7),
]


class Stub:
    """An evaluator that only counts the leaves. It gives each leaf the value 0 and an even policy."""

    def __init__(self) -> None:
        self.leaves = 0
        self.values, self.logits = np.zeros(BATCH_SIZE, np.float32), np.zeros((BATCH_SIZE, 7), np.float32)

    def __call__(self, planes: Any, masks: Any) -> tuple[Any, Any]:
        self.leaves += len(planes)
        return self.values[: len(planes)], self.logits[: len(planes)]


def leaves_per_second(games: int, simulations: int, considered: int) -> float:
    rates = []
    for _ in range(3):
        stub, began = Stub(), time.process_time()
        network_search(Boards(count=games), stub, simulations=simulations, considered=considered, batch=BATCH_SIZE)
        rates.append(stub.leaves / (time.process_time() - began))
    return max(rates)


def main() -> None:
    print(f"leaves a second in batches of up to {BATCH_SIZE}; asked: {EVALUATION_COUNT:,}")
    for name, games, simulations, considered in CASES:
        print(f"{name:>25}  {leaves_per_second(games, simulations, considered):12,.0f}")


if __name__ == "__main__":
    main()
