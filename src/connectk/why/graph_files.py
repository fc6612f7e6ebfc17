"""The compressed file format for the explanation of a whole board. It has thousands of pages, and each page is parsed
when it is used.

The file is compressed with gzip. Its first line is a header, and each other line is a page as in `files.py`:

{"format": "connectk-graph", "version": 1, "variant": "7x6x4", "start": "", "claim": {...}}
{"drop": 3, "replies": {"0": 1, "1": 2, "2": 3, "3": 4, "4": -4, "5": -3, "6": -2}}
...

A position and its mirror image share a page. The page number -4 means the mirror image of page 3, counted from 0. A
parsed file is an ordinary explanation with twice as many pages: first the pages of the file, then their mirror images.
The checker therefore needs no special case.
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
from connectk.why.files import (
    claim_to_json,
    convert_document,
    page_from_json,
    page_to_json,
    parse_json_text,
    require_format,
    without_pages,
)

GRAPH_FORMAT, GRAPH_VERSION = "connectk-graph", 1
MAX_GRAPH_BYTES = 128 << 20  # uncompressed
GZIP_MAGIC = b"\x1f\x8b"


class MirroredPages(Sequence[Page]):
    """The pages of a graph file, followed by their mirror images. A page is parsed from its line when it is used."""

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
        page = convert_document(page_from_json, parse_json_text(self.lines[at]), self.lines[at])
        page = replace(page, replies={column: self._number(to) for column, to in page.replies.items()})
        return self._mirrored(page) if flipped else page

    def _number(self, written: int) -> int:
        """The index of a page, from its number in the file; -1 if there is no such page. A negative number in the file
        means a mirrored page."""
        boards = len(self.lines)
        if written >= 0:
            return written if written < boards else -1
        return boards - 1 - written if -written <= boards else -1

    def _mirrored(self, page: Page) -> Page:
        boards = len(self.lines)
        other = {number: (number + boards) % (2 * boards) for number in page.replies.values() if number >= 0}
        return mirrored(replace(page, replies={c: other.get(to, -1) for c, to in page.replies.items()}), self._variant)


def mirrored(page: Page, variant: Variant) -> Page:
    """The mirror image of a page. The numbers of the pages that its replies lead to stay the same."""
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
    """Return the bytes of a graph file; `parse_graph` reads it back."""
    head = {"format": GRAPH_FORMAT, "version": GRAPH_VERSION, **claim_to_json(explanation)}
    return gzip.compress("\n".join([json.dumps(head), *pages.lines]).encode(), mtime=0)


def write_page_line(page: Page) -> str:
    """Return a page as one line of JSON."""
    return json.dumps(page_to_json(page), separators=(",", ":"))


def parse_graph(data: bytes) -> Explanation:
    """Parse a graph file. The explanation may be false until the checker accepts it."""
    try:
        with gzip.open(BytesIO(data)) as unpacked:
            text = unpacked.read(MAX_GRAPH_BYTES + 1)
        if len(text) > MAX_GRAPH_BYTES:
            raise NotationError("why.file.large", most=f"{MAX_GRAPH_BYTES:,}")
        head, *lines = text.decode("utf-8").splitlines()
    except (OSError, EOFError, zlib.error, ValueError) as error:
        raise NotationError("why.file.damaged", reason=repr(error)) from error
    document = parse_json_text(head)
    require_format(document, GRAPH_FORMAT, GRAPH_VERSION, head)
    explanation = convert_document(without_pages, document, head)
    return replace(explanation, pages=MirroredPages(lines, explanation.position.variant))
