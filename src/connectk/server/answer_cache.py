"""Caches with a limit in bytes and not in entries, because some answers are a thousand times as large as others."""

from __future__ import annotations

import pickle
from collections.abc import Hashable
from typing import Generic, TypeVar

from cachetools import LRUCache

T = TypeVar("T")
ENTRY_BYTES = 1000  # what an entry needs besides its answer; a key with many bytes is hashed before


class AnswerCache(Generic[T]):
    """Keeps the most recently used answers, packed into bytes. An answer that is larger than the whole cache is not
    kept."""

    def __init__(self, max_bytes: int) -> None:
        self._packed: LRUCache[Hashable, bytes] = LRUCache(max_bytes, getsizeof=_entry_bytes)

    def get(self, key: Hashable) -> T | None:
        packed = self._packed.get(key)
        answer: T | None = None if packed is None else pickle.loads(packed)
        return answer

    def add(self, key: Hashable, answer: T) -> None:
        packed = pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)
        if _entry_bytes(packed) <= self._packed.maxsize:
            self._packed[key] = packed

    @property
    def held_bytes(self) -> float:
        return self._packed.currsize


def _entry_bytes(packed: bytes) -> int:
    return len(packed) + ENTRY_BYTES
