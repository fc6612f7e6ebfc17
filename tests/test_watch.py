"""Long work stops at Ctrl-C, whenever it comes."""

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from connectk.watch import Watch


def test_ctrl_c_while_the_thread_starts_stops_the_work(monkeypatch):
    submit, ended = ThreadPoolExecutor.submit, []

    def interrupted_submit(pool, *arguments):
        submit(pool, *arguments)
        raise KeyboardInterrupt

    def work(flag, _state):
        for _ in range(3000):  # ends by itself if nobody stops it
            if flag.is_set():
                return
            time.sleep(0.01)
        ended.append("by itself")

    monkeypatch.setattr(ThreadPoolExecutor, "submit", interrupted_submit)
    watch = Watch()
    with pytest.raises(KeyboardInterrupt):
        watch.run(work)
    assert watch.interrupted
    assert not ended
