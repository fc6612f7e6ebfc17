"""The steps that show an explanation. A step has one board and one sentence, and is converted from the result of the
core."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

from connectk import _native
from connectk.notation.views import SIDE_NAMES
from connectk.rules import Cell, Position
from connectk.solver.bitboards import bitboards_of
from connectk.solver.solver import require_supported
from connectk.why.checker import CheckedExplanation, RivalDiscSets
from connectk.why.explanation import Page

if TYPE_CHECKING:
    from connectk.why.messages import StatementView, StepFacts

Pair = tuple[Cell, Cell]
BYTES_PER_BITBOARD = 16


@dataclass(frozen=True, slots=True)
class Step:
    """One board of an explanation and the marks drawn over it.

    - `played` lists the next drops of both sides in turn.
    - `pairs` lists pairs of cells: if the rival takes the first cell, the keeper answers in the second.
    - `lines` are the lines that the rival cannot complete or that the keeper completes.
    - `threats` are the keeper's threats.
    - `replies` maps a column of the rival to the page that answers it.
    - `statements` are the claims of the step's sentence as data.
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
    statements: tuple[StatementView, ...] = ()


@dataclass(frozen=True, slots=True)
class ShownPage:
    """A page of an explanation, the position in which the page begins, and the position after the page's own drop."""

    number: int  # from 0
    page: Page
    position: Position
    after: Position
    force: tuple[int, ...]  # the drops of both sides; the last drop completes a line of the keeper
    steps: tuple[Step, ...]


def shown_pages(found: CheckedExplanation) -> list[ShownPage]:
    """Return the reachable pages in the order of the explanation, each with the first position that reaches it."""
    return [_shown_page(found, page) for page in native_pages(found)]


def native_pages(found: CheckedExplanation) -> list[_native.ShownPage]:
    """Return the pages of `shown_pages` as objects of the native core. Their steps convert directly to JSON."""
    explanation = found.explanation
    position, variant = explanation.position, explanation.position.variant
    require_supported(variant)
    return _native.shown_pages(
        variant.width,
        variant.height,
        variant.run,
        *bitboards_of(position),
        position.last_drop,
        SIDE_NAMES[explanation.claim.keeper],
        list(map(to_native_page, explanation.pages)),
        [pack_rival_discs(found.rivals.get(number)) for number in range(len(explanation.pages))],
    )


def native_best_line_step(position: Position, line: Iterable[int]) -> _native.Step:
    """Return the line of best play as one step, for a position without an explanation."""
    variant = position.variant
    return _native.line_step(
        variant.width, variant.height, variant.run, *bitboards_of(position), position.last_drop, list(line)
    )


def pack_rival_discs(discs: RivalDiscSets | None) -> bytes:
    """Pack the rival's discs in every visited position into bytes for the core: 16 bytes for each position."""
    return b"".join(one.to_bytes(BYTES_PER_BITBOARD, "little") for one in discs.found) if discs else b""


def to_native_page(page: Page) -> _native.Page:
    """Convert a page to the core's class."""
    return _native.Page(page.drop, page.force, list(page.answers.items()), list(page.replies.items()))


def from_native_page(page: _native.Page) -> Page:
    """Convert a page from the core's class."""
    answers = {Cell(*cell): _cells(some) for cell, some in page.answers}
    return Page(page.drop, tuple(page.force), answers, dict(page.replies))


def _shown_page(found: CheckedExplanation, native_page: _native.ShownPage) -> ShownPage:
    page, position = found.explanation.pages[native_page.number], found.explanation.position
    for column in native_page.path:
        position = position.drop(column)
    after = position if page.drop is None or page.force else position.drop(page.drop)
    steps = tuple(from_native_step(step, after) for step in native_page.steps)
    return ShownPage(native_page.number, page, position, after, tuple(native_page.force), steps)


def from_native_step(step: _native.Step, position: Position) -> Step:
    """Convert a step from the core's class."""
    return Step(
        step.page,
        position,
        step.kind,
        cast("StepFacts", step.facts.as_dict()),
        _cells(step.played),
        tuple((Cell(*one), Cell(*other)) for one, other in step.pairs),
        tuple(map(_cells, step.lines)),
        _cells(step.threats),
        {reply.column: reply.page for reply in step.replies},
        tuple(cast("StatementView", statement.as_dict()) for statement in step.statements),
    )


def _cells(cells: Iterable[tuple[int, int]]) -> tuple[Cell, ...]:
    return tuple(Cell(*cell) for cell in cells)
