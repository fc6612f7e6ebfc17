"""A real server in a thread of this process, asked over real sockets."""

from collections.abc import Iterator

import pytest

from tests.server.serving import Client, serving, settings_for


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client of a server without limits on how fast one may ask."""
    with serving(settings_for(tmp_path_factory.mktemp("server"))) as client:
        yield client
