"""An explanation as a file: JSON that a stranger may have written, so nothing in it is believed before it is checked.

{
  "format": "connectk-explanation", "version": 1,
  "variant": "7x6x4",
  "start": "4xo.5x",                                   the position (notation/start.py)
  "claim": {"side": "first", "result": "wins"},        or "holds": at least a draw
  "pages": [
    {"drop": 3, "answers": [[[0, 0], [[0, 1]]], ...], "replies": {"2": 1}},
    {"force": [4, 2, 2]}
  ]
}

Columns, rows and pages count from 0; a cell is [column, row]. What is empty is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, TypeVar

from connectk.errors import ConnectkError, NotationError
from connectk.notation.moves import parse_variant
from connectk.notation.start import parse_start, write_start
from connectk.notation.views import SIDE_NAMES
from connectk.rules import Cell, Side
from connectk.solver.solver import require_supported
from connectk.why.explanation import Claim, Explanation, Page, Promise

if TYPE_CHECKING:
    from connectk.why.messages import ExplainedView, ExplanationPageView, ExplanationView

FORMAT: Final = "connectk-explanation"
VERSION = 1
LARGEST_FILE = 4 << 20  # bytes
MAX_NUMBER = 2**31 - 1  # of a column, a row or a page: what the core takes

Made = TypeVar("Made")


def write_explanation(explanation: Explanation) -> str:
    """The explanation as JSON text; `parse_explanation` reads it back."""
    return json.dumps(to_json(explanation)) + "\n"


def to_json(explanation: Explanation) -> ExplanationView:
    pages = [page_to_json(page) for page in explanation.pages]
    return {"format": FORMAT, "version": VERSION, **about(explanation), "pages": pages}


def about(explanation: Explanation) -> ExplainedView:
    """What is explained, and what is claimed of it."""
    claim = explanation.claim
    return {
        "variant": str(explanation.position.variant),
        "start": write_start(explanation.position),
        "claim": {"side": SIDE_NAMES[claim.keeper], "result": claim.promise.value},
    }


def page_to_json(page: Page) -> ExplanationPageView:
    facts: ExplanationPageView = {}
    if page.drop is not None:
        facts["drop"] = page.drop
    if page.force:
        facts["force"] = list(page.force)
    if page.answers:
        facts["answers"] = [(cell, list(answers)) for cell, answers in page.answers.items()]
    if page.replies:
        facts["replies"] = {str(column): number for column, number in page.replies.items()}
    return facts


def parse_explanation(text: str) -> Explanation:
    """The explanation that a file holds; whether it is true, `check` tells."""
    if len(text) > LARGEST_FILE:
        raise NotationError("why.file.large", most=f"{LARGEST_FILE:,}")
    document = loaded(text)
    require_format(document, FORMAT, VERSION, text)
    return made(_explanation, document, text)


def loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotationError("why.file.not_json", reason=str(error), text=text) from error


def require_format(document: Any, name: str, version: int, text: str) -> None:
    if not isinstance(document, dict) or document.get("format") != name:
        raise NotationError("why.file.format", format=name, text=text)
    if document.get("version") != version:
        raise NotationError("why.file.version", version=repr(document.get("version")), last=version)


def made(make: Callable[[Any], Made], document: Any, text: str) -> Made:
    """What a document says, or in a sentence why it says nothing."""
    try:
        return make(document)
    except ConnectkError as error:
        raise NotationError("why.file.unreadable", reason=error, text=text) from error
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise NotationError("why.file.damaged", reason=repr(error), text=text) from error


def _explanation(document: Mapping[str, Any]) -> Explanation:
    return replace(without_pages(document), pages=tuple(page_from_json(page) for page in document["pages"]))


def without_pages(document: Mapping[str, Any]) -> Explanation:
    variant = parse_variant(document["variant"])
    require_supported(variant)  # before anything as large as the board is made
    position = parse_start(document["start"], variant)
    claim = Claim(Side[document["claim"]["side"].upper()], Promise(document["claim"]["result"]))
    return Explanation(position, claim, ())


def page_from_json(page: Mapping[str, Any]) -> Page:
    drop = page.get("drop")
    return Page(
        drop=None if drop is None else _number(drop),
        force=tuple(_number(column) for column in page.get("force", ())),
        answers={_cell(cell): tuple(_cell(one) for one in answers) for cell, answers in page.get("answers", ())},
        replies={_number(int(column)): _number(number) for column, number in page.get("replies", {}).items()},
    )


def _cell(cell: Any) -> Cell:
    column, row = cell
    return Cell(_number(column), _number(row))


def _number(value: Any) -> int:
    if type(value) is not int or abs(value) > MAX_NUMBER:
        raise ValueError(f"{value!r} should be a whole number of at most {MAX_NUMBER}")
    return value
