"""Writes the summary that a coach gives first about a position: at most three sentences, each made of statements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, cast

from connectk import _native
from connectk.notation.views import SIDE_NAMES
from connectk.solver.bitboards import bitboards_of
from connectk.texts import Texts, list_words
from connectk.why.checker import CheckedExplanation
from connectk.why.explanation import Claim, Promise
from connectk.why.steps import to_native_page
from connectk.why.wording import capitalized

if TYPE_CHECKING:
    from connectk.why.explainer import Why
    from connectk.why.messages import CoachView, StatementView
    from connectk.why.openings import NearestPage, OpeningPage

MAX_COACH_SENTENCES = 3  # of four, the first is the block that the sequence after it begins with
OTHER_SIDE = {"first": "second", "second": "first"}
COLUMN_FATE_KINDS = ("column_wins", "column_draws", "column_loses")


def coach(found: CheckedExplanation) -> list[CoachView]:
    """The sentences of the coach about an explanation, as data without words."""
    explanation = found.explanation
    variant, claim = explanation.position.variant, explanation.claim
    sentences = _native.coach(
        variant.width,
        variant.height,
        variant.run,
        *bitboards_of(explanation.position),
        explanation.position.last_drop,
        SIDE_NAMES[claim.keeper],
        claim.promise.value,
        list(map(to_native_page, explanation.pages)),
    )
    return [cast("CoachView", sentence.as_dict()) for sentence in sentences[-MAX_COACH_SENTENCES:]]


def coach_for(why: Why) -> Sequence[CoachView]:
    """The coach's sentences about a result of `explain`. The result need not have an explanation."""
    if why.found:
        return coach(why.found)
    certified = [_certified(why.opening)] if why.opening else [_nearest(why.nearest)] if why.nearest else []
    return [*why.columns, *certified]


def describe_without_explanation(why: Why, texts: Texts) -> list[str]:
    """The known facts about a position without an explanation, one sentence on each line.

    First come the coach's sentences, then the answers of a certified strategy or a line of best play.
    """
    if why.solution.position.outcome is not None:
        return []
    coached = [describe_coach(sentence, texts) for sentence in coach_for(why)]
    if why.opening is not None:
        return [*coached, "", *describe_opening(why.opening, texts)]
    moves = " ".join(str(column + 1) for column in why.line)
    return [*coached, "", texts("why.step.line", line=moves) if why.line else texts("why.none")]


def describe_opening(opening: OpeningPage, texts: Texts) -> list[str]:
    """Sentences about a certified strategy in a position: its drop, if it is its turn, and its answer to each reply."""
    side = texts(f"coach.{SIDE_NAMES[opening.claim.keeper]}")
    drop = opening.drop
    lines = [] if drop is None else [capitalized(texts("coach.drop", side=side, column=drop.column + 1))]
    for reply, answer, wins in opening.answers:
        key = "why.walk.win" if wins else "why.walk.answer"
        lines.append(texts(key, column=reply.column + 1, answer=answer.column + 1))
    return lines


def _certified(opening: OpeningPage) -> CoachView:
    """The sentence which says that a certified strategy reaches this position."""
    wins = opening.claim.promise is Promise.WINS
    claimed = _claimed("wins" if wins else "holds", opening.claim, [])
    return {"kind": "certified", "statements": [{**claimed, "count": opening.boards}]}


def _nearest(nearest: NearestPage) -> CoachView:
    """The sentence about the nearest position that a certified strategy reaches, which has some discs less."""
    wins = nearest.claim.promise is Promise.WINS
    cells = [(column, row) for column, row in (nearest.drop, *nearest.without)]
    return {
        "kind": "nearest",
        "statements": [_claimed("wins_without" if wins else "holds_without", nearest.claim, cells)],
    }


def _claimed(
    kind: Literal["wins", "holds", "wins_without", "holds_without"], claim: Claim, cells: list[tuple[int, int]]
) -> StatementView:
    return {
        "kind": kind,
        "side": SIDE_NAMES[claim.keeper],
        "cells": cells,
        "lines": [],
        "page": 0,
        "moves": [],
        "unless": [],
        "holds": "every_line",
    }


def describe_coach(sentence: CoachView, texts: Texts) -> str:
    """One of the coach's sentences, in words that a twelve-year-old understands. Columns and rows count from 1."""
    kind, statements = sentence["kind"], sentence["statements"]
    first = statements[0]
    facts: dict[str, object] = {
        "side": texts(f"coach.{first['side']}"),
        "other": texts(f"coach.{OTHER_SIDE[first['side']]}"),
        "columns": _columns(first["cells"], texts),
    }
    if first["cells"]:
        facts |= {"column": first["cells"][-1][0] + 1, "cell": _cell(first["cells"][-1], texts)}
    key: str = kind
    match kind:
        case "must_block":
            facts["where"] = _where(first["lines"][0], texts)
        case "lost":
            key = "lost_then" if first["moves"] else kind
            facts["refuted"] = "; ".join(_refuted(one, texts) for one in statements)
        case "fork":
            columns = list_words([str(column + 1) for column, _ in first["cells"]], "reason.and", texts)
            facts |= {"column": first["moves"][-1] + 1, "columns": columns}
        case "sequence":
            key = kind if first["count"] else "sequence_win"
        case "count":
            _, rest, on_top = statements
            key = f"count.{_count_key(rest, on_top)}"
            facts |= {"count": rest["count"], "top": on_top["count"], "of": on_top["of"]}
        case "several":
            key = "several_given_up" if first["count"] else kind
            facts["cells"] = texts("coach.or").join(_cell(cell, texts) for cell in first["cells"][1::2])
        case "endings":
            facts["cells"] = texts("coach.or").join(_cell(cell, texts) for cell in first["cells"])
        case "must_play" | "open_two":
            columns = texts("coach.or").join(str(column + 1) for column, _ in first["cells"])
            facts |= {"columns": columns, "count": first["count"]}
        case "certified":
            key, facts["count"] = f"{kind}_{first['kind']}", f"{first['count']:,}"
        case "nearest":
            key = first["kind"]
            without = [_cell(cell, texts) for cell in first["cells"][1:]]
            facts |= {
                "column": first["cells"][0][0] + 1,
                "cells": list_words(without, "reason.and", texts),
                "count": len(without),
            }
        case "fates":
            key = f"every.{first['kind']}" if _is_every_column(statements) else kind
            facts |= _fates(statements, texts)
        case "answers_win" | "answers_hold":
            on_top = statements[1]
            key = f"{kind}_on_top" if _is_mostly_on_top(on_top) else kind
            facts |= {"count": on_top["count"], "of": on_top["of"]}
    return capitalized(texts(f"coach.{key}", **facts).strip())


def _fates(statements: Sequence[StatementView], texts: Texts) -> dict[str, str]:
    """The values for a sentence that says which columns win, draw or lose, and how long it takes to reach the best
    result."""
    known = [(kind, some) for kind in COLUMN_FATE_KINDS if (some := [one for one in statements if one["kind"] == kind])]
    fates = (
        texts(f"coach.{kind}", count=len(some), columns=list_words(_columns_of(some), "reason.and", texts))
        for kind, some in known
    )
    return {"fates": "; ".join(fates), "count": _last(*known[0], texts)}


def _last(kind: str, some: Sequence[StatementView], texts: Texts) -> str:
    """The words for how long it takes to reach the best result; empty if this is not known."""
    if kind == "column_draws":
        return texts(f"coach.last.{kind}")
    counts = [one["count"] for one in some if "count" in one]
    if len(counts) < len(some):
        return ""
    count = min(counts) if kind == "column_wins" else max(counts)
    longest = [one for one in some if one["count"] == count]
    key = f"{kind}_alike" if kind == "column_loses" and 1 < len(longest) == len(some) else kind
    return texts(f"coach.last.{key}", count=count, column=texts("coach.or").join(_columns_of(longest)))


def _columns_of(statements: Sequence[StatementView]) -> list[str]:
    return [str(one["cells"][0][0] + 1) for one in statements]


def _is_every_column(statements: Sequence[StatementView]) -> bool:
    """Whether all columns are known to win, all to draw, or all to lose. The core gives counts only if it has solved
    all columns."""
    kinds = {one["kind"] for one in statements}
    return len(statements) > 1 and len(kinds) == 1 and all("count" in one for one in statements)


def _count_key(rest: StatementView, on_top: StatementView) -> str:
    """The text key for the reasons of a count: an even number of other cells, or answers that are mostly right above
    the reply."""
    words = (["even"] if rest["count"] % 2 == 0 else []) + (["on_top"] if _is_mostly_on_top(on_top) else [])
    return "_".join(words) or "plain"


def _is_mostly_on_top(on_top: StatementView) -> bool:
    return 2 * on_top["count"] > on_top["of"]


def _refuted(statement: StatementView, texts: Texts) -> str:
    (reply, _), (answer, _) = statement["cells"]
    return texts("coach.refuted", column=reply + 1, answer=answer + 1)


def _columns(cells: Sequence[tuple[int, int]], texts: Texts) -> str:
    return texts("coach.then").join(str(column + 1) for column, _ in cells)


def _cell(cell: tuple[int, int], texts: Texts) -> str:
    return texts("coach.cell", column=cell[0] + 1, row=cell[1] + 1)


def _where(line: Sequence[tuple[int, int]], texts: Texts) -> str:
    (column, row), (_, next_row) = line[:2]
    if row == next_row:
        return texts("coach.row", row=row + 1)
    return texts("coach.column", column=column + 1) if line[0][0] == line[1][0] else texts("coach.diagonal")
