"""Explanations. An explanation is a claim, and pages that say how to answer every drop of the other side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

from connectk.rules import Cell, Position, Side

Kind = Literal["force", "strategy", "tree"]


class Promise(Enum):
    """The result that is claimed for a side."""

    WINS = "wins"
    HOLDS = "holds"  # at least a draw


@dataclass(frozen=True, slots=True)
class Claim:
    """A claim about a position: one side, and the result that this side is claimed to reach.

    That side is called the keeper, and the other side is called the rival.
    """

    keeper: Side
    promise: Promise


@dataclass(frozen=True, slots=True)
class Page:
    """One board of an explanation, and the keeper's moves from this board on. The keeper is the side that the
    explanation is for, and the rival the other side.

    A page has either a `force` or `answers`. A `force` is a list of drops. Each of them threatens to win at once, so
    that the rival has only one reply. `answers` maps the cell of the rival's disc to cells in order of preference, and
    the keeper takes the first one that a disc can reach. If it is the keeper's turn, the page begins with `drop`.
    `replies` maps columns of the rival's next disc to the numbers of other pages.
    """

    drop: int | None = None
    force: tuple[int, ...] = ()
    answers: Mapping[Cell, tuple[Cell, ...]] = field(default_factory=dict)
    replies: Mapping[int, int] = field(default_factory=dict)

    @property
    def kind(self) -> Kind:
        if self.force:
            return "force"
        return "tree" if self.replies else "strategy"


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a side wins a position, or holds at least a draw. The first page begins in this position."""

    position: Position
    claim: Claim
    pages: Sequence[Page]

    @property
    def kind(self) -> Kind:
        """The kind of the first page: a force, one strategy, or a tree of strategies."""
        return self.pages[0].kind

    @property
    def size(self) -> int:
        """The number of boards."""
        return len(self.pages)

    @property
    def keeper_moves(self) -> bool:
        return self.claim.keeper is self.position.side_to_move
