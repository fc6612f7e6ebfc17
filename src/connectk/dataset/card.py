"""The card of a dataset: a README with counts of its positions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from connectk import __version__
from connectk.cluster.tables import from_parquet

CARD_FILE = "README.md"


class Counts:
    """How many positions there are of each kind."""

    def __init__(self) -> None:
        self.plays: Counter[str] = Counter()
        self.plies: Counter[int] = Counter()
        self.results: Counter[str] = Counter()

    @property
    def positions(self) -> int:
        return self.plies.total()

    def counting(self, contents: Iterator[bytes]) -> Iterator[bytes]:
        """Passes the parts through, and counts their rows."""
        for content in contents:
            table = from_parquet(content)
            self.plays.update(table["play"].to_pylist())
            self.plies.update(table["ply"].to_pylist())
            self.results.update(map(_result, table["score"].to_pylist()))
            yield content


def _result(score: int) -> str:
    return "win" if score > 0 else "loss" if score < 0 else "draw"


def write_card(facts: dict[str, Any], counts: Counts, files: int) -> str:
    """A README, with front matter for dataset sites."""
    return TEMPLATE.format(
        **facts,
        made=counts.positions,
        files=files,
        version=__version__,
        command=command_of(facts),
        plays=_table("play", sorted(counts.plays.items())),
        results=_table("for the side to move", sorted(counts.results.items())),
        plies=_table("discs", sorted(counts.plies.items())),
    )


def command_of(facts: dict[str, Any]) -> str:
    """The command that makes the same dataset again."""
    return (
        f"connectk dataset --variant {facts['variant']} --positions {facts['positions']} --mix {facts['mix']} "
        f"--seed {facts['seed']} --least-discs {facts['least_discs']} --shard {facts['shard']} --out DIR"
    )


def _table(head: str, rows: list[tuple[Any, int]]) -> str:
    lines = [f"| {head} | positions |", "|---|---:|", *(f"| {name} | {count:,} |" for name, count in rows)]
    return "\n".join(lines)


TEMPLATE = """---
configs:
- config_name: default
  data_files: data/*.parquet
---

# {made:,} positions of {variant} with exact scores

Every column of every position is scored by an exact solver: nothing here is estimated. No position is there twice, and
none is the mirror image of another. The order is mixed.

Made by connectk {version}:

    {command}

The same command makes the same positions and scores again, on any machine; with the same version of PyArrow it makes
the same files. `sha256sum -c SHA256SUMS` checks these.

## Columns of the {files:,} Parquet files in `data/`

| column | |
|---|---|
| moves | the drops that led here, columns counted from 1 |
| bits | the discs of the side to move, then all discs, in words of 64 bits, the low one first |
| ply | discs on the board |
| scores | the exact score of a drop into each column, for the side to move; null where no disc fits |
| score | the best of them |
| best | the columns that have it, counted from 0 |
| play | where the position comes from |

Bit `column * (height + 1) + row` is a cell's, row 0 at the bottom. A score of 0 is a draw; a win whose last disc is
the n-th of the game scores `(width * height + 2 - n) // 2`, and a loss is the negative. No game is over.

## Where the positions come from

*random*: both sides drop anywhere. *level*: each side is one of connectk's levels 1 to 9. *perfect*: after up to twelve
random drops both sides choose among the best columns, and only positions from there on are taken. The mix asked for was
{mix}, by positions, of {least_discs} discs or more.

{plays}

{results}

{plies}
"""
