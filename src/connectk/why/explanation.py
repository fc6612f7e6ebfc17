"""What an explanation is: a claim, and pages that say what to do about everything the other side can try."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

from connectk.rules import Cell, Position, Side

Kind = Literal["force", "strategy", "tree"]


class Promise(Enum):
    """What is claimed for a side: more is never said than was shown."""

    WINS = "wins"
    HOLDS = "holds"  # at least a draw


@dataclass(frozen=True, slots=True)
class Claim:
    """The keeper is the side that an explanation is for; the other one is the rival."""

    keeper: Side
    promise: Promise


@dataclass(frozen=True, slots=True)
class Page:
    """One board, and what the keeper does from there on.

    Either a `force`: drops that threaten to win at once, so that the rival has one reply to each. Or `answers`: the
    cell of the rival's disc, and the cells where it is answered, the first one that a disc can reach. Before them comes
    a `drop` if the keeper is to move. `replies` are columns of the rival's next disc that have a page of their own.
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
    """Why a side wins a position, or holds at least a draw. Its first page is about the position itself."""

    position: Position
    claim: Claim
    pages: Sequence[Page]

    @property
    def kind(self) -> Kind:
        """What most needs to be said of it: a force, one strategy, or a tree of them."""
        return self.pages[0].kind

    @property
    def size(self) -> int:
        """How many boards it takes to show."""
        return len(self.pages)

    @property
    def keeper_moves(self) -> bool:
        return self.claim.keeper is self.position.side_to_move
