"""The number of a dataset's positions that come from random, level and perfect play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from connectk.dataset.shares import Shares

Play = Literal["perfect", "level", "random"]
KINDS_OF_PLAY: tuple[Play, ...] = get_args(Play)  # in the order of sampling, the kind with the fewest positions first


@dataclass(frozen=True, slots=True)
class Mix(Shares):
    """The weight of each kind of play."""

    noun = "mix"
    random: float = 50
    level: float = 40
    perfect: float = 10

    def quotas(self, positions: int) -> dict[Play, int]:
        """The number of positions from each kind of play. The sum is `positions`."""
        shares = [getattr(self, play) for play in KINDS_OF_PLAY]
        ends = [round(positions * sum(shares[: number + 1]) / sum(shares)) for number in range(len(shares))]
        return {play: end - begin for play, begin, end in zip(KINDS_OF_PLAY, [0, *ends], ends, strict=False)}
