"""Summarizes the faults of bots. Similar faults are listed once, together with their number."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

# Two reports of the same fault may have different quoted values and numbers, but they have the same line number in the
# bot's file.
VARYING_PATTERN = re.compile(r"'[^']*'|\"[^\"]*\"|(?<!line )\b[0-9][0-9.,]*")


@dataclass(frozen=True, slots=True)
class Fault:
    """The first of several similar reports, and the number of these reports."""

    reason: str
    times: int


def count_faults(reasons: Iterable[str]) -> tuple[Fault, ...]:
    """Each kind of fault once. The most frequent kind comes first."""
    first, counts = dict[str, str](), Counter[str]()
    for reason in reasons:
        kind = VARYING_PATTERN.sub("#", reason)
        first.setdefault(kind, reason)
        counts[kind] += 1
    faults = [Fault(first[kind], times) for kind, times in counts.items()]
    return tuple(sorted(faults, key=lambda fault: (-fault.times, fault.reason)))
