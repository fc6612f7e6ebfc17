"""Set-up for all tests. Hypothesis has no deadlines, because test machines are often busy."""

import os
import signal
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from connectk.system import cores

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright

os.environ["CONNECTK_SETTINGS"] = os.devnull  # not those of whoever runs the tests
os.environ["CONNECTK_BOOKS"] = os.devnull  # only the books in the package

settings.register_profile("steady", deadline=None, derandomize=False)
settings.load_profile("steady")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int | None:
    """`-n auto` starts two workers more than there are cores, because a test often waits for a browser, a server or a
    clock."""
    return None if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ else cores() + 2


def pytest_configure() -> None:
    """Let Ctrl-C reach this process and its children, because some tests send it. A shell that starts the tests in the
    background would make them ignore it."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run tests with a browser last, because no other event loop can run in a process after Playwright's loop."""
    items.sort(key=lambda item: "browser" in getattr(item, "fixturenames", ()))


@pytest.fixture
def anyio_backend() -> str:
    """Run tests that are coroutines on asyncio, with anyio's plugin."""
    return "asyncio"


@pytest.fixture(scope="session")
def playwright_here() -> Iterator["Playwright"]:
    """One Playwright for all folders of tests, because a process can have only one."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def browser(playwright_here: "Playwright") -> Iterator["Browser"]:
    from tests.web.conftest import open_browser

    with open_browser(playwright_here) as browser:
        yield browser
