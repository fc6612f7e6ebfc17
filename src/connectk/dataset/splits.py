"""The parts of a dataset for training, validation and tests. A position and its mirror image always belong to the same
part."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Literal, get_args

from connectk.dataset.sampled_games import Key
from connectk.dataset.shares import Shares

Split = Literal["train", "validation", "test"]
SPLITS: tuple[Split, ...] = get_args(Split)
HASH_BYTES = 8


@dataclass(frozen=True, slots=True)
class Splits(Shares):
    """The weights of the parts. The part of a position depends only on the position and the weights.

    Datasets with the same weights therefore never disagree: no position is in the test part of one and in the training
    part of another.
    """

    noun = "splits"
    train: float = 90
    validation: float = 5
    test: float = 5

    def split_of(self, key: Key) -> Split:
        """The part of the position with this key. Its mirror image has the same key and so the same part."""
        digest = blake2b(b"%x %x" % key, digest_size=HASH_BYTES).digest()
        place = int.from_bytes(digest, "little") / 2 ** (8 * HASH_BYTES) * sum(self.weights)
        used = [split for split in SPLITS if getattr(self, split) > 0]
        for split in used:
            place -= getattr(self, split)
            if place < 0:
                return split
        return used[-1]
