"""Writes a dataset's files after all positions are solved, and reads, verifies and continues a finished dataset."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from connectk.cluster import PartsFolder
from connectk.cluster.files import Folder
from connectk.cluster.tables import ParquetRowStream, from_parquet, to_parquet, write_parquet, write_shards
from connectk.dataset.card import CARD_FILE, DatasetCounts, write_card
from connectk.dataset.sampled_games import key_of
from connectk.dataset.splits import SPLITS, Split
from connectk.dataset.worker_tasks import pack, schema_of, words_of
from connectk.errors import BadDataset, JobMismatch
from connectk.rules import Variant
from connectk.solver.bitboards import position_from_bitboards

if TYPE_CHECKING:
    import pyarrow as pa

DATASET_FILE, CHECKSUMS_FILE, DATA_FOLDER = "dataset.json", "SHA256SUMS", "data"
CHANGEABLE_FACTS = {"positions"}  # facts that may change when a dataset grows
WORD_BITS = 64


@dataclass(frozen=True, slots=True)
class DatasetResult:
    """The size of a dataset. `created` is false if the dataset was already complete before this call."""

    positions: int
    files: int
    created: bool = True


@dataclass(frozen=True, slots=True)
class FinishedDataset:
    """A complete dataset in a folder. `facts` is empty if there is no dataset yet."""

    folder: Folder
    facts: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Folder) -> FinishedDataset:
        """The dataset in this folder, if there is a complete one."""
        return cls(folder, json.loads(folder.read(DATASET_FILE)) if DATASET_FILE in folder.names() else {})

    @property
    def positions(self) -> int:
        """The requested number of positions."""
        return int(self.facts.get("positions", 0))

    @property
    def steps(self) -> list[int]:
        """The size of the dataset, in positions, after each run that made or enlarged it."""
        return [*self.facts["grown_from"], self.positions] if self.facts else []

    @property
    def shards(self) -> list[str]:
        """The files that contain rows."""
        return [name for name in self.facts.get("files", {}) if name != CARD_FILE]

    def require_related(self, facts: dict[str, Any]) -> None:
        """Raise an error if the folder has another dataset, or a larger one."""
        same = {name: value for name, value in facts.items() if name not in CHANGEABLE_FACTS}
        if self.facts and (
            any(self.facts.get(name) != value for name, value in same.items()) or self.positions > facts["positions"]
        ):
            raise JobMismatch(self.folder.place)

    def verified(self) -> DatasetResult:
        """Check every file, and return the size of the dataset."""
        for name, digest in self.facts["files"].items():
            if not _is_whole(self.folder, name, digest):
                raise BadDataset("error.BadDataset.damaged", file=self.folder.path(name), folder=self.folder.place)
        return DatasetResult(self.facts["made"], len(self.shards), created=False)

    def tables(self) -> Iterator[pa.Table]:
        """Yields the rows of each file as a table."""
        for name in self.shards:
            yield from_parquet(self.folder.read(name))

    def contents(self) -> tuple[set[bytes], Counter[str]]:
        """Verify the files. Return the keys of all positions, and the number of positions from each kind of play."""
        keys: set[bytes] = set()
        plays: Counter[str] = Counter()
        if not self.facts:
            return keys, plays
        self.verified()
        variant = Variant.parse(self.facts["variant"])
        for table in self.tables():
            plays.update(table["play"].to_pylist())
            keys.update(_key(words, variant) for words in table["bits"].to_pylist())
        return keys, plays


def _key(words: list[int], variant: Variant) -> bytes:
    count = words_of(variant)
    own, everyone = (
        sum(word << WORD_BITS * place for place, word in enumerate(half)) for half in (words[:count], words[count:])
    )
    return pack(key_of(position_from_bitboards(own, everyone, variant)), variant)


def finish(
    folder: Folder, variant: Variant, facts: dict[str, Any], before: FinishedDataset, solved: PartsFolder
) -> DatasetResult:
    """Write the new shards, the card and the checksums. Write the facts last, because they mark the dataset as
    complete."""
    folder.remove_drafts([CARD_FILE, CHECKSUMS_FILE, DATASET_FILE])
    Folder(folder.path(DATA_FOLDER)).remove_drafts([f"{split}-" for split in SPLITS])
    names = [*before.shards]
    for split in SPLITS:
        names += _write_split(folder, variant, facts, split, before, solved)
    counts = DatasetCounts()
    for name in names:
        counts.count(from_parquet(folder.read(name)))
    folder.write(CARD_FILE, write_card(facts, counts, len(names)).encode())
    sums = {name: _digest(folder, name) for name in [*names, CARD_FILE]}
    folder.write(CHECKSUMS_FILE, "".join(f"{digest}  {name}\n" for name, digest in sums.items()).encode())
    folder.write(
        DATASET_FILE, (json.dumps(facts | {"made": counts.positions, "files": sums}, indent=2) + "\n").encode()
    )
    return DatasetResult(counts.positions, len(names))


def _write_split(
    folder: Folder,
    variant: Variant,
    facts: dict[str, Any],
    split: Split,
    before: FinishedDataset,
    solved: PartsFolder,
) -> list[str]:
    """Write the new rows of one split, if there are any. Returns the names of the files."""
    rows = ParquetRowStream(_rows_of(split, solved))
    if not rows.has_more():
        return []
    schema = schema_of(variant, facts, facts["planes"])
    prefix = f"{split}-"
    first = sum(name.startswith(f"{DATA_FOLDER}/{prefix}") for name in before.shards)
    files = write_shards(
        Folder(folder.path(DATA_FOLDER)),
        rows,
        "parquet",
        lambda file, some: write_parquet(file, some, schema),
        facts["shard"],
        prefix,
        first,
    )
    return [f"{DATA_FOLDER}/{file.rpartition('/')[2]}" for file in files]


def _rows_of(split: Split, solved: PartsFolder) -> Iterator[bytes]:
    import pyarrow.compute as pc

    for content in solved.contents(1):
        table = from_parquet(content)
        yield to_parquet(table.filter(pc.equal(table["split"], split)))


def _digest(folder: Folder, name: str) -> str:
    return hashlib.sha256(folder.read(name)).hexdigest()


def _is_whole(folder: Folder, name: str, digest: str) -> bool:
    try:
        return _digest(folder, name) == digest
    except OSError:
        return False
