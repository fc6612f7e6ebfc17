"""Simulates a hundred strangers who play rated games with each other for ten minutes, over loopback.

    python bench/strangers.py
    python bench/strangers.py --players 20 --minutes 1

Each player has their own strength and address. The winner of a game is random, with a probability that depends on both
strengths. Some players disconnect for a moment, let their clock run out or leave. The output has the seconds from the
wish for a game to its start, the time until the server acknowledges a drop (which is then durable), the lost games, and
how well the ratings follow the strengths. A game is lost if it lacks an acknowledged drop, never ends, or its result is
not entered. The run fails if a game is lost, or if a player waits longer than twenty seconds for an opponent or a
computer level. Server and players share the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import correlation, mean, quantiles
from typing import NamedTuple

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))  # imports the crowd from the tests

from tests.server.stranger_crowd import Crowd
from tests.web.serving import free_port

MAX_WAIT_SECONDS = 20.0
MIN_GAMES = 10  # a player with fewer is not compared with the ratings
MIN_COMPARED = 3


class Rated(NamedTuple):
    """A player's strength, rating and number of rated games."""

    strength: float
    rating: float
    games: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        crowd = Crowd(free_port(), options.players, options.seed)
        server = _serve(folder, crowd.port)
        try:
            asyncio.run(crowd.play(60 * options.minutes))
            lost = len(asyncio.run(crowd.lost_matches()))
            ratings = _ratings(crowd)
        finally:
            server.terminate()
            server.wait(60)
    _print(crowd, ratings, lost)
    if max(crowd.waits) > MAX_WAIT_SECONDS:
        sys.exit("somebody has waited too long")
    if lost:
        sys.exit("games were lost")


def _serve(folder: str, port: int) -> subprocess.Popen[bytes]:
    """Run a server that expects requests through a proxy. Each request names the address of its player, as a proxy
    does."""
    database = f"sqlite:///{folder}/strangers.db"
    command = [sys.executable, "-m", "connectk", "serve", "--port", str(port), "--database", database]
    server = subprocess.Popen([*command, "--log-level", "error"], env={**os.environ, "CONNECTK_PROXIES": "1"})
    while True:
        try:
            httpx.get(f"http://127.0.0.1:{port}/readyz", trust_env=False).raise_for_status()
        except httpx.HTTPError:
            assert server.poll() is None, "the server did not start"
            time.sleep(0.1)
        else:
            return server


def _ratings(crowd: Crowd) -> list[Rated]:
    found = []
    with httpx.Client(base_url=f"http://127.0.0.1:{crowd.port}", trust_env=False, timeout=60) as client:
        for player in crowd.players:
            secret = {"Authorization": f"Bearer {player.profile}", **player.headers}
            known = client.get("/api/profiles/me", headers=secret).raise_for_status().json()
            games = known["wins"] + known["draws"] + known["losses"]
            found.append(Rated(player.strength, float(known["rating"]["rating"]), games))
    return found


def _print(crowd: Crowd, ratings: list[Rated], lost: int) -> None:
    facts = ", ".join(f"{count:,} {name}" for name, count in crowd.seen.items())
    print(f"{len(crowd.players)} players: {facts}")
    _print_times("wait for an opponent or a level", crowd.waits, 1.0, "s")
    _print_times(f"until one of {len(crowd.drops):,} drops is acknowledged", crowd.drops, 1000.0, "ms")
    print(f"lost games: {lost} of {len(crowd.discs):,}")
    compared = [one for one in ratings if one.games >= MIN_GAMES]
    print(
        f"rated games: {sum(one.games for one in ratings) / 2:,.0f}; {len(compared)} players with at least {MIN_GAMES}"
    )
    if len(compared) < MIN_COMPARED:
        print("correlation of ratings and strengths: too few games for each player")
        return
    strengths, rated = [one.strength for one in compared], [one.rating for one in compared]
    centre = mean(rated) - mean(strengths)
    error = mean(abs(one.rating - one.strength - centre) for one in compared)
    before = mean(abs(strength - mean(strengths)) for strength in strengths)
    print(f"correlation of ratings and strengths: {correlation(strengths, rated):.3f}")
    print(f"mean difference of ratings and strengths: {error:.0f}, at the beginning {before:.0f}")


def _print_times(what: str, seconds: list[float], scale: float, unit: str) -> None:
    each = sorted(scale * one for one in seconds)
    hundredths = quantiles(each, n=100)
    print(f"{what}: median {hundredths[49]:.1f} {unit}, 99% {hundredths[98]:.1f} {unit}, longest {each[-1]:.1f} {unit}")


if __name__ == "__main__":
    main()
