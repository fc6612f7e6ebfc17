"""The card of a dataset: a README with counts of its positions."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from connectk import __version__
from connectk.dataset.splits import SPLITS

if TYPE_CHECKING:
    import pyarrow as pa

CARD_FILE = "README.md"
RESULT_WORDS = {1: "win", 0: "draw", -1: "loss"}


class DatasetCounts:
    """Counts a dataset's positions by kind of play, by number of discs and by result."""

    def __init__(self) -> None:
        self.plays: Counter[str] = Counter()
        self.plies: Counter[int] = Counter()
        self.results: Counter[str] = Counter()
        self.splits: Counter[str] = Counter()

    @property
    def positions(self) -> int:
        return self.plies.total()

    def count(self, table: pa.Table) -> None:
        """Adds the rows of a table."""
        self.plays.update(table["play"].to_pylist())
        self.plies.update(table["ply"].to_pylist())
        self.results.update(RESULT_WORDS[wdl] for wdl in table["wdl"].to_pylist())
        self.splits.update(table["split"].to_pylist())


def write_card(facts: dict[str, Any], counts: DatasetCounts, files: int) -> str:
    """The text of the README, with front matter for dataset sites."""
    balanced, steps = facts["balance"] == "ply", [*facts["grown_from"], facts["positions"]]
    return CARD_TEMPLATE.format(
        **facts,
        made=counts.positions,
        remade=SEVERAL_STEPS_TEXT.format(steps=", ".join(f"{step:,}" for step in steps))
        if len(steps) > 1
        else SINGLE_STEP_TEXT,
        files=files,
        version=__version__,
        command=command_of(facts),
        data_files=_data_files(counts),
        tables=_table("split", [(split, counts.splits[split]) for split in SPLITS if counts.splits[split]]),
        plane_row=PLANE_ROW if facts["planes"] else "",
        balanced=" Where such games lead to enough positions, each number of discs is equally frequent." * balanced,
        plays=_table("play", sorted(counts.plays.items())),
        results=_table("for the side to move", sorted(counts.results.items())),
        plies=_table("discs", sorted(counts.plies.items())),
    )


def command_of(facts: dict[str, Any]) -> str:
    """The command line that makes the same dataset again."""
    return (
        f"connectk dataset --variant {facts['variant']} --positions {facts['positions']} --mix {facts['mix']} "
        f"--seed {facts['seed']} --min-discs {facts['min_discs']} --shard {facts['shard']} "
        f"--splits {facts['splits']} --balance {facts['balance']}{' --planes' if facts['planes'] else ''} --out DIR"
    )


def _data_files(counts: DatasetCounts) -> str:
    """The files of each split, in the form that dataset sites read."""
    lines = (f"  - split: {split}\n    path: data/{split}-*.parquet" for split in SPLITS if counts.splits[split])
    return "\n".join(lines)


def _table(head: str, rows: list[tuple[Any, int]]) -> str:
    lines = [f"| {head} | positions |", "|---|---:|", *(f"| {name} | {count:,} |" for name, count in rows)]
    return "\n".join(lines)


PLANE_ROW = """| planes | the discs of the side to move, then of the other, row by row from the bottom: 0 or 1 |
"""
SINGLE_STEP_TEXT = """The same command makes the same positions and scores again, on any machine; with the same
version of PyArrow it makes the same files."""
SEVERAL_STEPS_TEXT = """It was made in steps, with {steps} positions: the same commands with these numbers, one after
the other, make the same positions and scores again, on any machine."""
CARD_TEMPLATE = """---
configs:
- config_name: default
  data_files:
{data_files}
---

# {made:,} positions of {variant} with exact scores

Every column of every position is scored by an exact solver: nothing here is estimated. No position is there twice, and
none is the mirror image of another. The order is mixed.

Made by connectk {version}:

    {command}

{remade} `sha256sum -c SHA256SUMS` checks the files.

{tables}

A position is in the split that its own discs decide, together with its mirror image; the seed and the size of the
dataset have no part in it. So no split has positions of another one, not even mirrored.

## Columns of the {files:,} Parquet files in `data/`

| column | |
|---|---|
| moves | the drops that led here, columns counted from 1 |
| bits | the discs of the side to move, then all discs, in words of 64 bits, the low one first |
| ply | discs on the board |
| scores | the exact score of a drop into each column, for the side to move; null where no disc fits |
| score | the best of them |
| best | the columns that have it, counted from 0 |
| wdl | 1 if the side to move wins, 0 if it is a draw, -1 if it loses |
| results | the same for a drop into each column; null where no disc fits |
| play | where the position comes from |
| split | train, validation or test |
{plane_row}
Bit `column * (height + 1) + row` is a cell's, row 0 at the bottom. A score of 0 is a draw; a win whose last disc is
the n-th of the game scores `(width * height + 2 - n) // 2`, and a loss is the negative. No game is over.

## Where the positions come from

*random*: both sides drop anywhere. *level*: each side is one of connectk's levels 1 to 9. *perfect*: after up to twelve
random drops both sides choose among the best columns, and only positions from there on are taken. The mix asked for was
{mix}, by positions, of {min_discs} discs or more.{balanced}

{plays}

{results}

{plies}
"""
