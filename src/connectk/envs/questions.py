"""Positions with the exact score of every column, used to measure agents.

The set that ships for 7x6x4 is made by `tools/make_positions.py`. In each of its positions the choice matters: not all
columns have the same score.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from connectk.errors import BadPosition, GameAlreadyOver
from connectk.notation.moves import parse_moves, write_moves
from connectk.rules import Position, Variant
from connectk.solver import score_columns
from connectk.solver.book import shipped_book
from connectk.solver.solver import require_supported
from connectk.watch import Stop, is_stop_requested

POSITIONS_FOLDER = "positions"
MAX_EMPTY_CELLS = 32  # of a drawn position on a board without an opening book, so that it is solved quickly
MAX_DRAW_ATTEMPTS = 200  # for each position
Chooser = Callable[[Position, random.Random], int]


@dataclass(frozen=True, slots=True)
class Question:
    """A position and the exact score of each column, None where no disc fits."""

    position: Position
    scores: tuple[int | None, ...]

    @property
    def best(self) -> int:
        return max(score for score in self.scores if score is not None)

    @property
    def worst(self) -> int:
        return min(score for score in self.scores if score is not None)


def shipped_questions(variant: Variant) -> list[Question] | None:
    """The questions that ship with the package for this board, or None."""
    file = files("connectk.envs") / POSITIONS_FOLDER / f"{variant}.txt"
    if not file.is_file():
        return None
    lines = file.read_text(encoding="utf-8").splitlines()
    return [read_question(line, variant) for line in lines if not line.startswith("#")]


def read_question(line: str, variant: Variant) -> Question:
    """One line of a set: moves, a space, and a score for each column."""
    moves, _, scores = line.partition(" ")
    position = Position.from_moves(parse_moves(moves, variant), variant)
    return Question(position, tuple(None if score == "-" else int(score) for score in scores.split(",")))


def write_question(moves: Iterable[int], question: Question) -> str:
    scores = ("-" if score is None else str(score) for score in question.scores)
    return f"{write_moves(tuple(moves), question.position.variant)} {','.join(scores)}"


def questions_of(positions: Iterable[Position | str], variant: Variant, stop: Stop | None = None) -> list[Question]:
    """Solves given positions; raises `BadPosition` if a game is over."""
    questions = []
    for index, one in enumerate(positions):
        position = Position.from_moves(one, variant) if isinstance(one, str) else one
        if position.outcome is not None:
            raise BadPosition(index, GameAlreadyOver(position.outcome))
        questions.append(Question(position, score_columns(position, stop=stop)))
    return questions


def drawn_questions(variant: Variant, count: int, seed: int, stop: Stop | None = None) -> list[Question]:
    """Positions of random play, of all lengths that are solved quickly, whose columns differ in score.

    No two are the same or mirrored. There may be fewer than `count`, because random games may end too early.
    """
    require_supported(variant)
    found = draw(variant, any_length(variant, count, seed), at_random, random.Random(seed), stop)
    return [question for _, question in found]


def any_length(variant: Variant, count: int, seed: int) -> list[int]:
    rng = random.Random(seed)
    least = 0 if shipped_book(variant) else max(0, variant.cells - MAX_EMPTY_CELLS)
    return [rng.randrange(least, variant.cells) for _ in range(count)]


def at_random(position: Position, rng: random.Random) -> int:
    return rng.choice(position.legal_columns)


def draw(
    variant: Variant, plies: Iterable[int], choose: Chooser, rng: random.Random, stop: Stop | None = None
) -> Iterator[tuple[list[int], Question]]:
    """A question after each of these numbers of discs, with its moves; skips a number if all attempts fail."""
    seen: set[Any] = set()
    for ply in plies:
        for _ in range(MAX_DRAW_ATTEMPTS):
            if stop is not None and is_stop_requested(stop):
                return
            moves, position = _game(variant, ply, choose, rng)
            if position.outcome is not None or position in seen or position.mirrored() in seen:
                continue
            question = Question(position, score_columns(position, stop=stop))
            if question.best > question.worst:
                seen.add(position)
                yield moves, question
                break


def _game(variant: Variant, ply: int, choose: Chooser, rng: random.Random) -> tuple[list[int], Position]:
    position, moves = Position.start(variant), []
    while position.outcome is None and position.ply < ply:
        moves.append(choose(position, rng))
        position = position.drop(moves[-1])
    return moves, position
