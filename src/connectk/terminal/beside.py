"""Work beside the person: threads that the program does not wait for, except for a moment when it ends."""

from __future__ import annotations

import threading
from collections.abc import Callable
from time import monotonic

_at_work: set[threading.Thread] = set()


def work_beside(task: Callable[[], None]) -> None:
    """Run a task in a thread of its own."""

    def run() -> None:
        try:
            task()
        finally:
            _at_work.discard(threading.current_thread())

    thread = threading.Thread(target=run, daemon=True)
    _at_work.add(thread)
    thread.start()


def let_finish(seconds: float = 1.0) -> None:
    """Wait for tasks that were told to stop; one that will not is left behind."""
    until = monotonic() + seconds
    for thread in list(_at_work):
        thread.join(max(0.0, until - monotonic()))
