"""Walks every line of play of an explanation by the plain rules alone, to check its statements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from connectk.rules import Cell, Position, Side
from connectk.rules.threats import winning_columns
from connectk.why import Explanation
from tests.why.plain import within_reach

Statement = Mapping[str, Any]


@dataclass(frozen=True)
class Moment:
    """A board that a line of play reaches. `page` is the number of the keeper's current page."""

    position: Position
    page: int
    force: tuple[int, ...] = ()  # the remaining columns of the force
    first: bool = False  # the rival's next drop may have a page of its own


def moments(explanation: Explanation, start: Moment | None = None, unless: tuple[int, ...] = ()) -> set[Moment]:
    """All boards of all lines from here, leaving out lines that begin with a drop of the rival in `unless`."""
    start = start or Moment(explanation.position, 0, explanation.pages[0].force, first=True)
    found, left = {start}, [start]
    while left:
        moment = left.pop()
        for after in following(explanation, moment):
            column = after.position.last_drop.column
            if (moment is start and column in unless and start.first) or after in found:
                continue
            found.add(after)
            left.append(after)
    return found


def following(explanation: Explanation, moment: Moment) -> Iterator[Moment]:
    keeper, position = explanation.claim.keeper, moment.position
    if position.outcome is not None:
        return
    if position.side_to_move is not keeper:
        yield from after_each_reply(explanation, moment)
        return
    page = explanation.pages[moment.page]
    for column in winning_columns(position, keeper):
        yield Moment(position.drop(column), moment.page)
    if winning_columns(position, keeper):
        return
    if moment.force:
        yield Moment(position.drop(moment.force[0]), moment.page, moment.force[1:])
    else:
        yield Moment(position.drop(answer(page, position, keeper, moment.first)), moment.page, first=moment.first)


def after_each_reply(explanation: Explanation, moment: Moment) -> Iterator[Moment]:
    """The boards after each drop of the rival. The page changes if the reply has its own page and the keeper cannot win
    at once."""
    keeper, page = explanation.claim.keeper, explanation.pages[moment.page]
    for column in moment.position.legal_columns:
        after = moment.position.drop(column)
        if moment.first and column in page.replies and not winning_columns(after, keeper):
            number = page.replies[column]
            yield Moment(after, number, explanation.pages[number].force, first=True)
        else:
            yield Moment(after, moment.page, moment.force)


def answer(page, position: Position, keeper: Side, first: bool) -> int:
    if first:
        return page.drop
    blocks = winning_columns(position, keeper.other)
    cells = page.answers.get(position.last_drop, ())
    return (*blocks, *(cell.column for cell in cells if within_reach(position, cell)))[0]


def start_of(explanation: Explanation, statement: Statement) -> Moment:
    """The board that a statement is about, found by the place that the statement names."""
    position = explanation.position
    for column in statement["moves"]:
        position = position.drop(column)
    rival_moves = position.side_to_move is not explanation.claim.keeper
    page = explanation.pages[statement["page"]]
    return Moment(position, statement["page"], first=rival_moves and not page.force)


def is_true(explanation: Explanation, statement: Statement) -> bool:
    """Whether a statement is true in all the lines that it covers."""
    start, side = start_of(explanation, statement), Side[statement["side"].upper()]
    cells = [Cell(*cell) for cell in statement["cells"]]
    if not all(is_line_of(line) for line in statement["lines"]):
        return False
    return JUDGES[statement["kind"]](explanation, statement, start, side, cells)


def is_line_of(line) -> bool:
    (c, r), (d, s) = line[:2]
    return all(tuple(cell) == (c + i * (d - c), r + i * (s - r)) for i, cell in enumerate(line))


def lines_from(explanation: Explanation, statement: Statement, start: Moment) -> set[Moment]:
    return moments(explanation, start, tuple(statement["unless"]))


def has_won(position: Position, side: Side) -> bool:
    return position.outcome is not None and position.outcome.winner is side


def wins(explanation, statement, start, side, cells) -> bool:
    """Whether each line ends with a win of the side or, for the promise `holds`, at least with a draw."""
    ends = [one.position.outcome for one in lines_from(explanation, statement, start) if one.position.outcome]
    drawn = statement["kind"] == "holds"
    return bool(ends) and all(end.winner is side or (drawn and end.winner is None) for end in ends)


def zugzwang(explanation, statement, start, side, cells) -> bool:
    """Whether the side loses in every line and never fills the threat's cell, and in some line drops beneath it."""
    beneath, threat = cells
    assert threat == Cell(beneath.column, beneath.row + 1)
    reached = [moment.position for moment in lines_from(explanation, statement, start)]
    fell = [position for position in reached if position.last_drop == beneath and position.side_to_move is not side]
    return (
        bool(fell)
        and all(threat.column in winning_columns(position, side.other) for position in fell)
        and all(position.disc_at(*threat) is not side for position in reached)
        and not any(position.disc_at(*beneath) is side.other and position.outcome is None for position in reached)
        and all(position.outcome.winner is side.other for position in reached if position.outcome)
    )


def zugzwang_in_one(explanation, statement, start, side, cells) -> bool:
    """Whether the side loses in every line and each pair has a line that ends in it. In `count` pairs the other side
    drops into the first cell itself."""
    reached = [moment.position for moment in lines_from(explanation, statement, start)]
    ends = [position for position in reached if position.outcome]
    pairs = list(zip(cells[::2], cells[1::2], strict=True))
    decided = [
        any(one.last_drop == beneath and threat.column in winning_columns(one, side.other) for one in reached)
        for beneath, threat in pairs
        if threat == Cell(beneath.column, beneath.row + 1)
    ]
    given_up = sum(
        any(one.disc_at(*beneath) is side.other and one.outcome is None for one in reached) for beneath, _ in pairs
    )
    return (
        len(decided) == len(pairs) > 1
        and all(decided)
        and all(position.outcome.winner is side.other for position in ends)
        and given_up == statement["count"]
    )


def never_all(explanation, statement, start, side, cells) -> bool:
    reached = lines_from(explanation, statement, start)
    needed = all({tuple(cell) for cell in statement["cells"]} <= set(map(tuple, line)) for line in statement["lines"])
    return needed and not any(all(one.position.disc_at(*cell) is side for cell in cells) for one in reached)


def never_completes(explanation, statement, start, side, cells) -> bool:
    reached = lines_from(explanation, statement, start)
    lines = [[Cell(*cell) for cell in line] for line in statement["lines"]]
    return not any(all(one.position.disc_at(*cell) is side for cell in line) for one in reached for line in lines)


def threat(explanation, statement, start, side, cells) -> bool:
    """Whether, after any reply elsewhere, the side can complete a line in this cell at once."""
    (cell,) = cells
    others = [start.position.drop(column) for column in start.position.legal_columns if column != cell.column]
    return start.position.side_to_move is not side and all(completes_at(after, cell, side) for after in others)


def fork(explanation, statement, start, side, cells) -> bool:
    after_each = [start.position.drop(column) for column in start.position.legal_columns]
    return start.position.side_to_move is not side and all(
        any(completes_at(after, cell, side) for cell in cells) for after in after_each
    )


def loses_at_once(explanation, statement, start, side, cells) -> bool:
    reply, win = cells
    after = start.position.drop(reply.column)
    return after.last_drop == reply and start.position.side_to_move is side and completes_at(after, win, side.other)


def completes(explanation, statement, start, side, cells) -> bool:
    return has_won(start.position, side) and start.position.last_drop == cells[0]


def forced(explanation, statement, start, side, cells) -> bool:
    """Whether each drop of the side leaves one safe reply, and the last drop leaves the stated number of safe
    replies."""
    position, drops = explanation.position, []
    for column in statement["moves"]:
        if position.side_to_move is side.other and safe_columns(position, side) != [column]:
            return False
        if position.side_to_move is side:
            drops.append(Cell(column, position.height_of(column)))
        position = position.drop(column)
    left = 0 if position.outcome else len(safe_columns(position, side))
    return drops[-len(cells) :] == cells and left == statement["count"]


def safe_columns(position: Position, side: Side) -> list[int]:
    return [column for column in position.legal_columns if not winning_columns(position.drop(column), side)]


def gives_away(explanation, statement, start, side, cells) -> bool:
    """Whether both cells are empty and the side has the rest of each line, so that nobody can safely drop into the
    lower cell."""
    beneath, threat = cells
    position = start.position
    open_cells = position.disc_at(*beneath) is None and position.disc_at(*threat) is None
    others = [[Cell(*cell) for cell in line if tuple(cell) != tuple(threat)] for line in statement["lines"]]
    owned = all(len(line) == position.variant.run - 1 for line in others) and others
    return bool(owned) and open_cells and all(position.disc_at(*cell) is side for line in others for cell in line)


def rest_left(explanation, statement, start, side, cells) -> bool:
    position, (beneath,) = start.position, cells
    empty = [
        Cell(column, row)
        for column in range(position.variant.width)
        for row in range(position.height_of(column), position.variant.height)
        if column != beneath.column or row < beneath.row
    ]
    return position.side_to_move is side and len(empty) == statement["count"]


def on_top(explanation, statement, start, side, cells) -> bool:
    answers = explanation.pages[statement["page"]].answers
    above = [cell for cell, some in answers.items() if some[0] == Cell(cell.column, cell.row + 1)]
    return (len(above), len(answers)) == (statement["count"], statement["of"])


def ends_at(explanation, statement, start, side, cells) -> bool:
    ends = [one.position for one in lines_from(explanation, statement, start) if one.position.outcome]
    return bool(ends) and all(has_won(one, side) and one.last_drop in cells for one in ends)


def completes_at(position: Position, cell: Cell, side: Side) -> bool:
    return (
        position.outcome is None
        and within_reach(position, cell)
        and has_won(position.drop(cell.column), side)
        and position.side_to_move is side
    )


JUDGES = {
    "wins": wins,
    "holds": wins,
    "zugzwang": zugzwang,
    "zugzwang_in_one": zugzwang_in_one,
    "never_all": never_all,
    "never_completes": never_completes,
    "threat": threat,
    "fork": fork,
    "completes": completes,
    "loses_at_once": loses_at_once,
    "forced": forced,
    "gives_away": gives_away,
    "rest_left": rest_left,
    "on_top": on_top,
    "ends_at": ends_at,
}
