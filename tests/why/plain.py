"""Plays through an explanation slowly, by the plain rules alone, to test the checker."""

from connectk.rules import Cell, Position, Side
from connectk.rules.threats import winning_columns
from connectk.why import Explanation, Page, Promise

_known: dict[tuple[int, int], set[Position]] = {}  # positions that have already been played through


def holds(explanation: Explanation) -> bool:
    _known.clear()
    if explanation.position.outcome is not None:
        return False
    return _page_holds(explanation, 0, explanation.position)


def _page_holds(explanation: Explanation, number: int, position: Position) -> bool:
    keeper = explanation.claim.keeper
    if not 0 <= number < len(explanation.pages):
        return False
    page = explanation.pages[number]
    if page.force:
        return position.side_to_move is keeper and _force_holds(page.force, position, keeper)
    if (position.side_to_move is keeper) != (page.drop is not None):
        return False
    if page.drop is not None:
        if not position.can_drop(page.drop):
            return False
        position = position.drop(page.drop)
    return _answers_hold(explanation, page, position, first=True)


def _force_holds(drops: tuple[int, ...], position: Position, keeper: Side) -> bool:
    if not drops or not position.can_drop(drops[0]):
        return False
    after = position.drop(drops[0])
    if after.outcome is not None:
        return after.outcome.winner is keeper
    left = []
    for column in after.legal_columns:
        reply = after.drop(column)
        if reply.outcome is not None and reply.outcome.winner is not None:
            return False
        if not winning_columns(reply, keeper):
            left.append(reply)
    return not left or (len(left) == 1 and _force_holds(drops[1:], left[0], keeper))


def _answers_hold(explanation: Explanation, page: Page, position: Position, first: bool = False) -> bool:
    if position.outcome is not None:
        return _good_end(explanation, position)
    known = _known.setdefault((id(explanation), id(page)), set())
    if position in known:
        return True
    held = all(_reply_holds(explanation, page, position, column, first) for column in position.legal_columns)
    if held:
        known.add(position)
    return held


def _reply_holds(explanation: Explanation, page: Page, position: Position, column: int, first: bool) -> bool:
    keeper, after = explanation.claim.keeper, position.drop(column)
    if after.outcome is not None:
        return _good_end(explanation, after)
    if winning_columns(after, keeper):
        return True
    if first and column in page.replies:
        return _page_holds(explanation, page.replies[column], after)
    answers = page.answers.get(Cell(column, position.height_of(column)), ())
    blocks = winning_columns(after, keeper.other)
    reached = [cell.column for cell in answers if within_reach(after, cell)]
    drops = blocks or reached
    return bool(drops) and _answers_hold(explanation, page, after.drop(drops[0]))


def within_reach(position: Position, cell: Cell) -> bool:
    return position.can_drop(cell.column) and position.height_of(cell.column) == cell.row


def _good_end(explanation: Explanation, position: Position) -> bool:
    assert position.outcome is not None
    if position.outcome.winner is None:
        return explanation.claim.promise is Promise.HOLDS
    return position.outcome.winner is explanation.claim.keeper
