"""Simulates a room without a server: the room's planned pairings are stored, and games end at random."""

import random
from collections.abc import Iterator

from connectk.play.match import TimeControl
from connectk.rooms import ruling
from connectk.rooms.events import Closed, Joined, Pair, Paired
from connectk.rooms.pairing import next_plan
from connectk.rooms.room import Room, RoomSetup
from connectk.rules import CLASSIC, EndReason, Result, Side

BOTH_SIDES = frozenset(Side)


def room_of(count: int, format: str = "swiss", **changes: object) -> Room:  # noqa: A002
    """A room with this many people, before it begins."""
    setup = RoomSetup("Class 7B", "hash", format, CLASSIC, TimeControl(60), rest=0.0)
    setup = RoomSetup(**{**{name: getattr(setup, name) for name in RoomSetup.__slots__}, **changes})
    room = Room.new("ABCDEF", setup, 0.0)
    for number in range(1, count + 1):
        room = room.after(Joined(f"Member {number}", "person", f"h{number}", None, 0.0))
    return room


def begun(room: Room) -> Room:
    return room.after(ruling.begin(room, 1.0))


def with_pairs(room: Room, now: float) -> Room:
    """The room after the next event that the room plans. Returns the same room if nothing is planned."""
    planned = next_plan(room, now)
    if planned is None:
        return room
    if planned.is_over:
        return room.after(Closed(now))
    numbers = range(len(room.meetings), 10_000)
    pairs = [Pair(*pair, f"match {number}") for pair, number in zip(planned.pairs, numbers, strict=False)]
    pairs += [Pair(*pair, None, winner) for pair, winner in planned.walkovers]
    return room.after(Paired(planned.round, tuple(pairs), planned.byes, now))


def ended(room: Room, meeting: int, winner: Side | None, now: float, dropped: frozenset[Side] = BOTH_SIDES) -> Room:
    reason = EndReason.LINE if dropped == BOTH_SIDES else EndReason.FORFEIT
    event = ruling.score(room, meeting, Result(winner, reason if winner else EndReason.FULL), dropped, now)
    return room if event is None else room.after(event)


def played(room: Room, seed: int, max_steps: int = 5000, no_shows: float = 0.0) -> Iterator[Room]:
    """Yields the room after each event, until it is closed or `max_steps` have passed."""
    rng, now = random.Random(seed), 10.0
    for _ in range(max_steps):
        if room.closed:
            return
        now += 1
        before, room = room, with_pairs(room, now)
        if room is not before:
            yield room
            continue
        going = list(room.open_meetings)
        if not going:
            return
        meeting = rng.choice(going)
        winner = rng.choice([Side.FIRST, Side.SECOND, None])
        missing = winner is not None and rng.random() < no_shows
        room = ended(room, meeting.number, winner, now, frozenset() if missing else BOTH_SIDES)
        yield room
