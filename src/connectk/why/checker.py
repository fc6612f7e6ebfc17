"""Checks an explanation by playing every drop of the rival against it.

The keeper is the side that the explanation is for, and the rival is the other side. This module and the code that finds
explanations have only the rules in common. On each page, the check tries every possible drop of the rival. After such a
drop the keeper

1. wins if a disc can complete a line now;
2. turns to the page for this drop, if it is the rival's first drop on the page and has a page of its own;
3. blocks if the rival could complete a line next;
4. answers as the page says, with the first listed answer that a disc can reach.

On each page, a position is played only once. The check fails if the rival completes a line or if the keeper has no
answer. If the explanation claims a win, the check also fails if the board fills up. The check always ends, because each
drop adds a disc.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from connectk.errors import ExplanationRefused, SearchStopped
from connectk.rules import Cell, Variant, all_lines
from connectk.watch import Progress, Stop, Watch
from connectk.why.explanation import Claim, Explanation, Page, Promise

DEFAULT_MAX_POSITIONS = 2_000_000  # takes about a minute; an explanation with more positions is refused
FORCE_PAGE_KEY = -1  # a key that is no page number

VisitedBoards = set[tuple[int, int]]  # the discs of the keeper and of the rival in each visited position


class PlayState(NamedTuple):
    """The discs of both sides, with one bit for each cell, and the columns played since the start."""

    keeper: int
    rival: int
    line: tuple[int, ...]


class PageVisit(NamedTuple):
    """A page of the explanation, and the state in which this page begins to apply."""

    number: int
    state: PlayState
    keeper_moves: bool


def check(
    explanation: Explanation,
    max_positions: int = DEFAULT_MAX_POSITIONS,
    *,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> int:
    """Check an explanation and return the number of positions visited. Raises `ExplanationRefused` if the explanation
    is wrong.

    Raises `SearchStopped` if `stop` ends the check. `progress` reports the number of checked pages and the number of
    pages found so far.
    """
    return sum(map(len, _visited_by_page(explanation, max_positions, Watch(stop, progress)).values()))


class RivalDiscSets:
    """The rival's discs in every position that the check visited on one page."""

    def __init__(self, variant: Variant) -> None:
        self._stride = variant.height + 1
        self.found: set[int] = set()  # for each position, a number with one bit per cell

    def ever_holds_all(self, cells: Iterable[Cell]) -> bool:
        """Whether the rival has discs in all of these cells at the same time in at least one position."""
        wanted = sum(1 << cell.column * self._stride + cell.row for cell in cells)
        return any(discs & wanted == wanted for discs in self.found)


@dataclass(frozen=True, slots=True)
class CheckedExplanation:
    """An explanation that passed the check, the number of positions visited, and the rival's discs on each page.

    Functions that show an explanation take an object of this class, so that they need not check the explanation again.
    """

    explanation: Explanation
    checked: int
    rivals: Mapping[int, RivalDiscSets]


def check_and_record(
    explanation: Explanation,
    max_positions: int = DEFAULT_MAX_POSITIONS,
    *,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> CheckedExplanation:
    """Check an explanation as `check` does, and record the rival's discs on each page. These discs are needed to show
    the page."""
    visited, rivals = _visited_by_page(explanation, max_positions, Watch(stop, progress)), dict[int, RivalDiscSets]()
    for number, boards in visited.items():
        rivals[number] = RivalDiscSets(explanation.position.variant)
        rivals[number].found.update(rival for _, rival in boards)
    return CheckedExplanation(explanation, max(1, sum(map(len, visited.values()))), rivals)


def _visited_by_page(explanation: Explanation, max_positions: int, watch: Watch) -> dict[int, VisitedBoards]:
    """Check an explanation, and return the positions visited on each page. The positions of all pages with a force are
    stored together, under `FORCE_PAGE_KEY`."""
    checker, queue = PageChecker(explanation.position.variant, explanation.claim, watch), PageQueue(explanation)
    pages: dict[int, VisitedBoards] = {}
    played = 0
    while queue.pending:
        visit, page = queue.pop()
        visited = pages.setdefault(FORCE_PAGE_KEY if page.force else visit.number, set())
        max_positions += len(visited)
        queue.push(checker.check(page, visit, visited, max_positions))
        max_positions -= len(visited)
        played += 1
        watch.report_throttled(played, played + len(queue.pending))
    return pages


class PageQueue:
    """The pages that still have to be checked. A page is queued at most once for each position."""

    def __init__(self, explanation: Explanation) -> None:
        self.pages = explanation.pages
        self.pending = [PageVisit(0, PageChecker.initial_state(explanation), explanation.keeper_moves)]
        self._seen: set[tuple[int, int, int]] = set()

    def pop(self) -> tuple[PageVisit, Page]:
        """Remove and return a visit and its page."""
        visit = self.pending.pop()
        if not 0 <= visit.number < len(self.pages):
            raise ExplanationRefused("no_page", visit.state.line)
        return visit, self.pages[visit.number]

    def push(self, visits: Iterable[PageVisit]) -> None:
        """Queue the visits that were not queued before."""
        for visit in visits:
            key = (visit.number, visit.state.keeper, visit.state.rival)
            if key not in self._seen:
                self._seen.add(key)
                self.pending.append(visit)


class PageChecker:
    """Checks one page at a time against every drop of the rival."""

    def __init__(self, variant: Variant, claim: Claim, watch: Watch | None = None) -> None:
        self.variant, self.watch = variant, watch or Watch()
        self.must_win = claim.promise is Promise.WINS
        self.stride = variant.height + 1  # a spare bit on top of each column
        self.bottom = sum(1 << column * self.stride for column in range(variant.width))
        self.cells = self.bottom * ((1 << variant.height) - 1)
        self.rest_of_lines: dict[int, list[int]] = {1 << bit: [] for bit in range(variant.width * self.stride)}
        for line in all_lines(variant):  # for each cell, the other cells of each line through it
            bits = [self.bit_of(cell) for cell in line]
            for bit in bits:
                self.rest_of_lines[bit].append(sum(bits) - bit)
        self.visited: VisitedBoards = set()
        self.max_positions = 0

    @staticmethod
    def initial_state(explanation: Explanation) -> PlayState:
        """The state of the position that the explanation is about. Raises `ExplanationRefused` if the game is over."""
        position, keeper = explanation.position, explanation.claim.keeper
        if position.outcome is not None:
            raise ExplanationRefused("over")
        discs = {True: 0, False: 0}
        for cell, side in position.discs():
            discs[side is keeper] |= 1 << cell.column * (position.variant.height + 1) + cell.row
        return PlayState(discs[True], discs[False], ())

    def check(
        self, page: Page, visit: PageVisit, visited: VisitedBoards, max_positions: int = DEFAULT_MAX_POSITIONS
    ) -> list[PageVisit]:
        """Check one page. Adds the positions of this page to `visited`, and returns the visits to the pages that follow
        it."""
        self.visited, self.max_positions = visited, max_positions
        state = visit.state
        if page.force:
            self.check_force(page, state, visit.keeper_moves)
            return []
        if visit.keeper_moves != (page.drop is not None):
            raise ExplanationRefused("turn", state.line)
        if page.drop is not None:
            bit = self.landing_bit(page.drop, state)
            if self.completes_line(state.keeper, bit):
                return []
            state = self.after_keeper_drop(state, bit)
        return list(self.check_answers(page, state))

    def check_force(self, page: Page, state: PlayState, keeper_moves: bool) -> None:
        """Check a force. After each drop of the force, at most one reply of the rival may avoid an immediate loss."""
        for drop in page.force if keeper_moves else ():
            bit = self.landing_bit(drop, state)
            if self.completes_line(state.keeper, bit):
                return
            state = self.after_keeper_drop(state, bit)
            replies = [
                after for after in self.after_each_rival_drop(state) if not self.winning_bit(after.keeper, after)
            ]
            if not replies and self.playable_bits(state):
                return
            if not replies:
                raise ExplanationRefused("only_draw", state.line)
            if len(replies) > 1:
                raise ExplanationRefused("not_forced", state.line)
            state = replies[0]
            self.visited.add((state.keeper, state.rival))
        raise ExplanationRefused("no_end" if keeper_moves else "turn", state.line)

    def check_answers(self, page: Page, start: PlayState) -> Iterator[PageVisit]:
        """Play every drop of the rival against the page's answers. Yields the visits to the pages that follow."""
        left = [start]
        while left:
            if self.watch.should_stop():
                raise SearchStopped(())
            state = left.pop()
            if not self.visit(state):
                continue
            for after in self.after_each_rival_drop(state):
                if self.winning_bit(after.keeper, after):
                    continue
                if state is start and after.line[-1] in page.replies:
                    yield PageVisit(page.replies[after.line[-1]], after, keeper_moves=True)
                elif self.playable_bits(after):
                    left.append(self.after_keeper_drop(after, self.keeper_reply(page, state, after)))
                else:
                    self.visit(after)

    def visit(self, state: PlayState) -> bool:
        """Record a state. Returns False if the state was visited before. Refuses the explanation if it claims a win and
        the board is full."""
        if self.must_win and not self.playable_bits(state):
            raise ExplanationRefused("only_draw", state.line)
        before = len(self.visited)
        self.visited.add((state.keeper, state.rival))
        if len(self.visited) > self.max_positions:
            raise ExplanationRefused("too_large", state.line)
        return len(self.visited) > before

    def keeper_reply(self, page: Page, before: PlayState, now: PlayState) -> int:
        """The bit of the keeper's next disc. It blocks if it must; otherwise it is the first playable answer of the
        page."""
        if block := self.winning_bit(now.rival, now):
            return block
        free, answers = self.playable_bits(now), page.answers.get(self.cell_of(now.rival ^ before.rival), ())
        for cell in answers:
            if self.bit_of(cell) & free:
                return self.bit_of(cell)
        raise ExplanationRefused("no_answer", now.line)

    def after_each_rival_drop(self, state: PlayState) -> Iterator[PlayState]:
        """Yields the state after each possible drop of the rival. Refuses the explanation if one of these drops
        completes a line."""
        free = self.playable_bits(state)
        while free:
            bit = free & -free
            free ^= bit
            line = (*state.line, self.cell_of(bit).column)
            if self.completes_line(state.rival, bit):
                raise ExplanationRefused("rival_wins", line)
            yield PlayState(state.keeper, state.rival | bit, line)

    def after_keeper_drop(self, state: PlayState, bit: int) -> PlayState:
        return PlayState(state.keeper | bit, state.rival, (*state.line, self.cell_of(bit).column))

    def landing_bit(self, column: int, state: PlayState) -> int:
        """The bit of the cell in which a disc dropped into this column lands. Refuses the explanation if the drop is
        impossible."""
        inside = 0 <= column < self.variant.width
        bit = self.playable_bits(state) & ((1 << self.stride) - 1 << column * self.stride) if inside else 0
        if not bit:
            raise ExplanationRefused("bad_drop", (*state.line, column))
        return bit

    def playable_bits(self, state: PlayState) -> int:
        """The bit of the lowest empty cell of each column, which is where the next disc lands."""
        return (state.keeper | state.rival) + self.bottom & self.cells

    def winning_bit(self, discs: int, state: PlayState) -> int:
        """The bit of a playable cell that completes a line of `discs`; 0 if there is no such cell."""
        free = self.playable_bits(state)
        while free:
            bit = free & -free
            if self.completes_line(discs, bit):
                return bit
            free ^= bit
        return 0

    def completes_line(self, discs: int, bit: int) -> bool:
        """Whether a disc in this cell completes a line together with these discs."""
        return any(discs & rest == rest for rest in self.rest_of_lines[bit])

    def bit_of(self, cell: Cell) -> int:
        """The bit of a cell; 0 outside the board."""
        inside = 0 <= cell.column < self.variant.width and 0 <= cell.row < self.variant.height
        return 1 << cell.column * self.stride + cell.row if inside else 0

    def cell_of(self, bit: int) -> Cell:
        return Cell(*divmod(bit.bit_length() - 1, self.stride))
