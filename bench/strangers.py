"""Simulates a hundred strangers who play rated games with each other for ten minutes, over loopback.

    python bench/strangers.py
    python bench/strangers.py --players 20 --minutes 1

Each player has their own strength and address. The winner of a game is random, with a probability that depends on both
strengths. Some players disconnect for a moment, let their clock run out or leave. The output has the seconds from the
wish for a game to its start, the seconds until the server acknowledges a drop (which is then durable), and how well the
ratings follow the strengths. The run fails if a player waits longer than twenty seconds for an opponent or a computer
level. Server and players share the machine.
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

import httpx

sys.path.insert(0, str(Path(__file__).parents[1]))  # imports the crowd from the tests

from tests.server.stranger_crowd import Crowd
from tests.web.serving import free_port

MAX_WAIT_SECONDS = 20.0
MIN_GAMES = 10  # a player with fewer is not compared with the ratings


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
            ratings = _ratings(crowd)
        finally:
            server.terminate()
            server.wait(60)
    _print(crowd, ratings)
    if max(crowd.waits) > MAX_WAIT_SECONDS:
        sys.exit("somebody has waited too long")


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


def _ratings(crowd: Crowd) -> list[tuple[float, float, int]]:
    """The strength, the rating and the number of rated games of each player."""
    found = []
    with httpx.Client(base_url=f"http://127.0.0.1:{crowd.port}", trust_env=False, timeout=60) as client:
        for player in crowd.players:
            secret = {"Authorization": f"Bearer {player.profile}", **player.headers}
            known = client.get("/api/profiles/me", headers=secret).raise_for_status().json()
            games = known["wins"] + known["draws"] + known["losses"]
            found.append((player.strength, float(known["rating"]["rating"]), games))
    return found


def _print(crowd: Crowd, ratings: list[tuple[float, float, int]]) -> None:
    facts = ", ".join(f"{count:,} {name}" for name, count in crowd.seen.items())
    print(f"{len(crowd.players)} players: {facts}")
    _print_times("from a wish to its match", crowd.waits, 1.0, "s")
    _print_times(f"until a drop is acknowledged ({len(crowd.drops):,})", crowd.drops, 1000.0, "ms")
    compared = [(strength, rating) for strength, rating, games in ratings if games >= MIN_GAMES]
    games = sum(games for *_, games in ratings) / 2
    if len(compared) < 3:
        print(f"{games:.0f} rated games: too few for each player to compare ratings with strengths")
        return
    strengths, rated = zip(*compared, strict=True)
    centre = mean(rated) - mean(strengths)
    error = mean(abs(rating - strength - centre) for strength, rating in compared)
    before = mean(abs(strength - mean(strengths)) for strength in strengths)
    likeness = correlation(strengths, rated)
    print(f"{games:.0f} rated games; {len(compared)} players with at least {MIN_GAMES}:")
    print(f"  correlation of ratings and strengths {likeness:.2f}")
    print(f"  mean difference {error:.0f}, at the beginning {before:.0f}")


def _print_times(what: str, seconds: list[float], scale: float, unit: str) -> None:
    each = sorted(scale * one for one in seconds)
    hundredths = quantiles(each, n=100)
    print(f"{what}: median {hundredths[49]:.1f} {unit}, 99% {hundredths[98]:.1f} {unit}, longest {each[-1]:.1f} {unit}")


if __name__ == "__main__":
    main()
