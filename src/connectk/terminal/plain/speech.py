"""Writes a position as a drawing or as sentences for a screen reader, and lists the threats of both sides."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from connectk.notation.window import window_of
from connectk.rules import Cell, Position, Side
from connectk.rules.threats import threats
from connectk.terminal.sentences import Discs
from connectk.texts import Texts

Names = Mapping[Side, str]
MAX_WHOLE_BOARD_CELLS = 10_000  # a larger board is drawn only around its last disc


@dataclass(frozen=True)
class BoardDescriber:
    """Draws boards. If the user chose `--no-board`, it describes them in sentences instead."""

    texts: Texts
    discs: Discs
    draws: bool = True

    def show(self, position: Position, numbers: Mapping[Cell, int] = MappingProxyType({})) -> str:
        """The board, drawn with an empty line above and below, or described in sentences."""
        return f"\n{draw_board(position, self.discs, numbers)}\n" if self.draws else self.describe(position)

    def describe(self, position: Position, names: Names = MappingProxyType({})) -> str:
        return describe_board(position, self.texts, names)

    def legend(self) -> list[str]:
        """The signs of both players' discs. Empty if no board is drawn."""
        if not self.draws:
            return []
        return [self.texts("coach.who", first=self.discs[Side.FIRST], second=self.discs[Side.SECOND])]

    def threats(self, position: Position, names: Names) -> str:
        """A sentence for each cell where a disc would complete a line. The sentence tells how many cells below this
        cell are still empty."""
        return "\n".join(self._threats(position, names)) or self.texts("spoken.no_threats")

    def _threats(self, position: Position, names: Names) -> Iterator[str]:
        for side in Side if position.outcome is None else ():
            for cell in sorted(threats(position, side)):
                below = cell.row - position.height_of(cell.column)
                where = {"name": names[side], "column": cell.column + 1, "row": cell.row + 1}
                yield (
                    self.texts("spoken.threat", count=below, **where)
                    if below
                    else self.texts("spoken.threat_now", **where)
                )


def describe_board(position: Position, texts: Texts, names: Names = MappingProxyType({})) -> str:
    """A sentence for each column that has discs. The sentence names the discs from the bottom up."""
    names = names or {side: texts(f"board.{side}") for side in Side}
    columns: dict[int, list[str]] = {}
    for cell, side in sorted(position.discs()):
        columns.setdefault(cell.column, []).append(names[side])
    lines = []
    for column, discs in columns.items():
        key = "spoken.column" if position.can_drop(column) or position.outcome else "spoken.full"
        lines.append(texts(key, column=column + 1, discs=", ".join(discs)))
    if not lines:
        return texts("spoken.empty")
    return "\n".join([*lines, *([texts("spoken.others")] if len(lines) < position.variant.width else [])])


def draw_board(position: Position, discs: Discs, numbers: Mapping[Cell, int] = MappingProxyType({})) -> str:
    """Draw the board, with the numbers of its columns below it. Discs in `numbers` show their number. Only a part of a
    large board is drawn."""
    window = window_of(position, MAX_WHOLE_BOARD_CELLS)
    won = set(position.winning_cells)
    signs = {cell: str(number) for cell, number in numbers.items()}
    digits = len(str(window.right))

    def drawn(cell: Cell) -> str:
        side = position.disc_at(*cell)
        sign = "." if side is None else signs.get(cell, discs[side])
        return f"{'(' if cell in won else ' '}{sign:>{digits}}{')' if cell in won else ' '}"

    lines = ["".join(drawn(Cell(column, row)) for column in window.columns) for row in reversed(window.rows)]
    lines.append("".join(f" {column + 1:>{digits}} " for column in window.columns))
    return "\n".join(line.rstrip() for line in lines)
