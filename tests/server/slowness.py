"""Measures how much slower this machine is at the moment than a quiet one, for the few deep tests that assert a
time."""

import time


def slowness(seconds: float = 1.0) -> float:
    """The factor by which other programs slow this machine down now; 1 if it is quiet."""
    began, used = time.perf_counter(), time.thread_time()
    while time.perf_counter() - began < seconds:
        pass
    return seconds / (time.thread_time() - used)
