"""The boards of an explanation as the core tells of them: one step after the other, on the positions where they are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from connectk import _native
from connectk.notation.views import SIDE_NAMES
from connectk.rules import Cell, Position
from connectk.solver.bits import bits_of
from connectk.solver.solver import require_supported
from connectk.why.checker import CheckedExplanation, RivalDiscs
from connectk.why.explanation import Page

if TYPE_CHECKING:
    from connectk.why.messages import StepFacts

Pair = tuple[Cell, Cell]
BOARD_BYTES = 16


@dataclass(frozen=True, slots=True)
class Step:
    """One board: its discs, and what is drawn over them.

    `played` are drops from here on, in order, the sides taking turns; `pairs` are a cell of the rival's next disc and
    the cell that answers it; `lines` are what the step is about: lines that the rival will not complete, or the one
    that the keeper does; `threats` are the keeper's; `replies` are columns with a page of their own.
    """

    page: int  # from 0
    position: Position
    kind: str
    facts: StepFacts
    played: tuple[Cell, ...] = ()
    pairs: tuple[Pair, ...] = ()
    lines: tuple[tuple[Cell, ...], ...] = ()
    threats: tuple[Cell, ...] = ()
    replies: Mapping[int, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ShownPage:
    """One page with its board: the position that it is about, and the one after the page's own drop."""

    number: int  # from 0
    page: Page
    position: Position
    after: Position
    force: tuple[int, ...]  # the drops of both, the last one completing a line of the keeper
    steps: tuple[Step, ...]


def shown_pages(found: CheckedExplanation) -> list[ShownPage]:
    """Every page that play can get to, in the order of the explanation, each with the first board it is reached on."""
    return [_shown(found, told) for told in told_pages(found)]


def told_pages(found: CheckedExplanation) -> list[_native.ShownPage]:
    """The same as the core has it, whose steps are ready to be sent."""
    explanation = found.explanation
    position, variant = explanation.position, explanation.position.variant
    require_supported(variant)
    return _native.shown_pages(
        variant.width,
        variant.height,
        variant.run,
        *bits_of(position),
        position.last_drop,
        SIDE_NAMES[explanation.claim.keeper],
        list(map(core_page, explanation.pages)),
        [packed(found.rivals.get(number)) for number in range(len(explanation.pages))],
    )


def told_line(position: Position, line: Iterable[int]) -> _native.Step:
    """Best play as one step, where nothing is explained."""
    variant = position.variant
    return _native.line_step(
        variant.width, variant.height, variant.run, *bits_of(position), position.last_drop, list(line)
    )


def packed(discs: RivalDiscs | None) -> bytes:
    """The rival's discs in every position, as the core takes them."""
    return b"".join(one.to_bytes(BOARD_BYTES, "little") for one in discs.found) if discs else b""


def core_page(page: Page) -> _native.Page:
    return _native.Page(page.drop, page.force, list(page.answers.items()), list(page.replies.items()))


def page_of(page: _native.Page) -> Page:
    answers = {Cell(*cell): _cells(some) for cell, some in page.answers}
    return Page(page.drop, tuple(page.force), answers, dict(page.replies))


def _shown(found: CheckedExplanation, told: _native.ShownPage) -> ShownPage:
    page, position = found.explanation.pages[told.number], found.explanation.position
    for column in told.path:
        position = position.drop(column)
    after = position if page.drop is None or page.force else position.drop(page.drop)
    steps = tuple(step_of(step, after) for step in told.steps)
    return ShownPage(told.number, page, position, after, tuple(told.force), steps)


def step_of(told: _native.Step, position: Position) -> Step:
    return Step(
        told.page,
        position,
        told.kind,
        cast("StepFacts", told.facts.as_dict()),
        _cells(told.played),
        tuple((Cell(*one), Cell(*other)) for one, other in told.pairs),
        tuple(map(_cells, told.lines)),
        _cells(told.threats),
        {reply.column: reply.page for reply in told.replies},
    )


def _cells(cells: Iterable[tuple[int, int]]) -> tuple[Cell, ...]:
    return tuple(Cell(*cell) for cell in cells)
