"""Connect Four and every connect-k game: rules, notation, a referee and an exact solver.

    >>> from connectk import Position
    >>> Position.from_moves("4453").side_to_move
    <Side.FIRST: 0>

Names are imported when they are first used, so that `import connectk` stays quick.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from connectk.notation import parse_diagram, parse_moves
    from connectk.rules import Game, Outcome, Position, Side, Variant
    from connectk.solver import Solution, score_columns, solve, solve_each, solve_many
    from connectk.why import explain

_HOMES = {
    "Game": "rules",
    "Outcome": "rules",
    "Position": "rules",
    "Side": "rules",
    "Variant": "rules",
    "explain": "why",
    "parse_diagram": "notation",
    "parse_moves": "notation",
    "Solution": "solver",
    "score_columns": "solver",
    "solve": "solver",
    "solve_each": "solver",
    "solve_many": "solver",
}

__all__ = [
    "Game",
    "Outcome",
    "Position",
    "Side",
    "Solution",
    "Variant",
    "explain",
    "parse_diagram",
    "parse_moves",
    "score_columns",
    "solve",
    "solve_each",
    "solve_many",
]
__version__ = "0.5.0"


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'connectk' has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"connectk.{_HOMES[name]}"), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
