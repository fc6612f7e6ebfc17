"""Lets the engine at 100 ms play against negamax of kaggle-environments and MCTS of OpenSpiel with 1,000 simulations.

python bench/opponents.py [--games 20] [--boards 7x6x4,8x8x4] [--peers negamax,mcts] [--results FILE] [--minutes 4]
                           [--negamax-python pypy3] [--jobs 2] [--nodes 100000]

The full measurement is 400 games on each board: both sides of 200 balanced openings (`--games 400`). On wide boards
Kaggle's negamax takes seconds for a move, so the full measurement takes hours under CPython. --negamax-python runs
negamax under another Python, such as PyPy. With --results a run resumes where it stopped. After --minutes no more games
are started; boards and peers take turns. On a busy machine the engine sees fewer positions in 100 ms. With --nodes the
engine's search, without the solver, looks at this number of positions for each move instead. Install the peers by hand:
pip install open_spiel, and pip install --no-deps kaggle-environments jsonschema.
"""

from __future__ import annotations

import argparse
import json
import math
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from functools import cache
from importlib.util import find_spec
from itertools import chain, zip_longest
from pathlib import Path
from typing import Protocol

from connectk.arena.openings import balanced_openings
from connectk.players import Clock, load_player
from connectk.players.engine_player import CoreSearch
from connectk.rules import Game, Side, Variant

BOARDS = ("7x6x4", "8x8x4", "9x7x5", "12x12x5")
OWN_PLAYER = "engine:100ms"


@dataclass(frozen=True)
class Pairing:
    """One game: its opening, and the engine's side."""

    board: str
    peer: str
    opening: tuple[int, ...]
    engine_is_first: bool
    nodes: int  # 0 means a limit of 100 ms instead


class Peer(Protocol):
    def choose(self, game: Game) -> int: ...


class Ours:
    """The engine, limited by time or by a number of nodes."""

    def __init__(self, nodes: int) -> None:
        self._engine, self._search, self._nodes = load_player(OWN_PLAYER), CoreSearch(1 << 25), nodes

    def choose(self, game: Game) -> int:
        if self._nodes:
            return self._search.choose(game.position, nodes=self._nodes).column
        return self._engine.choose(game.position, Clock()).column


class KaggleNegamax:
    """The `negamax` that kaggle-environments provides for ConnectX. It runs in a separate process."""

    package = "kaggle_environments"
    python = sys.executable

    def __init__(self, variant: Variant, seed: str) -> None:
        self._asked = {"columns": variant.width, "rows": variant.height, "inarow": variant.run}
        self._worker = negamax_worker(self.python)
        self._send({"seed": seed})

    def choose(self, game: Game) -> int:
        position, variant = game.position, game.variant
        marks = {None: 0, Side.FIRST: 1, Side.SECOND: 2}
        cells = [(column, row) for row in reversed(range(variant.height)) for column in range(variant.width)]
        board = [marks[position.disc_at(*cell)] for cell in cells]
        self._send({**self._asked, "board": board, "mark": marks[position.side_to_move]})
        assert self._worker.stdout
        return int(self._worker.stdout.readline())

    def _send(self, message: dict[str, object]) -> None:
        assert self._worker.stdin
        self._worker.stdin.write(json.dumps(message) + "\n")
        self._worker.stdin.flush()


@cache
def negamax_worker(python: str) -> subprocess.Popen[str]:
    """One worker process for all games, because PyPy needs a while to become fast. The worker ends when its input
    ends."""
    package = find_spec(KaggleNegamax.package)
    assert package
    assert package.submodule_search_locations
    connectx = Path(package.submodule_search_locations[0]) / "envs/connectx/connectx.py"
    command = [python, str(Path(__file__).with_name("negamax_worker.py")), str(connectx)]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


class OpenSpielMcts:
    """OpenSpiel's MCTSBot with its usual settings: 1,000 simulations and random rollouts."""

    package = "pyspiel"

    def __init__(self, variant: Variant, seed: str) -> None:
        import pyspiel

        size = f"rows={variant.height},columns={variant.width},x_in_row={variant.run}"
        self._game = pyspiel.load_game(f"connect_four({size})")
        evaluator = pyspiel.RandomRolloutEvaluator(n_rollouts=1, seed=1)
        self._bot = pyspiel.MCTSBot(self._game, evaluator, 2.0, 1000, 1000, True, 1, False)

    def choose(self, game: Game) -> int:
        state = self._game.new_initial_state()
        for column in game.moves:
            state.apply_action(column)
        return int(self._bot.step(state))


PEER_PLAYERS = {"negamax": KaggleNegamax, "mcts": OpenSpielMcts}


def play(pairing: Pairing) -> dict[str, object]:
    """Play one game. Returns the engine's points and the seconds of its slowest answer."""
    variant = Variant.parse(pairing.board)
    engine, peer = Ours(pairing.nodes), PEER_PLAYERS[pairing.peer](variant, seed=f"{pairing}")
    game, slowest = Game(variant, pairing.opening), 0.0
    while game.outcome is None:
        if (game.position.side_to_move is Side.FIRST) == pairing.engine_is_first:
            started = time.perf_counter()
            game.drop(engine.choose(game))
            slowest = max(slowest, time.perf_counter() - started)
        else:
            game.drop(peer.choose(game))
    points = (
        0.5 if game.outcome.winner is None else float((game.outcome.winner is Side.FIRST) == pairing.engine_is_first)
    )
    return {**asdict(pairing), "points": points, "moves": game.moves, "slowest": round(slowest, 4)}


def pairings(board: str, peer: str, games: int, nodes: int) -> list[Pairing]:
    openings = balanced_openings(Variant.parse(board), (games + 1) // 2, seed=1)
    both = [Pairing(board, peer, opening, first, nodes) for opening in openings for first in (True, False)]
    return both[:games]


def key_of(facts: dict[str, object]) -> str:
    return json.dumps([facts[name] for name in ("board", "peer", "opening", "engine_is_first", "nodes")])


def load_results(results: Path | None) -> dict[str, dict[str, object]]:
    lines = results.read_text().splitlines() if results and results.exists() else []
    return {key_of(facts): facts for facts in map(json.loads, lines)}


def play_all(missing: list[Pairing], pool: ProcessPoolExecutor, ends: float) -> Iterator[dict[str, object]]:
    """Yields each game as soon as it ends. No game is started after the time `ends`."""
    for played in as_completed([pool.submit(play_until, pairing, ends) for pairing in missing]):
        facts = played.result()
        if facts is not None:
            yield facts


def append_result(results: Path, facts: dict[str, object]) -> None:
    with results.open("a") as file:
        file.write(json.dumps(facts) + "\n")


def play_until(pairing: Pairing, ends: float) -> dict[str, object] | None:
    return play(pairing) if time.time() < ends else None


def interleaved(lists: list[list[Pairing]]) -> list[Pairing]:
    return [one for one in chain.from_iterable(zip_longest(*lists)) if one is not None]


def wilson(points: float, games: int) -> tuple[float, float]:
    """The 95% confidence interval of a share."""
    share, z = points / games, 1.96
    middle = (share + z * z / (2 * games)) / (1 + z * z / games)
    half = z / (1 + z * z / games) * math.sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    return middle - half, middle + half


def report(board: str, peer: str, played: list[dict[str, object]]) -> str:
    points = [float(str(facts["points"])) for facts in played]
    low, high = wilson(sum(points), len(points))
    won, drawn, lost = (points.count(value) for value in (1.0, 0.5, 0.0))
    share = sum(points) / len(points)
    slowest = max(float(str(facts["slowest"])) for facts in played)
    interval = f"{low:5.1%} to {high:6.1%}"
    return f"{board:>8}  {peer:>8}  {won:5} {drawn:6} {lost:5}  {share:6.1%}  {interval}  {slowest * 1000:6.0f} ms"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--games", type=int, default=10, help="for each board and peer; 400 is the full measurement")
    options.add_argument("--boards", default=",".join(BOARDS[:3]))
    options.add_argument("--peers", default=",".join(PEER_PLAYERS))
    options.add_argument("--results", type=Path, help="a file that keeps every game, to resume later")
    options.add_argument("--nodes", type=int, default=0, help="positions for each move, instead of 100 ms")
    options.add_argument("--jobs", type=int, default=1)
    options.add_argument("--minutes", type=float, default=math.inf, help="start no more games after so long")
    options.add_argument("--negamax-python", default=sys.executable, help="the Python that runs negamax, such as pypy3")
    chosen = options.parse_args()
    known, ends = load_results(chosen.results), time.time() + 60 * chosen.minutes
    peers = [peer for peer in chosen.peers.split(",") if is_installed(peer)]
    pairs = [(board, peer) for peer in peers for board in chosen.boards.split(",")]
    wanted = {pair: pairings(*pair, chosen.games, chosen.nodes) for pair in pairs}
    with ProcessPoolExecutor(chosen.jobs, initializer=run_negamax_with, initargs=(chosen.negamax_python,)) as pool:
        missing = [one for one in interleaved(list(wanted.values())) if key_of(asdict(one)) not in known]
        for facts in play_all(missing, pool, ends):
            known[key_of(facts)] = facts
            if chosen.results:
                append_result(chosen.results, facts)
    print(f"the engine at {chosen.nodes} nodes" if chosen.nodes else OWN_PLAYER, "from both sides of balanced openings")
    print(f"{'board':>8}  {'against':>8}  {'won':>5} {'drawn':>6} {'lost':>5}  points  95% interval     slowest")
    for (board, peer), all_of_them in wanted.items():
        keys = [key_of(asdict(pairing)) for pairing in all_of_them]
        if played := [known[key] for key in keys if key in known]:
            print(report(board, peer, played))


def run_negamax_with(python: str) -> None:
    KaggleNegamax.python = python


def is_installed(peer: str) -> bool:
    package = PEER_PLAYERS[peer].package
    if find_spec(package) is None:
        print(f"{peer}: {package} is not installed; see the top of this file.")
        return False
    return True


if __name__ == "__main__":
    main()
