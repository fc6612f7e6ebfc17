"""Whether an explanation holds: everything that the rival can do is played against it.

Nothing here knows how explanations are found, or has heard of claimevens; only the rules are shared. From each page all
drops of the rival are tried, one after the other. After each of them the keeper

1. wins, if a disc can complete a line now;
2. turns to the page for this reply, if it is the first one and has a page;
3. blocks, if the rival could complete a line next;
4. answers as the page says: with the first answer to the rival's disc that can be reached.

Positions that were met before on the same page are not played again. An explanation is accepted when there is no way in
which the rival completes a line, the keeper has no answer, or, where a win is claimed, the board fills up. Each drop
adds a disc, so all of this ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from connectk.errors import ExplanationRefused, SearchStopped
from connectk.rules import Cell, Variant, lines_of
from connectk.watch import Progress, Stop, Watch
from connectk.why.explanation import Claim, Explanation, Page, Promise

MOST_POSITIONS = 2_000_000  # about a minute; an explanation that needs more is refused


FORCES = -1  # instead of the number of a page

Boards = set[tuple[int, int]]  # the discs of the keeper and of the rival


class Moment(NamedTuple):
    """The discs of both, one bit for each cell, and how play came here from the start."""

    keeper: int
    rival: int
    line: tuple[int, ...]


class Turn(NamedTuple):
    """A page and the moment when the keeper turns to it."""

    number: int
    moment: Moment
    keeper_moves: bool


def check(
    explanation: Explanation,
    most: int = MOST_POSITIONS,
    *,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> int:
    """How many positions were played through; `ExplanationRefused` says what is wrong with an explanation.

    `SearchStopped` when `stop` said so first. `progress` hears of the pages, and of how many are known to follow.
    """
    return sum(map(len, _met_by_page(explanation, most, Watch(stop, progress)).values()))


class RivalDiscs:
    """What the rival comes to have on one page, in every position that the check came to."""

    def __init__(self, variant: Variant) -> None:
        self._stride = variant.height + 1
        self.found: set[int] = set()  # one bit for each cell

    def ever_all(self, cells: Iterable[Cell]) -> bool:
        """Whether all of these are the rival's at once."""
        wanted = sum(1 << cell.column * self._stride + cell.row for cell in cells)
        return any(discs & wanted == wanted for discs in self.found)


@dataclass(frozen=True, slots=True)
class CheckedExplanation:
    """An explanation that holds, how many positions were played through, and what the rival came to have on each page.

    Whoever tells of an explanation takes this, so that it is checked once.
    """

    explanation: Explanation
    checked: int
    rivals: Mapping[int, RivalDiscs]


def play_through(
    explanation: Explanation,
    most: int = MOST_POSITIONS,
    *,
    stop: Stop | None = None,
    progress: Progress | None = None,
) -> CheckedExplanation:
    """The same as `check`, with what it takes to tell of the explanation."""
    met, rivals = _met_by_page(explanation, most, Watch(stop, progress)), dict[int, RivalDiscs]()
    for number, boards in met.items():
        rivals[number] = RivalDiscs(explanation.position.variant)
        rivals[number].found.update(rival for _, rival in boards)
    return CheckedExplanation(explanation, max(1, sum(map(len, met.values()))), rivals)


def _met_by_page(explanation: Explanation, most: int, watch: Watch) -> dict[int, Boards]:
    """The positions that were met on each page; those of all forces under -1."""
    checker, turns = PageChecker(explanation.position.variant, explanation.claim, watch), Turns(explanation)
    pages: dict[int, Boards] = {}
    played = 0
    while turns.left:
        turn, page = turns.take()
        met = pages.setdefault(FORCES if page.force else turn.number, set())
        most += len(met)
        turns.add(checker.play(page, turn, met, most))
        most -= len(met)
        played += 1
        watch.report_throttled(played, played + len(turns.left))
    return pages


class Turns:
    """The pages that are still to be played, each of them once from the same position."""

    def __init__(self, explanation: Explanation) -> None:
        self.pages = explanation.pages
        self.left = [Turn(0, PageChecker.start(explanation), explanation.keeper_moves)]
        self._met: set[tuple[int, int, int]] = set()

    def take(self) -> tuple[Turn, Page]:
        turn = self.left.pop()
        if not 0 <= turn.number < len(self.pages):
            raise ExplanationRefused("no_page", turn.moment.line)
        return turn, self.pages[turn.number]

    def add(self, turns: Iterable[Turn]) -> None:
        for turn in turns:
            key = (turn.number, turn.moment.keeper, turn.moment.rival)
            if key not in self._met:
                self._met.add(key)
                self.left.append(turn)


class PageChecker:
    """Plays one page at a time, against everything that the rival can do."""

    def __init__(self, variant: Variant, claim: Claim, watch: Watch | None = None) -> None:
        self.variant, self.watch = variant, watch or Watch()
        self.must_win = claim.promise is Promise.WINS
        self.stride = variant.height + 1  # a spare bit on top of each column
        self.bottom = sum(1 << column * self.stride for column in range(variant.width))
        self.cells = self.bottom * ((1 << variant.height) - 1)
        self.others: dict[int, list[int]] = {1 << bit: [] for bit in range(variant.width * self.stride)}
        for line in lines_of(variant):  # for each cell, what else its lines need
            bits = [self.bit(cell) for cell in line]
            for bit in bits:
                self.others[bit].append(sum(bits) - bit)
        self.met: Boards = set()
        self.most = 0

    @staticmethod
    def start(explanation: Explanation) -> Moment:
        position, keeper = explanation.position, explanation.claim.keeper
        if position.outcome is not None:
            raise ExplanationRefused("over")
        discs = {True: 0, False: 0}
        for cell, side in position.discs():
            discs[side is keeper] |= 1 << cell.column * (position.variant.height + 1) + cell.row
        return Moment(discs[True], discs[False], ())

    def play(self, page: Page, turn: Turn, met: Boards, most: int = MOST_POSITIONS) -> list[Turn]:
        """The pages that this one leaves the rest to, and from where. Positions go to `met`, at most so many."""
        self.met, self.most = met, most
        moment = turn.moment
        if page.force:
            self.play_force(page, moment, turn.keeper_moves)
            return []
        if turn.keeper_moves != (page.drop is not None):
            raise ExplanationRefused("turn", moment.line)
        if page.drop is not None:
            bit = self.reached(page.drop, moment)
            if self.wins(moment.keeper, bit):
                return []
            moment = self.after_keeper(moment, bit)
        return list(self.play_answers(page, moment))

    def play_force(self, page: Page, moment: Moment, keeper_moves: bool) -> None:
        """Each drop must leave the rival at most one reply that does not lose at once."""
        for drop in page.force if keeper_moves else ():
            bit = self.reached(drop, moment)
            if self.wins(moment.keeper, bit):
                return
            moment = self.after_keeper(moment, bit)
            replies = [after for after in self.after_rival(moment) if not self.win_for(after.keeper, after)]
            if not replies and self.free(moment):
                return
            if not replies:
                raise ExplanationRefused("only_draw", moment.line)
            if len(replies) > 1:
                raise ExplanationRefused("not_forced", moment.line)
            moment = replies[0]
            self.met.add((moment.keeper, moment.rival))
        raise ExplanationRefused("no_end" if keeper_moves else "turn", moment.line)

    def play_answers(self, page: Page, start: Moment) -> Iterator[Turn]:
        left = [start]
        while left:
            if self.watch.should_stop():
                raise SearchStopped(())
            moment = left.pop()
            if not self.is_new(moment):
                continue
            for after in self.after_rival(moment):
                if self.win_for(after.keeper, after):
                    continue
                if moment is start and after.line[-1] in page.replies:
                    yield Turn(page.replies[after.line[-1]], after, keeper_moves=True)
                elif self.free(after):
                    left.append(self.after_keeper(after, self.answer(page, moment, after)))
                else:
                    self.is_new(after)

    def is_new(self, moment: Moment) -> bool:
        """Notes a position; a full one must be enough."""
        if self.must_win and not self.free(moment):
            raise ExplanationRefused("only_draw", moment.line)
        before = len(self.met)
        self.met.add((moment.keeper, moment.rival))
        if len(self.met) > self.most:
            raise ExplanationRefused("too_large", moment.line)
        return len(self.met) > before

    def answer(self, page: Page, before: Moment, now: Moment) -> int:
        """The bit of the keeper's next disc."""
        if block := self.win_for(now.rival, now):
            return block
        free, answers = self.free(now), page.answers.get(self.cell(now.rival ^ before.rival), ())
        for cell in answers:
            if self.bit(cell) & free:
                return self.bit(cell)
        raise ExplanationRefused("no_answer", now.line)

    def after_rival(self, moment: Moment) -> Iterator[Moment]:
        """After each drop that the rival can make; none of them may complete a line."""
        free = self.free(moment)
        while free:
            bit = free & -free
            free ^= bit
            line = (*moment.line, self.cell(bit).column)
            if self.wins(moment.rival, bit):
                raise ExplanationRefused("rival_wins", line)
            yield Moment(moment.keeper, moment.rival | bit, line)

    def after_keeper(self, moment: Moment, bit: int) -> Moment:
        return Moment(moment.keeper | bit, moment.rival, (*moment.line, self.cell(bit).column))

    def reached(self, column: int, moment: Moment) -> int:
        """The bit that a disc dropped into this column takes."""
        inside = 0 <= column < self.variant.width
        bit = self.free(moment) & ((1 << self.stride) - 1 << column * self.stride) if inside else 0
        if not bit:
            raise ExplanationRefused("bad_drop", (*moment.line, column))
        return bit

    def free(self, moment: Moment) -> int:
        """The lowest empty cell of each column: filling a column's bits from below carries into it."""
        return (moment.keeper | moment.rival) + self.bottom & self.cells

    def win_for(self, discs: int, moment: Moment) -> int:
        """A cell within reach that completes a line of these discs; 0 when there is none."""
        free = self.free(moment)
        while free:
            bit = free & -free
            if self.wins(discs, bit):
                return bit
            free ^= bit
        return 0

    def wins(self, discs: int, bit: int) -> bool:
        return any(discs & others == others for others in self.others[bit])

    def bit(self, cell: Cell) -> int:
        inside = 0 <= cell.column < self.variant.width and 0 <= cell.row < self.variant.height
        return 1 << cell.column * self.stride + cell.row if inside else 0

    def cell(self, bit: int) -> Cell:
        return Cell(*divmod(bit.bit_length() - 1, self.stride))
