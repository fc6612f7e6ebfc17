"""Asks the terminal which features it supports."""

from __future__ import annotations

import os
import re
import select
import sys
import time

REPLY_TIMEOUT_SECONDS = 1.0  # a remote terminal may be slow
ATTRIBUTES_QUERY = b"\x1b[c"
ATTRIBUTES_REPLY = re.compile(rb"\x1b\[\?[0-9;]*c")


def ask_terminal(query: bytes, after: bytes = b"") -> bytes:
    """Sends a query to the terminal and returns its answer; empty on systems without such terminals, such as Windows.

    The query must end with `ATTRIBUTES_QUERY`, which every terminal answers. `after` is written after the query.
    """
    try:
        import termios
        import tty
    except ImportError:
        return b""
    keyboard = sys.stdin.fileno()
    before = termios.tcgetattr(keyboard)
    try:
        tty.setcbreak(keyboard, termios.TCSANOW)
        sys.stdout.flush()
        os.write(sys.stdout.fileno(), query + after)
        return _read_answer(keyboard)
    finally:
        termios.tcsetattr(keyboard, termios.TCSANOW, before)


def _read_answer(keyboard: int) -> bytes:
    answer, until = b"", time.monotonic() + REPLY_TIMEOUT_SECONDS
    while not ATTRIBUTES_REPLY.search(answer):
        ready, _, _ = select.select([keyboard], [], [], max(0.0, until - time.monotonic()))
        if not ready:
            break
        answer += os.read(keyboard, 1024)
    return answer
