"""Files of a room: the standings for a spreadsheet, and all games in one archive."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Mapping

from connectk.arena.ratings import Rating
from connectk.notation import write_saved_game
from connectk.play.match import Match
from connectk.rooms.room import Meeting, Room
from connectk.rooms.standings import RoomStanding, standings
from connectk.rules import Side
from connectk.server.views import saved_game_of

COLUMNS = ("rank", "name", "kind", "points", "games", "wins", "draws", "losses", "byes", "opposition")


def table_csv(room: Room, ratings: Mapping[int, Rating]) -> bytes:
    """CSV with a byte order mark, by which spreadsheets recognize UTF-8."""
    text = io.StringIO()
    write = csv.writer(text)
    write.writerow([*COLUMNS, "rating", "margin"])
    for line in standings(room, ratings):
        write.writerow([*_cells(room, line), *_rating(ratings.get(line.member))])
    return text.getvalue().encode("utf-8-sig")


def _cells(room: Room, line: RoomStanding) -> list[object]:
    member = room.members[line.member - 1]
    own = {"name": _harmless(member.name), "kind": member.kind}
    return [own.get(column) or getattr(line, column) for column in COLUMNS]


def _rating(rating: Rating | None) -> tuple[str, str]:
    return (f"{rating.elo:.0f}", f"{rating.margin:.0f}") if rating else ("", "")


def _harmless(name: str) -> str:
    """Quotes a name that a spreadsheet would evaluate as a formula."""
    return f"'{name}" if name[:1] in "=+-@" else name


class GamesFile:
    """A zip archive of saved games, each named by its number."""

    def __init__(self, room: Room) -> None:
        self._room, self._file = room, io.BytesIO()
        self._archive = zipfile.ZipFile(self._file, "w", zipfile.ZIP_DEFLATED)

    def add(self, meeting: Meeting, match: Match) -> None:
        saved = saved_game_of(match)
        saved.players = {side: self._room.members[meeting.members[side.value] - 1].name for side in Side}
        self._archive.writestr(f"{self._room.code}-{meeting.number:04}.json", write_saved_game(saved))

    def finish(self) -> bytes:
        self._archive.close()
        return self._file.getvalue()
