"""Several threads call the core at once, truly in parallel in a Python without a global lock."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from connectk import Position, Variant, score_columns, solve, solve_many
from connectk.referee import judge_bytes
from connectk.solver import Solver

THREADS = 4
LINES = ["44444135", "1234567", "4455", "32164625"]
SMALL = Variant(5, 4, 4)
SHARED_SOLVER = Solver(SMALL)


CALLS: dict[str, Callable[[int], object]] = {
    "solve": lambda i: solve(Position.from_moves("1122" + "1234"[i], SMALL)).score,
    "score_columns": lambda i: score_columns(Position.from_moves("335" + "1234"[i], SMALL)),
    "solve_many": lambda i: [found.score for found in solve_many([Position.from_moves("44" + "1234"[i], SMALL)])],
    "one solver": lambda i: SHARED_SOLVER.solve(Position.from_moves("1155" + "1234"[i], SMALL)).score,
    "judge": lambda i: judge_bytes(f"7 6 4\n{chr(10).join(LINES[i])}\n".encode()),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_threads_get_the_answers_that_one_thread_gets(call: Callable[[int], object]) -> None:
    alone = [repr(call(i)) for i in range(THREADS)]
    start = Barrier(THREADS)

    def at_once(i: int) -> str:
        start.wait()
        return repr(call(i))

    with ThreadPoolExecutor(THREADS) as pool:
        for _ in range(3):
            assert list(pool.map(at_once, range(THREADS))) == alone
