"""Positions with the exact score of every column, used to measure agents.

`tools/make_positions.py` makes the set for 7x6x4 that ships with the package. In each position of the set, not all
columns have the same score, so the choice matters.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from itertools import islice
from typing import Any

from connectk.errors import BadPosition, GameAlreadyOver, SearchStopped
from connectk.notation.moves import parse_moves, write_moves
from connectk.rules import Position, Variant
from connectk.solver import score_columns
from connectk.solver.book import shipped_book
from connectk.solver.solver import require_supported
from connectk.watch import Stop, is_stop_requested

POSITIONS_FOLDER = "positions"
MAX_EMPTY_CELLS = 24  # in a random position on a board without an opening book: hundreds are solved in a minute
MAX_DRAW_ATTEMPTS = 200  # for each position
MAX_FAILED_PLIES = 40  # after more failures in a row, the board counts as exhausted
Chooser = Callable[[Position, random.Random], int]


@dataclass(frozen=True, slots=True)
class Question:
    """A position and the exact score of each column. A full column has None."""

    position: Position
    scores: tuple[int | None, ...]

    @property
    def best(self) -> int:
        return max(score for score in self.scores if score is not None)

    @property
    def worst(self) -> int:
        return min(score for score in self.scores if score is not None)


def shipped_questions(variant: Variant) -> list[Question] | None:
    """The questions for this board that ship with the package. None if there are none."""
    file = files("connectk.envs") / POSITIONS_FOLDER / f"{variant}.txt"
    if not file.is_file():
        return None
    lines = file.read_text(encoding="utf-8").splitlines()
    return [read_question(line, variant) for line in lines if not line.startswith("#")]


def read_question(line: str, variant: Variant) -> Question:
    """Parse one line of a set: moves, a space, and a score for each column."""
    moves, _, scores = line.partition(" ")
    position = Position.from_moves(parse_moves(moves, variant), variant)
    return Question(position, tuple(None if score == "-" else int(score) for score in scores.split(",")))


def write_question(moves: Iterable[int], question: Question) -> str:
    scores = ("-" if score is None else str(score) for score in question.scores)
    return f"{write_moves(tuple(moves), question.position.variant)} {','.join(scores)}"


def positions_of(positions: Iterable[Position | str], variant: Variant) -> list[Position]:
    """Converts the given positions or move strings to positions. Raises `BadPosition` if a game is over."""
    found = [Position.from_moves(one, variant) if isinstance(one, str) else one for one in positions]
    for index, position in enumerate(found):
        if position.outcome is not None:
            raise BadPosition(index, GameAlreadyOver(position.outcome))
    return found


def questions_of(positions: Iterable[Position], stop: Stop | None = None) -> Iterator[Question]:
    """Yields a question for each position. A position is solved only when the iterator reaches it."""
    return (Question(position, score_columns(position, stop=stop)) for position in positions)


def drawn_questions(variant: Variant, count: int, seed: int, stop: Stop | None = None) -> Iterator[Question]:
    """Yields questions from random games, in all phases that can be solved quickly. In each question, not all columns
    have the same score.

    All positions are different, and no position is the mirror image of another. There are fewer than `count` questions
    only if the board has too few positions.
    """
    require_supported(variant)
    found = draw_questions(variant, random_plies(variant, seed), random_legal_column, random.Random(seed), stop)
    return (question for _, question in islice(found, count))


def random_plies(variant: Variant, seed: int) -> Iterator[int]:
    """Yields random numbers of discs for `draw_questions`, without end."""
    rng = random.Random(seed)
    least = 0 if shipped_book(variant) else max(0, variant.cells - MAX_EMPTY_CELLS)
    while True:
        yield rng.randrange(least, variant.cells)


def random_legal_column(position: Position, rng: random.Random) -> int:
    return rng.choice(position.legal_columns)


def draw_questions(
    variant: Variant, plies: Iterable[int], choose: Chooser, rng: random.Random, stop: Stop | None = None
) -> Iterator[tuple[list[int], Question]]:
    """Yields one question, with its moves, for each number of discs in `plies`. If all attempts for a number fail, the
    number is skipped. If more than `MAX_FAILED_PLIES` numbers in a row are skipped, the iteration ends."""
    seen: set[Any] = set()
    failed = 0
    for ply in plies:
        failed += 1
        for _ in range(MAX_DRAW_ATTEMPTS):
            if stop is not None and is_stop_requested(stop):
                raise SearchStopped(())
            moves, position = _game(variant, ply, choose, rng)
            if position.outcome is not None or position in seen or position.mirrored() in seen:
                continue
            question = Question(position, score_columns(position, stop=stop))
            if question.best > question.worst:
                seen.add(position)
                yield moves, question
                failed = 0
                break
        if failed > MAX_FAILED_PLIES:
            return


def _game(variant: Variant, ply: int, choose: Chooser, rng: random.Random) -> tuple[list[int], Position]:
    position, moves = Position.start(variant), []
    while position.outcome is None and position.ply < ply:
        moves.append(choose(position, rng))
        position = position.drop(moves[-1])
    return moves, position
