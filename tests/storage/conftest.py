"""Fixtures that give each test an empty database of each kind. Without PostgreSQL, its tests are skipped with a
reason."""

import uuid
from collections.abc import Iterator

import pytest

from connectk.storage.database import prepare_database
from tests.storage.postgres import NO_POSTGRES, ThrowawayPostgres, binaries


@pytest.fixture(scope="session")
def postgres() -> Iterator[ThrowawayPostgres]:
    if not binaries():
        pytest.skip(NO_POSTGRES)
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
    lock = prepare_database(url)
    if lock:
        lock.close()
    return url
