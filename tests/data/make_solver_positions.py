"""Makes the position sets in tests/data/solver: random positions with their exact scores.

    python tests/data/make_solver_positions.py

Every score comes from connectk's search without a book, and another solver checks it before it is written. A plain
search by the rules checks positions with few empty cells. `bitbully` (pip install bitbully) checks the others, which
are all of the classic board.
"""

from __future__ import annotations

import random
from pathlib import Path

from tests.solver.plain import plain_score

from connectk.notation import write_moves
from connectk.rules import Position, Variant
from connectk.solver import Solver

FOLDER = Path(__file__).parent / "solver"
SEED = 20261115
MAX_EMPTY_FOR_PLAIN_SEARCH = 11

# Plies are chosen so that every position is checked by someone and solved quickly.
SETS = {
    "7x6x4": [ply for ply in range(8, 42) for _ in range(12)],
    "5x5x4": [ply for ply in range(14, 25) for _ in range(6)],
    "6x7x4": [ply for ply in range(31, 42) for _ in range(6)],
    "8x3x3": [ply for ply in range(13, 24) for _ in range(6)],
    "4x9x5": [ply for ply in range(25, 36) for _ in range(6)],
    "9x9x5": [ply for ply in range(72, 81) for _ in range(4)],
    "12x8x6": [ply for ply in range(87, 96) for _ in range(4)],
}


def main() -> None:
    dice = random.Random(SEED)
    FOLDER.mkdir(exist_ok=True)
    for name, plies in SETS.items():
        solver = Solver(Variant.parse(name), book=False)
        lines = [line_of(solver, *random_game(dice, solver.variant, ply)) for ply in plies]
        (FOLDER / f"{name}.txt").write_text("".join(lines), encoding="utf-8")
        print(f"{name}: {len(lines)} positions, all checked")


def random_game(dice: random.Random, variant: Variant, ply: int) -> tuple[Position, list[int]]:
    """A position after `ply` random drops, none of which wins."""
    while True:
        position, columns = Position.start(variant), list[int]()
        while position.outcome is None and position.ply < ply:
            quiet = [c for c in position.legal_columns if not won(position.drop(c))] or list(position.legal_columns)
            columns.append(dice.choice(quiet))
            position = position.drop(columns[-1])
        if position.outcome is None:
            return position, columns


def won(position: Position) -> bool:
    return position.outcome is not None and position.outcome.winner is not None


def line_of(solver: Solver, position: Position, columns: list[int]) -> str:
    found = solver.find(position)
    checked = second_opinion(position, columns)
    if not found.exact or found.lower != checked:
        raise SystemExit(f"{position}\nsolver: {found}, second opinion: {checked}")
    return f"{write_moves(columns, position.variant)} {found.lower}\n"


def second_opinion(position: Position, columns: list[int]) -> int:
    if position.variant.cells - position.ply <= MAX_EMPTY_FOR_PLAIN_SEARCH:
        return plain_score(position)
    from bitbully import bitbully_core

    board = bitbully_core.BoardCore()
    if not board.setBoard(columns):
        raise SystemExit(f"bitbully does not take {columns}")
    return int(bitbully_core.BitBullyCore().mtdf(board, 0))


if __name__ == "__main__":
    main()
