"""The requests of a room's hosts: let people in, pause, stop a round, and share the host's rights or hand them over."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request

from connectk.play.secrets_and_codes import hash_secret, new_room_code, new_secret, parse_room_code
from connectk.rooms import ruling
from connectk.rooms.ruling import WrongHostCode
from connectk.server import schemas
from connectk.server.dependencies import HostDep, SecretDep, client_address
from connectk.server.limits import QuotaExceeded
from connectk.server.routes.matches import REFUSAL_RESPONSES
from connectk.server.routes.rooms import RoomAccess, RoomAccessDep, RoomHostDep, answer, changed

router = APIRouter(prefix="/api/rooms", tags=["rooms"], responses=REFUSAL_RESPONSES)


@router.post("/{code}/host-code", response_model=schemas.HostCodeAnswer)
async def host_code(access: RoomHostDep, host: HostDep) -> Any:
    """Get a code that makes one more person a host. It works once, and earlier codes become invalid. Only for the
    host."""
    code = new_room_code()
    await host.rooms.change(access.room.code, lambda room: ruling.invite_host(room, code, host.service.now()))
    return {"code": code, "seconds": ruling.HOST_CODE_SECONDS}


@router.post("/{code}/host", response_model=schemas.RoomEntryAnswer)
async def become_host(body: schemas.HostCodeRequest, access: RoomAccessDep, host: HostDep, request: Request) -> Any:
    """Become a host with a code that another host has read out. Keep the `secret`. Wrong codes are rate-limited."""
    address = client_address(request)
    if not host.limits.wrong_codes.has_tokens(address):
        raise QuotaExceeded("wrong codes")
    secret, code, now = body.secret or new_secret(), parse_room_code(body.code), host.service.now()
    try:
        room = await host.rooms.change(
            access.room.code, lambda room: ruling.add_host(room, code, hash_secret(secret), now)
        )
    except WrongHostCode:
        host.limits.wrong_codes.allows(address)
        raise
    you = RoomAccess(room, host.rooms.is_host(room, secret), host.rooms.member_of(room, secret))
    return {**answer(host, you), "secret": secret}


@router.post("/{code}/host/resign", response_model=schemas.RoomAnswer)
async def resign_as_host(access: RoomHostDep, host: HostDep, secret: SecretDep) -> Any:
    """Stop being a host. The last host cannot do this. Only for the host."""
    holder = hash_secret(secret or "")
    room = await host.rooms.change(
        access.room.code, lambda room: ruling.resign_as_host(room, holder, host.service.now())
    )
    return answer(host, RoomAccess(room, host.rooms.is_host(room, secret), access.member))


@router.post("/{code}/members/{number}/host", response_model=schemas.RoomAnswer)
async def promote(
    number: int, body: schemas.PromoteRequest, access: RoomHostDep, host: HostDep, secret: SecretDep
) -> Any:
    """Make a member a host too. The member's own secret then also works as a host's secret. With `instead` you stop
    being a host. Only for the host."""
    instead = hash_secret(secret or "") if body.instead else None
    room = await host.rooms.change(
        access.room.code, lambda room: ruling.promote(room, number, instead, host.service.now())
    )
    return answer(host, RoomAccess(room, host.rooms.is_host(room, secret), access.member))


@router.post("/{code}/admit", response_model=schemas.RoomAnswer)
async def admit(body: schemas.AdmitRequest, access: RoomHostDep, host: HostDep) -> Any:
    """Let in members who are waiting. Only for the host."""
    return await changed(host, access, lambda room: ruling.admit(room, body.members, host.service.now()))


@router.post("/{code}/members/{number}/team", response_model=schemas.RoomAnswer)
async def change_team(number: int, body: schemas.TeamRequest, access: RoomHostDep, host: HostDep) -> Any:
    """Move a member to the other team, before the first game. Only for the host."""
    team = body.team - 1
    return await changed(host, access, lambda room: ruling.change_team(room, number, team, host.service.now()))


@router.post("/{code}/pause", response_model=schemas.RoomAnswer)
async def pause(access: RoomHostDep, host: HostDep) -> Any:
    """Pause the room. Games in progress continue, but no new game starts, and nobody loses because they are absent.
    Only for the host."""
    return await changed(host, access, lambda room: ruling.pause(room, host.service.now()))


@router.post("/{code}/resume", response_model=schemas.RoomAnswer)
async def resume(access: RoomHostDep, host: HostDep) -> Any:
    """End the pause. An arena then ends later by the length of the pause. Only for the host."""
    return await changed(host, access, lambda room: ruling.resume(room, host.service.now()))


@router.post("/{code}/next-round", response_model=schemas.RoomAnswer)
async def next_round(access: RoomHostDep, host: HostDep) -> Any:
    """Stop the games of this round, so that the next round starts now. The stopped games count as draws. In a knock-out
    tournament the player who moved second in a stopped game advances. Only for the host."""
    return await changed(host, access, lambda room: ruling.stop_round(room, host.service.now()))
