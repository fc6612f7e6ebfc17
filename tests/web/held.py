"""Answers of a server that come when a test says so."""

from __future__ import annotations

from playwright.sync_api import Route

from tests.web.table import Table


class Held:
    """Answers that are on their way until they are let go."""

    def __init__(self, me: Table, pattern: str) -> None:
        self.me, self.pattern = me, pattern
        self.routes: list[Route] = []
        me.page.route(pattern, lambda route: self.routes.append(route))

    def wait(self, count: int = 1) -> None:
        while len(self.routes) < count:
            self.me.page.wait_for_timeout(10)

    def let_go(self, number: int = 0) -> None:
        """One of them is here, and whatever follows from it has been done."""
        with self.me.page.expect_response(self.pattern) as answered:
            self.routes[number].continue_()
        answered.value.finished()
        self.me.page.wait_for_timeout(100)
        self.me.next_frame()
