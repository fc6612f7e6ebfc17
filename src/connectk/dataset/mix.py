"""The mix of random, level and perfect play that positions are sampled from."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from connectk.errors import BadDataset

Play = Literal["perfect", "level", "random"]
PLAYS: tuple[Play, ...] = get_args(Play)  # in the order of sampling, the kind with the fewest positions first


@dataclass(frozen=True, slots=True)
class Mix:
    """The weights of the kinds of play."""

    random: float = 50
    level: float = 40
    perfect: float = 10

    def __post_init__(self) -> None:
        if min(self.shares) < 0 or not 0 < sum(self.shares) < float("inf"):
            raise BadDataset("error.BadDataset.mix", mix=str(self))

    @classmethod
    def parse(cls, text: str) -> Mix:
        """Parses `random=50,level=40,perfect=10`; a kind that is left out gets 0."""
        try:
            pairs = [part.split("=") for part in text.split(",")]
            given = {name.strip(): float(share) for name, share in pairs}
        except ValueError:
            raise BadDataset("error.BadDataset.mix", mix=text) from None
        if not given.keys() <= set(PLAYS) or len(given) < len(pairs):
            raise BadDataset("error.BadDataset.mix", mix=text)
        return cls(**dict.fromkeys(PLAYS, 0.0) | given)

    @property
    def shares(self) -> tuple[float, ...]:
        return tuple(getattr(self, play) for play in PLAYS)

    def quotas(self, positions: int) -> dict[Play, int]:
        """How many positions each kind of play contributes; the sum is `positions`."""
        whole = sum(self.shares)
        ends = [round(positions * sum(self.shares[: number + 1]) / whole) for number in range(len(PLAYS))]
        return {play: end - begin for play, begin, end in zip(PLAYS, [0, *ends], ends, strict=False)}

    def __str__(self) -> str:
        return ",".join(f"{play}={getattr(self, play):g}" for play in reversed(PLAYS))
