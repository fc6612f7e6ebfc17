"""Seeks and encounters over HTTP: waiting for an opponent, taking a challenge, and the facts about a match of
strangers."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request

from connectk.play.match import TimeControl
from connectk.play.refusals import NoSeat
from connectk.play.service import Access
from connectk.rules import Side, Variant
from connectk.server import schemas
from connectk.server.dependencies import HostDep, MatchAccessDep, SecretDep, check_board, client_address
from connectk.server.host import Host
from connectk.server.limits import QuotaExceeded, network_of
from connectk.server.routes.matches import REFUSAL_RESPONSES
from connectk.server.routes.positions import unless_client_disconnects
from connectk.server.strangerviews import encounter_view, seek_answer, seek_view
from connectk.strangers.protocols import StoredSeek
from connectk.strangers.seek import Seek
from connectk.strangers.service import SeekRequest

router = APIRouter(prefix="/api", tags=["strangers"], responses=REFUSAL_RESPONSES)
MAX_SHOWN_SEEKS = 50


@router.post("/seeks", status_code=201, response_model=schemas.SeekAnswer)
async def seek(body: schemas.NewSeekRequest, host: HostDep, request: Request, secret: SecretDep) -> Any:
    """Wait for an opponent. Needs a profile's secret. While you wait, keep asking `GET /api/seeks/{id}` with the seek's
    own secret. If you stop asking, the seek is withdrawn within seconds."""
    profile = await host.strangers.profile(secret)
    variant = Variant(body.variant.width, body.variant.height, body.variant.run)
    check_board(variant, host)
    await _charge(host, client_address(request))
    seek_request = SeekRequest(
        variant=variant,
        control=TimeControl(body.clock.seconds, body.clock.increment),
        secret=body.secret,
        device=body.device,
        address=network_of(client_address(request)),
        rated=body.rated,
        public=body.public,
        best_of=body.best_of,
        takes_level=body.takes_level,
        listed=body.listed,
        swap_discs=body.swap_discs,
    )
    return await _answer(host, await host.strangers.seek(profile, seek_request))


async def _charge(host: Host, address: str) -> None:
    """Raises a refusal if this address sends too many requests, or has too many open seeks or matches."""
    host.limits.check_open_matches(address)
    host.limits.seeks.take(address)
    own, _ = await host.strangers.count_open(network_of(address))
    if own >= host.limits.max_open_seeks:
        raise QuotaExceeded("open seeks")


async def _answer(host: Host, stored: StoredSeek) -> schemas.SeekAnswer:
    is_level = False
    if stored.match:
        match = await host.service.get(stored.match)
        is_level = not match.setup.strangers
    _, waiting = await host.strangers.count_open("")
    return seek_answer(stored, is_level, waiting, host.service.now())


@router.get("/seeks", response_model=schemas.SeeksAnswer)
async def seeks(host: HostDep) -> Any:
    """The open challenges of other people."""
    now = host.service.now()
    return {"seeks": [seek_view(one, now) for one in (await host.strangers.open_seeks())[:MAX_SHOWN_SEEKS]]}


@router.get("/seeks/{seek_id}", response_model=schemas.SeekAnswer)
async def wait(
    seek_id: str,
    host: HostDep,
    request: Request,
    secret: SecretDep,
    wait: Annotated[float, Query(ge=0, le=20, description="Seconds to wait while there is no match.")] = 0,
) -> Any:
    """Your seek, and its match as soon as there is one. Needs the seek's secret."""
    stored = await host.strangers.own_seek(seek_id, secret)
    found = await unless_client_disconnects(request, host.strangers.wait(stored, wait))
    return await _answer(host, found) if isinstance(found, StoredSeek) else found


@router.post("/seeks/{seek_id}/cancel", response_model=schemas.DoneAnswer)
async def cancel(seek_id: str, host: HostDep, secret: SecretDep) -> Any:
    """Stop waiting. If a match has already begun, it continues."""
    await host.strangers.cancel(await host.strangers.own_seek(seek_id, secret))
    return {"done": True}


@router.post("/seeks/{seek_id}/take", status_code=201, response_model=schemas.SeekAnswer)
async def take(seek_id: str, body: schemas.TakeSeekRequest, host: HostDep, request: Request, secret: SecretDep) -> Any:
    """Take a challenge: the match begins at once. Needs a profile's secret."""
    profile = await host.strangers.profile(secret)
    await _charge(host, client_address(request))
    address = network_of(client_address(request))
    stored = await host.strangers.take(seek_id, profile, lambda theirs: _seek_request_for(theirs, body, address))
    return await _answer(host, stored)


def _seek_request_for(theirs: Seek, body: schemas.TakeSeekRequest, address: str) -> SeekRequest:
    """A request for the same board, clock and swap rule as those of the challenge."""
    return SeekRequest(
        variant=Variant.parse(theirs.variant),
        control=theirs.control,
        secret=body.secret,
        device=body.device,
        address=address,
        rated=body.rated,
        public=theirs.public,
        best_of=theirs.best_of,
        takes_level=False,
        listed=False,
        swap_discs=theirs.swap_discs,
    )


@router.get("/matches/{match_id}/encounter", response_model=schemas.EncounterAnswer)
async def encounter(access: MatchAccessDep, host: HostDep) -> Any:
    """The players of a match between strangers, whether the match is rated, and how the ratings have changed."""
    players = await host.strangers.encounter(access.match.id)
    muted = bool(access.sides) and await host.strangers.is_muted(players, _player_of(access))
    return encounter_view(players, access.match, muted)


@router.post("/matches/{match_id}/mute", response_model=schemas.DoneAnswer)
async def mute(access: MatchAccessDep, body: schemas.MuteRequest, host: HostDep) -> Any:
    """Mute the opponent. You no longer see what they say, and you two are not paired again."""
    await host.strangers.set_muted(access.match.id, _player_of(access), body.muted)
    return {"done": True}


@router.post("/matches/{match_id}/report", response_model=schemas.DoneAnswer)
async def report(access: MatchAccessDep, body: schemas.ReportRequest, host: HostDep, request: Request) -> Any:
    """Report the opponent to the operator of this server. A second report about the same match replaces the first."""
    side = _player_of(access)
    if not host.limits.reports.allows(client_address(request)):
        raise QuotaExceeded("reports")
    await host.strangers.report(access.match.id, side, body.reason)
    return {"done": True}


def _player_of(access: Access) -> Side:
    """The side that the player had when the match was made."""
    if len(access.sides) != 1:
        raise NoSeat
    return access.match.original(next(iter(access.sides)))
