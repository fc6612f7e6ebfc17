"""No acknowledged drop is lost when the server is killed under load without warning, again and again."""

import asyncio
import random
import uuid

import pytest
from sqlalchemy import select

from connectk.play.events import Dropped, event_from
from connectk.rules import Game
from connectk.storage.database import open_database
from connectk.storage.tables import drops, events
from tests.server.load import LoadGenerator
from tests.server.serving import ServerProcess
from tests.storage.conftest import postgres  # noqa: F401

NO_POSITION = 0


def check_everything(database: str, load: LoadGenerator) -> int:
    """Check that every acknowledged drop is stored, that every match can be replayed, and that drops and events
    agree."""
    opened = open_database(database)
    stored = 0
    with opened.connect() as connection:
        for match in load.matches:
            found = connection.execute(select(drops.c.ply, drops.c.column).where(drops.c.match == match.id))
            columns = dict(tuple(row) for row in found.all())
            assert sorted(columns) == list(range(len(columns)))
            game = Game(moves=[columns[ply] for ply in sorted(columns)])  # the rules refuse what is not legal
            assert match.acknowledged.items() <= columns.items()
            rows = connection.execute(select(events).where(events.c.match == match.id).order_by(events.c.seq)).all()
            happened = [event_from(row.kind, row.at, row.facts) for row in rows]
            assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
            assert tuple(e.column for e in happened if isinstance(e, Dropped)) == game.moves
            stored += len(columns)
    opened.dispose()
    return stored


TEST_PARTS = 5  # a hundred kills of each, shared out to whoever runs tests
KILL_RUNS = [
    pytest.param(kind, part, 20 if part else 1, marks=[pytest.mark.deep] if part or kind == "postgresql" else [])
    for kind in ("sqlite", "postgresql")
    for part in range(TEST_PARTS + 1)
]


@pytest.mark.anyio
@pytest.mark.parametrize(("kind", "part", "kills"), KILL_RUNS)
async def test_nothing_acknowledged_is_lost_when_the_server_is_killed(kind, part, kills, tmp_path, request):
    """When the server is killed under load, clients reconnect with their last event number and miss nothing."""
    if kind == "postgresql":
        database = request.getfixturevalue("postgres").create(uuid.uuid4().hex)
    else:
        database = f"sqlite:///{tmp_path}/matches.db"
    chance = random.Random(part)

    server = await asyncio.to_thread(ServerProcess, database)
    port = server.port  # none while the server is away: another program may be given its number
    load = LoadGenerator(20, lambda: port)
    playing = asyncio.ensure_future(load.play())
    for _ in range(kills):
        await _more(load, playing)
        await asyncio.sleep(chance.uniform(0, 0.5))
        port = NO_POSITION
        server.kill()
        check_everything(database, load)
        server = await asyncio.to_thread(ServerProcess, database)
        port = server.port
    await _more(load, playing)
    load.stop()
    await playing
    await asyncio.to_thread(server.stop)

    assert check_everything(database, load) >= load.acknowledged > 50 * kills
    assert load.returns >= kills


async def _more(load: LoadGenerator, playing: asyncio.Future[None]) -> None:
    """Waits until the clients have played fifty more drops."""
    before = load.acknowledged
    while load.acknowledged < before + 50 and not playing.done():
        await asyncio.sleep(0.01)
