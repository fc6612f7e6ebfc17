"""Checks an explanation of thousands of pages with the workers of a pool.

A task is a list of page visits. The result of a task has the visits to the pages that follow. Only the running tasks
and the queue are therefore kept in memory.
"""

from __future__ import annotations

from collections.abc import Iterator

from connectk.cluster import Pool, Task
from connectk.errors import SearchStopped
from connectk.rules import Variant
from connectk.watch import Progress, Stop, Watch
from connectk.why.checker import PageChecker, PageQueue, PageVisit, VisitedBoards
from connectk.why.explanation import Claim, Explanation, Page

PAGES_PER_TASK = 64  # pages in a task

Visits = list[tuple[PageVisit, Page]]


def check_in_pool(
    pool: Pool, explanation: Explanation, *, stop: Stop | None = None, progress: Progress | None = None
) -> int:
    """Check an explanation as `check` does. Here the number of positions is limited for each page, and not for the
    whole explanation."""
    queue, watch = PageQueue(explanation), Watch(stop, progress)
    checked = pages = running = 0

    def tasks() -> Iterator[Task | None]:
        nonlocal running
        while queue.pending or running:
            visits = [queue.pop() for _ in range(min(len(queue.pending), PAGES_PER_TASK))]
            running += len(visits)
            yield (
                Task(check_pages, (explanation.position.variant, explanation.claim, visits), len(visits))
                if visits
                else None
            )

    for task, (visited, more) in pool.run(tasks(), watch):
        running -= task.note
        queue.push(more)
        checked, pages = checked + visited, pages + task.note
        watch.report_throttled(pages, pages + len(queue.pending) + running, checked)
    if queue.pending or running:
        raise SearchStopped(())
    return checked


def check_pages(variant: Variant, claim: Claim, visits: Visits) -> tuple[int, list[PageVisit]]:
    """Runs in a worker: checks some pages. Returns the number of positions visited, and the visits to the pages that
    follow."""
    checker, visited, more = PageChecker(variant, claim), 0, list[PageVisit]()
    for visit, page in visits:
        boards = VisitedBoards()
        more += checker.check(page, visit, boards)
        visited += len(boards)
    return visited, more
