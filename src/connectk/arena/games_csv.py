"""Writes the games of a tournament as CSV for a spreadsheet, with one line for each game."""

from __future__ import annotations

from collections.abc import Iterable

from connectk.arena.match import GameRecord
from connectk.notation.csv_table import write_csv

GAME_COLUMNS = ("number", "round", "first", "second", "result", "reason", "moves", "forfeit", "started", "swapped")
RESULT_BY_WINNER_NAME = {"first": "1-0", "second": "0-1", None: "1/2-1/2"}


def games_csv(records: Iterable[GameRecord], language: str = "en") -> bytes:
    """The games as CSV, ordered by number. The text is UTF-8 with a byte order mark.

    Games with the same opening have the same round number.
    """
    return write_csv(GAME_COLUMNS, map(_cells, sorted(records, key=lambda game: game.number)), language)


def _cells(game: GameRecord) -> list[object]:
    result, moves = RESULT_BY_WINNER_NAME[game.winner], f"'{game.moves}"  # as text, not as a number
    own = [game.number, game.opening + 1, game.first, game.second, result, game.reason, moves]
    return [*own, game.forfeit or "", game.started, "yes" if game.swapped else ""]
