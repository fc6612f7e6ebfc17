"""The server or one of its workers is killed twice during a tournament. No result is lost, and no round is played
twice."""

import asyncio
import os
import signal
import uuid
from collections import Counter

import pytest
from sqlalchemy import select

from connectk.rooms.bracket import eliminated
from connectk.rooms.events import Paired, Scored
from connectk.storage import rooms as room_rows
from connectk.storage.database import open_database
from connectk.storage.tables import matches, room_events
from tests.server.clients import bearer
from tests.server.room_clients import RoomClient, make_room
from tests.server.serving import ServerProcess, workers
from tests.storage.conftest import postgres  # noqa: F401

ROUNDS = 5
KILL_PARAMETERS = [
    ("sqlite", 1, "server"),
    pytest.param("postgresql", 2, "server", marks=pytest.mark.deep),
    pytest.param("postgresql", 2, "worker", marks=pytest.mark.deep),
]


def stored(database, code):
    opened = open_database(database)
    with opened.connect() as connection:
        found = room_rows.load(connection, code)
        numbers = list(connection.execute(select(room_events.c.seq).where(room_events.c.room == code)).scalars())
        made = [row for row in connection.execute(select(matches)) if row.setup.get("room") == code]
    opened.dispose()
    assert sorted(numbers) == list(range(1, len(numbers) + 1))
    return found[1], made


async def started(database, count):
    """A server whose workers all answer. Killing a worker that has just started would test nothing."""
    server = await asyncio.to_thread(ServerProcess, database, "--workers", str(count))
    while len(workers(server)) < count:
        await asyncio.sleep(0.05)
    return server


def kill_a_worker(server):
    """Kill the oldest worker. The other one goes on, and the server starts a new one."""
    os.kill(workers(server)[0], signal.SIGKILL)


@pytest.mark.anyio
@pytest.mark.parametrize(("kind", "count", "killed"), KILL_PARAMETERS)
async def test_a_tournament_goes_on_after_two_kills(kind, count, killed, tmp_path, request):
    shared = kind == "postgresql"
    database = request.getfixturevalue("postgres").create(uuid.uuid4().hex) if shared else f"sqlite:///{tmp_path}/m.db"
    server = await started(database, count)
    port = server.port
    code, host = make_room(server.client, format="swiss", rounds=ROUNDS, variant={"width": 5, "height": 4, "run": 3})
    members = [RoomClient(lambda: port, code, f"Member {n}", seed=n) for n in range(9)]
    for member in members:
        await member.join()
    playing = [asyncio.ensure_future(member.play()) for member in members]
    server.client.post(f"/api/rooms/{code}/begin", headers=bearer(host)).raise_for_status()
    before = []
    for kill in range(2):
        while len([e for e in stored(database, code)[0] if isinstance(e, Scored)]) < 5 + 8 * kill:
            await asyncio.sleep(0.01)
        if killed == "worker":
            kill_a_worker(server)
        else:
            port = 0
            await asyncio.to_thread(server.kill)
        events, _ = stored(database, code)
        assert events[: len(before)] == before, "what was stored has changed"
        before = events
        if killed == "server":
            server = await started(database, count)
            port = server.port
    await asyncio.wait_for(asyncio.gather(*playing), 240)
    events, made = stored(database, code)
    await asyncio.to_thread(server.stop)

    assert events[: len(before)] == before, "the pairings are not the same"
    paired = [event for event in events if isinstance(event, Paired)]
    assert [event.round for event in paired] == list(range(1, ROUNDS + 1))
    match_ids = [pair.match for event in paired for pair in event.pairs]
    assert Counter(match_ids) == Counter(row.id for row in made), "a match was made that no round knows"
    scored = Counter(event.meeting for event in events if isinstance(event, Scored))
    assert scored == dict.fromkeys(range(1, len(match_ids) + 1), 1)
    assert sum(member.returns for member in members) >= (2 * len(members) if killed == "server" else 1)


def is_enough(room, order):
    """Whether the room's tournament is over or, in a format without an end, has enough games."""
    return room.closed or (
        order["format"] in ENDLESS_FORMATS and sum(meeting.counts for meeting in room.meetings) >= 30
    )


ENDLESS_FORMATS = ("ladder", "arena", "challenges")


@pytest.mark.anyio
@pytest.mark.parametrize(
    "order",
    [
        {"format": "knockout", "swap": True},
        {"format": "teams", "rounds": 4, "swap": True, "swap_discs": 3, "variant": {"width": 5, "height": 4, "run": 4}},
        {"format": "arena", "minutes": 60},
        pytest.param({"format": "round_robin"}, marks=pytest.mark.deep),
        pytest.param({"format": "ladder"}, marks=pytest.mark.deep),
    ],
    ids=lambda order: order["format"],
)
async def test_every_format_goes_on_after_two_kills(order, tmp_path):
    """After two kills, stored events remain, each pairing has one match, each game is scored once, and the tournament
    ends."""
    database = f"sqlite:///{tmp_path}/m.db"
    server = await started(database, 1)
    port = server.port
    code, host = make_room(server.client, **{"variant": {"width": 5, "height": 4, "run": 3}} | order)
    members = [RoomClient(lambda: port, code, f"Member {n}", seed=n) for n in range(9)]
    for member in members:
        await member.join()
    playing = [asyncio.ensure_future(member.play()) for member in members]
    server.client.post(f"/api/rooms/{code}/begin", headers=bearer(host)).raise_for_status()
    before = []
    for kill in range(2):
        while len([e for e in stored(database, code)[0] if isinstance(e, Scored)]) < 2 + 3 * kill:
            await asyncio.sleep(0.01)
        port = 0
        await asyncio.to_thread(server.kill)
        events, _ = stored(database, code)
        assert events[: len(before)] == before, "what was stored has changed"
        before = events
        server = await started(database, 1)
        port = server.port
    while not is_enough(room_now(database, code), order):
        await asyncio.sleep(0.05)
    await asyncio.to_thread(server.client.post, f"/api/rooms/{code}/close", headers=bearer(host))
    await asyncio.wait_for(asyncio.gather(*playing), 240)
    while any(room_now(database, code).open_meetings):
        await asyncio.sleep(0.05)
    events, made = stored(database, code)
    await asyncio.to_thread(server.stop)

    assert events[: len(before)] == before, "what was stored has changed"
    room = room_now(database, code)
    match_ids = [meeting.match for meeting in room.meetings if meeting.match]
    assert Counter(match_ids) == Counter(row.id for row in made), "a match was made that the room does not know"
    scored = Counter(event.meeting for event in events if isinstance(event, Scored))
    assert scored == {meeting.number: 1 for meeting in room.meetings if meeting.match}
    if order["format"] == "knockout":
        assert len(eliminated(room)) == len(members) - 1
    if order["format"] == "teams":
        assert room.round == order["rounds"]


def room_now(database, code):
    """The room as its stored events describe it."""
    opened = open_database(database)
    with opened.connect() as connection:
        room, events = room_rows.load(connection, code)
    opened.dispose()
    for event in events:
        room = room.after(event)
    return room
