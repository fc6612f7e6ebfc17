"""Builds the messages of `schemas` from matches, events and positions. Columns and rows count from 0. Row 0 is the
lowest."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any, cast

from connectk.notation.saved_game import SavedGame
from connectk.notation.start import write_start
from connectk.notation.views import SIDE_NAMES as SIDE_NAMES
from connectk.notation.views import moment_view, players_view, result_view
from connectk.notation.views import variant_view as variant_view
from connectk.play import events
from connectk.play.match import Match, Seat
from connectk.play.match_cache import MatchStep
from connectk.play.service import Access, Receipt, SeatGrant
from connectk.rules import Game, Position, Side
from connectk.rules.column_tree import column_letters
from connectk.server import schemas
from connectk.server.schemas import SideName

# shared, because `json.dumps` would make a new encoder for each message
MESSAGE_ENCODER = json.JSONEncoder(separators=(",", ":"))


def position_view(position: Position) -> schemas.PositionView:
    """The facts that a page needs to show and play this position without knowing the rules."""
    return {**moment_view(position), "board": board_view(position)}


def board_view(position: Position) -> list[str]:
    """The columns, each from the bottom up. x is the first player's disc and o the second player's."""
    return list(map(column_letters, position.column_codes()))


def state_view(match: Match) -> schemas.StateView:
    """The part of a match that changes with its events."""
    view: schemas.StateView = {
        **position_view(match.position),
        "result": result_view(match.result),
        "waiting": match.is_waiting,
        "offer": offer_view(match),
        "can_redo": bool(match.undone) and match.has_one_person and match.ended is None,
        "turn": None if match.result else SIDE_NAMES[match.turn],
        "can_swap": match.can_swap,
        "can_extend": match.can_extend,
        "is_placing": match.is_placing and match.is_running,
        "clock": clock_view(match),
        "next_match": match.next_match,
    }
    if match.ended:
        view["side_to_move"], view["legal_columns"] = None, []
    return view


def offer_view(match: Match) -> schemas.OfferView | None:
    offer = match.offer
    if offer is None:
        return None
    return {"what": cast("schemas.OfferName", offer.what), "side": SIDE_NAMES[offer.side], "to_ply": offer.to_ply}


def clock_view(match: Match) -> schemas.ClockView | None:
    """The clock of a match: the seconds of each side at the start of the turn, the side whose clock runs, and the time
    at which the turn started, by the server's clock."""
    if not match.times or not match.setup.control:
        return None
    first, second = (round(max(0.0, match.times[-1].of(side)), 3) for side in Side)
    running = SIDE_NAMES[match.turn] if match.clock_runs else None
    increment = match.setup.control.increment
    return {"first": first, "second": second, "running": running, "since": match.turn_began, "increment": increment}


def match_view(match: Match) -> schemas.MatchView:
    """The match as everybody may see it. It contains no secrets."""
    start = match.setup.start
    return {
        "id": match.id,
        "seq": match.seq,
        "variant": variant_view(start.variant),
        "start": write_start(start),
        "moves": list(match.moves),
        "seats": seats_view(match),
        "public": match.setup.public,
        "previous": match.setup.previous,
        "room": match.setup.room,
        "strangers": match.setup.strangers,
        "swap": match.setup.swap,
        "swap_discs": match.setup.swap_discs,
        "swapped": match.swapped_at is not None,
        "extended": match.extended_at is not None,
        "created": match.created,
        "state": state_view(match),
    }


def match_answer(access: Access) -> schemas.MatchAnswer:
    return {"match": match_view(access.match), "sides": side_names(access.sides)}


def entry_view(entry: SeatGrant) -> schemas.EntryAnswer:
    return {
        "match": match_view(entry.match),
        "sides": side_names(entry.sides),
        "secret": entry.secret,
        "invitation": entry.invitation,
    }


def receipt_view(receipt: Receipt) -> schemas.ReceiptAnswer:
    return {"seq": receipt.seq, "match": match_view(receipt.match)}


def side_names(sides: Iterable[Side]) -> list[SideName]:
    return [SIDE_NAMES[side] for side in sorted(sides, key=lambda side: side.value)]


def game_view(saved: SavedGame) -> schemas.GameAnswer:
    game = saved.game
    return {
        "variant": variant_view(game.variant),
        "start": write_start(game.start),
        "moves": list(game.moves),
        "players": players_view(saved.players),
        "result": result_view(saved.result),
    }


def saved_game_of(match: Match) -> SavedGame:
    """The match as a saved game."""
    return SavedGame(
        game=Game(match.setup.start, match.moves),
        players={side: match.seat(side).name for side in Side},
        result=match.result,
        started=datetime.fromtimestamp(match.created, UTC),
        ended=datetime.fromtimestamp(match.turn_began, UTC) if match.result else None,
        seconds=match.seconds,
        swapped=match.swapped_at is not None if match.setup.swap else None,
        given=min(len(match.moves), match.choice_ply) if match.setup.swap_discs > 1 and match.setup.swap else 0,
    )


def seats_view(match: Match) -> schemas.SeatsView:
    return {"first": seat_view(match.seat(Side.FIRST)), "second": seat_view(match.seat(Side.SECOND))}


def seat_view(seat: Seat) -> schemas.SeatView:
    kind: schemas.SeatKind = "player" if seat.player else "free" if seat.is_free else "person"
    return {"kind": kind, "name": seat.name, "player": seat.player}


# Events. The hash of the seat's secret in a `Joined` event is not sent.


def _joined(event: events.Joined, match: Match, base: schemas.EventBase) -> schemas.EventMessage:
    seats = seats_view(match)
    return {**base, "event": "joined", "side": SIDE_NAMES[event.side], "name": event.name, "seats": seats}


def _dropped(event: events.Dropped, match: Match, base: schemas.EventBase) -> schemas.EventMessage:
    assert match.position.last_drop
    return {
        **base,
        "event": "dropped",
        "side": SIDE_NAMES[event.side],
        "column": event.column,
        "row": match.position.last_drop.row,
        "ply": match.ply - 1,
        "thought": cast("schemas.ThoughtView | None", event.thought),
    }


def _swapped(event: events.Swapped, match: Match, base: schemas.EventBase) -> schemas.EventMessage:
    return {**base, "event": "swapped", "side": SIDE_NAMES[event.side], "seats": seats_view(match)}


def _extended(event: events.Extended, match: Match, base: schemas.EventBase) -> schemas.EventMessage:
    return {**base, "event": "extended", "side": SIDE_NAMES[event.side], "seats": seats_view(match)}


def _take_back_request(event: events.TakeBackAsked, match: Match, base: schemas.EventBase) -> schemas.EventMessage:
    return {**base, "event": "take_back_asked", "side": SIDE_NAMES[event.side], "to_ply": event.to_ply}


def _taken_back(event: events.TakenBack, match: Match, base: schemas.EventBase) -> schemas.EventMessage:
    return {**base, "event": "taken_back", "to_ply": event.to_ply, "moves": list(match.moves)}


def _redone(event: events.Redone, match: Match, base: schemas.EventBase) -> schemas.EventMessage:
    return {**base, "event": "redone", "to_ply": event.to_ply, "moves": list(match.moves)}


def _draw_offered(event: events.DrawOffered, match: Match, base: schemas.EventBase) -> schemas.EventMessage:
    return {**base, "event": "draw_offered", "side": SIDE_NAMES[event.side]}


def _rematch_offered(event: events.RematchOffered, match: Match, base: schemas.EventBase) -> schemas.EventMessage:
    return {**base, "event": "rematch_offered", "side": SIDE_NAMES[event.side]}


def _declined(event: events.Declined, match: Match, base: schemas.EventBase) -> schemas.EventMessage:
    return {**base, "event": "declined", "side": SIDE_NAMES[event.side]}


def _ended(event: events.Ended, match: Match, base: schemas.EventBase) -> schemas.EventMessage:
    result = result_view(event.result)
    assert result
    return {**base, "event": "ended", "result": result}


def _rematch_made(event: events.RematchMade, match: Match, base: schemas.EventBase) -> schemas.EventMessage:
    return {**base, "event": "rematch_made", "match": event.match}


EVENT_VIEWS: Mapping[type, Callable[[Any, Match, schemas.EventBase], schemas.EventMessage]] = {
    events.Joined: _joined,
    events.Dropped: _dropped,
    events.Swapped: _swapped,
    events.Extended: _extended,
    events.TakeBackAsked: _take_back_request,
    events.TakenBack: _taken_back,
    events.Redone: _redone,
    events.DrawOffered: _draw_offered,
    events.RematchOffered: _rematch_offered,
    events.Declined: _declined,
    events.Ended: _ended,
    events.RematchMade: _rematch_made,
}


def event_view(step: MatchStep) -> schemas.EventMessage:
    """One event, with the state of the match after it."""
    event, match = step
    base: schemas.EventBase = {"type": "event", "seq": match.seq, "at": event.at, "state": state_view(match)}
    return EVENT_VIEWS[type(event)](event, match, base)


def encode(message: schemas.ServerMessage | schemas.RoomServerMessage) -> str:
    return MESSAGE_ENCODER.encode(message)


def encode_step(step: MatchStep) -> str:
    """An event as JSON. It is encoded once and then sent to all subscribers."""
    return encode(event_view(step))
