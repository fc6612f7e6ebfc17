"""A real server in a thread of this process. After each test, its logs are searched for secrets."""

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server import secrecy
from tests.server.serving import Client, serving, settings_for
from tests.storage.conftest import postgres  # noqa: F401

SERVER_TESTS_FOLDER = Path(__file__).parent
secrecy.record_answers()


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, Any]:
    """Fails a test if a server has logged a secret during that test, in this process or in another."""
    report = yield
    if SERVER_TESTS_FOLDER in item.path.parents and report.passed:
        written = [text for _, text in report.sections] + secrecy.LOGGED_LINES
        secrecy.LOGGED_LINES.clear()
        if secrecy.leaked(*written):
            report.outcome = "failed"
            report.longrepr = f"a secret was logged while {item.nodeid} ran ({call.when})"
    return report


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A client of a server without rate limits."""
    with serving(settings_for(tmp_path_factory.mktemp("server"))) as client:
        yield client
