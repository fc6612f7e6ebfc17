"""Where positions come from: how much of random, level and perfect play."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from connectk.errors import BadDataset

Play = Literal["perfect", "level", "random"]
PLAYS: tuple[Play, ...] = get_args(Play)  # the rarest positions choose first


@dataclass(frozen=True, slots=True)
class Mix:
    """Shares of each kind of play, in any unit."""

    random: float = 50
    level: float = 40
    perfect: float = 10

    def __post_init__(self) -> None:
        if min(self.shares) < 0 or not 0 < sum(self.shares) < float("inf"):
            raise BadDataset("error.BadDataset.mix", mix=str(self))

    @classmethod
    def parse(cls, text: str) -> Mix:
        """From `random=50,level=40,perfect=10`; what is not named has no share."""
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
        """How many positions each kind of play gives; together exactly so many."""
        whole = sum(self.shares)
        ends = [round(positions * sum(self.shares[: number + 1]) / whole) for number in range(len(PLAYS))]
        return {play: end - begin for play, begin, end in zip(PLAYS, [0, *ends], ends, strict=False)}

    def __str__(self) -> str:
        return ",".join(f"{play}={getattr(self, play):g}" for play in reversed(PLAYS))
