"""Holds back answers of a server until a test releases them."""

from __future__ import annotations

from playwright.sync_api import Route

from tests.web.table import Table


class Held:
    """Answers that are held back until the test releases them."""

    def __init__(self, me: Table, pattern: str) -> None:
        self.me, self.pattern = me, pattern
        self.routes: list[Route] = []
        me.page.route(pattern, lambda route: self.routes.append(route))

    def wait(self, count: int = 1) -> None:
        while len(self.routes) < count:
            self.me.page.wait_for_timeout(10)

    def let_go(self, number: int = 0) -> None:
        """Release one answer, and wait until the page has processed it completely."""
        with self.me.page.expect_response(self.pattern) as answered:
            self.routes[number].continue_()
        answered.value.finished()
        self.me.page.wait_for_timeout(100)
        self.me.next_frame()
