"""Decides which clients keep a socket when there are too many. Players come first, then members of rooms, then
spectators.

A client says who it is in its hello message. A tenth of all slots is reserved for sockets that have not sent it yet.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sized
from dataclasses import dataclass
from enum import IntEnum

from connectk.play.refusals import Busy

NEWCOMER_SLOTS_DIVISOR = 10
MAX_SOCKETS_PER_SECRET = 8  # for one seat or member; further sockets count as watchers


class SocketPriority(IntEnum):
    """The priority of a socket. When there are too many sockets, those with the lowest priority are closed first."""

    NEWCOMER = 0  # has not sent its hello message yet
    WATCHER = 1
    MEMBER = 2  # the host or a member of a room
    PLAYER = 3


LASTING_PRIORITIES = (SocketPriority.WATCHER, SocketPriority.MEMBER, SocketPriority.PLAYER)


def _nothing() -> None:
    pass


@dataclass(eq=False, slots=True)
class SocketSlot:
    """The slot of one socket. When a socket with a higher priority needs the slot, `on_evict` closes this socket."""

    address: str
    priority: SocketPriority = SocketPriority.NEWCOMER
    secret: str | None = None  # the hash of the client's secret
    on_evict: Callable[[], object] = _nothing
    is_evicted: bool = False


class SocketSlots:
    """The sockets of this process, by priority and address."""

    def __init__(self, max_sockets: int, max_per_address: int) -> None:
        self._max_newcomers = max(1, max_sockets // NEWCOMER_SLOTS_DIVISOR)
        self._max_lasting, self._max_per_address = max(1, max_sockets - self._max_newcomers), max_per_address
        # By priority and address, the oldest first.
        self._slots: dict[SocketPriority, dict[str, dict[SocketSlot, None]]] = {each: {} for each in SocketPriority}
        self._of_secret: Counter[str] = Counter()

    def enter(self, address: str) -> SocketSlot:
        """Returns a slot for a new socket. If there are too many new sockets, the oldest new socket of the address with
        the most new sockets is closed."""
        self._slot_to_evict(address, SocketPriority.PLAYER)  # raises `Busy` if not even a player could stay
        newcomers = self._slots[SocketPriority.NEWCOMER]
        if _count(newcomers) >= self._max_newcomers:
            busiest = _busiest(newcomers)
            if len(newcomers[busiest]) <= len(newcomers.get(address, ())):
                raise Busy
            self._evict(next(iter(newcomers[busiest])))
        slot = SocketSlot(address)
        self._add(slot)
        return slot

    def confirm(self, slot: SocketSlot, priority: SocketPriority, secret: str | None = None) -> None:
        """Gives a lasting slot to a socket that has sent its hello message. If no slot is free, a socket with a lower
        priority loses its slot."""
        if slot.is_evicted:
            raise Busy
        if secret and self._of_secret[secret] >= MAX_SOCKETS_PER_SECRET:
            priority = SocketPriority.WATCHER
        evicted = self._slot_to_evict(slot.address, priority)
        if evicted:
            self._evict(evicted)
        self.promote(slot, priority)
        slot.secret = secret
        if secret:
            self._of_secret[secret] += 1

    def promote(self, slot: SocketSlot, priority: SocketPriority) -> None:
        if not slot.is_evicted:
            self._remove(slot)
            slot.priority = priority
            self._add(slot)

    def leave(self, slot: SocketSlot) -> None:
        self._remove(slot)
        if slot.secret:
            self._of_secret[slot.secret] -= 1
            self._of_secret += Counter()  # removes those that have none
            slot.secret = None

    def _slot_to_evict(self, address: str, priority: SocketPriority) -> SocketSlot | None:
        """The slot to clear for a socket of this priority. None if a slot is free. Raises `Busy` if no socket has a
        lower priority."""
        if sum(len(self._slots[one].get(address, ())) for one in LASTING_PRIORITIES) >= self._max_per_address:
            return self._lowest_slot_below(priority, address)
        is_full = sum(_count(self._slots[one]) for one in LASTING_PRIORITIES) >= self._max_lasting
        return self._lowest_slot_below(priority) if is_full else None

    def _lowest_slot_below(self, priority: SocketPriority, address: str | None = None) -> SocketSlot:
        """The slot to take away: the newest one with the lowest priority below `priority`.

        It belongs to `address` or, without one, to the address with the most slots of that priority.
        """
        for lower in LASTING_PRIORITIES[: LASTING_PRIORITIES.index(priority)]:
            found = self._slots[lower]
            if found and (address is None or address in found):
                return next(reversed(found[address or _busiest(found)]))
        raise Busy

    def _evict(self, slot: SocketSlot) -> None:
        self.leave(slot)
        slot.is_evicted = True
        slot.on_evict()

    def _add(self, slot: SocketSlot) -> None:
        self._slots[slot.priority].setdefault(slot.address, {})[slot] = None

    def _remove(self, slot: SocketSlot) -> None:
        of_rank = self._slots[slot.priority]
        of_address = of_rank.get(slot.address, {})
        of_address.pop(slot, None)
        if not of_address:
            of_rank.pop(slot.address, None)


def _count(slots: Mapping[str, Sized]) -> int:
    return sum(map(len, slots.values()))


def _busiest(slots: Mapping[str, Sized]) -> str:
    return max(slots, key=lambda address: len(slots[address]))
