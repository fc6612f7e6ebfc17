"""Why a move was a blunder, and what was better: the threat that decided it, in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from connectk.engine.drops import centre_first
from connectk.engine.threats import makes_fork, threats, winning_columns
from connectk.review.judging import Judged
from connectk.rules import Cell, Position, Side

BestLine = Callable[[Position], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Reason:
    """A sentence, the cells it is about, and how play should have gone on."""

    text: str
    cells: tuple[Cell, ...] = ()
    line: tuple[int, ...] = ()


def explain(position: Position, played: int, judged: Judged, best_line: BestLine) -> Reason:
    """The plainest reason there is: a missed win, a win allowed, two threats at once, or a threat that lasts."""
    better = _better_line(position, judged, best_line)
    found = (
        _missed_win(position)
        or _allowed_win(position, played)
        or _allowed_fork(position, played)
        or _missed_fork(position, judged)
        or _missed_lasting_threat(position, judged, better)
        or _allowed_lasting_threat(position.drop(played), judged, played, best_line)
        or _preference(judged)
    )
    return Reason(found.text, found.cells, better)


def _better_line(position: Position, judged: Judged, best_line: BestLine) -> tuple[int, ...]:
    column = judged.best_columns[0]
    return (column, *(best_line(position.drop(column)) if judged.exact else ()))


def _missed_win(position: Position) -> Reason | None:
    columns = winning_columns(position, position.side_to_move)
    if not columns:
        return None
    return Reason(f"{_columns(columns)} made {_run(position)} at once.", _tops(position, columns))


def _allowed_win(position: Position, played: int) -> Reason | None:
    after, winner = position.drop(played), position.side_to_move.other
    columns = winning_columns(after, winner)
    if not columns:
        return None
    if played in columns:
        text = f"It lets {winner} drop on top of it and make {_run(position)}."
    else:
        text = f"It leaves {_columns(columns).lower()}, where {winner} makes {_run(position)}."
    return Reason(text, _tops(after, columns))


def _allowed_fork(position: Position, played: int) -> Reason | None:
    after = position.drop(played)
    column = _forking_column(after)
    if column is None:
        return None
    cells = _fork_cells(after, column)
    return Reason(f"It lets {after.side_to_move} play column {column + 1}, with {_two_threats(cells)}.", cells)


def _missed_fork(position: Position, judged: Judged) -> Reason | None:
    column = next((column for column in judged.best_columns if makes_fork(position, column)), None)
    if column is None:
        return None
    cells = _fork_cells(position, column)
    return Reason(f"Column {column + 1} made {_two_threats(cells)}; only one can be stopped.", cells)


def _forking_column(position: Position) -> int | None:
    return next((column for column in centre_first(position) if makes_fork(position, column)), None)


def _fork_cells(position: Position, column: int) -> tuple[Cell, ...]:
    """Where the two threats are, playable ones first; one may lie on top of the other."""
    after, side = position.drop(column), position.side_to_move
    cells = sorted(threats(after, side), key=lambda cell: (cell.row - after.height_of(cell.column), cell))
    return tuple(cell for cell in cells if cell.row - after.height_of(cell.column) <= 1)[:2]


def _two_threats(cells: tuple[Cell, ...]) -> str:
    columns = sorted({cell.column + 1 for cell in cells})
    if len(columns) == 1:
        return f"two threats at once, one above the other in column {columns[0]}"
    return f"two threats at once, in columns {columns[0]} and {columns[1]}"


def _missed_lasting_threat(position: Position, judged: Judged, line: tuple[int, ...]) -> Reason | None:
    """The win that was there, followed to its end."""
    if not judged.exact or judged.best <= 0:
        return None
    end = _deciding_cell(position, line)
    if end is None:
        return None
    return _lasting(position, line, f"Column {line[0] + 1} kept the win", position.side_to_move, end)


def _allowed_lasting_threat(after: Position, judged: Judged, played: int, best_line: BestLine) -> Reason | None:
    """The loss that followed, to its end."""
    if not judged.exact or judged.scores[played] >= 0:
        return None
    line = best_line(after)
    end = _deciding_cell(after, line)
    return None if end is None else _lasting(after, line, "It loses", after.side_to_move, end)


def _deciding_cell(position: Position, line: tuple[int, ...]) -> Cell | None:
    """Where the winning disc falls when the line is played out."""
    for column in line:
        position = position.drop(column)
    won = position.outcome is not None and position.outcome.winner is not None
    return position.last_drop if won else None


def _lasting(position: Position, line: tuple[int, ...], claim: str, winner: Side, cell: Cell) -> Reason:
    """A threat that is there already, one that will be, or a line made in open play."""
    loser, where, move = winner.other, f"column {cell.column + 1}, row {cell.row + 1}", position.ply + len(line)
    parity = "an odd row" if cell.row % 2 == 0 else "an even row"
    if len(line) < 2 or line[-2] != cell.column:
        text = f"with best play {winner} makes {_run(position)} at {where} on move {move}."
    elif cell in threats(position, winner):
        text = f"{winner}'s threat at {where}, {parity}, lasts until {loser} has to drop beneath it (move {move - 1})."
    else:
        text = f"with best play {loser} in the end has to drop beneath {where}, {parity}, where {winner} wins."
    return Reason(f"{claim}: {text}", (cell,))


def _preference(judged: Judged) -> Reason:
    who = "The exact score" if judged.exact else "The engine's estimate"
    return Reason(f"{who} prefers {_columns(judged.best_columns).lower()}.")


def _columns(columns: tuple[int, ...] | list[int]) -> str:
    """Column 3; columns 3 and 5."""
    names = [str(column + 1) for column in columns]
    return f"Column {names[0]}" if len(names) == 1 else f"Columns {', '.join(names[:-1])} and {names[-1]}"


def _tops(position: Position, columns: list[int]) -> tuple[Cell, ...]:
    return tuple(Cell(column, position.height_of(column)) for column in columns)


def _run(position: Position) -> str:
    return f"{position.variant.run} in a row"
