"""Shared set-up: no deadlines, because test machines are noisy."""

import signal

import pytest
from hypothesis import settings

settings.register_profile("steady", deadline=None, derandomize=False)
settings.load_profile("steady")


def pytest_configure() -> None:
    """Started in the background, a shell makes us and our children deaf to Ctrl-C; some tests press it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Those with a browser last: Playwright's loop runs on in their process, where no other can be run then."""
    items.sort(key=lambda item: "browser" in getattr(item, "fixturenames", ()))


@pytest.fixture
def anyio_backend() -> str:
    """Coroutines are run by anyio's plugin, on asyncio."""
    return "asyncio"
