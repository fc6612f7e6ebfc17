"""`connectk solve -`: solve positions from standard input on all cores, in input order."""

from __future__ import annotations

import json
import os
import select
import sys
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import typer

from connectk.errors import ConnectkError, NotationError
from connectk.solver.many import CoreBoard, question_of
from connectk.watch import Watch

if TYPE_CHECKING:
    from connectk.commands.solve import ProgressLine
    from connectk.rules import Variant
    from connectk.solver import Found, Goal, Report
    from connectk.solver.distributed import DistributedSolver
    from connectk.solver.many import SolverPool
    from connectk.texts import Texts

STDIN_POLL_SECONDS = 0.01  # how long to wait for the next line before checking for answers


class ListedLine(NamedTuple):
    """The moves of an input line, and the score or result it expects."""

    moves: str
    expected: int | None


def solve_list(
    pool: SolverPool | DistributedSolver,
    variant: Variant,
    goal: Goal,
    as_json: bool,
    progress: ProgressLine,
    texts: Texts,
) -> None:
    """Print one line per input line. Bad lines and mismatches are reported, counted, and set exit status 1."""
    pending, printer = PendingLines(variant, goal, texts), AnswerPrinter(as_json, progress, texts)
    try:
        with progress:
            for found in pool.answers(pending.questions(), Watch(progress=printer.show_progress)):
                printer.print_answer(pending.lines.popleft(), found)
        printer.print_summary()
    finally:
        sys.stdout.flush()  # after Ctrl-C too
    if printer.mismatches or pending.bad:
        raise typer.Exit(1)


class PendingLines:
    """The input lines that have been read but not answered."""

    def __init__(self, variant: Variant, goal: Goal, texts: Texts) -> None:
        self._variant, self._goal, self._texts = variant, goal, texts
        self.lines: deque[ListedLine] = deque()
        self.bad = 0

    def questions(self) -> Iterator[CoreBoard | None]:
        """Yield the position of each line; None if the next line has not arrived yet."""
        number = 0
        for text in standard_input():
            number += text is not None
            if text is None:
                yield None
            elif text.split():
                yield from self._question(number, text.split())

    def _question(self, number: int, words: list[str]) -> Iterator[CoreBoard]:
        try:
            expected = _parse_score(words[1]) if len(words) > 1 else None
            question = question_of("" if words[0] == "-" else words[0], self._variant)
        except ConnectkError as error:
            self.bad += 1
            print(self._texts("solve.bad_line", number=number, reason=error.localize(self._texts)), file=sys.stderr)
            return
        if expected is not None and self._goal == "result":
            expected = (expected > 0) - (expected < 0)
        self.lines.append(ListedLine(words[0], expected))
        yield question


def standard_input() -> Iterator[str | None]:
    """Yield the lines of stdin; None if the next has not arrived yet, on systems that can poll stdin."""
    if not _can_poll_stdin():
        yield from sys.stdin
        return
    rest, more = b"", b"\n"
    while more:
        if not select.select([sys.stdin], [], [], STDIN_POLL_SECONDS)[0]:
            yield None
            continue
        more = os.read(sys.stdin.fileno(), 1 << 16)
        *lines, rest = (rest + more).split(b"\n")
        yield from (line.decode("utf-8", "replace") for line in lines)
    yield rest.decode("utf-8", "replace")


def _can_poll_stdin() -> bool:
    try:
        select.select([sys.stdin], [], [], 0)
    except (OSError, ValueError):  # a file under Windows, or no file at all
        return False
    return True


def _parse_score(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise NotationError("notation.score", word=repr(word)) from None


class AnswerPrinter:
    """Prints the answers and counts the mismatches."""

    def __init__(self, as_json: bool, progress: ProgressLine, texts: Texts) -> None:
        self._as_json, self._progress, self._texts = as_json, progress, texts
        self._solved = self._expected = self.mismatches = 0

    def print_answer(self, line: ListedLine, found: Found) -> None:
        self._progress.clear()
        self._solved += 1
        self._expected += line.expected is not None
        self.mismatches += line.expected not in (None, found.lower)
        print(_as_json(line, found) if self._as_json else _as_text(line, found, self._texts))

    def show_progress(self, report: Report) -> None:
        """Flush stdout and update the progress line; called ten times a second."""
        sys.stdout.flush()
        self._progress.show_list(report)

    def print_summary(self) -> None:
        if self._expected:
            solved = self._texts("solve.positions", count=self._solved)
            missed = self._texts("solve.mismatches", count=self.mismatches)
            print(f"{solved}, {missed}", file=sys.stderr if self._as_json else sys.stdout)


def _as_text(line: ListedLine, found: Found, texts: Texts) -> str:
    is_fine = line.expected in (None, found.lower)
    remark = "" if is_fine else f"  {texts('solve.expected', score=line.expected)}"
    return f"{line.moves} {found.lower} {found.nodes} {round(1e6 * found.seconds)}{remark}"


def _as_json(line: ListedLine, found: Found) -> str:
    facts = {
        "moves": line.moves,
        "score": found.lower,
        "nodes": found.nodes,
        "microseconds": round(1e6 * found.seconds),
    }
    return json.dumps(facts if line.expected is None else facts | {"expected": line.expected})
