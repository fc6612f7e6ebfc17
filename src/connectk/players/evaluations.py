"""Evaluations: functions `(position, side) -> number` whose value is higher if the open position is better for `side`.

Four evaluations are built in, and users can write their own. This module defines the built-in ones in a simple and slow
way. The core has fast versions, and tests check that both give the same results.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable
from importlib.util import module_from_spec, spec_from_file_location
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any

from connectk.errors import BadEvaluation
from connectk.rules import Position, Side
from connectk.rules.threats import count_lines_through_cell, lines_through_cell, maximal_runs

Evaluation = Callable[[Position, Side], float]

ONE_MISSING, TWO_MISSING = 10, 2  # the value of a window that lacks one disc, and two
MAX_COUNTED_RUN = 10  # discs; a longer run is worth no more


def windows(position: Position, side: Side) -> float:
    """The points for windows, which are `run` cells in a straight line.

    A window in which only one side has discs gives this side 10 points if one disc is missing, and 2 points if two are.
    """
    worth = {position.variant.run - 1: ONE_MISSING, position.variant.run - 2: TWO_MISSING}
    discs = dict(position.discs())
    total = 0
    for window in set(chain.from_iterable(lines_through_cell(position.variant, cell) for cell in discs)):
        owners = Counter(discs[cell] for cell in window if cell in discs)
        if len(owners) == 1:
            (owner, count), *_ = owners.items()
            total += worth.get(count, 0) * (1 if owner is side else -1)
    return total


def centre(position: Position, side: Side) -> float:
    """Each disc is worth as many points as there are windows that contain its cell. Discs near the centre are therefore
    worth more."""
    variant = position.variant
    return sum(
        count_lines_through_cell(variant, cell) * (1 if owner is side else -1) for cell, owner in position.discs()
    )


def lines(position: Position, side: Side) -> float:
    """Each straight run of discs is worth 1 point for two discs, 5 for three, 25 for four, and so on."""
    return sum(_run_worth(length) * (1 if owner is side else -1) for owner, length in maximal_runs(position))


def _run_worth(length: int) -> int:
    return int(5 ** (min(length, MAX_COUNTED_RUN) - 2)) if length >= 2 else 0


def combined(position: Position, side: Side) -> float:
    """The sum of `windows`, `centre` and `lines`."""
    return windows(position, side) + centre(position, side) + lines(position, side)


NAMED_EVALUATIONS: dict[str, Evaluation] = {"windows": windows, "centre": centre, "lines": lines, "combined": combined}


def load_evaluation(name: str) -> Evaluation:
    """The evaluation of this name. The name `myfile.py:evaluate` means the function `evaluate` in the file of a
    user."""
    if name in NAMED_EVALUATIONS:
        return NAMED_EVALUATIONS[name]
    file, colon, function = name.rpartition(":")
    if not colon or not file.endswith(".py"):
        raise BadEvaluation(name, "error.BadEvaluation.unknown", known=", ".join(NAMED_EVALUATIONS))
    return checked(name, _function_in(Path(file), function, name))


def _function_in(file: Path, function: str, name: str) -> Callable[[Position, Side], Any]:
    if not file.is_file():
        raise BadEvaluation(name, "error.BadEvaluation.no_file", file=file)
    try:
        module = _load(file)
    except Exception as error:
        raise BadEvaluation(name, "error.BadEvaluation.not_loaded", reason=_named(error)) from error
    found = getattr(module, function, None)
    if not callable(found):
        raise BadEvaluation(name, "error.BadEvaluation.no_function", file=file.name, function=function)
    return found  # type: ignore[no-any-return]


def _load(file: Path) -> ModuleType:
    """Load the file as a module, under a name that no other module has."""
    spec = spec_from_file_location(f"connectk_evaluation_{file.stem}", file)
    assert spec is not None  # the name ends in .py
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


def checked(name: str, evaluate: Callable[[Position, Side], Any]) -> Evaluation:
    """Wraps an evaluation. If the evaluation fails in any way, the wrapper raises `BadEvaluation` with the position."""

    def evaluation(position: Position, side: Side) -> float:
        try:
            value = evaluate(position, side)
        except Exception as error:
            raise BadEvaluation(name, "error.BadEvaluation.raised", position, reason=_named(error)) from error
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            raise BadEvaluation(name, "error.BadEvaluation.no_number", position, value=_short(value)) from None
        if isinstance(value, str) or math.isnan(number):
            raise BadEvaluation(name, "error.BadEvaluation.no_number", position, value=_short(value))
        return number

    return evaluation


def _named(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
