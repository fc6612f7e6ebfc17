"""Explains why a side wins a position or holds a draw. A person can follow the explanation, and a program can check it.

>>> from connectk import Position
>>> from connectk.why import explain
>>> explain(Position.from_moves("3344")).explanation.kind
'force'
"""

from connectk.why.checker import CheckedExplanation, check
from connectk.why.explainer import Why, explain, explain_claim
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
    "explain_claim",
    "parse_explanation",
    "write_explanation",
]
