"""The exact values of empty boards under perfect play: the winner, the last disc, and the score of each first disc.

The rows that ship with connectk are in `empty_boards.jsonl`, one on each line.

>>> from connectk.rules import Variant
>>> shipped_atlas()[Variant(7, 6, 4)].first_moves
(-2, -1, 0, 1, 0, -1, -2)
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from connectk.errors import NotationError
from connectk.files import write_file
from connectk.notation.files import read_text
from connectk.rules import Outcome, Position, Side, Variant
from connectk.solver import Solver
from connectk.solver.solution import plies_to_end
from connectk.watch import Progress, Stop

SHIPPED_FILE = Path(__file__).parent / "empty_boards.jsonl"

Atlas = dict[Variant, "AtlasRow"]


@dataclass(frozen=True, slots=True)
class AtlasRow:
    """The value of one empty board.

    `first_moves` has the score of each column for the first player. A win with the last possible disc scores 1, and a
    win one disc earlier scores one more. `nodes` and `seconds` are the cost of the search without an opening book.
    """

    variant: Variant
    first_moves: tuple[int, ...]
    nodes: int
    seconds: float

    @property
    def score(self) -> int:
        """The score of the empty board for the first player."""
        return max(self.first_moves)

    @property
    def outcome(self) -> Outcome:
        """The result of a game with perfect play."""
        return Outcome(winner=Side.FIRST if self.score > 0 else Side.SECOND if self.score else None)

    @property
    def last_disc(self) -> int:
        """The number of discs on the board when a game with perfect play ends."""
        return plies_to_end(self.variant, 0, self.score)

    def to_json(self) -> dict[str, Any]:
        """The row as JSON. It includes the winner and the last disc for readers without connectk, although these follow
        from the scores."""
        winner = self.outcome.winner
        return {
            "variant": str(self.variant),
            "winner": str(winner) if winner else None,
            "last_disc": self.last_disc,
            "first_moves": list(self.first_moves),
            "nodes": self.nodes,
            "seconds": round(self.seconds, 3),
        }


def solve_board(
    variant: Variant, *, threads: int = 1, stop: Stop | None = None, progress: Progress | None = None
) -> AtlasRow | None:
    """Solve every first move of an empty board by search alone. None if `stop` is set before the search ends."""
    solver = Solver(variant, threads=threads, book=False)
    columns = solver.find_columns(Position.start(variant), stop=stop, progress=progress)
    found = [column for column in columns if column is not None and column.score is not None]
    if len(found) < variant.width:
        return None
    nodes, seconds = sum(column.nodes for column in found), sum(column.seconds for column in found)
    return AtlasRow(variant, tuple(column.lower for column in found), nodes, seconds)


@cache
def shipped_atlas() -> Atlas:
    """The rows that ship with connectk."""
    return read_atlas(SHIPPED_FILE)


def read_atlas(path: Path) -> Atlas:
    """Read the rows of a file."""
    rows: Atlas = {}
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        row = _row(line, path, number)
        rows[row.variant] = row
    return rows


def write_atlas(path: Path, rows: Iterable[AtlasRow]) -> None:
    """Write the rows to a file, one on each line."""
    write_file(path, "".join(f"{json.dumps(row.to_json())}\n" for row in rows))


def _row(line: str, path: Path, number: int) -> AtlasRow:
    try:
        facts = json.loads(line)
        scores = tuple(map(int, facts["first_moves"]))
        row = AtlasRow(Variant.parse(facts["variant"]), scores, int(facts["nodes"]), float(facts["seconds"]))
    except (ValueError, KeyError, TypeError) as error:
        raise NotationError("error.no_atlas_row", file=path, line=number) from error
    if len(row.first_moves) != row.variant.width or row.to_json() != facts:
        raise NotationError("error.no_atlas_row", file=path, line=number)
    return row
