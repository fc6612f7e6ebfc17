"""Looks positions up in the certified strategies of whole boards, which ship with the package.

A strategy plays for one side, the keeper, against the rival. It is too large to be shown as a whole. For a position
that it reaches, this module finds the keeper's drop and the answer to each reply of the rival. If only a few more pages
are needed from there, they become an ordinary explanation, which the checker checks again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from connectk.rules import Cell, Position, Side, Variant
from connectk.why.checker import PageChecker, PlayState
from connectk.why.explanation import Claim, Explanation, Page
from connectk.why.files import parse_explanation
from connectk.why.graph_files import MirroredPages, parse_graph

STRATEGIES_FOLDER = Path(__file__).parent / "strategies"
CERTIFIED_STRATEGIES = {
    (Variant(7, 6, 4), Side.FIRST): "first-wins-7x6x4.json.gz",
    (Variant(6, 4, 4), Side.SECOND): "second-holds-6x4x4.json",
    (Variant(6, 6, 4), Side.SECOND): "second-holds-6x6x4.json",
    (Variant(7, 4, 4), Side.SECOND): "second-holds-7x4x4.json",
    (Variant(8, 4, 4), Side.SECOND): "second-holds-8x4x4.json.gz",
}


MAX_DISCS_WITHOUT = 3  # a board with more discs left out says little about a position


class OpeningAnswer(NamedTuple):
    """A reply of the rival, the strategy's answer to it, and whether the answer completes a line."""

    reply: Cell
    answer: Cell
    wins: bool


@dataclass(frozen=True, slots=True)
class OpeningPage:
    """The moves of a strategy in a position: its own drop if it is its turn, and its answers to the rival's replies."""

    position: Position
    claim: Claim
    boards: int  # the number of boards in the whole strategy
    drop: Cell | None
    answers: tuple[OpeningAnswer, ...]


@dataclass(frozen=True, slots=True)
class NearestPage:
    """The move of a certified strategy in a position that lacks some discs of the current board.

    `line` are the drops that lead to that position, `drop` is the strategy's drop there, and `without` are the cells of
    the missing discs.
    """

    claim: Claim
    line: tuple[int, ...]
    drop: Cell
    without: tuple[Cell, ...]


class StrategyNode(NamedTuple):
    """A position that a strategy reaches on one of its pages.

    `is_first` marks the first board of the page. Only there do the page's `replies` apply; later, only its `answers`
    do.
    """

    page: int
    state: PlayState
    is_first: bool
    keeper_moves: bool


def opening_page(position: Position, side: Side | None = None) -> OpeningPage | None:
    """The moves of a certified strategy in a position; None if no strategy reaches the position."""
    for keeper in (side,) if side else Side:
        if (position.variant, keeper) in CERTIFIED_STRATEGIES and (
            page := strategy_for(position.variant, keeper).page(position)
        ):
            return page
    return None


def nearest_page(position: Position, side: Side | None = None) -> NearestPage | None:
    """The move of a certified strategy in a position that lacks a few discs of this one. It is used if no strategy
    reaches this position.

    None if more than `MAX_DISCS_WITHOUT` discs would be missing.
    """
    found = [
        strategy_for(position.variant, keeper).nearest(position)
        for keeper in ((side,) if side else Side)
        if (position.variant, keeper) in CERTIFIED_STRATEGIES and position.outcome is None
    ]
    near = (page for page in found if page and len(page.without) <= MAX_DISCS_WITHOUT)
    return min(near, key=lambda page: len(page.without), default=None)


def small_explanation(position: Position, max_boards: int, side: Side | None = None) -> Explanation | None:
    """The remaining pages of a certified strategy from this position, as an explanation that is not checked yet.

    None if there are more than `max_boards` of them, or if the strategy does not reach the position.
    """
    for keeper in (side,) if side else Side:
        if (position.variant, keeper) in CERTIFIED_STRATEGIES:
            found = strategy_for(position.variant, keeper).explanation_from(position, max_boards)
            if found is not None:
                return found
    return None


@lru_cache(maxsize=2)
def strategy_for(variant: Variant, keeper: Side) -> Strategy:
    """Read a strategy from its file. The two strategies that were used last are cached."""
    file = STRATEGIES_FOLDER / CERTIFIED_STRATEGIES[variant, keeper]
    data = file.read_bytes()
    return Strategy(parse_graph(data) if file.suffix == ".gz" else parse_explanation(data.decode("utf-8")))


class Strategy:
    """The pages of one certified strategy. A page is found by the position on the board."""

    def __init__(self, explanation: Explanation) -> None:
        self.explanation, self.claim = explanation, explanation.claim
        self.pages = explanation.pages
        self.boards = len(self.pages) // 2 if isinstance(self.pages, MirroredPages) else len(self.pages)
        self.checker = PageChecker(explanation.position.variant, self.claim)

    def page(self, position: Position) -> OpeningPage | None:
        """The strategy's moves in a position; None if the strategy does not reach the position."""
        node = self.find(position)
        if node is None:
            return None
        drop = self.answer(node) if node.keeper_moves else None
        after = node if drop is None else self.after_answer(node, drop)
        answers = () if after is None else tuple(self.answers(after))
        cell = None if drop is None else self.checker.cell_of(drop)
        return OpeningPage(position, self.claim, self.boards, cell, answers)

    def find(self, position: Position) -> StrategyNode | None:
        """Find the node for a position. The order of the drops that led to the position does not matter. None if the
        strategy does not reach the position."""
        if position.outcome is not None:
            return None
        aim = self._state_of(position)
        return next((node for node in self.inside(aim) if _discs(node) == (aim.keeper, aim.rival)), None)

    def nearest(self, position: Position) -> NearestPage | None:
        """The strategy's move in the nearest position that it reaches and in which it is to move. In the nearest
        position the fewest discs of this position are missing."""
        aim = self._state_of(position)
        nodes = [node for node in self.inside(aim) if node.keeper_moves]
        if not nodes:
            return None
        node = max(nodes, key=lambda node: (node.state.keeper | node.state.rival).bit_count())
        missing = (aim.keeper ^ node.state.keeper) | (aim.rival ^ node.state.rival)
        without = tuple(cell for cell, _ in position.discs() if self.checker.bit_of(cell) & missing)
        return NearestPage(self.claim, node.state.line, self.checker.cell_of(self.answer(node)), without)

    def inside(self, aim: PlayState) -> Iterator[StrategyNode]:
        """Yields each node of the strategy whose discs are all on the board of `aim` too."""
        keeper_starts = self.claim.keeper is self.explanation.position.side_to_move
        left, seen = [StrategyNode(0, PlayState(0, 0, ()), True, keeper_starts)], set[tuple[int, int, int]]()
        while left:
            node = left.pop()
            yield node
            for after in self.following(node):
                key = (after.page if after.is_first else -1 - after.page, *_discs(after))
                inside = not (after.state.keeper & ~aim.keeper or after.state.rival & ~aim.rival)
                if inside and key not in seen:
                    seen.add(key)
                    left.append(after)

    def _state_of(self, position: Position) -> PlayState:
        return self.checker.initial_state(Explanation(position, self.claim, ()))

    def following(self, node: StrategyNode) -> Iterator[StrategyNode]:
        if node.keeper_moves:
            after = self.after_answer(node, self.answer(node))
            if after is not None:
                yield after
            return
        yield from (self.after_reply(node, state) for state in self.checker.after_each_rival_drop(node.state))

    def after_reply(self, node: StrategyNode, state: PlayState) -> StrategyNode:
        """The node after a reply of the rival, when the keeper is to move.

        If the reply has a page of its own, the node is on that page; otherwise it stays on the same one.
        """
        replies = self.pages[node.page].replies if node.is_first else {}
        number = replies.get(state.line[-1])
        if number is not None and not self.checker.winning_bit(state.keeper, state):
            return StrategyNode(number, state, True, keeper_moves=True)
        return StrategyNode(node.page, state, False, keeper_moves=True)

    def answer(self, node: StrategyNode) -> int:
        """The bit of the keeper's next disc. The keeper wins if it can. Otherwise it follows the page: its drop, the
        next drop of its force, or its answer to the last disc."""
        checker, page, state = self.checker, self.pages[node.page], node.state
        if win := checker.winning_bit(state.keeper, state):
            return win
        if node.is_first:
            return checker.landing_bit(page.force[0] if page.force else _drop(page), state)
        last = self._last_disc(state)
        before = PlayState(state.keeper, state.rival ^ last, ())
        if page.force:
            return self._forced(page, state)
        return checker.keeper_reply(page, before, state)

    def _forced(self, page: Page, state: PlayState) -> int:
        """The bit of the keeper's next drop in a forced sequence. The last moves show how much of the sequence has been
        played."""
        played = next(n for n in range(len(page.force) - 1, 0, -1) if state.line[-2 * n :: 2] == page.force[:n])
        return self.checker.landing_bit(page.force[played], state)

    def _last_disc(self, state: PlayState) -> int:
        column = state.line[-1]
        filled = (state.keeper | state.rival) & (1 << self.checker.stride) - 1 << column * self.checker.stride
        return 1 << filled.bit_length() - 1

    def after_answer(self, node: StrategyNode, bit: int) -> StrategyNode | None:
        """The node after the keeper's disc, when it is the rival's turn. None if the disc completes a line."""
        if self.checker.completes_line(node.state.keeper, bit):
            return None
        state = self.checker.after_keeper_drop(node.state, bit)
        is_first = node.is_first and not self.pages[node.page].force
        return StrategyNode(node.page, state, is_first, keeper_moves=False)

    def answers(self, node: StrategyNode) -> Iterator[OpeningAnswer]:
        """Yields the strategy's answer to each reply of the rival."""
        checker = self.checker
        for state in checker.after_each_rival_drop(node.state):
            if not checker.playable_bits(state):
                continue
            bit = self.answer(self.after_reply(node, state))
            wins = checker.completes_line(state.keeper, bit)
            yield OpeningAnswer(checker.cell_of(state.rival ^ node.state.rival), checker.cell_of(bit), wins)

    def explanation_from(self, position: Position, max_boards: int) -> Explanation | None:
        """The remaining pages of the strategy from a position, as an explanation.

        None if there are more than `max_boards` of them, or if the strategy does not reach the position.
        """
        node = self.find(position)
        if node is None:
            return None
        page = self.pages[node.page]
        if node.keeper_moves and not node.is_first:
            page = Page(self.checker.cell_of(self.answer(node)).column, answers=page.answers)
        elif not node.keeper_moves:
            page = replace(page, drop=None, force=(), replies=page.replies if node.is_first else {})
            if not page.answers and not page.replies:
                return None
        pages: list[Page] = []
        numbers: dict[int, int] = {}

        def collect(page: Page) -> int | None:
            number = len(pages)
            if number == max_boards:
                return None
            pages.append(page)
            replies: dict[int, int] = {}
            for column, to in page.replies.items():
                known = numbers.get(to)
                if known is None:
                    known = collect(self.pages[to])
                    if known is None:
                        return None
                    numbers[to] = known
                replies[column] = known
            pages[number] = replace(page, replies=replies)
            return number

        return None if collect(page) is None else Explanation(position, self.claim, tuple(pages))


def _discs(node: StrategyNode) -> tuple[int, int]:
    return node.state.keeper, node.state.rival


def _drop(page: Page) -> int:
    assert page.drop is not None  # because the keeper is to move
    return page.drop
