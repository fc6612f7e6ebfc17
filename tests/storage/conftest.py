"""Both kinds of database, each empty; PostgreSQL is skipped with a plain reason where it is not installed."""

import uuid
from collections.abc import Iterator

import pytest

from connectk.storage.database import prepare
from tests.storage.postgres import WHY_NOT, ThrowawayPostgres, binaries


@pytest.fixture(scope="session")
def postgres() -> Iterator[ThrowawayPostgres]:
    if not binaries():
        pytest.skip(WHY_NOT)
    server = ThrowawayPostgres()
    yield server
    server.remove()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path) -> str:
    """The URL of a new database with its tables."""
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path}/matches.db"
    else:
        url = request.getfixturevalue("postgres").create(uuid.uuid4().hex)
    lock = prepare(url)
    if lock:
        lock.close()
    return url
