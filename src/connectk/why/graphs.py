"""A whole board's explanation as a file: some ten thousand pages, written small and read one at a time.

The file is compressed (gzip). Its first line says what it is about, the others are pages as in `files.py`:

{"format": "connectk-graph", "version": 1, "variant": "7x6x4", "start": "", "claim": {...}}
{"drop": 3, "replies": {"0": 1, "1": 2, "2": 3, "3": 4, "4": -4, "5": -3, "6": -2}}
...

A position and its mirror image share a page: a reply of -4 is page 3, counted from 0, seen in a mirror. What is read is
an ordinary explanation with twice as many pages, the mirrored ones last, so whoever checks it need not know of this.
"""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from typing import overload

from connectk.errors import NotationError
from connectk.rules import Cell, Variant
from connectk.why.explanation import Explanation, Page
from connectk.why.files import about, loaded, made, page_from_json, page_to_json, require_format, without_pages

FORMAT, VERSION = "connectk-graph", 1
LARGEST_GRAPH = 128 << 20  # bytes, unpacked
START = b"\x1f\x8b"  # of every file that gzip wrote


class MirroredPages(Sequence[Page]):
    """Pages as lines, each read when it is asked for, and after them their mirror images."""

    def __init__(self, lines: Sequence[str], variant: Variant) -> None:
        self.lines, self._variant = lines, variant

    def __len__(self) -> int:
        return 2 * len(self.lines)

    @overload
    def __getitem__(self, number: int) -> Page: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[Page, ...]: ...
    def __getitem__(self, number: int | slice) -> Page | tuple[Page, ...]:
        if isinstance(number, slice):
            return tuple(self[one] for one in range(*number.indices(len(self))))
        flipped, at = divmod(range(len(self))[number], len(self.lines))
        page = made(page_from_json, loaded(self.lines[at]), self.lines[at])
        page = replace(page, replies={column: self._number(to) for column, to in page.replies.items()})
        return self._mirrored(page) if flipped else page

    def _number(self, written: int) -> int:
        """Of the page that is meant; any other number is none."""
        boards = len(self.lines)
        if written >= 0:
            return written if written < boards else -1
        return boards - 1 - written if -written <= boards else -1

    def _mirrored(self, page: Page) -> Page:
        boards = len(self.lines)
        other = {number: (number + boards) % (2 * boards) for number in page.replies.values() if number >= 0}
        return mirrored(replace(page, replies={c: other.get(to, -1) for c, to in page.replies.items()}), self._variant)


def mirrored(page: Page, variant: Variant) -> Page:
    """The same on the mirrored board; the numbers of other pages stay."""
    right = variant.width - 1

    def cell(one: Cell) -> Cell:
        return Cell(right - one.column, one.row)

    return Page(
        drop=None if page.drop is None else right - page.drop,
        force=tuple(right - column for column in page.force),
        answers={cell(one): tuple(map(cell, answers)) for one, answers in page.answers.items()},
        replies={right - column: number for column, number in page.replies.items()},
    )


def write_graph(explanation: Explanation, pages: MirroredPages) -> bytes:
    """The explanation as a file; `parse_graph` reads it back."""
    head = {"format": FORMAT, "version": VERSION, **about(explanation)}
    return gzip.compress("\n".join([json.dumps(head), *pages.lines]).encode(), mtime=0)


def page_line(page: Page) -> str:
    return json.dumps(page_to_json(page), separators=(",", ":"))


def parse_graph(data: bytes) -> Explanation:
    """The explanation that a file holds; whether it is true, the checker tells."""
    try:
        with gzip.open(BytesIO(data)) as unpacked:
            text = unpacked.read(LARGEST_GRAPH + 1)
        if len(text) > LARGEST_GRAPH:
            raise NotationError("why.file.large", most=f"{LARGEST_GRAPH:,}")
        head, *lines = text.decode("utf-8").splitlines()
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise NotationError("why.file.damaged", reason=repr(error)) from error
    document = loaded(head)
    require_format(document, FORMAT, VERSION, head)
    explanation = made(without_pages, document, head)
    return replace(explanation, pages=MirroredPages(lines, explanation.position.variant))
