"""Matches and events as rows, and back."""

from __future__ import annotations

from typing import Any

from connectk.play.clock import TimeControl
from connectk.play.events import NAMES, Event, event_from, facts_of
from connectk.play.match import Match, Seat, Setup
from connectk.play.protocols import Change, Recorded
from connectk.rules import Position, Side, Variant

DISCS = "xo"


def match_row(match: Match) -> dict[str, Any]:
    setup = match.setup
    attended = setup.control is not None or any(seat.player for seat in match.seats)
    return {
        "id": match.id,
        "created": match.created,
        "setup": _setup_document(setup),
        "public": setup.public,
        "attended": attended,
        "ended": match.result is not None,
        "changed": match.turn_began,
        "deadline": match.deadline,
    }


def _setup_document(setup: Setup) -> dict[str, Any]:
    control = setup.control
    return {
        "variant": str(setup.start.variant),
        "start": discs_of(setup.start),
        "first": _seat_document(setup.first),
        "second": _seat_document(setup.second),
        "control": control and [control.seconds, control.increment],
        "invitation": setup.invitation,
        "previous": setup.previous,
    }


def _seat_document(seat: Seat) -> dict[str, str | None]:
    return {"name": seat.name, "player": seat.player, "holder": seat.holder}


def discs_of(position: Position) -> dict[str, str]:
    """The discs of each column that has any, bottom first; the column, from 0, as text because it is a JSON key."""
    columns: dict[str, str] = {}
    for cell, side in position.discs():
        key = str(cell.column)
        columns[key] = columns.get(key, "") + DISCS[side.value]
    return columns


def match_from(row: Any) -> Match:
    document = row.setup
    sides = dict(zip(DISCS, Side, strict=True))
    columns = {int(column): [sides[disc] for disc in discs] for column, discs in document["start"].items()}
    setup = Setup(
        start=Position.from_columns(columns, Variant.parse(document["variant"])),
        first=Seat(**document["first"]),
        second=Seat(**document["second"]),
        public=row.public,
        control=document["control"] and TimeControl(*document["control"]),
        invitation=document["invitation"],
        previous=document["previous"],
    )
    return Match.new(row.id, setup, row.created)


def event_row(match_id: str, seq: int, recorded: Recorded) -> dict[str, Any]:
    event = recorded.event
    return {
        "match": match_id,
        "seq": seq,
        "kind": NAMES[type(event)],
        "at": event.at,
        "facts": facts_of(event),
        "key": recorded.key,
    }


def recorded_from(row: Any) -> Recorded:
    event: Event = event_from(row.kind, row.at, row.facts)
    return Recorded(event, row.key)


def drop_rows(before: Match, after: Match) -> list[dict[str, Any]]:
    """The discs that an event has added."""
    start = after.setup.start.ply
    return [
        {"match": after.id, "ply": ply, "column": after.moves[ply - start], "at": after.turn_began}
        for ply in range(before.ply, after.ply)
    ]


def change_of_state(change: Change) -> dict[str, Any]:
    after = change.after
    return {
        "match_id": after.id,
        "has_ended": after.result is not None,
        "changed_at": change.recorded.event.at,
        "next_deadline": after.deadline,
    }
