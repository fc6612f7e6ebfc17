"""Writes an explanation as text: its claim, its boards drawn in characters, and the sentence of each step."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import cycle
from string import ascii_letters, ascii_lowercase, digits
from typing import TYPE_CHECKING

from connectk.notation import draw_diagram
from connectk.notation.views import SIDE_NAMES
from connectk.rules import Cell
from connectk.texts import Texts, list_words
from connectk.why.explainer import Why
from connectk.why.explanation import Explanation
from connectk.why.steps import ShownPage

if TYPE_CHECKING:
    from connectk.why.messages import KnownView, StepFacts

DISC_LABELS = digits[1:] + ascii_letters
SENTENCE_START = re.compile(r"(^|[.!?] )\w")
MAX_NAMED_GROUPS = 8  # groups of cells that a sentence names; the statements have all groups


def naming_players(texts: Texts, spoken: bool = False) -> Texts:
    """The same texts, in which the coach calls the sides first and second player. All other sentences of the commands
    and of the terminal do this too, but the page names the sides by the colours of their discs.

    If `spoken` is set, for a screen reader, a cell is called column 3, row 4 instead of 3/4.
    """
    names = {f"coach.{name}": texts.catalogue[f"reason.side.{name}"] for name in SIDE_NAMES.values()}
    return texts.replaced({**names, **({"why.cell": texts.catalogue["coach.cell"]} if spoken else {})})


def capitalized(text: str) -> str:
    """The text with a capital letter at the beginning of each sentence. A sentence may begin with the name of a
    side."""
    return SENTENCE_START.sub(lambda found: found[0].upper(), text)


def describe_claim(explanation: Explanation, texts: Texts) -> str:
    """The sentence that states the claim."""
    claim = explanation.claim
    return texts(f"why.claim.{claim.keeper}.{claim.promise.value}")


def known_result(why: Why) -> KnownView:
    """The result of a position without an explanation. The result may be unknown."""
    position, result = why.solution.position, why.solution.result
    to_move = SIDE_NAMES[position.side_to_move]
    if position.outcome is None:
        return {"kind": result or "unknown", "side": to_move}
    winner = position.outcome.winner
    return {"kind": "won", "side": SIDE_NAMES[winner]} if winner else {"kind": "drawn", "side": to_move}


def headline_for(why: Why, texts: Texts) -> str:
    """The claim, the number of boards and the number of checked positions. Without an explanation, the known result."""
    if why.explanation is None:
        return describe_known_result(known_result(why), texts)
    counted = texts("why.boards", count=why.explanation.size), texts("why.checked", count=why.checked)
    return " ".join((describe_claim(why.explanation, texts), *counted))


def describe_known_result(known: KnownView, texts: Texts) -> str:
    """The sentence for the known result of a position without an explanation."""
    key = {"won": "solve.won", "drawn": "solve.drawn", "unknown": "why.unknown", "draw": "solve.to_move_draw"}
    side = texts(f"board.{known['side']}")
    if known["kind"] in key:
        return texts(key[known["kind"]], side=side)
    worth = texts("worth.wins" if known["kind"] == "win" else "worth.loses")
    return texts("solve.to_move", side=side, worth=worth)


def page_sentences(shown: ShownPage, texts: Texts) -> Iterator[str]:
    """Yields the sentences of one page. In a force, each sentence begins with the number of its disc."""
    for step in shown.steps:
        match step.kind:
            case "replies":
                for number in dict.fromkeys(step.replies.values()):
                    columns = [str(column + 1) for column, to in step.replies.items() if to == number]
                    yield texts("why.reply", columns=list_words(columns, "review.or", texts), number=number + 1)
                yield texts("why.others")
            case "always":
                yield texts("why.always")
            case "rule":
                yield f"  {_describe_rule(step.facts, texts)}"
            case "answers":
                yield from (f"  {_answer(cell, some, texts)}" for cell, some in step.facts["answers"])
            case "rest":
                yield f"  {say(step.kind, step.facts, texts)}"
            case _:
                numbered = f"{disc_label(len(step.played))}: " if step.played and shown.force else ""
                yield numbered + say(step.kind, step.facts, texts)


def say(kind: str, facts: StepFacts, texts: Texts) -> str:
    """The sentence of one step. Columns and rows count from 1."""
    if kind == "rule":
        columns, sentence = facts.get("columns"), _describe_rule(facts, texts)
        if not columns:
            return sentence
        return texts("why.unless", count=len(columns), columns=_listed(columns, texts), sentence=sentence)
    if kind == "answers":
        return (
            f"{texts('why.step.answers')} {'; '.join(_answer(cell, some, texts) for cell, some in facts['answers'])}."
        )
    if kind == "line" and not facts["line"]:
        return texts("why.none")
    values: dict[str, object] = {**facts}
    if "column" in facts:
        values["column"] = facts["column"] + 1
    if "columns" in facts:
        values |= {"columns": _listed(facts["columns"], texts), "count": len(facts["columns"])}
    if "answers" in facts:
        values["refuted"] = describe_refutations(facts["answers"], texts)
    if "line" in facts:
        values["line"] = " ".join(str(one + 1) for one in facts["line"])
    return texts(f"why.{kind}" if kind in ("drop", "rest") else f"why.step.{kind}", **values)


def _describe_rule(facts: StepFacts, texts: Texts) -> str:
    """The sentence about a rule: its name, the cells that it keeps from the rival, and the number of lines that it
    stops."""
    rule, groups = facts["rule"], facts["cells"]
    cells = "; ".join(texts("why.with").join(_cell(cell, texts) for cell in some) for some in groups[:MAX_NAMED_GROUPS])
    cells += "; …" if len(groups) > MAX_NAMED_GROUPS else ""
    lines = texts("why.lines", count=facts["count"])
    if rule == "zugzwang":
        return f"{texts('why.rule.zugzwang')} ({cells}): {lines}."
    never = texts("why.never_one" if max(map(len, groups)) == 1 else "why.never_all", cells=cells)
    return f"{texts('why.rule.' + rule)}: {never}: {lines}."


def describe_refutations(replies: Iterable[tuple[tuple[int, int], Sequence[tuple[int, int]]]], texts: Texts) -> str:
    """A list of replies in words. Each reply is followed by the cell where the opponent wins at once."""
    return "; ".join(
        texts("why.refuted", cell=_cell(cell, texts), cells=_cell(wins[0], texts)) for cell, wins in replies
    )


def _listed(columns: Sequence[int], texts: Texts) -> str:
    return list_words([str(column + 1) for column in columns], "reason.and", texts)


def _answer(cell: Sequence[int], answers: Sequence[Sequence[int]], texts: Texts) -> str:
    where = texts("why.otherwise").join(_cell(answer, texts) for answer in answers)
    return texts("why.answer", cell=_cell(cell, texts), cells=where)


def _cell(cell: Sequence[int], texts: Texts) -> str:
    return texts("why.cell", column=cell[0] + 1, row=cell[1] + 1)


def drawn(shown: ShownPage, discs: str = "xo") -> str:
    """The page's board as characters, with marks on the answers. In a force, the numbers of the discs are drawn
    instead."""
    if not shown.force:
        return draw_diagram(shown.after, marks=marks(shown), discs=discs)
    numbers, position = {}, shown.position
    for i, column in enumerate(shown.force, start=1):
        numbers[Cell(column, position.height_of(column))] = disc_label(i)
        position = position.drop(column)
    return draw_diagram(shown.position, marks=numbers, discs=discs)


def disc_label(number: int) -> str:
    """The character for the number of a disc in a line: a digit for 1 to 9, then the small letters, then the capital
    letters."""
    return DISC_LABELS[(number - 1) % len(DISC_LABELS)]


def marks(shown: ShownPage) -> dict[Cell, str]:
    """The characters to draw over the board of a page."""
    always = [step for step in shown.steps if step.kind == "always"]
    return pair_marks(always[0].pairs, always[0].threats) if always else {}


def above(cell: Cell) -> Cell:
    return Cell(cell.column, cell.row + 1)


def pair_marks(pairs: Iterable[tuple[Cell, Cell]], threats: Iterable[Cell]) -> dict[Cell, str]:
    """The mark of each cell: `^` if the answer is directly above it, `!` for a threat, a letter for two cells that
    answer each other, and `*` for any other answer."""
    answers = dict(pairs)
    found = {cell: "^" if answer == above(cell) else "*" for cell, answer in answers.items()}
    letters = cycle(ascii_lowercase.replace("o", "").replace("x", ""))
    for cell, answer in sorted(answers.items()):
        if answers.get(answer) == cell and cell < answer:
            found[cell] = found[answer] = next(letters)
    return found | dict.fromkeys(threats, "!")


def legend(texts: Texts, discs: str = "xo") -> str:
    """The text that explains the marks and the discs of both sides."""
    return texts("why.legend", first=discs[0], second=discs[1])
