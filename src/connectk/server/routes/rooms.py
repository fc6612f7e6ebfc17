"""Rooms over HTTP."""

from __future__ import annotations

import random
from functools import partial
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Depends, Request

from connectk.errors import GameAlreadyOver
from connectk.play.match import TimeControl
from connectk.play.ruling import check_name
from connectk.play.secrets_and_codes import hash_secret, new_secret, parse_room_code
from connectk.play.service import check_swap_discs
from connectk.rooms import ruling
from connectk.rooms.names import clean_name
from connectk.rooms.room import LEVEL_KIND, TEAMS, Room, RoomSetup
from connectk.rooms.ruling import NotAMember, NotTheHost, RoomNotFound
from connectk.rooms.service import Decide
from connectk.rules import Game, Variant
from connectk.server import schemas
from connectk.server.dependencies import HostDep, SecretDep, check_board, client_address
from connectk.server.host import Host
from connectk.server.limits import QuotaExceeded, RateLimited
from connectk.server.routes.matches import REFUSAL_RESPONSES
from connectk.thinking.jobs import check_can_play
from connectk.thinking.queue import Requester

router = APIRouter(prefix="/api/rooms", tags=["rooms"], responses=REFUSAL_RESPONSES)
OPENING_COUNTS = {"balanced": 8, "fair": 64}  # drawn at random for a room
DEFAULT_TEAMS = ("A", "B")


class RoomAccess(NamedTuple):
    """A room, and the client's role in it: the host, a member, or neither."""

    room: Room
    is_host: bool
    member: int | None


async def room_access(host: Host, code: str, secret: str | None, address: str) -> RoomAccess:
    """The room with this code, and the client's role in it.

    An address that has guessed too many wrong codes also needs a secret, so that it cannot find a code by guessing on.
    """
    if secret and not host.limits.seats.allows(hash_secret(secret)):
        raise RateLimited
    found = parse_room_code(code)
    try:
        room = await host.rooms.get(found or "")
    except RoomNotFound:
        if not host.limits.wrong_codes.allows(address):
            raise QuotaExceeded("wrong codes") from None
        raise
    access = RoomAccess(room, host.rooms.is_host(room, secret), host.rooms.member_of(room, secret))
    if not (access.is_host or access.member or host.limits.wrong_codes.has_tokens(address)):
        raise QuotaExceeded("wrong codes")
    return access


async def access(code: str, host: HostDep, request: Request, secret: SecretDep) -> RoomAccess:
    return await room_access(host, code, secret, client_address(request))


RoomAccessDep = Annotated[RoomAccess, Depends(access)]


async def host_only(access: RoomAccessDep) -> RoomAccess:
    if not access.is_host:
        raise NotTheHost
    return access


RoomHostDep = Annotated[RoomAccess, Depends(host_only)]


async def member_only(access: RoomAccessDep) -> RoomAccess:
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
async def create(body: schemas.NewRoomRequest, host: HostDep, request: Request) -> Any:
    """Make a room. Keep the `secret`: it is shown only once, and anyone who has it is the host."""
    variant = Variant(body.variant.width, body.variant.height, body.variant.run)
    check_board(variant, host)
    check_swap_discs(variant, body.swap_discs if body.swap else 1, is_empty=body.openings == "empty")
    host.limits.rooms.take(client_address(request))
    setup = RoomSetup(
        title=check_name(body.title),
        host="",
        format=body.format,
        variant=variant,
        control=TimeControl(body.clock.seconds, body.clock.increment),
        who=body.who,
        rounds=body.rounds,
        games=body.games,
        minutes=body.minutes,
        teams=_team_names(body),
        approval=body.approval,
        gone=body.gone_seconds,
        show=body.show_seconds,
        rest=body.rest_seconds,
        openings=await _openings(body, variant, host, client_address(request)),
        swap=body.swap,
        swap_discs=body.swap_discs,
    )
    room, secret = await host.rooms.create(setup)
    return {**answer(host, RoomAccess(room, True, None)), "secret": secret}


def _team_names(body: schemas.NewRoomRequest) -> tuple[str, ...]:
    return tuple(map(clean_name, body.teams or DEFAULT_TEAMS)) if body.format == TEAMS else ()


async def _openings(
    body: schemas.NewRoomRequest, variant: Variant, host: Host, address: str
) -> tuple[tuple[int, ...], ...]:
    if body.openings == "empty":
        return ()
    if isinstance(body.openings, str):
        seed = random.getrandbits(30)
        job = "openings" if body.openings == "balanced" else "fair_starts"
        drawn = await host.run_job(Requester(address, address), job, variant, OPENING_COUNTS[body.openings], seed)
        if not drawn:
            raise ruling.NoFairStart
        return tuple(map(tuple, drawn))
    host.limits.charge_replay(address, sum(map(len, body.openings)))
    return tuple(tuple(_checked(variant, opening)) for opening in body.openings)


def _checked(variant: Variant, opening: list[int]) -> list[int]:
    """Returns the drops. Raises if the rules do not allow them or the game is over after them."""
    game = Game(variant, opening)
    if game.outcome:
        raise GameAlreadyOver(game.outcome)
    return opening


@router.get("/{code}", response_model=schemas.RoomAnswer)
async def look(access: RoomAccessDep, host: HostDep) -> Any:
    """A room in its current state. Anyone who knows the code may see it."""
    return answer(host, access)


@router.post("/{code}/join", response_model=schemas.RoomEntryAnswer)
async def join(body: schemas.JoinRoomRequest, access: RoomAccessDep, host: HostDep, request: Request) -> Any:
    """Join the room under a name. Keep the `secret`: it opens your seat in every match that the room assigns to you."""
    secret = body.secret or new_secret()
    if not (host.rooms.member_of(access.room, secret) or host.limits.joins.allows(client_address(request))):
        raise RateLimited
    holder, now, max_members = hash_secret(secret), host.service.now(), host.settings.room_members
    team = team_index(body.team)
    room = await host.rooms.change(
        access.room.code,
        lambda room: ruling.join(room, body.name, body.kind, holder, now, max_members=max_members, team=team),
    )
    you = RoomAccess(room, access.is_host, host.rooms.member_of(room, secret))
    return {**answer(host, you), "secret": secret}


def team_index(number: int | None) -> int | None:
    """The index of a team, from the team's number in a message."""
    return None if number is None else number - 1


@router.post("/{code}/levels", response_model=schemas.RoomAnswer)
async def add_level(body: schemas.AddLevelRequest, access: RoomHostDep, host: HostDep) -> Any:
    """Add a computer level as a member. Its rating is fixed. Only for the host."""
    player, now, max_members = f"level:{body.level}", host.service.now(), host.settings.room_members
    check_can_play(player, access.room.setup.variant)
    name, team = f"Level {body.level}", team_index(body.team)
    add = partial(ruling.join, name=name, kind=LEVEL_KIND, holder=None, now=now, max_members=max_members)
    return await changed(host, access, lambda room: add(room, player=player, team=team))


@router.post("/{code}/begin", response_model=schemas.RoomAnswer)
async def begin(access: RoomHostDep, host: HostDep) -> Any:
    """Begin the tournament. From now on members are paired. Only for the host."""
    return await changed(host, access, lambda room: ruling.begin(room, host.service.now()))


@router.post("/{code}/lock", response_model=schemas.RoomAnswer)
async def lock(access: RoomHostDep, host: HostDep) -> Any:
    """Lock the room, so that no new member can join. Only for the host."""
    return await changed(host, access, lambda room: ruling.lock(room, host.service.now()))


@router.post("/{code}/unlock", response_model=schemas.RoomAnswer)
async def unlock(access: RoomHostDep, host: HostDep) -> Any:
    """Unlock the room, so that people can join again. Only for the host."""
    return await changed(host, access, lambda room: ruling.unlock(room, host.service.now()))


@router.post("/{code}/close", response_model=schemas.RoomAnswer)
async def close(access: RoomHostDep, host: HostDep) -> Any:
    """Close the room. Games that are not finished do not count. Only for the host."""
    return await changed(host, access, lambda room: ruling.close(room, host.service.now()))


def _who(access: RoomAccess, number: int) -> None:
    if not access.is_host and access.member != number:
        raise NotTheHost


@router.post("/{code}/members/{number}/rename", response_model=schemas.RoomAnswer)
async def rename(number: int, body: schemas.RenameRequest, access: RoomAccessDep, host: HostDep) -> Any:
    """Rename a member. Only for the host."""
    if not access.is_host:
        raise NotTheHost
    return await changed(host, access, lambda room: ruling.rename(room, number, body.name, host.service.now()))


@router.post("/{code}/members/{number}/remove", response_model=schemas.RoomAnswer)
async def remove(number: int, access: RoomAccessDep, host: HostDep) -> Any:
    """Remove a member from the room. Members may remove themselves, and the host may remove anyone."""
    _who(access, number)
    return await changed(host, access, lambda room: ruling.leave(room, number, host.service.now()))


@router.post("/{code}/here", response_model=schemas.RoomAnswer)
async def here(access: RoomMemberDep, host: HostDep) -> Any:
    """Return to the room, so that you are paired again."""
    member = access.member or 0
    return await changed(host, access, lambda room: ruling.come_back(room, member, host.service.now()))


@router.post("/{code}/challenge", response_model=schemas.RoomAnswer)
async def challenge(body: schemas.ChallengeRequest, access: RoomMemberDep, host: HostDep) -> Any:
    """Ask another member for a game."""
    member = access.member or 0
    return await changed(host, access, lambda room: ruling.challenge(room, member, body.to, host.service.now()))


@router.post("/{code}/reply", response_model=schemas.RoomAnswer)
async def reply(body: schemas.ChallengeReplyRequest, access: RoomMemberDep, host: HostDep) -> Any:
    """Accept or decline a challenge. With your own number in `by`, withdraw all your challenges."""
    member, now = access.member or 0, host.service.now()
    if body.by == member:
        return await _withdrawn(host, access, member)
    act = ruling.accept if body.yes else ruling.decline
    return await changed(host, access, lambda room: act(room, body.by, member, now))


async def _withdrawn(host: Host, access: RoomAccess, member: int) -> schemas.RoomAnswer:
    for challenge in [c for c in access.room.challenges if c.by == member]:
        to = challenge.to
        await host.rooms.change(access.room.code, partial(ruling.decline, by=member, to=to, now=host.service.now()))
    return answer(host, access._replace(room=await host.rooms.get(access.room.code)))
