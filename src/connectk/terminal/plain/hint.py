"""A hint in sentences."""

from __future__ import annotations

from queue import Empty, SimpleQueue
from time import monotonic

from connectk.rules import Position
from connectk.terminal.hints import Hint, HintSearch
from connectk.terminal.plain.talk import Talk

LONGEST = 10.0  # seconds before what is known is said


def say_hint(position: Position, talk: Talk) -> None:
    """A line for each column, in order, and the best ones."""
    talk.say(talk.texts("hint.thinking"))
    hint = _look(position)
    for column, worth in sorted(hint.worths.items()):
        talk.say(talk.texts("hint.column", column=column + 1, worth=worth.words(talk.texts)))
    if hint.best_columns:
        best = ", ".join(str(column + 1) for column in sorted(hint.best_columns))
        talk.say(talk.texts("hint.best", count=len(hint.best_columns), columns=best))


def _look(position: Position) -> Hint:
    told: SimpleQueue[Hint] = SimpleQueue()
    search = HintSearch(position, lambda _, hint: told.put(hint))
    hint, until = Hint({}), monotonic() + LONGEST
    try:
        while not hint.is_finished:
            hint = told.get(timeout=max(0.0, until - monotonic()))
    except Empty:
        pass
    finally:
        search.stop()
    return hint
