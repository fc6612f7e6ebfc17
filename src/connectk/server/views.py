"""Matches, events and positions as JSON values. Columns and rows count from 0; row 0 is at the bottom."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

from connectk.notation.saved import SavedGame
from connectk.play.events import NAMES, Dropped, Joined, Redone, TakenBack, facts_of
from connectk.play.match import Match, Seat
from connectk.play.tables import Step
from connectk.rules import Cell, Game, Position, Result, Side, Variant

Json = dict[str, Any]


def position_view(position: Position) -> Json:
    """All that a board widget needs, so that it need know no rule."""
    return {
        "ply": position.ply,
        "side_to_move": None if position.outcome else str(position.side_to_move),
        "legal_columns": list(position.legal_columns),
        "board": board_view(position),
        "winning_lines": [[list(cell) for cell in line] for line in position.winning_lines],
        "last_drop": cell_view(position.last_drop),
    }


def board_view(position: Position) -> list[str]:
    """Each column from the bottom up: x is the first player's disc, o the second's."""
    columns = [""] * position.variant.width
    for cell, side in position.discs():
        columns[cell.column] += "xo"[side.value]
    return columns


def cell_view(cell: Cell | None) -> list[int] | None:
    return list(cell) if cell else None


def result_view(result: Result | None) -> Json | None:
    if result is None:
        return None
    return {"winner": str(result.winner) if result.winner else None, "reason": result.reason.value}


def state_view(match: Match) -> Json:
    """What changes with every event."""
    offer = match.offer
    closed: Json = {"side_to_move": None, "legal_columns": []} if match.ended else {}
    return {
        **position_view(match.position),
        **closed,
        "result": result_view(match.result),
        "waiting": match.is_waiting,
        "offer": offer and {"what": offer.what, "side": str(offer.side), "to_ply": offer.to_ply},
        "can_redo": bool(match.undone) and match.has_one_person and match.ended is None,
        "clock": clock_view(match),
        "next_match": match.next_match,
    }


def clock_view(match: Match) -> Json | None:
    """Seconds left when the turn began, and since when, by the server's clock, whose time runs."""
    if not match.times or not match.setup.control:
        return None
    left = {str(side): round(max(0.0, match.times[-1].of(side)), 3) for side in Side}
    running = str(match.position.side_to_move) if match.is_running else None
    return {**left, "running": running, "since": match.turn_began, "increment": match.setup.control.increment}


def match_view(match: Match) -> Json:
    """Everything about a match that everyone may know."""
    start = match.setup.start
    return {
        "id": match.id,
        "seq": match.seq,
        "variant": variant_view(start.variant),
        "start": board_view(start) if start.ply else None,
        "moves": list(match.moves),
        "seats": {str(side): seat_view(match.seat(side)) for side in Side},
        "public": match.setup.public,
        "previous": match.setup.previous,
        "created": match.created,
        "state": state_view(match),
    }


def game_view(saved: SavedGame) -> Json:
    game = saved.game
    return {
        "variant": variant_view(game.variant),
        "start": board_view(game.start) if game.start.ply else None,
        "moves": list(game.moves),
        "players": {str(side): name for side, name in saved.players.items()},
        "result": result_view(saved.result),
    }


def saved_of(match: Match) -> SavedGame:
    """The match as a game to keep."""
    return SavedGame(
        game=Game(match.setup.start, match.moves),
        players={side: match.seat(side).name for side in Side},
        result=match.result,
        started=datetime.fromtimestamp(match.created, UTC),
        ended=datetime.fromtimestamp(match.turn_began, UTC) if match.result else None,
        seconds=match.seconds,
    )


def variant_view(variant: Variant) -> Json:
    return {"width": variant.width, "height": variant.height, "run": variant.run}


def seat_view(seat: Seat) -> Json:
    kind = "player" if seat.player else "free" if seat.is_free else "person"
    return {"kind": kind, "name": seat.name, "player": seat.player}


def event_view(step: Step) -> Json:
    """One event, and the state after it."""
    event, match = step
    facts = facts_of(event)
    facts.pop("holder", None)
    if isinstance(event, Dropped):
        facts |= {"ply": match.ply - 1, "row": match.position.last_drop and match.position.last_drop.row}
    if isinstance(event, TakenBack | Redone):
        facts["moves"] = list(match.moves)
    if isinstance(event, Joined):
        facts["seats"] = {str(side): seat_view(match.seat(side)) for side in Side}
    return {
        "type": "event",
        "seq": match.seq,
        "event": NAMES[type(event)],
        "at": event.at,
        **facts,
        "state": state_view(match),
    }


def encode(message: Json) -> str:
    return json.dumps(message, separators=(",", ":"))


def encode_step(step: Step) -> str:
    """Made once for all who are told."""
    return encode(event_view(step))
