"""Reviews the games of a room for its hosts. It finds how well each member has played, and makes a page for each
review."""

from __future__ import annotations

import io
import zipfile
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import NamedTuple

from cachetools import LRUCache

from connectk.errors import ConnectkError
from connectk.notation import SavedGame
from connectk.play.match import Match
from connectk.review.grading import PlayGrade, grade_side, sum_grades
from connectk.review.output_files import MAX_REVIEW_PICTURE_CELLS
from connectk.review.review import check_reviewable
from connectk.rooms.room import VOID_RESULT, Meeting, Room
from connectk.rules import Side
from connectk.server.analysis import AnalysisService
from connectk.server.views import saved_game_of
from connectk.thinking.queue import Requester

MAX_GRADED_GAMES = 20_000  # whose grades are cached


class GameGrades(NamedTuple):
    """The grades of both members for one game."""

    first: PlayGrade
    second: PlayGrade


Grades = Mapping[int, GameGrades]  # by the number of the meeting


class RoomGrader:
    """Reviews games one after the other and caches their grades."""

    def __init__(self, analysis: AnalysisService) -> None:
        self._analysis = analysis
        self._grades: LRUCache[str, GameGrades] = LRUCache(MAX_GRADED_GAMES)

    def known(self, room: Room) -> dict[int, GameGrades]:
        """The grades of all games that have been reviewed so far."""
        found = ((meeting.number, self._grades.get(meeting.match or "")) for meeting in room.meetings)
        return {number: grades for number, grades in found if grades}

    def clear(self) -> None:
        """Delete all grades, because some games were deleted."""
        self._grades.clear()

    async def grade(self, requester: Requester, meeting: Meeting, match: Match) -> None:
        """Review this game, unless it has been reviewed already or cannot be reviewed."""
        assert meeting.match
        saved = saved_game_of(match)
        if meeting.match not in self._grades and can_review(saved):
            review = await self._analysis.review(requester, saved)
            first, second = (grade_side(review, match.original(side)) for side in Side)
            self._grades[meeting.match] = GameGrades(first, second)


def was_played(meeting: Meeting) -> bool:
    return not meeting.is_open and meeting.match is not None and meeting.reason != VOID_RESULT


def can_review(saved: SavedGame) -> bool:
    """Whether a game can be reviewed: it has a move, and its board is not too large."""
    try:
        check_reviewable(saved.game)
    except ConnectkError:
        return False
    return saved.game.variant.cells <= MAX_REVIEW_PICTURE_CELLS


def grades_by_member(room: Room, grades: Grades) -> dict[int, PlayGrade]:
    """Each member's grade over all reviewed games. Members without a reviewed game are left out."""
    each: dict[int, list[PlayGrade]] = {}
    for meeting in room.meetings:
        if meeting.number in grades:
            for member, grade in zip(meeting.members, grades[meeting.number], strict=True):
                each.setdefault(member, []).append(grade)
    return {member: sum_grades(some) for member, some in sorted(each.items())}


class _Pipe(io.RawIOBase):
    """A file that passes on what a zip archive writes. `take` returns the bytes written since the last call. It cannot
    seek."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: Iterable[int]) -> int:  # type: ignore[override]
        part = bytes(data)
        self._parts.append(part)
        return len(part)

    def take(self) -> bytes:
        taken, self._parts = b"".join(self._parts), []
        return taken


async def zipped(pages: AsyncIterator[tuple[str, str]]) -> AsyncIterator[bytes]:
    """Yields a zip archive of named pages in pieces. Each piece comes as soon as its page is made."""
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        async for name, page in pages:
            archive.writestr(name, page)
            yield pipe.take()
    yield pipe.take()


def page_name(room: Room, meeting: Meeting) -> str:
    """The file name of a review: the number of the game, and the letters and digits of both members' names."""
    names = [room.members[number - 1].name for number in meeting.members]
    parts = ["".join(letter if letter.isalnum() else "_" for letter in name) for name in names]
    return "-".join([f"{meeting.number:04}", *parts]) + ".html"
