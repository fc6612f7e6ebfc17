"""Runs `connectk` with a stall guard: every worker logs when its event loop was blocked."""

from typing import Any

from connectk.server import monitoring
from connectk.server.host import Host
from tests.server.stalls import MAX_STALL_SECONDS, StallWatch

_start = Host.start


async def _watched(host: Host) -> None:
    await _start(host)
    host.stalls = StallWatch(host.loop, on_stall=_say)  # type: ignore[attr-defined]


def _say(seconds: float, where: list[str]) -> None:
    """Logs without buffering, because the process may be killed."""
    if seconds > MAX_STALL_SECONDS:
        monitoring.log.error("loop_stalled", seconds=round(seconds, 3), where=where)


patched: Any = Host
patched.start = _watched  # here and not below, so that worker processes, which import this file, do the same

if __name__ == "__main__":
    from connectk.cli import main

    main()
