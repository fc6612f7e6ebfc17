"""Makes puzzles for any board that the solver supports. It plays games and takes at most one position from each game.

A game depends only on the seed and on the number of the game. The same recipe therefore gives the same puzzles, unless
the explainer runs out of time. The whole file is rewritten after each batch of games, so that little is lost if the run
is interrupted.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from connectk.dataset.sampled_games import key_of, play_game
from connectk.errors import JobMismatch
from connectk.files import write_file
from connectk.notation.start import write_start
from connectk.puzzles.files import PuzzleFileHeader, parse_puzzles, write_puzzles
from connectk.puzzles.puzzle import Puzzle, Theme
from connectk.puzzles.puzzle_finder import depth_that_finds, find_task, levels_that_miss
from connectk.puzzles.themes import explain_answer, theme_of
from connectk.rules import CLASSIC, Position, Variant
from connectk.solver import Solver
from connectk.solver.solver import require_supported
from connectk.watch import Progress, Stop, Watch, stop_after

MAX_THEME_SHARE = 0.25  # limits the themes that are easy to find, so that the others get their share
MAX_IDLE_GAMES = 500  # games in a row without a new puzzle, after which the board is considered exhausted
GAMES_PER_BATCH = 10
SOLVE_TIMEOUT_SECONDS = 2.0  # the time limit for one position


@dataclass(frozen=True, slots=True)
class PuzzleRecipe:
    """The settings that decide which puzzles are made."""

    variant: Variant = CLASSIC
    count: int = 2000
    seed: int = 1
    min_discs: int = 12  # discs on the board
    max_discs: int = 32

    @property
    def header(self) -> PuzzleFileHeader:
        return PuzzleFileHeader(self.variant, self.seed, self.min_discs, self.max_discs)


def make_puzzles(
    recipe: PuzzleRecipe, path: Path, *, stop: Stop | None = None, progress: Progress | None = None
) -> tuple[Puzzle, ...]:
    """Make the puzzles of a recipe and save them to a file. If the file exists, add the missing puzzles to it.

    If `stop` ends the work, return the puzzles made so far.
    """
    require_supported(recipe.variant)
    maker = _PuzzleMaker(recipe, *_read_progress(recipe, path))
    watch = Watch(stop, progress)
    while maker.needs_more and not watch.should_stop():
        maker.play_batch()
        write_file(path, write_puzzles(maker.header, maker.puzzles))
        watch.report(min(len(maker.puzzles), recipe.count), recipe.count, rows=maker.header.games)
    return tuple(maker.puzzles)


def _read_progress(recipe: PuzzleRecipe, path: Path) -> tuple[PuzzleFileHeader, list[Puzzle]]:
    """Return the header and the puzzles that are already in the file. Raises `JobMismatch` if the file was made with
    another recipe."""
    if not path.exists():
        return recipe.header, []
    header, puzzles = parse_puzzles(path.read_text(encoding="utf-8"))
    if replace(header, games=0) != recipe.header:
        raise JobMismatch(str(path))
    return header, list(puzzles)


def puzzle_in(position: Position) -> Puzzle | None:
    """The puzzle in this position.

    None if several drops are right, if the right drop is obvious, or if there is no short explanation.
    """
    require_supported(position.variant)
    recipe = PuzzleRecipe(position.variant, count=1)
    return _PuzzleMaker(recipe, recipe.header, []).find_puzzle(position)


class _PuzzleMaker:
    def __init__(self, recipe: PuzzleRecipe, header: PuzzleFileHeader, puzzles: list[Puzzle]) -> None:
        self.recipe, self.header, self.puzzles = recipe, header, puzzles
        self.solver = Solver(recipe.variant)
        self.seen_keys = {key_of(puzzle.position) for puzzle in puzzles}
        self.themes = Counter(puzzle.theme for puzzle in puzzles)
        self.idle_games = 0  # games in a row without a new puzzle

    @property
    def needs_more(self) -> bool:
        return len(self.puzzles) < self.recipe.count and self.idle_games < MAX_IDLE_GAMES

    def play_batch(self) -> None:
        first = self.header.games
        for number in range(first, first + GAMES_PER_BATCH):
            puzzle = self.find_puzzle_in_game(number) if len(self.puzzles) < self.recipe.count else None
            self.idle_games = 0 if puzzle else self.idle_games + 1
            if puzzle:
                self.add(puzzle)
        self.header = replace(self.header, games=first + GAMES_PER_BATCH)

    def add(self, puzzle: Puzzle) -> None:
        self.puzzles.append(puzzle)
        self.seen_keys.add(key_of(puzzle.position))
        self.themes[puzzle.theme] += 1

    def find_puzzle_in_game(self, number: int) -> Puzzle | None:
        return next(filter(None, map(self.find_puzzle, self.positions(number))), None)

    def positions(self, number: int) -> Iterator[Position]:
        """The candidate positions of a game, in random order, because the first suitable one becomes the puzzle. In the
        order of the game, early positions would be chosen too often."""
        recipe = self.recipe
        game = play_game("level", number, recipe.seed, recipe.variant, recipe.min_discs)
        positions = [position for position, _ in game if position.ply <= recipe.max_discs]
        random.Random(f"{recipe.seed} {number}").shuffle(positions)
        return iter(positions)

    def find_puzzle(self, position: Position) -> Puzzle | None:
        if key_of(position) in self.seen_keys:
            return None
        task = find_task(position, self.solver, stop_after(SOLVE_TIMEOUT_SECONDS))
        found = task and explain_answer(position, task, self.solver)
        if not task or not found or self.has_enough_of(theme := theme_of(found)):
            return None
        levels, depth = levels_that_miss(position, task.answer), depth_that_finds(position, task.answer)
        return Puzzle(self.recipe.variant, write_start(position), task.answer, task.aim, theme, levels, depth)

    def has_enough_of(self, theme: Theme) -> bool:
        return self.themes[theme] >= math.ceil(MAX_THEME_SHARE * self.recipe.count)
