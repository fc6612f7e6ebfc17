"""Reads and writes explanations as JSON files. A file may come from an untrusted source, so check its explanation with
`check` before using it.

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

Columns, rows and pages count from 0; a cell is [column, row]. Empty fields of a page are left out.
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

EXPLANATION_FORMAT: Final = "connectk-explanation"
EXPLANATION_VERSION = 1
MAX_EXPLANATION_FILE_BYTES = 4 << 20
MAX_INDEX = 2**31 - 1  # the largest column, row or page number that the core accepts

Made = TypeVar("Made")


def write_explanation(explanation: Explanation) -> str:
    """The explanation as JSON text; `parse_explanation` reads it back."""
    return json.dumps(to_json(explanation)) + "\n"


def to_json(explanation: Explanation) -> ExplanationView:
    """The explanation as a JSON object, ready for `json.dumps`."""
    pages = [page_to_json(page) for page in explanation.pages]
    return {"format": EXPLANATION_FORMAT, "version": EXPLANATION_VERSION, **claim_to_json(explanation), "pages": pages}


def claim_to_json(explanation: Explanation) -> ExplainedView:
    """The position and the claim as JSON."""
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
    """Parse the text of an explanation file. The explanation may be false until `check` accepts it."""
    if len(text) > MAX_EXPLANATION_FILE_BYTES:
        raise NotationError("why.file.large", most=f"{MAX_EXPLANATION_FILE_BYTES:,}")
    document = parse_json_text(text)
    require_format(document, EXPLANATION_FORMAT, EXPLANATION_VERSION, text)
    return convert_document(_explanation, document, text)


def parse_json_text(text: str) -> Any:
    """Parse JSON; raises `NotationError` if the text is not JSON."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise NotationError("why.file.not_json", reason=str(error), text=text) from error


def require_format(document: Any, name: str, version: int, text: str) -> None:
    """Raise `NotationError` if a document does not have this format and version."""
    if not isinstance(document, dict) or document.get("format") != name:
        raise NotationError("why.file.format", format=name, text=text)
    if document.get("version") != version:
        raise NotationError("why.file.version", version=repr(document.get("version")), last=version)


def convert_document(make: Callable[[Any], Made], document: Any, text: str) -> Made:
    """Convert a document with the function `make`. If the document is damaged, raises `NotationError` with the
    reason."""
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
    require_supported(variant)  # before any object as large as the board is created
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
    if type(value) is not int or abs(value) > MAX_INDEX:
        raise ValueError(f"{value!r} should be a whole number of at most {MAX_INDEX}")
    return value
