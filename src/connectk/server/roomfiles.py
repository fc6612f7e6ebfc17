"""Writes the files of a room: tables for a spreadsheet, and an archive of all its games."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence

from connectk.arena.ratings import Rating
from connectk.notation import write_saved_game
from connectk.notation.csv_table import write_csv
from connectk.play.match import Match
from connectk.review.grading import PlayGrade
from connectk.rooms.results import crosstable, reason_of, result_of
from connectk.rooms.room import Meeting, Room
from connectk.rooms.standings import RoomStanding, standings
from connectk.rules import Side
from connectk.server.roomgrades import GameGrades, Grades, grades_by_member
from connectk.server.views import saved_game_of

STANDINGS_COLUMNS = (
    *("rank", "name", "kind", "points", "games", "wins", "draws", "losses"),
    *("byes", "opposition", "direct", "sonneborn_berger"),
)
EMPTY_GRADE_CELLS = ("",) * 4  # the cells of a game without a review
GRADE_COLUMNS = ("games", "moves", "accuracy", "missed_wins", "missed_blocks", "blunders")
ROOM_GAME_COLUMNS = ("number", "round", "first", "second", "result", "reason")


def table_csv(room: Room, ratings: Mapping[int, Rating], language: str) -> bytes:
    """The standings as a table."""
    rows = ([*_cells(room, line), *_rating(ratings.get(line.member))] for line in standings(room, ratings))
    return write_csv([*STANDINGS_COLUMNS, "rating", "margin"], rows, language)


def _cells(room: Room, line: RoomStanding) -> list[object]:
    member = room.members[line.member - 1]
    own = {"name": member.name, "kind": member.kind}
    return [own.get(column) or getattr(line, column) for column in STANDINGS_COLUMNS]


def _rating(rating: Rating | None) -> tuple[float | str, float | str]:
    return (round(rating.elo), round(rating.margin)) if rating else ("", "")


def games_csv(room: Room, language: str) -> bytes:
    """A table of all games that count, with one game on each line."""
    rows = (_game_cells(room, meeting) for meeting in room.meetings if meeting.counts)
    return write_csv(ROOM_GAME_COLUMNS, rows, language)


def graded_games_csv(room: Room, grades: Grades, language: str) -> bytes:
    """A table of all games that count, with the accuracy and the serious mistakes of both members. These cells are
    empty for a game without a review."""
    columns = [f"{what}_{side}" for side in ("first", "second") for what in ("accuracy", "serious_mistakes")]
    counted = [meeting for meeting in room.meetings if meeting.counts]
    rows = ([*_game_cells(room, meeting), *_graded_cells(grades.get(meeting.number))] for meeting in counted)
    return write_csv([*ROOM_GAME_COLUMNS, *columns], rows, language)


def _graded_cells(grades: GameGrades | None) -> Sequence[object]:
    if grades is None:
        return EMPTY_GRADE_CELLS
    return [cell for grade in grades for cell in (_accuracy(grade), grade.serious_mistakes)]


def _accuracy(grade: PlayGrade) -> float | str:
    return "" if grade.accuracy is None else round(grade.accuracy, 1)


def grades_csv(room: Room, grades: Grades, language: str) -> bytes:
    """A table of how well each member has played in all reviewed games."""
    rows = (
        [
            room.members[number - 1].name,
            *(_accuracy(grade) if column == "accuracy" else getattr(grade, column) for column in GRADE_COLUMNS),
        ]
        for number, grade in grades_by_member(room, grades).items()
    )
    return write_csv(["name", *GRADE_COLUMNS], rows, language)


def _game_cells(room: Room, meeting: Meeting) -> list[object]:
    names = [room.members[number - 1].name for number in meeting.members]
    return [meeting.number, meeting.round or "", *names, result_of(meeting), reason_of(meeting)]


def crosstable_csv(room: Room, ratings: Mapping[int, Rating], language: str) -> bytes:
    """A table of the points of each member (rows) against each other member (columns). The results of several games are
    separated by spaces."""
    lines = crosstable(room, ratings)
    names = [room.members[line.member - 1].name for line in lines]
    rows = (
        [line.rank, name, line.points, *("x" if i == own else write_results(one) for i, one in enumerate(line.results))]
        for own, (line, name) in enumerate(zip(lines, names, strict=True))
    )
    return write_csv(["rank", "name", "points", *names], rows, language)


def write_results(results: Sequence[float]) -> float | str:
    """The results of one or several games: a number for one game, a text for several."""
    return results[0] if len(results) == 1 else " ".join(f"{points:g}" for points in results)


class GamesFile:
    """A zip archive of saved games. The number of each game is in its file name."""

    def __init__(self, room: Room) -> None:
        self._room, self._file = room, io.BytesIO()
        self._archive = zipfile.ZipFile(self._file, "w", zipfile.ZIP_DEFLATED)

    def add(self, meeting: Meeting, match: Match) -> None:
        saved = saved_game_of(match)
        saved.players = {
            side: self._room.members[meeting.members[match.original(side).value] - 1].name for side in Side
        }
        self._archive.writestr(f"{self._room.code}-{meeting.number:04}.json", write_saved_game(saved))

    def finish(self) -> bytes:
        self._archive.close()
        return self._file.getvalue()
