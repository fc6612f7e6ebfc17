"""An explanation as boards and sentences, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import cycle
from string import ascii_lowercase, digits
from typing import TYPE_CHECKING

from connectk.notation import draw_diagram
from connectk.notation.views import SIDE_NAMES
from connectk.rules import Cell, Position, Side
from connectk.rules.threats import winning_columns
from connectk.texts import Texts
from connectk.why.checker import MOST_POSITIONS, RivalDiscs, play_through
from connectk.why.explainer import Why
from connectk.why.explanation import Explanation, Page
from connectk.why.naming import Rule, above, rules_of

if TYPE_CHECKING:
    from connectk.why.messages import KnownView


@dataclass(frozen=True, slots=True)
class ShownPage:
    """One page with its board: the position that it is about, and the one after the page's own drop."""

    number: int  # from 0
    page: Page
    position: Position
    after: Position
    rules: tuple[Rule, ...]
    unnamed: int  # lines of the rival that no rule with a name stops
    replies: Mapping[int, int]  # the page's, as far as play can get to them

    @property
    def force(self) -> tuple[int, ...]:
        """The drops of both, the last one completing a line of the keeper."""
        return forced_line(self.position, self.page.force)

    @property
    def others(self) -> dict[Cell, tuple[Cell, ...]]:
        """Answers that are not simply right above."""
        return {cell: some for cell, some in sorted(self.page.answers.items()) if some[:1] != (above(cell),)}


def shown_pages(explanation: Explanation) -> list[ShownPage]:
    """Every page that play can get to, in the order of the explanation, each with the first board it is reached on."""
    return checked_pages(explanation)[1]


def checked_pages(explanation: Explanation, most: int = MOST_POSITIONS) -> tuple[int, list[ShownPage]]:
    """The same, and how many positions the checker played; what it refuses is not shown."""
    checked, discs = play_through(explanation, most)
    shown: dict[int, ShownPage] = {}
    left, keeper = [(0, explanation.position)], explanation.claim.keeper
    while left:
        number, position = left.pop()
        if number not in shown:
            page = explanation.pages[number]
            one = shown[number] = _shown(number, page, position, keeper, discs.get(number))
            left += [(other, one.after.drop(column)) for column, other in one.replies.items()]
    return max(1, checked), [shown[number] for number in sorted(shown)]


def _shown(number: int, page: Page, position: Position, keeper: Side, discs: RivalDiscs | None) -> ShownPage:
    if page.force:  # whatever else such a page holds is not looked at
        return ShownPage(number, page, position, position, (), 0, {})
    after = position if page.drop is None else position.drop(page.drop)
    replies = {column: other for column, other in page.replies.items() if _is_met(after, column, keeper)}
    if not page.answers or discs is None:
        return ShownPage(number, page, position, after, (), 0, replies)
    rules, unnamed = rules_of(after, page, keeper, discs.ever_all)
    return ShownPage(number, page, position, after, tuple(rules), len(unnamed), replies)


def _is_met(after: Position, column: int, keeper: Side) -> bool:
    """Whether the page for this reply is ever turned to: a file may name others, which the checker never sees."""
    return column in after.legal_columns and not winning_columns(after.drop(column), keeper)


def forced_line(position: Position, drops: tuple[int, ...]) -> tuple[int, ...]:
    """The drops of a force with the only reply to each; the last ones are a reply of two and the win."""
    line: list[int] = []
    keeper = position.side_to_move
    for drop in drops:
        position, line = position.drop(drop), [*line, drop]
        replies = winning_columns(position, keeper)
        if position.outcome is not None or not replies:
            return tuple(line)
        position, line = position.drop(replies[0]), [*line, replies[0]]
    return (*line, *winning_columns(position, keeper)[:1])


def claim_in(explanation: Explanation, texts: Texts) -> str:
    claim = explanation.claim
    return texts(f"why.claim.{claim.keeper}.{claim.promise.value}")


def known_of(why: Why) -> KnownView:
    """What is known of a position that has no explanation."""
    position, result = why.solution.position, why.solution.result
    to_move = SIDE_NAMES[position.side_to_move]
    if position.outcome is None:
        return {"kind": result or "unknown", "side": to_move}
    winner = position.outcome.winner
    return {"kind": "won", "side": SIDE_NAMES[winner]} if winner else {"kind": "drawn", "side": to_move}


def headline_of(why: Why, texts: Texts) -> str:
    """What is claimed, in how many boards, and that it was checked; or what is known without."""
    if why.explanation is None:
        return say_known(known_of(why), texts)
    counted = texts("why.boards", count=why.explanation.size), texts("why.checked", count=why.checked)
    return " ".join((claim_in(why.explanation, texts), *counted))


def say_known(known: KnownView, texts: Texts) -> str:
    key = {"won": "solve.won", "drawn": "solve.drawn", "unknown": "why.unknown", "draw": "solve.to_move_draw"}
    side = texts(f"board.{known['side']}")
    if known["kind"] in key:
        return texts(key[known["kind"]], side=side)
    worth = texts("worth.wins" if known["kind"] == "win" else "worth.loses")
    return texts("solve.to_move", side=side, worth=worth)


def sentences(shown: ShownPage, texts: Texts) -> Iterator[str]:
    """What one page says, a line each."""
    page = shown.page
    if page.force:
        yield texts("why.force", moves=_with_brackets(shown.force))
        return
    if page.drop is not None:
        yield texts("why.drop", column=page.drop + 1)
    for column, number in sorted(shown.replies.items()):
        yield texts("why.reply", column=column + 1, number=number + 1)
    if page.answers:
        yield texts("why.always")
        yield from (f"  {line}" for line in _rules(shown, texts))


def _with_brackets(line: tuple[int, ...]) -> str:
    return ", ".join(str(column + 1) if i % 2 == 0 else f"({column + 1})" for i, column in enumerate(line))


def _rules(shown: ShownPage, texts: Texts) -> Iterator[str]:
    for name in dict.fromkeys(rule.name for rule in shown.rules):
        same = [rule for rule in shown.rules if rule.name == name]
        cells = "; ".join(" ".join(_cell(cell, texts) for cell in rule.cells) for rule in same)
        count = sum(len(rule.lines) for rule in same)
        yield f"{texts(f'why.rule.{name}')} ({cells}): {texts('why.lines', count=count)}."
    for cell, answers in shown.others.items():
        where = texts("why.otherwise").join(_cell(answer, texts) for answer in answers)
        yield texts("why.answer", cell=_cell(cell, texts), cells=where)
    if shown.unnamed:
        yield texts("why.rest", count=shown.unnamed)


def _cell(cell: Cell, texts: Texts) -> str:
    return texts("why.cell", column=cell.column + 1, row=cell.row + 1)


def drawn(shown: ShownPage, discs: str = "xo") -> str:
    """The page's board in characters, with marks where the answers are."""
    if not shown.page.force:
        return draw_diagram(shown.after, marks=marks(shown), discs=discs)
    numbers, position = {}, shown.position
    for i, column in enumerate(shown.force, start=1):
        numbers[Cell(column, position.height_of(column))] = sign_of(i)
        position = position.drop(column)
    return draw_diagram(shown.position, marks=numbers, discs=discs)


def sign_of(number: int) -> str:
    """One character for the first, the second, ... of a line's discs: digits, then letters."""
    return (digits[1:] + ascii_lowercase)[(number - 1) % 35]


def marks(shown: ShownPage) -> dict[Cell, str]:
    pairs = [(cell, answers[0]) for cell, answers in shown.page.answers.items() if answers]
    return marks_for(pairs, [rule.cells[0] for rule in shown.rules if rule.name == "zugzwang"])


def marks_for(pairs: Iterable[tuple[Cell, Cell]], threats: Iterable[Cell]) -> dict[Cell, str]:
    """`^` where the answer is right above, letters for cells that answer each other, `!` for a threat."""
    found = {cell: "^" for cell, answer in pairs if answer == above(cell)}
    letters = cycle(ascii_lowercase.replace("o", "").replace("x", ""))
    for cell, answer in sorted((cell, answer) for cell, answer in pairs if answer != above(cell)):
        letter = found.get(cell) or next(letters)
        found[cell] = letter
        found.setdefault(answer, letter)
    return found | dict.fromkeys(threats, "!")
