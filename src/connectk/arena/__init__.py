"""Matches between players, ratings, and tournaments that can be interrupted and resumed."""

from connectk.arena.match import GameRecord
from connectk.arena.openings import balanced_openings
from connectk.arena.ratings import Rating, rate
from connectk.arena.results import ResultsFile
from connectk.arena.runner import run_tournament
from connectk.arena.sprt import Sprt
from connectk.arena.tournament import Fixture, Tournament

__all__ = [
    "Fixture",
    "GameRecord",
    "Rating",
    "ResultsFile",
    "Sprt",
    "Tournament",
    "balanced_openings",
    "rate",
    "run_tournament",
]
