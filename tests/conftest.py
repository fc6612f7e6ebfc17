"""Shared set-up: no deadlines, because test machines are noisy."""

import os
import signal

import pytest
from hypothesis import settings

from connectk.system import cores

settings.register_profile("steady", deadline=None, derandomize=False)
settings.load_profile("steady")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """`-n auto` is one more than there are cores: a test often waits, for a browser, a server or a clock."""
    return None if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else cores() + 1


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
