"""Writes, parses and checks named weights, such as `train=90,validation=5,test=5`."""

from __future__ import annotations

from typing import ClassVar, Self

from connectk.errors import BadDataset


class Shares:
    """The base of a dataclass whose fields are weights. In error messages, `noun` is the name of the weights."""

    __slots__ = ()
    __match_args__: tuple[str, ...]  # the names of the fields
    noun: ClassVar[str]

    def __post_init__(self) -> None:
        if min(self.weights) < 0 or not 0 < sum(self.weights) < float("inf"):
            raise self._refusal(str(self))

    @classmethod
    def parse(cls, text: str) -> Self:
        """Parses `name=weight,name=weight`. A missing name gets the weight 0."""
        try:
            pairs = [part.split("=") for part in text.split(",")]
            given = {name.strip(): float(share) for name, share in pairs}
        except ValueError:
            raise cls._refusal(text) from None
        weights = dict.fromkeys(cls.__match_args__, 0.0)
        if not given.keys() <= weights.keys() or len(given) < len(pairs):
            raise cls._refusal(text)
        return cls(**weights | given)

    @classmethod
    def _refusal(cls, text: str) -> BadDataset:
        return BadDataset(f"error.BadDataset.{cls.noun}", **{cls.noun: text})

    @property
    def weights(self) -> tuple[float, ...]:
        return tuple(getattr(self, name) for name in self.__match_args__)

    def __str__(self) -> str:
        return ",".join(f"{name}={getattr(self, name):g}" for name in self.__match_args__)
