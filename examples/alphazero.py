"""Learns Connect Four only from its own games, as AlphaZero does, with Gumbel noise at the root of the search.

    pip install 'connectk[arrays]' torch
    python examples/alphazero.py --minutes 10 --save ten.pt          # after a stop it resumes from the file
    python examples/alphazero.py --minutes 60 --save hour.pt --curve curve.svg
    python examples/alphazero.py --play hour.pt ten.pt --games 200   # two networks against each other

The program plays 256 games at once. For each move the core searches all games, and the network evaluates up to 256
leaves at a time. The network learns its policy from the improved policy of the search, and its values from the results
of the games. Half of the positions are mirrored. From time to time the program measures, like `connectk measure`, how
far its choices are from perfect.
"""

from __future__ import annotations

import argparse
import random
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from connectk.arrays import DRAW, OPEN, Boards
from connectk.envs import Measurement, measure
from connectk.envs.measurement_plot import draw_curve
from connectk.envs.network_search import NetworkPlayer, network_search
from connectk.players import Clock, Player
from connectk.rules import Position, Side

GAME_COUNT, BATCH_SIZE, REPLAY_SIZE = 256, 256, 200_000
SIMULATIONS, CONSIDERED_COLUMNS = 32, 7  # of each move in its own games
MATCH_SIMULATIONS = 64  # of each move in measurements and matches
SAMPLED_PLIES = 8  # the first moves are chosen at random by the policy, so that games differ
TRAINING_STEPS_PER_MOVE = 2  # for one move in all games
MEASURE_INTERVAL_SHARE = 1 / 8  # of the whole time
SAVE_INTERVAL_SECONDS = 60


class Network(nn.Module):
    """A network that computes, from two planes, the expected result and a logit for each column."""

    def __init__(self, channels: int = 32, blocks: int = 3) -> None:
        super().__init__()
        self.first = nn.Conv2d(2, channels, 4, padding=2)  # a line of four is seen at once
        self.blocks = nn.ModuleList(nn.Conv2d(channels, channels, 3, padding=1) for _ in range(blocks))
        self.policy, self.value = nn.Linear(channels * 7 * 8, 7), nn.Linear(channels * 7 * 8, 64)
        self.result = nn.Linear(64, 1)

    def forward(self, planes: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        seen = torch.relu(self.first(planes))
        for block in self.blocks:
            seen = torch.relu(seen + block(seen))
        flat = seen.flatten(1)
        return torch.tanh(self.result(torch.relu(self.value(flat))))[:, 0], self.policy(flat)

    @torch.no_grad()
    def evaluate(self, planes: np.ndarray, masks: np.ndarray) -> tuple[torch.Tensor, torch.Tensor]:
        return self(torch.from_numpy(planes))


class Replay:
    """The latest positions with their policies and results. New positions overwrite the oldest ones."""

    def __init__(self) -> None:
        self.planes = np.zeros((REPLAY_SIZE, 2, 6, 7), np.uint8)
        self.policies = np.zeros((REPLAY_SIZE, 7), np.float32)
        self.results = np.zeros(REPLAY_SIZE, np.float32)
        self.count = 0

    def add(self, planes: np.ndarray, policies: np.ndarray, results: np.ndarray) -> None:
        places = np.arange(self.count, self.count + len(results)) % REPLAY_SIZE
        self.planes[places], self.policies[places], self.results[places] = planes, policies, results
        self.count += len(results)

    def draw(self, rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        chosen = rng.integers(min(self.count, REPLAY_SIZE), size=BATCH_SIZE)
        planes, policies = self.planes[chosen], self.policies[chosen]
        mirrored = rng.random(BATCH_SIZE) < 0.5
        planes[mirrored], policies[mirrored] = planes[mirrored][..., ::-1], policies[mirrored][:, ::-1]
        return torch.from_numpy(planes).float(), torch.from_numpy(policies), torch.from_numpy(self.results[chosen])


@dataclass
class Learner:
    """The network, its optimizer and its games: everything that a checkpoint saves and restores."""

    seed: int
    network: Network = field(default_factory=Network)
    replay: Replay = field(default_factory=Replay)
    boards: Boards = field(default_factory=lambda: Boards(count=GAME_COUNT))
    histories: list[list[tuple[Any, Any]]] = field(default_factory=lambda: [[] for _ in range(GAME_COUNT)])
    seconds: float = 0.0  # of processor time
    games: int = 0
    curve: list[tuple[float, Measurement]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=1e-3, weight_decay=1e-4)

    def step(self) -> None:
        """Play one move in every game, then make some training steps."""
        self._play()
        if self.replay.count >= 8 * BATCH_SIZE:
            for _ in range(TRAINING_STEPS_PER_MOVE):
                self._learn()

    def _play(self) -> None:
        seed = int(self.rng.integers(1 << 62))
        found = network_search(
            self.boards, self.network.evaluate, simulations=SIMULATIONS, considered=CONSIDERED_COLUMNS, seed=seed
        )
        planes, free = self.boards.planes(), self.boards.ply < SAMPLED_PLIES
        for game, history in enumerate(self.histories):
            history.append((planes[game], found.policies[game]))
        drawn = (found.policies.cumsum(axis=1) < self.rng.random((GAME_COUNT, 1))).sum(axis=1).clip(max=6)
        legal = self.boards.legal[np.arange(GAME_COUNT), drawn]
        outcome = self.boards.step(np.where(free & legal, drawn, found.columns), restart=True).outcome
        for game in np.flatnonzero(outcome != OPEN):
            self._store(game, int(outcome[game]))

    def _store(self, game: int, outcome: int) -> None:
        planes, policies = (np.array(part) for part in zip(*self.histories[game], strict=True))
        movers = np.arange(len(planes)) % 2
        results = np.where(outcome == DRAW, 0.0, np.where(movers == outcome, 1.0, -1.0))
        self.replay.add(planes, policies, results)
        self.histories[game] = []
        self.games += 1

    def _learn(self) -> None:
        planes, policies, results = self.replay.draw(self.rng)
        values, logits = self.network(planes)
        policy_loss = -(policies * torch.log_softmax(logits, dim=1)).sum(dim=1).mean()
        loss = policy_loss + nn.functional.mse_loss(values, results)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def save(self, path: Path) -> None:
        """Write a new file, then replace the old one with it."""
        draft = path.with_name(f".{path.name}.draft")
        torch.save({"learner": self, "network": self.network.state_dict()}, draft)
        draft.replace(path)


def player(network: Network, name: str = "network", seed: int = 1) -> NetworkPlayer:
    return NetworkPlayer(network.evaluate, MATCH_SIMULATIONS, CONSIDERED_COLUMNS, name=name, seed=seed)


def train(learner: Learner, budget: float, save: Path | None) -> None:
    """Learn until this much processor time is used, including the time before the checkpoint."""
    before, started, saved = learner.seconds, time.process_time(), time.monotonic()
    while learner.seconds < budget:
        if learner.seconds >= len(learner.curve) * MEASURE_INTERVAL_SHARE * budget:
            report(learner)
        learner.step()
        learner.seconds = before + time.process_time() - started
        if save and time.monotonic() - saved > SAVE_INTERVAL_SECONDS:
            learner.save(save)
            saved = time.monotonic()
    report(learner)
    if save:
        learner.save(save)


def report(learner: Learner) -> None:
    found = measure(player(learner.network), name="network")
    learner.curve.append((learner.seconds / 60, found))
    shares = f"perfect {found.all.perfect.value:.1%}, good {found.all.good.value:.1%}"
    print(f"{learner.seconds / 60:6.1f} min  {learner.games:8,} games  {shares}", flush=True)


def points(first: Player, second: Player, games: int, seed: int) -> float:
    """The points per game. Each opening of up to six random discs is played from both sides."""
    rng, total = random.Random(seed), 0.0
    for number in range(games):
        if number % 2 == 0:
            opening = random_opening(rng)
        position, side = opening, Side(number % 2)
        while position.outcome is None:
            mover = first if position.side_to_move is side else second
            position = position.drop(mover.choose(position, Clock()).column)
        winner = position.outcome.winner
        total += 0.5 if winner is None else float(winner is side)
    return total / games


def random_opening(rng: random.Random) -> Position:
    position = Position.start()
    for _ in range(rng.randrange(7)):
        position = position.drop(rng.choice(position.legal_columns))
    return position  # nobody wins with six discs


def load(path: Path) -> Learner:
    """The learner that a file contains. Load only your own files, because unpickling runs code."""
    found: Learner = torch.load(path, weights_only=False)["learner"]
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn Connect Four as AlphaZero does.")
    parser.add_argument("--minutes", type=float, default=10, help="of learning on each core, in all")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path, help="the checkpoint; learning goes on from it if it is there")
    parser.add_argument("--curve", type=Path, help="a picture of how far from perfect it was all the while, SVG")
    parser.add_argument("--play", type=Path, nargs=2, metavar="FILE", help="two checkpoints against each other")
    parser.add_argument("--games", type=int, default=200, help="of --play")
    options = parser.parse_args()
    torch.set_num_threads(options.cores)
    torch.manual_seed(options.seed)
    if options.play:
        one, other = (player(load(path).network, str(path)) for path in options.play)
        share = points(one, other, options.games, options.seed)
        print(f"{one.name} made {share:.1%} of the points in {options.games} games against {other.name}")
        return
    goes_on = options.save is not None and options.save.exists()
    learner = load(options.save) if goes_on else Learner(options.seed)
    train(learner, options.minutes * 60 * options.cores, options.save)
    if options.curve:
        options.curve.write_text(draw_curve(learner.curve, "Learning as AlphaZero does", "minutes"), encoding="utf-8")


if __name__ == "__main__":
    main()
