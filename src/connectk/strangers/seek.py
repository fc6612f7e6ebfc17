"""A seek is a person's wish to play somebody. This module decides how all open seeks are paired."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from ipaddress import IPv6Address, ip_address
from typing import NamedTuple

from connectk.glicko import Glicko
from connectk.play.match import TimeControl

COMPUTER_JOINS_AFTER_SECONDS = 18.0  # then a computer level takes the seek, so the game begins within twenty seconds
MAX_POOL_SEEKS = 200  # seeks for the same board and clock that are compared at once
MAX_RATED_GAP = 500.0  # between two ratings; a game with a larger gap says little, and would be a way to lift a rating
IPV6_SITE_BITS = 48  # one person may own so large a network of addresses
MAX_CACHED_PLACES = 4096
SAME_ADDRESS_COST = 1000.0  # added to the difference of the ratings, so that opponents at other addresses are preferred


@dataclass(frozen=True, slots=True)
class Seek:
    """A person's wish to play, with the kind of game that they want. `holder` is the hash of the secret that will open
    the seat."""

    id: str
    profile: str
    name: str
    holder: str
    device: str  # a hash; two profiles of one device are not paired
    address: str
    variant: str
    control: TimeControl
    rated: bool
    public: bool
    best_of: int
    takes_level: bool  # whether a computer level steps in if nobody comes
    glicko: Glicko
    balance: int  # how many more games this person has played as the first side than as the second
    created: float
    muted: frozenset[str] = frozenset()  # profiles that this person does not want to meet
    listed: bool = True  # False for a challenge that only those with its link see
    swap_discs: int = 0  # how many discs are placed before the second player chooses a side; 0 without the swap rule

    @property
    def pool(self) -> tuple[str, TimeControl, int]:
        return self.variant, self.control, self.swap_discs

    @property
    def place(self) -> str:
        """The address or, for IPv6, its site. It identifies people where somebody might profit from pretending to be
        several people."""
        return _place_of(self.address)


@lru_cache(MAX_CACHED_PLACES)
def _place_of(address: str) -> str:
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    host_bits = parsed.max_prefixlen - IPV6_SITE_BITS
    return str(IPv6Address(int(parsed) >> host_bits << host_bits)) if parsed.version == 6 else address


class SeekPair(NamedTuple):
    """Two seeks that become one match; `first` moves first."""

    first: Seek
    second: Seek
    rated: bool
    best_of: int

    @property
    def public(self) -> bool:
        return self.first.public and self.second.public

    @property
    def places(self) -> str | None:
        """A hash of the sorted addresses of both players. None if both have the same address, as may happen in a
        school."""
        one, other = sorted((self.first.place, self.second.place))
        return None if one == other else _hash(f"{one} {other}")

    @property
    def opponents(self) -> tuple[str, str]:
        """For each side, a hash that identifies its opponent.

        Opponents are identified by their addresses or, at the same address as in a school, by their profiles. The
        player's own profile is part of the hash, so that two players with the same opponent have different hashes.
        """
        first, second = self.first, self.second
        return _opponent_of(first, second), _opponent_of(second, first)


def _opponent_of(one: Seek, other: Seek) -> str:
    return _hash(f"{one.profile} {other.profile if one.place == other.place else other.place}")


def _hash(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()


def can_meet(one: Seek, other: Seek) -> bool:
    """Whether two seeks may be paired. They must be for the same board, clock and swap rule, and come from two people
    who have not muted each other."""
    return (
        one.pool == other.pool
        and one.profile != other.profile
        and one.device != other.device
        and one.profile not in other.muted
        and other.profile not in one.muted
    )


def pair_of(one: Seek, other: Seek, same_address_rated: bool = False) -> SeekPair:
    """The match of two seeks. The person who has moved first in fewer games moves first.

    The match is rated if both people want that and their ratings are close enough. Two people at one address get an
    unrated match by default, because they may be one person with two devices.
    """
    first, second = sorted((one, other), key=lambda seek: (seek.balance, seek.created, seek.id))
    is_close = abs(one.glicko.rating - other.glicko.rating) <= MAX_RATED_GAP
    is_apart = same_address_rated or one.place != other.place
    rated = one.rated and other.rated and is_close and is_apart
    return SeekPair(first, second, rated, min(one.best_of, other.best_of))


def pairs_of(seeks: Iterable[Seek], same_address_rated: bool = False) -> list[SeekPair]:
    """Pairs all listed seeks. The seek that has waited longest gets the opponent with the closest rating, then the next
    seek is paired."""
    pools: dict[tuple[str, TimeControl, int], list[Seek]] = {}
    for seek in sorted(seeks, key=_order):
        if seek.listed:
            pools.setdefault(seek.pool, []).append(seek)
    return [pair_of(*two, same_address_rated) for pool in pools.values() for two in _pairs_in(_compared(pool))]


def _order(seek: Seek) -> tuple[float, str]:
    return seek.created, seek.id


def _compared(pool: list[Seek]) -> list[Seek]:
    """The seeks to compare with each other, at most `MAX_POOL_SEEKS`.

    The oldest seek of each address is taken first, then the second oldest of each address, and so on, so that one
    address with many seeks cannot crowd out the others.
    """
    if len(pool) <= MAX_POOL_SEEKS:
        return pool
    earlier: Counter[str] = Counter()
    ranks: dict[str, int] = {}
    for seek in pool:
        ranks[seek.id] = earlier[seek.address]
        earlier[seek.address] += 1
    return sorted(sorted(pool, key=lambda seek: ranks[seek.id])[:MAX_POOL_SEEKS], key=_order)


def _pairs_in(waiting: list[Seek]) -> list[tuple[Seek, Seek]]:
    pairs = []
    while waiting:
        one = waiting.pop(0)
        others = [other for other in waiting if can_meet(one, other)]
        if others:
            best = min(others, key=lambda other: (_cost(one, other), other.created, other.id))
            waiting.remove(best)
            pairs.append((one, best))
    return pairs


def _cost(one: Seek, other: Seek) -> float:
    return abs(one.glicko.rating - other.glicko.rating) + SAME_ADDRESS_COST * (one.place == other.place)


def needs_level(seek: Seek, now: float) -> bool:
    return seek.takes_level and now - seek.created >= COMPUTER_JOINS_AFTER_SECONDS
