"""The clock of a whole game, and the cost of a late answer."""

from __future__ import annotations

from pathlib import Path

import pytest

from connectk.arena import Tournament
from connectk.arena.clocks import GameClock, SideClock
from connectk.errors import BotForfeit
from connectk.players.player import Clock
from tests.arena.tournaments import played


class Hand:
    """A clock whose time is set by the test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 0.0
        monkeypatch.setattr("connectk.arena.clocks.time.monotonic", lambda: self.now)

    def move(self, clock: SideClock, seconds: float) -> float:
        clock.start()
        self.now += seconds
        return clock.stop()


def test_the_grace_for_a_late_answer_is_spent_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bot has one grace period for all its late answers. It forfeits when their sum exceeds this period."""
    hand, clock = Hand(monkeypatch), SideClock("bot.py", 0.1, None)

    assert [hand.move(clock, 0.2) for _ in range(2)] == [0.2, 0.2]
    assert hand.move(clock, 0.1) == 0.1
    with pytest.raises(BotForfeit, match="did not answer in time"):
        hand.move(clock, 0.2)


def test_a_clock_for_the_whole_game_runs_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bot may think long about one disc, but its clock runs out if it thinks long about every disc."""
    hand, clock = Hand(monkeypatch), SideClock("minimax:9", None, GameClock.parse("10s+1s"))

    hand.move(clock, 9.0)
    assert clock.left == 2.0
    hand.move(clock, 1.0)
    assert clock.left == 2.0
    with pytest.raises(BotForfeit, match="did not answer in time"):
        hand.move(clock, 2.5)


def test_running_out_of_time_loses(tmp_path: Path) -> None:
    bot = tmp_path / "slow.py"
    bot.write_text("import time\ndef choose(position):\n    time.sleep(1)\n    return position.legal_columns[0]")
    tournament = Tournament((str(bot), "greedy"), games=1, clock=GameClock.parse("0.2s"))

    record = played(tournament, tmp_path / "r")[0]

    assert (record.winner, record.reason) == ("second", "time")


def test_a_share_of_the_game_s_time_is_for_one_disc() -> None:
    clock = Clock(60.0, increment=1.0)

    assert 3.5 < (clock.share or 0) <= 4.0
    assert Clock(60.0).share == pytest.approx(60.0, abs=1)
