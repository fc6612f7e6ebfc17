"""Measures the cost of a drop on boards of every size. The same random games are played in the middle of each board.

python bench/rules.py
"""

import random
import time

from connectk.rules import Position, Variant

BOARDS = ["7x6x4", "20x20x4", "100x100x4", "1000x1000x4", "1000000x1000000x4", "1000000000x1000000000x4"]
GAME_COUNT, REPETITIONS = 300, 7


def random_game(rng: random.Random) -> list[int]:
    position, columns = Position.start(), []
    while position.outcome is None:
        columns.append(rng.choice(position.legal_columns))
        position = position.drop(columns[-1])
    return columns


def seconds_per_drop(variant: Variant, games: list[list[int]]) -> float:
    """Seconds per drop in the quickest of several rounds, which other programs have disturbed least."""
    left = variant.width // 2 - 3
    start = Position.start(variant)
    quickest = min(play_all(start, games, left) for _ in range(REPETITIONS))
    return quickest / sum(map(len, games))


def play_all(start: Position, games: list[list[int]], left: int) -> float:
    began = time.process_time()
    for columns in games:
        position = start
        for column in columns:
            position = position.drop(left + column)
    return time.process_time() - began


def main() -> None:
    rng = random.Random(1)
    games = [random_game(rng) for _ in range(GAME_COUNT)]
    costs = {board: seconds_per_drop(Variant.parse(board), games) for board in BOARDS}
    print(f"{'board':>26}  {'a drop':>8}  against 7x6")
    for board, cost in costs.items():
        print(f"{board:>26}  {cost * 1e6:5.2f} µs  {cost / costs['7x6x4']:.2f}")


if __name__ == "__main__":
    main()
