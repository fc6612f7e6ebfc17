"""Whether an explanation holds: everything that the rival can do is played against it.

Nothing here knows how explanations are found, or has heard of claimevens; only the rules are shared. From each page all
drops of the rival are tried, one after the other. After each of them the keeper

1. wins, if a disc can complete a line now;
2. turns to the page for this reply, if it is the first one and has a page;
3. blocks, if the rival could complete a line next;
4. answers as the page says: with the first answer to the rival's disc that can be reached.

Positions that were met before are not played again. An explanation is accepted when there is no way in which the rival
completes a line, the keeper has no answer, or, where a win is claimed, the board fills up. Each drop adds a disc, so
all of this ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from connectk.errors import ExplanationRefused
from connectk.rules import Cell, lines_of
from connectk.why.explanation import Explanation, Page, Promise

MOST_POSITIONS = 2_000_000  # about a minute; an explanation that needs more is refused


class Moment(NamedTuple):
    """The discs of both, one bit for each cell, and how play came here from the start."""

    keeper: int
    rival: int
    line: tuple[int, ...]


def check(explanation: Explanation, most: int = MOST_POSITIONS) -> int:
    """How many positions were played through; `ExplanationRefused` says what is wrong with an explanation."""
    return _Check(explanation, most).run()


class RivalDiscs:
    """What the rival comes to have on one page, in every position that the check came to."""

    def __init__(self, checking: _Check) -> None:
        self._checking = checking
        self.found: set[int] = set()  # one bit for each cell

    def ever_all(self, cells: Iterable[Cell]) -> bool:
        """Whether all of these are the rival's at once."""
        wanted = sum(self._checking.bit(cell) for cell in cells)
        return any(discs & wanted == wanted for discs in self.found)


def play_through(explanation: Explanation, most: int = MOST_POSITIONS) -> tuple[int, dict[int, RivalDiscs]]:
    """The same as `check`, and by page what the rival comes to have."""
    checking = _Check(explanation, most)
    count = checking.run()
    pages: dict[int, RivalDiscs] = {}
    for number, _, rival in checking.met:
        pages.setdefault(number, RivalDiscs(checking)).found.add(rival)
    return count, pages


class _Check:
    def __init__(self, explanation: Explanation, most: int) -> None:
        self.explanation, self.most = explanation, most
        self.must_win = explanation.claim.promise is Promise.WINS
        variant = explanation.position.variant
        self.stride = variant.height + 1  # a spare bit on top of each column
        self.bottom = sum(1 << column * self.stride for column in range(variant.width))
        self.cells = self.bottom * ((1 << variant.height) - 1)
        self.others: dict[int, list[int]] = {1 << bit: [] for bit in range(variant.width * self.stride)}
        for line in lines_of(variant):  # for each cell, what else its lines need
            bits = [self.bit(cell) for cell in line]
            for bit in bits:
                self.others[bit].append(sum(bits) - bit)
        self.met: set[tuple[int, int, int]] = set()

    def run(self) -> int:
        entries = [(0, self.start(), self.explanation.keeper_moves)]
        while entries:
            number, moment, keeper_moves = entries.pop()
            entries += [(page, after, True) for page, after in self.play(number, moment, keeper_moves)]
        return len(self.met)

    def start(self) -> Moment:
        position, keeper = self.explanation.position, self.explanation.claim.keeper
        if position.outcome is not None:
            raise ExplanationRefused("over")
        discs = {True: 0, False: 0}
        for cell, side in position.discs():
            discs[side is keeper] |= self.bit(cell)
        return Moment(discs[True], discs[False], ())

    def play(self, number: int, moment: Moment, keeper_moves: bool) -> Iterator[tuple[int, Moment]]:
        """Plays one page through; gives the pages that it leaves the rest to, and from where."""
        if not 0 <= number < len(self.explanation.pages):
            raise ExplanationRefused("no_page", moment.line)
        page = self.explanation.pages[number]
        if page.force:
            return self.play_force(page, moment, keeper_moves)
        if keeper_moves != (page.drop is not None):
            raise ExplanationRefused("turn", moment.line)
        if page.drop is not None:
            bit = self.reached(page.drop, moment)
            if self.wins(moment.keeper, bit):
                return iter(())
            moment = self.after_keeper(moment, bit)
        return self.play_answers(number, page, moment)

    def play_force(self, page: Page, moment: Moment, keeper_moves: bool) -> Iterator[tuple[int, Moment]]:
        """Each drop must leave the rival at most one reply that does not lose at once."""
        for drop in page.force if keeper_moves else ():
            bit = self.reached(drop, moment)
            if self.wins(moment.keeper, bit):
                return iter(())
            moment = self.after_keeper(moment, bit)
            replies = [after for after in self.after_rival(moment) if not self.win_for(after.keeper, after)]
            if not replies and self.free(moment):
                return iter(())
            if not replies:
                raise ExplanationRefused("only_draw", moment.line)
            if len(replies) > 1:
                raise ExplanationRefused("not_forced", moment.line)
            moment = replies[0]
            self.met.add((-1, moment.keeper, moment.rival))
        raise ExplanationRefused("no_end" if keeper_moves else "turn", moment.line)

    def play_answers(self, number: int, page: Page, start: Moment) -> Iterator[tuple[int, Moment]]:
        left = [start]
        while left:
            moment = left.pop()
            if not self.is_new(number, moment):
                continue
            for after in self.after_rival(moment):
                if self.win_for(after.keeper, after):
                    continue
                if moment is start and after.line[-1] in page.replies:
                    yield page.replies[after.line[-1]], after
                elif self.free(after):
                    left.append(self.after_keeper(after, self.answer(page, moment, after)))
                else:
                    self.is_new(number, after)

    def is_new(self, number: int, moment: Moment) -> bool:
        """Notes a position; a full one must be enough."""
        if self.must_win and not self.free(moment):
            raise ExplanationRefused("only_draw", moment.line)
        before = len(self.met)
        self.met.add((number, moment.keeper, moment.rival))
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
        inside = 0 <= column < self.explanation.position.variant.width
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
        variant = self.explanation.position.variant
        inside = 0 <= cell.column < variant.width and 0 <= cell.row < variant.height
        return 1 << cell.column * self.stride + cell.row if inside else 0

    def cell(self, bit: int) -> Cell:
        return Cell(*divmod(bit.bit_length() - 1, self.stride))
