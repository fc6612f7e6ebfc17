"""Times such as "500ms", "2s" or "1m"."""

from __future__ import annotations

import math
import re

from connectk.errors import NotationError

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0}
LONGEST = 40  # characters


def parse_duration(text: str) -> float:
    """The seconds of a time written `500ms`, `2s`, `1.5s` or `1m`; always more than zero."""
    found = re.fullmatch(r"\s*([0-9]+(?:\.[0-9]*)?|\.[0-9]+)\s*(ms|s|m|min)\s*", text) if len(text) <= LONGEST else None
    if not found:
        raise NotationError(f"{text[:LONGEST]!r} is not a time; write it as in 500ms or 2s.", text=text)
    seconds = float(found[1]) * UNITS[found[2]]
    if seconds <= 0 or not math.isfinite(seconds):
        raise NotationError(f"A time of {text.strip()} leaves no time to think; give more than zero.", text=text)
    return seconds
