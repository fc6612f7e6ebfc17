"""The grades of a room's members and the reviews of their games, only for the host."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse

from connectk.rooms.room import Meeting, Room
from connectk.server import roomviews, schemas
from connectk.server.dependencies import HostDep, client_address
from connectk.server.host import Host
from connectk.server.roomfiles import graded_games_csv, grades_csv
from connectk.server.roomgrades import can_review, page_name, was_played, zipped
from connectk.server.routes.matches import REFUSAL_RESPONSES
from connectk.server.routes.roomresults import CSV_ANSWER, ZIP_ANSWER, FileLanguageDep, csv_file, matches_of
from connectk.server.routes.rooms import RoomHostDep
from connectk.server.views import saved_game_of
from connectk.thinking.queue import Requester

router = APIRouter(prefix="/api/rooms", tags=["rooms"], responses=REFUSAL_RESPONSES)
GRADING_SECONDS = 5.0  # how long one request reviews games; the page shows the progress after each answer


@router.get("/{code}/grades", response_model=schemas.RoomGradesAnswer)
async def grades(access: RoomHostDep, host: HostDep, request: Request) -> Any:
    """Each member's grade: accuracy, missed wins and blocks. Only for the host.

    The server reviews games for some seconds and returns the grades that are ready. Ask again until `left` is 0.
    """
    left = await _grade(host, access.room, client_address(request), GRADING_SECONDS)
    return roomviews.grades_view(access.room, host.grader.known(access.room), left)


@router.get("/{code}/grades.csv", response_class=Response, responses=CSV_ANSWER)
async def grades_file(access: RoomHostDep, host: HostDep, request: Request, language: FileLanguageDep) -> Response:
    """Each member's grade, as a table for a spreadsheet. Only for the host."""
    await _grade(host, access.room, client_address(request))
    return csv_file(grades_csv(access.room, host.grader.known(access.room), language), access.room, "grades")


@router.get("/{code}/graded-games.csv", response_class=Response, responses=CSV_ANSWER)
async def graded_games(access: RoomHostDep, host: HostDep, request: Request, language: FileLanguageDep) -> Response:
    """All games that count, with the accuracy and the serious mistakes of both members, as a table for a spreadsheet.
    Only for the host."""
    await _grade(host, access.room, client_address(request))
    table = graded_games_csv(access.room, host.grader.known(access.room), language)
    return csv_file(table, access.room, "graded-games")


@router.get("/{code}/reviews.zip", response_class=Response, responses=ZIP_ANSWER)
async def reviews(access: RoomHostDep, host: HostDep, request: Request, language: FileLanguageDep) -> Response:
    """A zip archive with the review of each game as a page. Only for the host."""
    pages = _pages(host, access.room, client_address(request), language)
    name = f"connectk-{access.room.code}-reviews.zip"
    headers = {"content-disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(zipped(pages), media_type="application/zip", headers=headers)


async def _grade(host: Host, room: Room, address: str, seconds: float | None = None) -> int:
    """Review games that have no grades yet, for some seconds or until none are left. Returns how many are left."""
    known, began = host.grader.known(room), time.monotonic()
    missing = [meeting for meeting in room.meetings if was_played(meeting) and meeting.number not in known]
    left = len(missing)
    async for meeting, match in matches_of(room, missing, host, address):
        if seconds is not None and time.monotonic() - began > seconds:
            return left
        await host.grader.grade(_requester(address), meeting, match)
        left -= 1
    return 0  # games that cannot be reviewed, or were deleted, are not waited for


def _requester(address: str) -> Requester:
    return Requester(address, address)


async def _pages(host: Host, room: Room, address: str, language: str) -> AsyncIterator[tuple[str, str]]:
    """The file names and contents of the reviews."""
    wanted: list[Meeting] = [meeting for meeting in room.meetings if was_played(meeting)]
    async for meeting, match in matches_of(room, wanted, host, address):
        saved = saved_game_of(match)
        if can_review(saved):
            page = await host.analysis.review_page(_requester(address), saved, language)
            yield page_name(room, meeting), page
