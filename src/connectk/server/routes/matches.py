"""Matches over HTTP."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from connectk.play.audiences import Subscriber
from connectk.play.match import Match, Seat, Setup, TimeControl
from connectk.play.refusals import MatchNotFound
from connectk.play.ruling import MAX_REDONE_DISCS, check_name, seat_to_play
from connectk.play.service import MatchService
from connectk.rules import Side
from connectk.server import views
from connectk.server.dependencies import HostDep, IdempotencyKey, MatchAccessDep, client_address, start_of
from connectk.server.schemas import (
    DropOrder,
    EntryAnswer,
    EventsAnswer,
    JoinOrder,
    MatchAnswer,
    MatchesAnswer,
    MatchOrder,
    PlyOrder,
    ReceiptAnswer,
    RefusedAnswer,
    SeatOrder,
)
from connectk.server.views import entry_view, receipt_view
from connectk.thinking.jobs import check_can_play, check_player

STATUSES = (400, 403, 404, 408, 409, 413, 422, 429, 431)
# By reference, because FastAPI would build a model again for each status of each route. `create` uses the model.
REFUSAL = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/RefusedAnswer"}}}}
REFUSED: dict[int | str, dict[str, Any]] = dict.fromkeys(STATUSES, REFUSAL)
router = APIRouter(prefix="/api/matches", tags=["matches"], responses=REFUSED)


@router.post("", status_code=201, response_model=EntryAnswer, responses={400: {"model": RefusedAnswer}})
async def create(order: MatchOrder, host: HostDep, request: Request) -> Any:
    """Make a match. Keep the `secret`: it is shown this once, and whoever has it plays your side."""
    address = client_address(request)
    start = await start_of(order, host, address)
    seats = {side: _seat(getattr(order, str(side))) for side in Side}
    for player in filter(None, (seat.player for seat in seats.values())):
        check_can_play(player, start.variant)
    control = TimeControl(order.clock.seconds, order.clock.increment) if order.clock else None
    setup = Setup(start, seats[Side.FIRST], seats[Side.SECOND], order.public, control)
    mine = {side for side in Side if getattr(order, str(side)).kind == "me"}
    host.limits.charge_new_match(address, len(order.moves))
    entry = await host.service.create(setup, order.moves, mine)
    host.track_match(entry.match, address)
    return entry_view(entry)


def _seat(order: SeatOrder) -> Seat:
    if order.kind == "player":
        player = check_player(order.player or "level:3")
        return Seat(check_name(order.name) or player, player=player)
    return Seat(check_name(order.name))


@router.get("", response_model=MatchesAnswer)
async def public_matches(host: HostDep, request: Request) -> Any:
    """Public matches that are being played, the liveliest first."""
    ids = await host.store.public_matches(50)
    told = []
    for match_id in ids:
        await host.limits.scheduler.wait_for_slot(client_address(request))
        with suppress(MatchNotFound):  # deleted since
            told.append(json.dumps(views.match_view(await host.service.get(match_id))))
    return Response(f'{{"matches":[{",".join(told)}]}}', media_type="application/json")


@router.get("/{match_id}", response_model=MatchAnswer)
async def look(access: MatchAccessDep) -> Any:
    """A match as it stands. A private one needs a seat's secret or the invitation; without, it looks missing."""
    return views.match_answer(access)


@router.get("/{match_id}/events", response_model=EventsAnswer)
async def events(
    access: MatchAccessDep,
    host: HostDep,
    request: Request,
    after: Annotated[int, Query(ge=0, lt=2**31)] = 0,
    wait: Annotated[float, Query(ge=0, le=30, description="Seconds to wait for news when there are none.")] = 0,
) -> Any:
    """What happened after a number, in order, a hundred at most: for clients without a socket."""
    match = access.match
    host.limits.charge_replay(client_address(request), host.service.events_to_replay(match, after))
    if wait and after >= match.seq:
        await _wait_for_event(host, match, after, wait)
    steps = await host.service.steps_after(match.id, after)
    told = []
    for step in steps:
        await host.limits.scheduler.wait_for_slot(client_address(request))
        told.append(views.encode_step(step))
    more = bool(steps) and steps[-1].match.seq < match.seq
    return Response(f'{{"events":[{",".join(told)}],"more":{json.dumps(more)}}}', media_type="application/json")


async def _wait_for_event(host: HostDep, match: Match, after: int, seconds: float) -> None:
    subscriber = Subscriber(frozenset())
    try:
        await host.audiences.enter(match.id, subscriber, min(after, match.seq))
        async with asyncio.timeout(seconds):
            while (await host.service.get(match.id)).seq <= after:
                await subscriber.get()  # may be a presence message, which is no event
    except TimeoutError:
        pass
    finally:
        host.audiences.leave(match.id, subscriber)


@router.post("/{match_id}/join", response_model=EntryAnswer)
async def join(match_id: str, order: JoinOrder, host: HostDep) -> Any:
    """Take the free seat. Keep the `secret`: it is shown this once. Bring one of your own making, and you may ask
    again when no answer came."""
    return entry_view(await host.service.join(match_id, order.invitation, order.name, order.secret))


@router.post("/{match_id}/drops", status_code=201, response_model=ReceiptAnswer)
async def drop(access: MatchAccessDep, order: DropOrder, host: HostDep, key: IdempotencyKey = None) -> Any:
    """Drop a disc. `ply` is the number of discs you saw, so that a late click cannot become another move. Send an
    `Idempotency-Key` and you may send the same drop again when no answer came: one disc is played."""
    seat = seat_to_play(*access)
    return receipt_view(
        await host.service.drop(access.match.id, seat, order.column, order.ply, key=key, took=order.took)
    )


@router.post("/{match_id}/take-back", response_model=ReceiptAnswer)
async def take_back(access: MatchAccessDep, order: PlyOrder, host: HostDep) -> Any:
    """Take moves back: at once where only a computer plays against you, else the other person is asked."""
    return receipt_view(await host.service.take_back(access.match.id, access.sides, order.to_ply))


@router.post("/{match_id}/redo", response_model=ReceiptAnswer)
async def redo(access: MatchAccessDep, order: PlyOrder, host: HostDep, request: Request) -> Any:
    """Play again what was taken back, where only a computer plays against you."""
    host.limits.charge_replay(client_address(request), min(len(access.match.undone), MAX_REDONE_DISCS))
    return receipt_view(await host.service.redo(access.match.id, access.sides, order.to_ply))


@router.post("/{match_id}/resign", response_model=ReceiptAnswer)
async def resign(access: MatchAccessDep, host: HostDep) -> Any:
    """Give the game up."""
    return receipt_view(await host.service.resign(access.match.id, access.sides))


@router.post("/{match_id}/offer-draw", response_model=ReceiptAnswer)
async def offer_draw(access: MatchAccessDep, host: HostDep) -> Any:
    """Ask the other person for a draw."""
    return receipt_view(await host.service.offer_draw(access.match.id, access.sides))


@router.post("/{match_id}/accept", response_model=ReceiptAnswer)
async def accept(access: MatchAccessDep, host: HostDep, request: Request) -> Any:
    """Say yes to what the other side has asked: a draw, a take-back or a rematch."""
    return receipt_view(await host.run_offer_action(client_address(request), MatchService.accept, access))


@router.post("/{match_id}/decline", response_model=ReceiptAnswer)
async def decline(access: MatchAccessDep, host: HostDep) -> Any:
    """Say no to it, or withdraw your own."""
    return receipt_view(await host.service.decline(access.match.id, access.sides))


@router.post("/{match_id}/rematch", response_model=ReceiptAnswer)
async def rematch(access: MatchAccessDep, host: HostDep, request: Request) -> Any:
    """Another game with the sides swapped, when this one is over. Your secret opens your seat in `next_match` too."""
    return receipt_view(await host.run_offer_action(client_address(request), MatchService.rematch, access))
