"""A whole board explained: one certified graph of boards from its first disc on, as small as greed finds.

    python bench/why_whole.py 8x6x4 --side second --promise holds
    python bench/why_whole.py 7x6x4 --side first --promise wins --minutes 60 --file first-wins.jsonl

A position that `explain` knows a few boards for is done. In any other one the keeper drops where the fewest replies
stay unexplained, and each of these is a position of its own. What was found out is kept in a file, a line for each
position, so that the same command goes on where it was stopped. When nothing is left, the boards become one
explanation; it is written only if the checker accepts it.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from connectk.errors import ExplanationRefused, SearchStopped
from connectk.notation.start import write_start
from connectk.rules import Cell, Position, Side, Variant
from connectk.rules.threats import winning_columns
from connectk.solver import Solver
from connectk.why import Claim, Explanation, Page, Promise, check, show, write_explanation
from connectk.why.files import page_from_json, page_to_json

QUICK = 8  # a first look takes so much less time
TRIED = 4  # drops of the keeper that are compared
MOST_REUSED = 20_000  # positions that the checker plays to see whether a table holds elsewhere
MOST_POSITIONS = 1_000_000_000  # for the checker: here it may take long


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("variant", type=Variant.parse, nargs="?", default=Variant(6, 4, 4))
    parser.add_argument("--moves", default="", help="from this position on")
    parser.add_argument("--side", choices=("first", "second"), default="second")
    parser.add_argument("--promise", choices=("wins", "holds"), default="holds")
    parser.add_argument("--boards", type=int, default=12, help="for one position")
    parser.add_argument("--seconds", type=float, default=4.0, help="for one position")
    parser.add_argument("--discs", type=int, default=0, help="explain no position with fewer; it only costs time")
    parser.add_argument("--minutes", type=float, default=60.0)
    parser.add_argument("--file", type=Path, help="what is known so far; made if it is not there")
    parser.add_argument("--save", type=Path, help="the explanation")
    options = parser.parse_args()
    Whole(options).run()


class OutOfTime(Exception):
    pass


class Whole:
    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.claim = Claim(Side[options.side.upper()], Promise(options.promise))
        self.root = Position.from_moves(options.moves, options.variant)
        self.solver = Solver(options.variant)
        self.end = time.monotonic() + 60 * options.minutes
        self.known: dict[str, Any] = {}  # by the board: pages, a drop, or null where explaining failed
        self.done: set[str] = set()
        self.tables: dict[str, Page] = {}  # by what is written in them, the latest that was of use last
        if options.file and options.file.exists():
            for line in options.file.read_text("utf-8").splitlines():
                self.known.update(json.loads(line))

    def run(self) -> None:
        try:
            self.settle(self.root)
        except OutOfTime:
            print(f"out of time: {len(self.done):,} positions are done, {len(self.known):,} were looked at")
            return
        explanation = Explanation(self.root, self.claim, merged(Written(self).pages()))
        print(f"{explanation.size:,} boards; checking ...", flush=True)
        print(f"{check(explanation, MOST_POSITIONS):,} positions checked: it holds", flush=True)
        if self.options.save:
            self.options.save.write_text(write_explanation(explanation), encoding="utf-8")

    def settle(self, position: Position) -> None:
        """Until this position and all that it leads to are explained."""
        one, _ = upright(position)
        if write_start(one) in self.done:
            return
        if not self.pages(one):
            for _, after in self.replies(self.after_drop(one)):
                self.settle(after)
        self.done.add(write_start(one))

    def after_drop(self, position: Position) -> Position:
        return position.drop(self.drop(position)) if position.side_to_move is self.claim.keeper else position

    def replies(self, position: Position) -> Iterator[tuple[int, Position]]:
        """The rival's, but for those that lose at once."""
        for column in position.legal_columns:
            after = position.drop(column)
            if after.outcome is None and not winning_columns(after, self.claim.keeper):
                yield column, after

    def pages(self, position: Position) -> list[Page]:
        """Boards that explain a position; none where a few do not."""
        one, flipped = upright(position)
        key = f"pages {write_start(one)}"
        if key not in self.known:
            self.note(key, self.reused(one) or self.explained(one, self.options.seconds))
        pages = [page_from_json(page) for page in self.known[key] or ()]
        self.remember(pages)
        return [mirrored(page, position.variant) for page in pages] if flipped else pages

    def remember(self, pages: list[Page]) -> None:
        """Tables that answer everything may do so elsewhere too, and their mirror images."""
        for page in pages:
            if page.answers and not page.replies:
                for one in (page, mirrored(page, self.options.variant)):
                    self.tables.setdefault(json.dumps(page_to_json(one)), one)

    def reused(self, position: Position) -> list[dict[str, Any]] | None:
        """One of the tables found before that holds here as well: a board less to look for, and to show."""
        for text, page in reversed(self.tables.items()):
            try:
                check(Explanation(position, self.claim, (page,)), MOST_REUSED)
            except ExplanationRefused:
                continue
            self.tables[text] = self.tables.pop(text)  # tried first the next time
            return [json.loads(text)]
        return None

    def explained(self, position: Position, seconds: float) -> list[dict[str, Any]] | None:
        if position.ply < self.options.discs:
            return None
        if time.monotonic() > self.end:
            raise OutOfTime
        found = show(position, self.claim, boards=self.options.boards, seconds=seconds, solver=self.solver)
        return None if found is None else [page_to_json(page) for page in found.pages]

    def drop(self, position: Position) -> int:
        """The keeper's drop after which the fewest replies stay unexplained; of equal ones the soonest win."""
        one, flipped = upright(position)
        key = f"drop {write_start(one)}"
        if key not in self.known:
            good = self.good_drops(one)[:TRIED]
            self.note(key, good[0] if len(good) == 1 else min(good, key=lambda drop: self.left(one.drop(drop))))
        drop = int(self.known[key])
        return position.variant.width - 1 - drop if flipped else drop

    def good_drops(self, position: Position) -> list[int]:
        try:
            scores = self.solver.score_columns(position)
        except SearchStopped:
            raise OutOfTime from None
        least = 1 if self.claim.promise is Promise.WINS else 0
        kept = [column for column, score in enumerate(scores) if score is not None and score >= least]
        middle = (position.variant.width - 1) / 2
        return sorted(kept, key=lambda column: (-(scores[column] or 0), abs(column - middle)))

    def left(self, after: Position) -> int:
        return sum(not self.soon(reply) for _, reply in self.replies(after))

    def soon(self, position: Position) -> bool:
        """Whether a first look explains a position, or one did before."""
        one, _ = upright(position)
        key, quick = f"pages {write_start(one)}", f"quick {write_start(one)}"
        if not self.known.get(key) and quick not in self.known:
            found = self.reused(one) or self.explained(one, self.options.seconds / QUICK)
            self.note(key if found else quick, found)
        return bool(self.known.get(key))

    def note(self, key: str, value: Any) -> None:
        self.known[key] = value
        if self.options.file:
            with self.options.file.open("a", encoding="utf-8") as file:
                file.write(json.dumps({key: value}) + "\n")


class Written:
    """What is known as one list of pages, each board once."""

    def __init__(self, whole: Whole) -> None:
        self.whole = whole
        self.list: list[Page] = []
        self.numbers: dict[str, int] = {}

    def pages(self) -> list[Page]:
        self.add(self.whole.root)
        return self.list

    def add(self, position: Position) -> int:
        if (known := self.numbers.get(write_start(position))) is not None:
            return known
        number = self.numbers[write_start(position)] = len(self.list)
        pages = self.whole.pages(position)
        if len(pages) > 1 and (table := self.whole.reused(position)):
            pages = [page_from_json(page) for page in table]
        if pages:
            self.list += [moved(page, number) for page in pages]
            return number
        self.list.append(Page())
        keeper_moves = position.side_to_move is self.whole.claim.keeper
        after = self.whole.after_drop(position)
        replies = {column: self.add(reply) for column, reply in self.whole.replies(after)}
        self.list[number] = Page(drop=self.whole.drop(position) if keeper_moves else None, replies=replies)
        return number


def merged(pages: list[Page]) -> tuple[Page, ...]:
    """Equal boards once, which makes others equal, until nothing changes."""
    while True:
        numbers: dict[str, int] = {}
        to = [numbers.setdefault(json.dumps(page_to_json(page)), len(numbers)) for page in pages]
        kept = [pages[to.index(number)] for number in range(len(numbers))]
        kept = [replace(page, replies={column: to[other] for column, other in page.replies.items()}) for page in kept]
        if len(kept) == len(pages):
            return tuple(kept)
        pages = kept


def moved(page: Page, by: int) -> Page:
    return replace(page, replies={column: number + by for column, number in page.replies.items()})


def upright(position: Position) -> tuple[Position, bool]:
    """A board and its mirror image are looked at once; and whether this one was the other."""
    other = position.mirrored()
    return (other, True) if write_start(other) < write_start(position) else (position, False)


def mirrored(page: Page, variant: Variant) -> Page:
    right = variant.width - 1

    def cell(one: Cell) -> Cell:
        return Cell(right - one.column, one.row)

    return Page(
        drop=None if page.drop is None else right - page.drop,
        force=tuple(right - column for column in page.force),
        answers={cell(one): tuple(map(cell, answers)) for one, answers in page.answers.items()},
        replies={right - column: number for column, number in page.replies.items()},
    )


if __name__ == "__main__":
    main()
