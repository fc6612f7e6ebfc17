"""Why a side wins or holds a position, in a way that a person can follow and a program can check.

>>> from connectk import Position
>>> from connectk.why import explain
>>> explain(Position.from_moves("3344")).explanation.kind
'force'
"""

from connectk.why.checker import CheckedExplanation, check
from connectk.why.explainer import Why, explain, show
from connectk.why.explanation import Claim, Explanation, Page, Promise
from connectk.why.files import parse_explanation, write_explanation

__all__ = [
    "CheckedExplanation",
    "Claim",
    "Explanation",
    "Page",
    "Promise",
    "Why",
    "check",
    "explain",
    "parse_explanation",
    "show",
    "write_explanation",
]
