"""Describes in words why a move was worse than another. The core finds the reasons, as statements that can be
checked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from connectk.texts import Texts, list_words

if TYPE_CHECKING:
    from connectk.review.messages import ReasonView


def describe_reason(reason: ReasonView, texts: Texts) -> str:
    """The sentence for a reason, in the language of `texts`."""
    sentence = texts(f"reason.{reason['kind']}", **_words(reason, texts))
    return f"{sentence} {texts('reason.last_column')}" if reason.get("last_column") else sentence


def _words(reason: ReasonView, texts: Texts) -> dict[str, object]:
    """The facts in the form that the texts need: numbers count from 1, and words have the grammatical forms of the
    language."""
    side, columns = reason["side"], reason["columns"]
    column, row = reason["cells"][0]
    listed = _listed(columns, texts)
    return {
        "winner": texts(f"reason.side.{side}"),
        "loser": texts(f"reason.side.{'first' if side == 'second' else 'second'}"),
        "run": reason["run"],
        "disc": reason.get("disc"),
        "drop": reason["line"][0] + 1,
        "column": column + 1,
        "row": row + 1,
        "count": len(columns),
        "columns": listed,
        "where": texts("reason.where", count=len(columns), columns=listed),
        "drops": _with_replies(reason["line"]),
    }


def _with_replies(line: Sequence[int]) -> str:
    """A line of play as text, such as '4 (5) 3'. The replies of the other side are in brackets."""
    return " ".join(f"({column + 1})" if ply % 2 else str(column + 1) for ply, column in enumerate(line))


def _listed(columns: Sequence[int], texts: Texts) -> str:
    """Columns as a list in words: '3', '3 and 5', or '2, 3 and 5'."""
    return list_words([str(column + 1) for column in columns], "reason.and", texts)
