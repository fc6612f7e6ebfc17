"""Runs the page's tests with a real server and a real Chromium. Each test fails on a console error or a CSP report."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page, Playwright, expect

from connectk.site import write_site
from tests.web.hosts import serving
from tests.web.serving import Server, free_port
from tests.web.table import Table

# The address bar's popups are pages of their own: a browser that nobody sees loads them for every window, in as much
# time as ours. The others are Playwright's own, repeated since the last list alone counts.
DISABLED_FEATURES = (
    "AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,"
    "MediaRouter,PaintHolding,ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,OptimizationHints,"
    "NetworkTimeServiceQuerying,PreconnectToSearch,AimEnabled,LensOverlay,"
    "WebUIOmniboxPopup,WebUIOmniboxAimPopup,WebUIOmniboxFullPopup"
)
FLAGS = [
    f"--disable-features={DISABLED_FEATURES}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
SYSTEM_BROWSERS = ("chromium-headless-shell", "chromium", "google-chrome")
DESKTOP = {"width": 1280, "height": 800}
COLLECT_ERRORS_SCRIPT = """
window.reports = [];
document.addEventListener("securitypolicyviolation", (event) => window.reports.push(event.violatedDirective));
"""
NO_BROWSER = (
    "no browser: install chromium, or let `playwright install chromium` fetch one (tools/browser-ready says more)"
)

BROWSER_TIMEOUT_MS = 20_000  # long, because the machine may be busy
expect.set_options(timeout=BROWSER_TIMEOUT_MS)

# Caching the whole page takes longer than most tests. Tests of the cache pass service_workers="allow".
DEFAULT_CONTEXT = {"viewport": DESKTOP, "locale": "en-GB", "reduced_motion": "reduce", "service_workers": "block"}
EXPECTED_ERROR = "Service Worker registration blocked"

OpenTable = Callable[..., Table]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of the page, so that `pytest -m "not web"` leaves the browser out."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker("web")


@contextmanager
def open_browser(playwright: Playwright, **options: Any) -> Iterator[Browser]:
    """Opens the system's Chromium, which shows a first page soonest, or Playwright's own if there is none."""
    system = os.environ.get("CONNECTK_CHROMIUM") or next(filter(None, map(shutil.which, SYSTEM_BROWSERS)), None)
    try:
        browser = playwright.chromium.launch(executable_path=system, args=FLAGS, **options)
    except Error:
        pytest.skip(NO_BROWSER)
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests of a worker, because matches do not affect each other."""
    with Server(free_port(), tmp_path_factory.mktemp("server")) as server:
        yield server


# These start before the pages and end after them: a browser may look for a newer service worker at any time.
LONG_LIVED_FIXTURES = {"own_server", "host"}


@pytest.fixture
def open_table(browser: Browser, server: Server, request: pytest.FixtureRequest) -> Iterator[OpenTable]:
    """Opens the page for one more person. At the end, no console of a page may contain an error."""
    for name in LONG_LIVED_FIXTURES.intersection(request.fixturenames):
        request.getfixturevalue(name)
    contexts: list[BrowserContext] = []
    complaints: list[str] = []
    tables: list[Table] = []

    def open_one(path: str = "", url: str = server.url, **options: object) -> Table:
        context = browser.new_context(**{**DEFAULT_CONTEXT, **options})
        context.set_default_timeout(BROWSER_TIMEOUT_MS)
        context.add_init_script(COLLECT_ERRORS_SCRIPT)
        contexts.append(context)
        page = context.new_page()
        _listen(page, complaints)
        page.goto(url + path)
        table = Table(page)
        tables.append(table)
        page.locator("#panel > *").first.wait_for()
        return table

    yield open_one
    reports = [report for table in tables if not table.page.is_closed() for report in table.reports()]
    for context in contexts:
        context.close()
    expected = {EXPECTED_ERROR, *(word for table in tables for word in table.expected_complaints)}
    unexpected = [text for text in complaints if not any(word in text for word in expected)]
    assert not unexpected
    assert not reports


def _listen(page: Page, complaints: list[str]) -> None:
    page.on("pageerror", lambda error: complaints.append(f"error: {error}"))
    page.on(
        "console",
        lambda line: complaints.append(f"{line.type}: {line.text}") if line.type in ("error", "warning") else None,
    )


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    """A server that a test may stop and start."""
    with Server(free_port(), tmp_path) as server:
        yield server


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page as a folder of files, in a sub-folder of a web host."""
    root = tmp_path_factory.mktemp("host")
    write_site(root / "games" / "four")
    return root


@pytest.fixture
def host() -> Iterator[Callable[..., str]]:
    """Serves a folder until the test ends."""
    with ExitStack() as hosts:
        yield lambda *what: hosts.enter_context(serving(*what))
