"""An explanation as boards and sentences, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle
from string import ascii_lowercase, digits
from typing import TYPE_CHECKING

from connectk.notation import draw_diagram
from connectk.notation.views import SIDE_NAMES
from connectk.rules import Cell
from connectk.texts import Texts
from connectk.why.boards import ShownPage
from connectk.why.explainer import Why
from connectk.why.explanation import Explanation

if TYPE_CHECKING:
    from connectk.why.messages import KnownView, StepFacts


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
    if shown.force:
        yield texts("why.force", moves=_with_brackets(shown.force))
        return
    for step in shown.steps:
        match step.kind:
            case "drop":
                yield say(step.kind, step.facts, texts)
            case "replies":
                for column, number in step.replies.items():
                    yield texts("why.reply", column=column + 1, number=number + 1)
            case "always":
                yield texts("why.always")
            case "answers":
                yield from (f"  {_answer(cell, some, texts)}" for cell, some in step.facts["answers"])
            case _:
                yield f"  {say(step.kind, step.facts, texts)}"


def _with_brackets(line: tuple[int, ...]) -> str:
    return ", ".join(str(column + 1) if i % 2 == 0 else f"({column + 1})" for i, column in enumerate(line))


def say(kind: str, facts: StepFacts, texts: Texts) -> str:
    """What a step says, counted from 1."""
    if kind == "rule":
        cells = "; ".join(" ".join(_cell(cell, texts) for cell in some) for some in facts["cells"])
        return f"{texts('why.rule.' + facts['rule'])} ({cells}): {texts('why.lines', count=facts['count'])}."
    if kind == "answers":
        return (
            f"{texts('why.step.answers')} {'; '.join(_answer(cell, some, texts) for cell, some in facts['answers'])}."
        )
    if kind == "line" and not facts["line"]:
        return texts("why.none")
    told: dict[str, object] = {**facts}
    if "column" in facts:
        told["column"] = facts["column"] + 1
    if "columns" in facts:
        told |= {"columns": ", ".join(str(one + 1) for one in facts["columns"]), "count": len(facts["columns"])}
    if "line" in facts:
        told["line"] = " ".join(str(one + 1) for one in facts["line"])
    return texts(f"why.{kind}" if kind in ("drop", "rest") else f"why.step.{kind}", **told)


def _answer(cell: Sequence[int], answers: Sequence[Sequence[int]], texts: Texts) -> str:
    where = texts("why.otherwise").join(_cell(answer, texts) for answer in answers)
    return texts("why.answer", cell=_cell(cell, texts), cells=where)


def _cell(cell: Sequence[int], texts: Texts) -> str:
    return texts("why.cell", column=cell[0] + 1, row=cell[1] + 1)


def drawn(shown: ShownPage, discs: str = "xo") -> str:
    """The page's board in characters, with marks where the answers are."""
    if not shown.force:
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
    always = [step for step in shown.steps if step.kind == "always"]
    return marks_for(always[0].pairs, always[0].threats) if always else {}


def above(cell: Cell) -> Cell:
    return Cell(cell.column, cell.row + 1)


def marks_for(pairs: Iterable[tuple[Cell, Cell]], threats: Iterable[Cell]) -> dict[Cell, str]:
    """`^` where the answer is right above, letters for cells that answer each other, `!` for a threat."""
    found = {cell: "^" for cell, answer in pairs if answer == above(cell)}
    letters = cycle(ascii_lowercase.replace("o", "").replace("x", ""))
    for cell, answer in sorted((cell, answer) for cell, answer in pairs if answer != above(cell)):
        letter = found.get(cell) or next(letters)
        found[cell] = letter
        found.setdefault(answer, letter)
    return found | dict.fromkeys(threats, "!")
