"""The results of a room: its games, tables and files. The host can also delete them here."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Depends, Query, Request, Response

from connectk.play.match import Match
from connectk.play.match_cache import in_thread_if_long
from connectk.rooms import ruling
from connectk.rooms.room import Meeting, Room
from connectk.server import roomviews, schemas
from connectk.server.dependencies import HostDep, client_address
from connectk.server.errors import language_of
from connectk.server.host import Host
from connectk.server.roomfiles import GamesFile, crosstable_csv, games_csv, table_csv
from connectk.server.roomgrades import was_played
from connectk.server.routes.matches import REFUSAL_RESPONSES
from connectk.server.routes.rooms import RoomAccessDep, RoomHostDep
from connectk.storage.admin import EVICT_ROOM, BadOrder
from connectk.storage.deletion import DeletionPlan, delete_member, delete_room, plan_member_deletion, plan_room_deletion

router = APIRouter(prefix="/api/rooms", tags=["rooms"], responses=REFUSAL_RESPONSES)
MAX_GAMES_PER_ANSWER = 100
CELLS_PER_MOVE = 40  # cells of a crosstable cost as much as one move to replay
T = TypeVar("T")
ZIP_ANSWER: dict[int | str, dict[str, Any]] = {200: {"content": {"application/zip": {}}}}
CSV_ANSWER: dict[int | str, dict[str, Any]] = {200: {"content": {"text/csv": {}}}}


async def _language(request: Request, language: Annotated[schemas.Language | None, Query()] = None) -> str:
    """The language of a file: the one in the address, or else that of the request."""
    return language or language_of(request)


FileLanguageDep = Annotated[str, Depends(_language)]


@router.get("/{code}/games", response_model=schemas.RoomGamesAnswer)
async def games(
    access: RoomAccessDep, host: HostDep, request: Request, after: Annotated[int, Query(ge=0, lt=2**31)] = 0
) -> Any:
    """The finished games after the game number `after`, at most a hundred of them."""
    room = access.room
    wanted = [meeting for meeting in room.meetings if was_played(meeting) and meeting.number > after]
    matches = matches_of(room, wanted[:MAX_GAMES_PER_ANSWER], host, client_address(request))
    games = [roomviews.game_view(room, *pair) async for pair in matches]
    return {"games": games, "more": len(wanted) > MAX_GAMES_PER_ANSWER}


async def matches_of(
    room: Room, meetings: list[Meeting], host: Host, address: str
) -> AsyncIterator[tuple[Meeting, Match]]:
    """The matches of these meetings, read in batches. Deleted matches are left out."""
    host.limits.charge_replay(address, 20 * len(meetings))
    for start in range(0, len(meetings), MAX_GAMES_PER_ANSWER // 4):
        some = meetings[start : start + MAX_GAMES_PER_ANSWER // 4]
        found = await host.store.matches_of([meeting.match or "" for meeting in some])
        for meeting in some:
            await host.limits.scheduler.wait_for_slot(address)
            if meeting.match in found:
                yield meeting, found[meeting.match]


@router.get("/{code}/games.zip", response_class=Response, responses=ZIP_ANSWER)
async def saved_games(access: RoomAccessDep, host: HostDep, request: Request) -> Response:
    """A zip archive of all finished games. Each game is a saved game."""
    room = access.room
    file = GamesFile(room)
    wanted = [meeting for meeting in room.meetings if was_played(meeting)]
    async for meeting, match in matches_of(room, wanted, host, client_address(request)):
        file.add(meeting, match)
    return _file(file.finish(), "application/zip", f"connectk-{room.code}.zip")


@router.get("/{code}/table.csv", response_class=Response, responses=CSV_ANSWER)
async def table(access: RoomAccessDep, host: HostDep, language: FileLanguageDep) -> Response:
    """The standings as a table for a spreadsheet."""
    room = access.room
    return csv_file(table_csv(room, await host.hub.rated(room), language), room, "standings")


@router.get("/{code}/games.csv", response_class=Response, responses=CSV_ANSWER)
async def list_of_games(access: RoomAccessDep, language: FileLanguageDep) -> Response:
    """All games that count, as a table for a spreadsheet: round, names, result and reason."""
    return csv_file(games_csv(access.room, language), access.room, "games")


@router.get("/{code}/crosstable.csv", response_class=Response, responses=CSV_ANSWER)
async def crosstable_file(
    access: RoomAccessDep, host: HostDep, request: Request, language: FileLanguageDep
) -> Response:
    """Each member's results against each other member, as a table for a spreadsheet."""
    body = await _crossed(partial(crosstable_csv, language=language), access.room, host, request)
    return csv_file(body, access.room, "crosstable")


@router.get("/{code}/crosstable", response_model=schemas.CrosstableAnswer)
async def crosstable(access: RoomAccessDep, host: HostDep, request: Request) -> Any:
    """Each member's results against each other member. Rows and results are in the order of the standings."""
    body = await _crossed(roomviews.crosstable_json, access.room, host, request)
    return Response(body, media_type="application/json")


async def _crossed(make: Callable[[Room, roomviews.Ratings], T], room: Room, host: Host, request: Request) -> T:
    """A crosstable. Its cells are charged to the client's rate limit like moves to replay."""
    cells = len(room.members) ** 2
    host.limits.charge_replay(client_address(request), cells // CELLS_PER_MOVE)
    return await in_thread_if_long(cells, make, room, await host.hub.rated(room))


def csv_file(body: bytes, room: Room, name: str) -> Response:
    return _file(body, "text/csv; charset=utf-8", f"connectk-{room.code}-{name}.csv")


def _file(body: bytes, kind: str, name: str) -> Response:
    return Response(body, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})


@router.post("/{code}/delete", response_model=schemas.RoomDeletedAnswer)
async def delete(access: RoomHostDep, host: HostDep) -> Any:
    """Delete the room for good, with its names, results and games. Only for the host."""
    code = access.room.code
    return await _delete(host, code, lambda: plan_room_deletion(host.store.database, code), delete_room, code)


@router.post("/{code}/members/{number}/delete", response_model=schemas.RoomDeletedAnswer)
async def delete_one(number: int, access: RoomHostDep, host: HostDep) -> Any:
    """Delete a member's name and games for good. The results stay, and show a number such as `#3` instead of the name.
    Only for the host."""
    code, member = access.room.code, access.room.member(number)
    if member is None:
        raise ruling.NotAMember
    found = lambda: plan_member_deletion(host.store.database, code, member.name)  # noqa: E731
    return await _delete(host, code, found, delete_member, code, member.name)


async def _delete(
    host: Host, code: str, find: Callable[[], DeletionPlan], delete: Callable[..., None], *names: str
) -> schemas.RoomDeletedAnswer:
    """Delete in a thread, in the same way as an administrator's command. Then close all connections of the room."""
    try:
        contents = await asyncio.to_thread(find)
        await asyncio.to_thread(delete, host.store.database, *names)
    except BadOrder as gone:  # deleted by somebody else in the meantime
        raise ruling.RoomNotFound from gone
    host.evict_room(code)
    await host.store.forget_order(EVICT_ROOM, code)  # the order to do what has just been done
    return {"room": code, "members": list(contents.members), "matches": len(contents.matches)}
