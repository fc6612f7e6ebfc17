"""Worker processes ignore Ctrl-C, even while they start. Only the process that started them reacts to it."""

import signal
from concurrent.futures import ProcessPoolExecutor

import pytest

from connectk.cluster.pool import WORKER_CONTEXT, init_worker


def handles_ctrl_c() -> tuple[bool, bool]:
    """Whether Ctrl-C is blocked in this process now, and whether it is ignored."""
    kept = signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    return kept, signal.getsignal(signal.SIGINT) is signal.SIG_IGN


@pytest.mark.parametrize(("prepare", "hears"), [(None, (True, False)), (init_worker, (False, True))])
def test_a_worker_ignores_ctrl_c_from_its_start(prepare, hears):
    """A worker ignores Ctrl-C even while it is starting. An earlier version printed a traceback then."""
    with ProcessPoolExecutor(2, WORKER_CONTEXT, prepare) as pool:
        assert pool.submit(handles_ctrl_c).result(60) == hears
        assert pool.submit(handles_ctrl_c).result(60) == hears
    assert not handles_ctrl_c()[0]
