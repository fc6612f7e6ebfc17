"""Names for the answers of a page: Victor Allis's rules, and the lines of the rival that each of them stops.

The nine rules are those of his thesis of 1988. Here they only tell a person what a table of answers does. The proof is
the checker's, which knows none of these names; and a rule is named only where its promise was kept in every position
that the checker came to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain, combinations

from connectk.rules import Cell, Position, Side, lines_of
from connectk.rules.threats import threats
from connectk.why.explanation import Page

Line = tuple[Cell, ...]
Taken = Callable[[frozenset[Cell]], bool]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule at work. `groups` are sets of cells of which the rival never gets all; `lines` are stopped by that."""

    name: str
    cells: tuple[Cell, ...]
    groups: tuple[frozenset[Cell], ...]
    lines: tuple[Line, ...] = ()


def above(cell: Cell) -> Cell:
    return Cell(cell.column, cell.row + 1)


def is_even(cell: Cell) -> bool:
    """Rows are counted from 1 when they are called odd or even."""
    return cell.row % 2 == 1


def rules_of(
    position: Position, page: Page, keeper: Side, taken: Taken = lambda cells: False, only: str | None = None
) -> tuple[list[Rule], list[Line]]:
    """The rules that a page's answers amount to, each with the lines it stops, and the lines that none of them does.

    The position is the one after the page's own drop, the rival to move; `taken` tells whether the rival ever comes to
    have all of some cells (`checker.RivalDiscs`): then they are not what a rule stops. `only` asks for one rule by its
    name.
    """
    table = _Table(position, page, keeper)
    left, used = table.rival_lines(), []
    for rule in chain.from_iterable(find(table) for find in ([RULES[only]] if only else RULES.values())):
        fits = [group for group in rule.groups if any(group <= set(line) for line in left)]
        kept = [group for group in fits if not taken(group)]
        stopped = tuple(line for line in left if any(group <= set(line) for group in kept))
        if stopped:
            used.append(Rule(rule.name, rule.cells, tuple(kept), stopped))
            left = left if only else [line for line in left if line not in stopped]
    return used, left


class _Table:
    def __init__(self, position: Position, page: Page, keeper: Side) -> None:
        self.position, self.keeper = position, keeper
        self.answers = page.answers
        variant = position.variant
        self.reachable = [Cell(c, position.height_of(c)) for c in position.legal_columns]
        self.lines = list(lines_of(variant))
        self.pairs = [cell for cell, answers in self.answers.items() if answers[:1] == (above(cell),)]
        self.claimed = {above(cell) for cell in self.pairs if is_even(above(cell))}

    def rival_lines(self) -> list[Line]:
        """Those that the rival could still complete, and that have an empty cell."""
        return [line for line in self.lines if self.open_for(line, self.keeper.other)]

    def open_for(self, line: Line, side: Side) -> bool:
        owners = {self.position.disc_at(*cell) for cell in line}
        return None in owners and side.other not in owners

    def empty_in(self, line: Line) -> list[Cell]:
        return [cell for cell in line if self.position.disc_at(*cell) is None]

    def answered(self, cell: Cell, answer: Cell) -> bool:
        return answer in self.answers.get(cell, ())

    def zugzwang(self) -> Iterator[Rule]:
        """A threat of the keeper over a cell that no answer goes to: the rival gets nothing from that cell on up."""
        answers = {answer for some in self.answers.values() for answer in some}
        for cell in sorted(threats(self.position, self.keeper)):
            beneath = Cell(cell.column, cell.row - 1)
            if beneath.row >= self.position.height_of(cell.column) and beneath not in answers:
                rows = range(beneath.row, self.position.variant.height)
                yield Rule("zugzwang", (cell,), tuple(frozenset({Cell(cell.column, row)}) for row in rows))

    def claimeven(self) -> Iterator[Rule]:
        """The rival's disc in an odd row is followed by one right above it, in an even row."""
        for cell in self.pairs:
            if is_even(above(cell)):
                yield Rule("claimeven", (cell, above(cell)), (frozenset({above(cell)}),))

    def vertical(self) -> Iterator[Rule]:
        """The rival's disc is followed by one right above it: not both of them are the rival's."""
        for cell in self.pairs:
            if not is_even(above(cell)):
                yield Rule("vertical", (cell, above(cell)), (frozenset({cell, above(cell)}),))

    def baseinverse(self) -> Iterator[Rule]:
        """Of two cells within reach, whoever takes one leaves the other."""
        for one, other in combinations(self.reachable, 2):
            if self.answers.get(one, ())[:1] == (other,) and self.answers.get(other, ())[:1] == (one,):
                yield Rule("baseinverse", (one, other), (frozenset({one, other}),))

    def lowinverse(self) -> Iterator[Rule]:
        """Two verticals: of their upper cells the rival does not get both."""
        lows = [cell for cell in self.pairs if not is_even(above(cell))]
        for one, other in combinations(lows, 2):
            if one.column != other.column:
                cells = (one, above(one), other, above(other))
                yield Rule("lowinverse", cells, (frozenset({above(one), above(other)}),))

    def highinverse(self) -> Iterator[Rule]:
        """Two verticals with a claimed cell on top of each: the rival gets no two of the tops, nor of the middles."""
        lows = [c for c in self.pairs if not is_even(above(c)) and self.answered(above(c), above(above(c)))]
        for one, other in combinations(lows, 2):
            if one.column == other.column:
                continue
            cells = tuple(cell for low in (one, other) for cell in (low, above(low), above(above(low))))
            tops = frozenset({above(above(one)), above(above(other))})
            mixed = [frozenset({low, cells[5 - i * 3]}) for i, low in enumerate((one, other)) if low in self.reachable]
            upper = [frozenset({above(low), above(above(low))}) for low in (one, other)]
            yield Rule("highinverse", cells, (tops, frozenset({above(one), above(other)}), *upper, *mixed))

    def aftereven(self) -> Iterator[Rule]:
        """A line that the keeper completes with claimed cells alone: the rival has to be done before, and is not."""
        for line in self.lines:
            empty = self.empty_in(line) if self.open_for(line, self.keeper) else []
            if empty and all(cell in self.claimed for cell in empty):
                yield Rule("aftereven", tuple(empty), tuple(self.one_above_each(empty)))

    def one_above_each(self, cells: list[Cell], least: int = 1) -> Iterator[frozenset[Cell]]:
        """Every choice of one cell above each of these."""
        groups: list[frozenset[Cell]] = [frozenset()]
        for cell in cells:
            rows = range(cell.row + least, self.position.variant.height)
            groups = [group | {Cell(cell.column, row)} for group in groups for row in rows]
        return iter(groups)

    def baseclaim(self) -> Iterator[Rule]:
        """Three cells within reach and the one above the second: the first is answered by the third, and the like."""
        for first, second, third in self.triples():
            top = above(second)
            held = self.answered(first, third) and self.answered(second, third) and self.answered(third, second)
            if is_even(top) and held and (self.answered(second, top) or self.answered(top, first)):
                groups = (frozenset({first, top}), frozenset({second, third}))
                yield Rule("baseclaim", (first, second, third, top), groups)

    def triples(self) -> Iterator[tuple[Cell, Cell, Cell]]:
        for cells in combinations(self.reachable, 3):
            for second in cells:
                first, third = (cell for cell in cells if cell is not second)
                yield first, second, third
                yield third, second, first

    def before(self) -> Iterator[Rule]:
        """A line of the keeper whose cells are all answered right above: either it is completed, or one of the cells
        above it is the keeper's."""
        for _, empty in self.keeper_lines():
            if all(cell in self.pairs or cell in self.claimed for cell in empty):
                yield Rule("before", tuple(empty), (frozenset(above(cell) for cell in empty),))

    def specialbefore(self) -> Iterator[Rule]:
        """The same with one cell within reach that is paired with another one within reach."""
        for line, empty in self.keeper_lines():
            loose = [cell for cell in empty if cell not in self.pairs and cell not in self.claimed]
            for other in self.reachable if len(loose) == 1 and loose[0] in self.reachable else ():
                if other not in line and self.answered(other, loose[0]):
                    cells = frozenset(above(cell) for cell in empty if cell != loose[0])
                    yield Rule("specialbefore", (*empty, other), (cells | {other, above(loose[0])},))

    def keeper_lines(self) -> Iterator[tuple[Line, list[Cell]]]:
        """Lines that the keeper could complete and that do not reach the top row."""
        top = self.position.variant.height - 1
        for line in self.lines:
            if self.open_for(line, self.keeper):
                empty = self.empty_in(line)
                if all(cell.row < top for cell in empty):
                    yield line, empty


# By name, from the plainest to the most involved: a line is told with the first rule that stops it.
RULES: dict[str, Callable[[_Table], Iterator[Rule]]] = {
    "zugzwang": _Table.zugzwang,
    "claimeven": _Table.claimeven,
    "baseinverse": _Table.baseinverse,
    "vertical": _Table.vertical,
    "aftereven": _Table.aftereven,
    "lowinverse": _Table.lowinverse,
    "highinverse": _Table.highinverse,
    "baseclaim": _Table.baseclaim,
    "before": _Table.before,
    "specialbefore": _Table.specialbefore,
}
NAMES = tuple(RULES)
