"""Rooms over HTTP."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator
from functools import partial
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, Query, Request, Response

from connectk.errors import GameAlreadyOver
from connectk.play.keys import hash_of, new_secret, read_code
from connectk.play.match import Match, TimeControl
from connectk.play.ruling import check_name
from connectk.rooms import ruling
from connectk.rooms.room import LEVEL, VOID, Meeting, Room, RoomSetup
from connectk.rooms.ruling import NotAMember, NotTheHost, RoomNotFound
from connectk.rooms.service import Decide
from connectk.rules import Game, Variant
from connectk.server import roomviews, schemas
from connectk.server.dependencies import HostDep, SecretDep, check_board, client_address
from connectk.server.host import Host
from connectk.server.limits import QuotaExceeded, RateLimited
from connectk.server.roomfiles import GamesFile, table_csv
from connectk.server.routes.matches import REFUSED
from connectk.thinking.jobs import check_can_play
from connectk.thinking.queue import Requester

router = APIRouter(prefix="/api/rooms", tags=["rooms"], responses=REFUSED)
BALANCED_OPENINGS = 8  # drawn at random for a room
MAX_GAMES_PER_ANSWER = 100


class RoomAccess(NamedTuple):
    """A room, and what the client is in it: its host, a member, or neither."""

    room: Room
    is_host: bool
    member: int | None


async def room_access(host: Host, code: str, secret: str | None, address: str) -> RoomAccess:
    """Wrong codes are rate-limited. An address that has exceeded the limit needs a secret even for a right code, so
    that it cannot go on guessing."""
    if secret and not host.limits.seats.allows(hash_of(secret)):
        raise RateLimited
    found = read_code(code)
    try:
        room = await host.rooms.get(found or "")
    except RoomNotFound:
        if not host.limits.wrong_codes.allows(address):
            raise QuotaExceeded("wrong codes") from None
        raise
    access = RoomAccess(room, host.rooms.is_host(room, secret), host.rooms.member_of(room, secret))
    if not (access.is_host or access.member or host.limits.wrong_codes.has_token(address)):
        raise QuotaExceeded("wrong codes")
    return access


async def access(code: str, host: HostDep, request: Request, secret: SecretDep) -> RoomAccess:
    return await room_access(host, code, secret, client_address(request))


RoomAccessDep = Annotated[RoomAccess, Depends(access)]


def host_only(access: RoomAccessDep) -> RoomAccess:
    if not access.is_host:
        raise NotTheHost
    return access


RoomHostDep = Annotated[RoomAccess, Depends(host_only)]


def member_only(access: RoomAccessDep) -> RoomAccess:
    if access.member is None:
        raise NotAMember
    return access


RoomMemberDep = Annotated[RoomAccess, Depends(member_only)]


def answer(host: Host, access: RoomAccess) -> schemas.RoomAnswer:
    return {"room": host.hub.view(access.room), "you": access.member, "host": access.is_host}


async def changed(host: Host, access: RoomAccess, decide: Decide) -> schemas.RoomAnswer:
    room = await host.rooms.change(access.room.code, decide)
    return answer(host, access._replace(room=room))


@router.post("", status_code=201, response_model=schemas.RoomEntryAnswer)
async def create(order: schemas.RoomOrder, host: HostDep, request: Request) -> Any:
    """Make a room. Keep the `secret`: it is shown this once, and whoever has it is the host."""
    variant = Variant(order.variant.width, order.variant.height, order.variant.run)
    check_board(variant, host)
    host.limits.rooms.take(client_address(request))
    setup = RoomSetup(
        title=check_name(order.title),
        host="",
        format=order.format,
        variant=variant,
        control=TimeControl(order.clock.seconds, order.clock.increment),
        who=order.who,
        rounds=order.rounds,
        games=order.games,
        show=order.show_seconds,
        rest=order.rest_seconds,
        openings=await _openings(order, variant, host, client_address(request)),
    )
    room, secret = await host.rooms.create(setup)
    return {**answer(host, RoomAccess(room, True, None)), "secret": secret}


async def _openings(
    order: schemas.RoomOrder, variant: Variant, host: Host, address: str
) -> tuple[tuple[int, ...], ...]:
    if order.openings == "empty":
        return ()
    if order.openings == "balanced":
        seed = random.getrandbits(30)
        drawn = await host.run_job(Requester(address, address), "openings", variant, BALANCED_OPENINGS, seed)
        return tuple(map(tuple, drawn))
    host.limits.charge_replay(address, sum(map(len, order.openings)))
    return tuple(tuple(_checked(variant, opening)) for opening in order.openings)


def _checked(variant: Variant, opening: list[int]) -> list[int]:
    """The drops, if the rules allow them and they do not end the game."""
    game = Game(variant, opening)
    if game.outcome:
        raise GameAlreadyOver(game.outcome)
    return opening


@router.get("/{code}", response_model=schemas.RoomAnswer)
async def look(access: RoomAccessDep, host: HostDep) -> Any:
    """A room as it stands; the code is enough to look."""
    return answer(host, access)


@router.post("/{code}/join", response_model=schemas.RoomEntryAnswer)
async def join(order: schemas.MemberOrder, access: RoomAccessDep, host: HostDep) -> Any:
    """Come in by a name. Keep the `secret`: it opens your seat in every match that you are sent to."""
    secret = order.secret or new_secret()
    holder, now, max_members = hash_of(secret), host.service.now(), host.settings.room_members
    room = await host.rooms.change(
        access.room.code, lambda room: ruling.join(room, order.name, order.kind, holder, now, max_members=max_members)
    )
    you = RoomAccess(room, access.is_host, host.rooms.member_of(room, secret))
    return {**answer(host, you), "secret": secret}


@router.post("/{code}/levels", response_model=schemas.RoomAnswer)
async def add_level(order: schemas.LevelOrder, access: RoomHostDep, host: HostDep) -> Any:
    """Let a computer level play along: a fixed point of the scale. For the host."""
    player, now, max_members = f"level:{order.level}", host.service.now(), host.settings.room_members
    check_can_play(player, access.room.setup.variant)
    name = f"Level {order.level}"
    return await changed(
        host, access, lambda room: ruling.join(room, name, LEVEL, None, now, max_members=max_members, player=player)
    )


@router.post("/{code}/begin", response_model=schemas.RoomAnswer)
async def begin(access: RoomHostDep, host: HostDep) -> Any:
    """Pairings are made from now on. For the host."""
    return await changed(host, access, lambda room: ruling.begin(room, host.service.now()))


@router.post("/{code}/close", response_model=schemas.RoomAnswer)
async def close(access: RoomHostDep, host: HostDep) -> Any:
    """End it; games under way count for nobody. For the host."""
    return await changed(host, access, lambda room: ruling.close(room, host.service.now()))


def _who(access: RoomAccess, number: int) -> None:
    if not access.is_host and access.member != number:
        raise NotTheHost


@router.post("/{code}/members/{number}/rename", response_model=schemas.RoomAnswer)
async def rename(number: int, order: schemas.RenameOrder, access: RoomAccessDep, host: HostDep) -> Any:
    """Another name for a member. For the host."""
    if not access.is_host:
        raise NotTheHost
    return await changed(host, access, lambda room: ruling.rename(room, number, order.name, host.service.now()))


@router.post("/{code}/members/{number}/remove", response_model=schemas.RoomAnswer)
async def remove(number: int, access: RoomAccessDep, host: HostDep) -> Any:
    """A member leaves: the host may send anyone away, and everybody may go."""
    _who(access, number)
    return await changed(host, access, lambda room: ruling.leave(room, number, host.service.now()))


@router.post("/{code}/here", response_model=schemas.RoomAnswer)
async def here(access: RoomMemberDep, host: HostDep) -> Any:
    """I am back: pair me again."""
    member = access.member or 0
    return await changed(host, access, lambda room: ruling.come_back(room, member, host.service.now()))


@router.post("/{code}/challenge", response_model=schemas.RoomAnswer)
async def challenge(order: schemas.ChallengeOrder, access: RoomMemberDep, host: HostDep) -> Any:
    """Ask another member for a game."""
    member = access.member or 0
    return await changed(host, access, lambda room: ruling.challenge(room, member, order.to, host.service.now()))


@router.post("/{code}/reply", response_model=schemas.RoomAnswer)
async def reply(order: schemas.ReplyOrder, access: RoomMemberDep, host: HostDep) -> Any:
    """Say yes or no to a challenge; or, with your own number in `by`, take back all of yours."""
    member, now = access.member or 0, host.service.now()
    if order.by == member:
        return await _withdrawn(host, access, member)
    act = ruling.accept if order.yes else ruling.decline
    return await changed(host, access, lambda room: act(room, order.by, member, now))


async def _withdrawn(host: Host, access: RoomAccess, member: int) -> schemas.RoomAnswer:
    for challenge in [c for c in access.room.challenges if c.by == member]:
        to = challenge.to
        await host.rooms.change(access.room.code, partial(ruling.decline, by=member, to=to, now=host.service.now()))
    return answer(host, access._replace(room=await host.rooms.get(access.room.code)))


@router.get("/{code}/games", response_model=schemas.RoomGamesAnswer)
async def games(
    access: RoomAccessDep, host: HostDep, request: Request, after: Annotated[int, Query(ge=0, lt=2**31)] = 0
) -> Any:
    """The games that are over, a hundred at max_members: each can be reviewed by its moves."""
    room = access.room
    wanted = [meeting for meeting in room.meetings if _was_played(meeting) and meeting.number > after]
    matches = _matches(room, wanted[:MAX_GAMES_PER_ANSWER], host, client_address(request))
    games = [roomviews.game_view(room, *pair) async for pair in matches]
    return {"games": games, "more": len(wanted) > MAX_GAMES_PER_ANSWER}


def _was_played(meeting: Meeting) -> bool:
    return not meeting.is_open and meeting.match is not None and meeting.reason != VOID


async def _matches(
    room: Room, meetings: list[Meeting], host: Host, address: str
) -> AsyncIterator[tuple[Meeting, Match]]:
    """The matches of these meetings, read in batches; purged ones are left out."""
    host.limits.charge_replay(address, 20 * len(meetings))
    for start in range(0, len(meetings), MAX_GAMES_PER_ANSWER // 4):
        some = meetings[start : start + MAX_GAMES_PER_ANSWER // 4]
        found = await host.store.matches_of([meeting.match or "" for meeting in some])
        for meeting in some:
            await host.limits.scheduler.wait_for_slot(address)
            if meeting.match in found:
                yield meeting, found[meeting.match]


@router.get("/{code}/games.zip", response_class=Response, responses={200: {"content": {"application/zip": {}}}})
async def saved_games(access: RoomAccessDep, host: HostDep, request: Request) -> Response:
    """All games in one file: each in the format that every part of connectk reads."""
    room = access.room
    file = GamesFile(room)
    wanted = [meeting for meeting in room.meetings if _was_played(meeting)]
    async for meeting, match in _matches(room, wanted, host, client_address(request)):
        file.add(meeting, match)
    return _file(file.finish(), "application/zip", f"connectk-{room.code}.zip")


@router.get("/{code}/table.csv", response_class=Response, responses={200: {"content": {"text/csv": {}}}})
async def table(access: RoomAccessDep, host: HostDep) -> Response:
    """The standings as a table for a spreadsheet."""
    room = access.room
    return _file(table_csv(room, await host.hub.rated(room)), "text/csv; charset=utf-8", f"connectk-{room.code}.csv")


def _file(body: bytes, kind: str, name: str) -> Response:
    return Response(body, media_type=kind, headers={"content-disposition": f'attachment; filename="{name}"'})
