"""Makes puzzles for any board that the solver takes: plays games, and keeps of each at most one position.

Same recipe, same puzzles, as far as the explainer has time: a game is decided by the seed and its number. After every
few games the file is written whole, with the number of games behind it, so that a stop loses little.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from connectk.dataset.drawing import key_of, play_game
from connectk.errors import JobMismatch
from connectk.notation.start import write_start
from connectk.puzzles.files import Head, parse_puzzles, write_puzzles
from connectk.puzzles.judging import depth_that_finds, levels_that_miss, task_of
from connectk.puzzles.puzzle import Puzzle, Theme
from connectk.puzzles.themes import explained, theme_of
from connectk.rules import CLASSIC, Position, Variant
from connectk.solver import Solver
from connectk.solver.solver import require_supported
from connectk.system import write_whole
from connectk.watch import Progress, Stop, Watch, stop_after

MAX_THEME_SHARE = 0.25  # of one theme, so that the easiest to find does not push out all others
MAX_IDLE_GAMES = 500  # games without a new puzzle: the board has no more
GAMES_PER_BATCH = 10
SOLVE_TIMEOUT_SECONDS = 2.0  # seconds for one position; there are others


@dataclass(frozen=True, slots=True)
class PuzzleRecipe:
    """Everything that decides which puzzles are made."""

    variant: Variant = CLASSIC
    count: int = 2000
    seed: int = 1
    least: int = 12  # discs on the board
    most: int = 32

    @property
    def head(self) -> Head:
        return Head(self.variant, self.seed, self.least, self.most)


def make_puzzles(
    recipe: PuzzleRecipe, path: Path, *, stop: Stop | None = None, progress: Progress | None = None
) -> tuple[Puzzle, ...]:
    """The puzzles of a recipe, in a file that grows; one that is there already is gone on with.

    After a stop, those that there are by then.
    """
    require_supported(recipe.variant)
    making = _Making(recipe, *_begun(recipe, path))
    watch = Watch(stop, progress)
    while making.wants_more and not watch.should_stop():
        making.play_some()
        write_whole(path, lambda: write_puzzles(making.head, making.puzzles))
        watch.tell(min(len(making.puzzles), recipe.count), recipe.count, rows=making.head.games)
    return tuple(making.puzzles)


def _begun(recipe: PuzzleRecipe, path: Path) -> tuple[Head, list[Puzzle]]:
    """What the file holds already, if it is of this recipe."""
    if not path.exists():
        return recipe.head, []
    head, puzzles = parse_puzzles(path.read_text(encoding="utf-8"))
    if replace(head, games=0) != recipe.head:
        raise JobMismatch(str(path))
    return head, list(puzzles)


class _Making:
    def __init__(self, recipe: PuzzleRecipe, head: Head, puzzles: list[Puzzle]) -> None:
        self.recipe, self.head, self.puzzles = recipe, head, puzzles
        self.solver = Solver(recipe.variant)
        self.met = {key_of(puzzle.position) for puzzle in puzzles}
        self.themes = Counter(puzzle.theme for puzzle in puzzles)
        self.idle = 0  # games in a row that gave none

    @property
    def wants_more(self) -> bool:
        return len(self.puzzles) < self.recipe.count and self.idle < MAX_IDLE_GAMES

    def play_some(self) -> None:
        first = self.head.games
        for number in range(first, first + GAMES_PER_BATCH):
            puzzle = self.puzzle_of_game(number) if len(self.puzzles) < self.recipe.count else None
            self.idle = 0 if puzzle else self.idle + 1
            if puzzle:
                self.keep(puzzle)
        self.head = replace(self.head, games=first + GAMES_PER_BATCH)

    def keep(self, puzzle: Puzzle) -> None:
        self.puzzles.append(puzzle)
        self.met.add(key_of(puzzle.position))
        self.themes[puzzle.theme] += 1

    def puzzle_of_game(self, number: int) -> Puzzle | None:
        return next(filter(None, map(self.puzzle_of, self.positions(number))), None)

    def positions(self, number: int) -> Iterator[Position]:
        """Those of one game that may be puzzles, in an order of their own: late ones would be easier to find."""
        recipe = self.recipe
        game = play_game("level", number, recipe.seed, recipe.variant, recipe.least)
        positions = [position for position, _ in game if position.ply <= recipe.most]
        random.Random(f"{recipe.seed} {number}").shuffle(positions)
        return iter(positions)

    def puzzle_of(self, position: Position) -> Puzzle | None:
        if key_of(position) in self.met:
            return None
        task = task_of(position, self.solver, stop_after(SOLVE_TIMEOUT_SECONDS))
        found = task and explained(position, task, self.solver)
        if not task or not found or self.has_enough_of(theme := theme_of(found)):
            return None
        levels, depth = levels_that_miss(position, task.answer), depth_that_finds(position, task.answer)
        return Puzzle(self.recipe.variant, write_start(position), task.answer, task.aim, theme, levels, depth)

    def has_enough_of(self, theme: Theme) -> bool:
        return self.themes[theme] >= math.ceil(MAX_THEME_SHARE * self.recipe.count)
