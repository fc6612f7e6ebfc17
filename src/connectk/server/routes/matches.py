"""Matches over HTTP."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from connectk.play.audiences import Subscriber
from connectk.play.match import Match, MatchSetup, Seat, TimeControl
from connectk.play.refusals import MatchNotFound
from connectk.play.ruling import MAX_REDONE_DISCS, check_name, seat_to_play
from connectk.play.service import MatchService
from connectk.rules import Side
from connectk.server import views
from connectk.server.dependencies import HostDep, IdempotencyKey, MatchAccessDep, client_address, start_of
from connectk.server.schemas import (
    DropRequest,
    EntryAnswer,
    EventsAnswer,
    JoinMatchRequest,
    MatchAnswer,
    MatchesAnswer,
    NewMatchRequest,
    ReceiptAnswer,
    RefusedAnswer,
    SeatInput,
    ToPlyRequest,
)
from connectk.server.views import entry_view, receipt_view
from connectk.thinking.jobs import check_can_play, check_player

REFUSAL_STATUSES = (400, 403, 404, 408, 409, 413, 422, 429, 431)
# By reference, because FastAPI would build a model again for each status of each route. `create` uses the model.
REFUSAL_CONTENT = {"content": {"application/json": {"schema": {"$ref": "#/components/schemas/RefusedAnswer"}}}}
REFUSAL_RESPONSES: dict[int | str, dict[str, Any]] = dict.fromkeys(REFUSAL_STATUSES, REFUSAL_CONTENT)
router = APIRouter(prefix="/api/matches", tags=["matches"], responses=REFUSAL_RESPONSES)


@router.post("", status_code=201, response_model=EntryAnswer, responses={400: {"model": RefusedAnswer}})
async def create(body: NewMatchRequest, host: HostDep, request: Request) -> Any:
    """Make a match. Keep the `secret`: it is shown only once, and anyone who has it can play your side."""
    address = client_address(request)
    start = await start_of(body, host, address)
    seats = {side: _seat(getattr(body, str(side))) for side in Side}
    for player in filter(None, (seat.player for seat in seats.values())):
        check_can_play(player, start.variant)
    control = TimeControl(body.clock.seconds, body.clock.increment) if body.clock else None
    first, second = seats.values()
    setup = MatchSetup(start, first, second, body.public, control, swap=body.swap, swap_discs=body.swap_discs)
    mine = {side for side in Side if getattr(body, str(side)).kind == "me"}
    host.limits.charge_new_match(address, len(body.moves))
    entry = await host.service.create(setup, body.moves, mine)
    host.track_match(entry.match, address)
    return entry_view(entry)


def _seat(body: SeatInput) -> Seat:
    if body.kind == "player":
        player = check_player(body.player or "level:3")
        return Seat(check_name(body.name) or player, player=player)
    return Seat(check_name(body.name))


@router.get("", response_model=MatchesAnswer)
async def public_matches(host: HostDep, request: Request) -> Any:
    """Public matches that are in progress, the most recently changed first."""
    ids = await host.store.public_matches(50)
    encoded = []
    for match_id in ids:
        await host.limits.scheduler.wait_for_slot(client_address(request))
        with suppress(MatchNotFound):  # deleted since
            encoded.append(json.dumps(views.match_view(await host.service.get(match_id))))
    return Response(f'{{"matches":[{",".join(encoded)}]}}', media_type="application/json")


@router.get("/{match_id}", response_model=MatchAnswer)
async def look(access: MatchAccessDep) -> Any:
    """A match in its current state. A private match needs a seat's secret or the invitation. Without them the answer is
    that there is no such match."""
    return views.match_answer(access)


@router.get("/{match_id}/events", response_model=EventsAnswer)
async def events(
    access: MatchAccessDep,
    host: HostDep,
    request: Request,
    after: Annotated[int, Query(ge=0, lt=2**31)] = 0,
    wait: Annotated[float, Query(ge=0, le=30, description="Seconds to wait for news when there are none.")] = 0,
) -> Any:
    """The events after the event number `after`, in order, at most a hundred. This is for clients without a socket."""
    match = access.match
    host.limits.charge_replay(client_address(request), host.service.events_to_replay(match, after))
    if wait and after >= match.seq:
        await _wait_for_event(host, match, after, wait)
    steps = await host.service.steps_after(match.id, after)
    encoded = []
    for step in steps:
        await host.limits.scheduler.wait_for_slot(client_address(request))
        encoded.append(views.encode_step(step))
    more = bool(steps) and steps[-1].match.seq < match.seq
    return Response(f'{{"events":[{",".join(encoded)}],"more":{json.dumps(more)}}}', media_type="application/json")


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
async def join(match_id: str, body: JoinMatchRequest, host: HostDep) -> Any:
    """Take the free seat. Keep the `secret`, because it is shown only once. If you send your own secret, you may repeat
    the request if no answer arrives."""
    return entry_view(await host.service.join(match_id, body.invitation, body.name, body.secret))


@router.post("/{match_id}/drops", status_code=201, response_model=ReceiptAnswer)
async def drop(access: MatchAccessDep, body: DropRequest, host: HostDep, key: IdempotencyKey = None) -> Any:
    """Drop a disc. `ply` is the number of discs that you saw, so that a late click cannot become another move. With an
    `Idempotency-Key` you may repeat the request when no answer arrives, and only one disc is played."""
    seat = seat_to_play(*access)
    return receipt_view(await host.service.drop(access.match.id, seat, body.column, body.ply, key=key, took=body.took))


@router.post("/{match_id}/take-back", response_model=ReceiptAnswer)
async def take_back(access: MatchAccessDep, body: ToPlyRequest, host: HostDep) -> Any:
    """Take moves back. If only one person plays, this happens at once. Otherwise the other person is asked first."""
    return receipt_view(await host.service.take_back(access.match.id, access.sides, body.to_ply))


@router.post("/{match_id}/redo", response_model=ReceiptAnswer)
async def redo(access: MatchAccessDep, body: ToPlyRequest, host: HostDep, request: Request) -> Any:
    """Replay moves that were taken back. This is refused if two people play."""
    host.limits.charge_replay(client_address(request), min(len(access.match.undone), MAX_REDONE_DISCS))
    return receipt_view(await host.service.redo(access.match.id, access.sides, body.to_ply))


@router.post("/{match_id}/swap", response_model=ReceiptAnswer)
async def swap(access: MatchAccessDep, host: HostDep) -> Any:
    """Take over the first player's side instead of dropping a disc, if the match allows it. Your opponent then has the
    other side and moves next."""
    return receipt_view(await host.service.swap(access.match.id, access.sides))


@router.post("/{match_id}/extend", response_model=ReceiptAnswer)
async def extend(access: MatchAccessDep, host: HostDep) -> Any:
    """In a three-disc start, place two more discs instead of choosing a side. The opponent then chooses."""
    return receipt_view(await host.service.extend(access.match.id, access.sides))


@router.post("/{match_id}/resign", response_model=ReceiptAnswer)
async def resign(access: MatchAccessDep, host: HostDep) -> Any:
    """Resign the game."""
    return receipt_view(await host.service.resign(access.match.id, access.sides))


@router.post("/{match_id}/offer-draw", response_model=ReceiptAnswer)
async def offer_draw(access: MatchAccessDep, host: HostDep) -> Any:
    """Ask the other person for a draw."""
    return receipt_view(await host.service.offer_draw(access.match.id, access.sides))


@router.post("/{match_id}/accept", response_model=ReceiptAnswer)
async def accept(access: MatchAccessDep, host: HostDep, request: Request) -> Any:
    """Accept the other side's offer of a draw, a take-back or a rematch."""
    return receipt_view(await host.run_offer_action(client_address(request), MatchService.accept, access))


@router.post("/{match_id}/decline", response_model=ReceiptAnswer)
async def decline(access: MatchAccessDep, host: HostDep) -> Any:
    """Decline the other side's offer, or withdraw your own."""
    return receipt_view(await host.service.decline(access.match.id, access.sides))


@router.post("/{match_id}/rematch", response_model=ReceiptAnswer)
async def rematch(access: MatchAccessDep, host: HostDep, request: Request) -> Any:
    """Play another game after this game has ended. The players change sides. Your secret also opens your seat in
    `next_match`."""
    return receipt_view(await host.run_offer_action(client_address(request), MatchService.rematch, access))


@router.post("/{match_id}/fair-rematch", response_model=ReceiptAnswer)
async def fair_rematch(access: MatchAccessDep, host: HostDep, request: Request) -> Any:
    """Play another game from a start after which perfect play is a draw. The server draws the start. The rest is as for
    a rematch."""
    return receipt_view(await host.run_fair_rematch(client_address(request), access))
