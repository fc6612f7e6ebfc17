"""Tests that a server's memory stays bounded, however large a single entry or a refused file is."""

import asyncio
import sys
from dataclasses import replace
from types import SimpleNamespace

import pytest

from connectk.play import match_cache
from connectk.play.match import Match, MatchSetup, Seat
from connectk.play.match_cache import LiveMatch, LiveMatches
from connectk.play.refusals import TooMuch
from connectk.rules import Position, Variant
from connectk.server.answer_cache import ENTRY_BYTES, AnswerCache
from connectk.server.errors import _connectk_error
from connectk.thinking.process import ThinkingProcess
from tests.play.memory import MemoryStore
from tests.server.hostile.memory import megabytes


def test_a_cache_of_answers_is_bounded_by_bytes():
    cache: AnswerCache[list[int]] = AnswerCache(50_000)
    for number in range(100):
        cache.add(number, [number])
    assert cache.get(99) == [99]
    assert cache.get(0) is None
    assert cache.held_bytes <= 50_000 < 100 * ENTRY_BYTES
    cache.add("large", list(range(5_000)))
    assert cache.get("large") == list(range(5_000))
    cache.add("too large", list(range(50_000)))
    assert cache.get("too large") is None
    assert cache.held_bytes <= 50_000


def test_what_is_cached_does_not_change_with_what_was_answered():
    cache: AnswerCache[dict[str, int]] = AnswerCache(50_000)
    answer = {"score": 1}
    cache.add("key", answer)
    answer["score"] = 2
    assert cache.get("key") == {"score": 1}


def live_match(name, moves):
    setup = MatchSetup(Position.start(Variant(97, 100, 100)), Seat("Ann"), Seat("Bob"))
    match = Match.new(name, setup, 0.0)
    return LiveMatch(replace(match, moves=(0,) * moves))


def test_long_matches_are_cached_by_their_length_and_evict_no_others(monkeypatch):
    """A match moves to the cache of long matches when it becomes long."""
    monkeypatch.setattr(match_cache, "MAX_CACHED_LONG_MOVES", 2_000)
    matches = LiveMatches(MemoryStore())
    short = matches.put(live_match("short", 40))
    for number in range(20):
        matches.put(live_match(f"long {number}", 900))
    assert (len(matches), matches.in_memory("short")) == (3, short)
    assert matches.in_memory("long 0") is None
    assert matches.in_memory("long 19") is not None
    short.match = live_match("short", 1_500).match
    assert asyncio.run(matches.find("short")) is short
    assert len(matches) == 1
    matches.drop(["short"])
    assert len(matches) == 0


@pytest.mark.skipif(sys.platform != "linux", reason="reads the memory of a process from /proc")
def test_a_worker_forgets_the_files_that_it_refuses():
    """A worker frees a refused file at once. Earlier, the error kept the file until the next garbage collection."""
    process = ThinkingProcess("connectk.server.uploads")
    file = b"x" * (4 << 20)
    try:
        before = 0.0
        for number in range(16):
            with pytest.raises(TooMuch):
                process.run_job("saved", (file, 100), 60.0)
            if number == 3:
                before = megabytes(process._process.pid)
        assert megabytes(process._process.pid) < before + 3 * 4
    finally:
        process.end()


def test_a_refusal_is_answered_without_its_traceback():
    """A refusal is answered without its traceback, whose frames would keep the body of the request in memory."""
    with pytest.raises(TooMuch) as caught:
        raise TooMuch
    request = SimpleNamespace(headers={}, state=SimpleNamespace())
    assert caught.value.__traceback__
    assert _connectk_error(request, caught.value).status_code == 413
    assert caught.value.__traceback__ is None
