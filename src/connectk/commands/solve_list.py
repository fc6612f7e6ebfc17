"""`connectk solve -` and `--from`: solve lists of positions on all cores. The answers come in the order of the
input."""

from __future__ import annotations

import json
import os
import select
import sys
from collections import deque
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer

from connectk.commands.console import settings
from connectk.errors import ConnectkError, NotationError
from connectk.notation import parse_any, write_moves, write_start
from connectk.notation.positions import START_PATTERN, is_many_lines
from connectk.solver.batch_solver import CoreBoard, question_of
from connectk.watch import Stop, Watch

if TYPE_CHECKING:
    from connectk.commands.solve import ProgressLine
    from connectk.rules import Position, Variant
    from connectk.solver import Found, Goal, Report
    from connectk.solver.batch_solver import SolverPool
    from connectk.solver.distributed import DistributedSolver
    from connectk.texts import Texts

EMPTY_BOARD = "-"  # this line of input means the empty board
STDIN_POLL_SECONDS = 0.01  # how long to wait for the next line before checking for answers


class ListedLine(NamedTuple):
    """One line of the input: the text of its position, and the expected score or result."""

    position: str
    expected: int | None


class ListInput:
    """The lines of the given files, or the lines of standard input as they arrive."""

    def __init__(self, files: list[str]) -> None:
        self._files = files
        self._lines: Iterator[str | None] = self._read_files() if files else standard_input()

    def _read_files(self) -> Iterator[str]:
        from connectk.notation.files import read_text

        for file in self._files:
            yield from read_text(Path(file)).splitlines()

    def single_position(self, of_one_line: bool = False) -> str:
        """The whole input, if it is a single position, otherwise an empty text. The position is on several lines, such
        as a drawn board, or with `of_one_line` on one line."""
        first = self._next_line()
        if is_many_lines(first):
            return "\n".join([first, *(line for line in self._lines if line is not None)])
        second = self._next_line() if of_one_line else ""
        is_plain = first.strip() != EMPTY_BOARD and (len(first.split()) == 1 or first.strip().startswith("{"))
        if of_one_line and not second and is_plain:  # otherwise a line of a list, with a score that is expected
            return first
        self._lines = chain([first, second] if second else [first], self._lines)
        return ""

    def _next_line(self) -> str:
        """The next line that is not empty; an empty text at the end of the input."""
        return next((line for line in self._lines if line and line.strip()), "")

    def lines(self) -> Iterator[str | None]:
        """Yields each line as soon as it is there. While the input is waiting for a line, it yields None."""
        return self._lines


def solve_list(
    pool: SolverPool | DistributedSolver,
    source: ListInput,
    variant: Variant,
    goal: Goal,
    progress: ProgressLine,
    texts: Texts,
    stop: Stop | None = None,
) -> None:
    """Print an answer for each line. Unreadable lines and wrong scores are reported and counted.

    The exit status is 1 if there are any, or if `stop` was set before the last answer.
    """
    pending, printer = PendingLines(variant, goal, texts), AnswerPrinter(settings().json, progress, texts)
    try:
        with progress:
            printer.print_heading()
            watch = Watch(stop, printer.show_progress)
            for found in pool.answers(pending.questions(source), watch):
                line = pending.lines.popleft()
                if found.lower == found.upper:
                    printer.print_answer(line, found)
        printer.print_summary()
        if watch.stopped:
            print(texts("solve.list_limit"), file=sys.stderr)
    finally:
        sys.stdout.flush()  # after Ctrl-C too
    if printer.mismatches or pending.bad or watch.stopped:
        raise typer.Exit(1)


class PendingLines:
    """The lines that have been read but not answered yet."""

    def __init__(self, variant: Variant, goal: Goal, texts: Texts) -> None:
        self._variant, self._goal, self._texts = variant, goal, texts
        self.lines: deque[ListedLine] = deque()
        self.bad = 0

    def questions(self, source: ListInput) -> Iterator[CoreBoard | None]:
        """Yields one position for each line of the input, and None while no complete line has arrived."""
        number = 0
        for text in source.lines():
            number += text is not None
            if text is None:
                yield None
            elif text.strip():
                yield from self._question(number, text.strip())

    def _question(self, number: int, text: str) -> Iterator[CoreBoard]:
        try:
            line = split_line(text)
            question = question_of(position_in(line.position, self._variant), self._variant)
        except ConnectkError as error:
            self.bad += 1
            print(self._texts("solve.bad_line", number=number, reason=error.localize(self._texts)), file=sys.stderr)
            return
        if line.expected is not None and self._goal == "result":
            line = line._replace(expected=(line.expected > 0) - (line.expected < 0))
        self.lines.append(line)
        yield question


def split_line(text: str) -> ListedLine:
    """Split a line into a position and its expected score, if the line has one. In a line of JSON, both are fields."""
    if text.startswith("{"):
        return _json_line(text)
    position, *expected = text.split()
    return ListedLine(position, _parse_score(expected[0]) if expected else None)


def _json_line(text: str) -> ListedLine:
    try:
        expected = json.loads(text).get("expected")
    except (ValueError, AttributeError) as error:
        raise NotationError("notation.not_json", reason=str(error), text=text) from error
    return ListedLine(text, None if expected is None else _parse_score(str(expected)))


def position_in(text: str, variant: Variant) -> Position | str:
    """The position in a line of JSON. Any other text is returned unchanged, because `question_of` parses it."""
    if text.startswith("{"):
        return parse_any(text, variant).game.position
    return "" if text == EMPTY_BOARD else text


def standard_input() -> Iterator[str | None]:
    """Yields the lines of standard input. While it is waiting for a line, it yields None if the system supports
    this."""
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
    except (OSError, ValueError):  # on Windows, or if stdin has no file descriptor
        return False
    return True


def _parse_score(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise NotationError("notation.score", word=repr(word)) from None


class AnswerPrinter:
    """Prints the answers, and counts those that differ from their expected scores."""

    def __init__(self, as_json: bool, progress: ProgressLine, texts: Texts) -> None:
        self._as_json, self._progress, self._texts = as_json, progress, texts
        self._solved = self._expected = self.mismatches = 0

    def print_heading(self) -> None:
        """Print the headings of the table, if stdout is a terminal."""
        if sys.stdout.isatty() and not self._as_json:
            print(self._texts("solve.heading"))

    def print_answer(self, line: ListedLine, found: Found) -> None:
        self._progress.clear()
        self._solved += 1
        self._expected += line.expected is not None
        self.mismatches += line.expected not in (None, found.lower)
        print(_as_json(line, found) if self._as_json else _as_text(line, found, self._texts))

    def show_progress(self, report: Report) -> None:
        """Flush the printed answers and update the progress line. This is called ten times a second."""
        sys.stdout.flush()
        self._progress.show_list(report)

    def print_summary(self) -> None:
        if self._expected:
            solved = self._texts("solve.positions", count=self._solved)
            missed = self._texts("solve.mismatches", count=self.mismatches)
            print(f"{solved}, {missed}", file=sys.stderr if self._as_json else sys.stdout)


def position_text(line: ListedLine) -> str:
    """The position as a text without spaces."""
    if not line.position.startswith("{"):
        return line.position
    game = parse_any(line.position).game
    return write_moves(game.moves, game.variant) if not game.start.ply else write_start(game.position)


def source_facts(line: ListedLine) -> dict[str, str]:
    """The position as JSON that other commands can read."""
    if line.position.startswith("{"):
        facts = json.loads(line.position)
        return {key: facts[key] for key in ("variant", "start", "moves") if key in facts}
    return {"start" if START_PATTERN.fullmatch(line.position) else "moves": line.position}


def _as_text(line: ListedLine, found: Found, texts: Texts) -> str:
    is_fine = line.expected in (None, found.lower)
    remark = "" if is_fine else f"  {texts('solve.expected', score=line.expected)}"
    return f"{position_text(line)} {found.lower} {found.nodes} {round(1e6 * found.seconds)}{remark}"


def _as_json(line: ListedLine, found: Found) -> str:
    facts = {
        **source_facts(line),
        "score": found.lower,
        "nodes": found.nodes,
        "microseconds": round(1e6 * found.seconds),
    }
    return json.dumps(facts if line.expected is None else facts | {"expected": line.expected})
