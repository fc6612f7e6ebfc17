"""A small job for tests: it writes the numbers from 0 on, each on its own line."""

import json
import os
import signal
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from connectk.cluster.job import TaskResult


@dataclass(frozen=True)
class Numbers:
    """A job of this many units. Each unit takes some time and writes its number."""

    length: int
    seconds: float = 0.0
    kind = "numbers"
    first = 3

    def task(self, start: int, stop: int):
        return write_numbers, (start, stop, self.seconds)


def write_numbers(start: int, stop: int, seconds: float) -> TaskResult:
    time.sleep(seconds * (stop - start))
    return TaskResult("".join(f"{number}\n" for number in range(start, stop)).encode(), stop - start)


@dataclass(frozen=True)
class CrashingNumbers(Numbers):
    """A job that kills the first worker that takes a certain unit. A file records that this has happened."""

    mark: str = ""
    victim: int = 0

    def task(self, start: int, stop: int):
        return die_once, (start, stop, self.seconds, self.mark, self.victim)


def die_once(start: int, stop: int, seconds: float, mark: str, victim: int) -> TaskResult:
    if start <= victim < stop and not Path(mark).exists():
        with suppress(OSError):
            Path(mark).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return write_numbers(start, stop, seconds)


def numbers_in(contents) -> list[int]:
    return [json.loads(line) for content in contents for line in content.splitlines()]
