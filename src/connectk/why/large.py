"""An explanation of thousands of pages, checked page by page by the workers of a pool.

Each task is some pages and the moments when the keeper turns to them. What a page leaves to others comes back as more
of those, so that nothing but the pages under way and the list of turns is kept.
"""

from __future__ import annotations

from collections.abc import Iterator

from connectk.cluster import Pool, Task
from connectk.errors import SearchStopped
from connectk.rules import Variant
from connectk.watch import Progress, Stop, Watch
from connectk.why.checker import Boards, PageChecker, Turn, Turns
from connectk.why.explanation import Claim, Explanation, Page

AT_ONCE = 64  # pages in a task

Asked = list[tuple[Turn, Page]]


def check_in(
    pool: Pool, explanation: Explanation, *, stop: Stop | None = None, progress: Progress | None = None
) -> int:
    """How many positions were played through, as `check` does; the number of pages has no limit, each page has."""
    turns, watch = Turns(explanation), Watch(stop, progress)
    checked = pages = under_way = 0

    def tasks() -> Iterator[Task | None]:
        nonlocal under_way
        while turns.left or under_way:
            some = [turns.take() for _ in range(min(len(turns.left), AT_ONCE))]
            under_way += len(some)
            yield Task(play_pages, (explanation.position.variant, explanation.claim, some), len(some)) if some else None

    for task, (met, more) in pool.run(tasks(), watch):
        under_way -= task.note
        turns.add(more)
        checked, pages = checked + met, pages + task.note
        watch.report_throttled(pages, pages + len(turns.left) + under_way, checked)
    if turns.left or under_way:
        raise SearchStopped(())
    return checked


def play_pages(variant: Variant, claim: Claim, some: Asked) -> tuple[int, list[Turn]]:
    """Of a worker: the positions that were met, and the pages that are turned to from there."""
    checker, met, more = PageChecker(variant, claim), 0, list[Turn]()
    for turn, page in some:
        boards = Boards()
        more += checker.play(page, turn, boards)
        met += len(boards)
    return met, more
