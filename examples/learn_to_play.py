"""A small agent that learns Connect Four by playing: TD(lambda) in PyTorch on the vector environment.

    pip install 'connectk[gymnasium]' torch
    python examples/learn_to_play.py                 # learns for ten minutes on two cores, then plays 400 games each
    python examples/learn_to_play.py --minutes 2 --curve curve.svg

The network gets a board, with the discs of the side to move first, and estimates the result: 1 for a win of that side,
-1 for a loss. To choose a column, the agent tries every column with `Boards` and estimates the boards after it. If a
drop ends the game, no estimate is needed. The agent plays 256 games at once. Its opponent is usually the network
itself, and sometimes `greedy` or `random`. When a game ends, each of its positions gets a value: mostly from the
result, and partly from the network's estimates of later positions. Each position is learned as it is or mirrored. In
the final games the agent looks two discs ahead.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

from connectk.arrays import OPEN, Boards
from connectk.envs import Measurement, measure
from connectk.envs.gymnasium import ConnectKVectorEnv, opponent_named
from connectk.envs.measurement_plot import draw_curve
from connectk.players import Clock, load_player
from connectk.rules import Position, Side

GAME_COUNT, BATCH_SIZE, REPLAY_SIZE = 256, 512, 60_000
LAMBDA, FIRST_EXPLORATION, LAST_EXPLORATION = 0.7, 0.3, 0.08
MEASURE_INTERVAL_SHARE = 1 / 8  # of the whole time


class Network(nn.Module):
    """A network with convolutions along rows, along columns and, for diagonals, over squares."""

    def __init__(self) -> None:
        super().__init__()
        self.across, self.upright = nn.Conv2d(2, 24, (1, 4)), nn.Conv2d(2, 24, (4, 1))
        self.diagonal = nn.Conv2d(2, 48, 4)
        lines = 24 * 6 * 4 + 24 * 3 * 7 + 48 * 3 * 4
        self.hidden = nn.Sequential(nn.Linear(lines + 2 * 6 * 7, 128), nn.ReLU(), nn.Linear(128, 32), nn.ReLU())
        self.value = nn.Sequential(nn.Linear(32, 1), nn.Tanh())

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        lines = [torch.relu(look(planes)).flatten(1) for look in (self.across, self.upright, self.diagonal)]
        return self.value(self.hidden(torch.cat([*lines, planes.flatten(1)], dim=1)))[:, 0]


@torch.no_grad()
def values(network: nn.Module, boards: Boards) -> np.ndarray:
    """The worth of each board for the side to move."""
    return network(torch.from_numpy(boards.planes(dtype="float32"))).numpy()


def columns_worth(network: nn.Module, boards: Boards, discs: int = 1) -> np.ndarray:
    """The worth of each column, looking this number of discs ahead. A full column is worth much less than a loss."""
    legal = boards.legal
    games, columns = np.nonzero(legal)
    after = boards.select(games)
    after.drop(columns)
    worth = np.where(after.outcome == boards.side_to_move[games], 1.0, 0.0)
    is_open = np.flatnonzero(after.outcome == OPEN)
    if len(is_open):
        left = after.select(is_open)
        worth[is_open] = -(columns_worth(network, left, discs - 1).max(axis=1) if discs > 1 else values(network, left))
    table = np.full(legal.shape, -9.0)
    table[games, columns] = worth
    return table


class Opponent:
    """Plays mostly the network's moves, and sometimes the moves of other players, so that the training covers more
    positions."""

    def __init__(self, network: nn.Module) -> None:
        self.network, self.greedy = network, opponent_named("greedy")

    def __call__(self, boards: Boards, seed: int) -> np.ndarray:
        draws = np.random.default_rng(seed).random(len(boards))
        columns = boards.random_columns(seed)
        self_play, greedy = np.flatnonzero(draws > 0.45), np.flatnonzero(draws < 0.25)
        if len(self_play):
            columns[self_play] = columns_worth(self.network, boards.select(self_play)).argmax(axis=1)
        if len(greedy):
            columns[greedy] = self.greedy(boards.select(greedy), seed)
        return columns


class ReplayBuffer:
    """The latest positions and their values. New positions overwrite the oldest ones."""

    def __init__(self) -> None:
        self.planes = np.zeros((REPLAY_SIZE, 2, 6, 7), np.uint8)
        self.targets = np.zeros(REPLAY_SIZE, np.float32)
        self.count = 0

    def add(self, planes: np.ndarray, target: float) -> None:
        place = self.count % REPLAY_SIZE
        self.planes[place], self.targets[place] = planes, target
        self.count += 1

    def draw(self, rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
        """Draw random positions; half of them are mirrored."""
        chosen = rng.integers(min(self.count, REPLAY_SIZE), size=BATCH_SIZE)
        planes, mirrored = self.planes[chosen], rng.random(BATCH_SIZE) < 0.5
        planes[mirrored] = planes[mirrored][..., ::-1]
        return torch.from_numpy(planes).float(), torch.from_numpy(self.targets[chosen])


class Learner:
    """Plays games, stores their positions and trains the network."""

    def __init__(self, seed: int) -> None:
        torch.manual_seed(seed)
        self.rng = np.random.default_rng(seed)
        self.network = Network()
        self.optimizer = torch.optim.Adam(self.network.parameters())
        self.replay, self.games = ReplayBuffer(), 0
        self.env = ConnectKVectorEnv(GAME_COUNT, opponent=Opponent(self.network))
        self.current_planes, _ = self.env.reset(seed=seed)
        # The positions of the current games, each with the network's estimate and whether the move was random.
        self.histories: list[list[tuple[np.ndarray, float, bool]]] = [[] for _ in range(GAME_COUNT)]

    def step(self, explore: float, rate: float) -> None:
        """Play one disc in every game, then make one training step."""
        worth = columns_worth(self.network, self.env.boards)
        random_moves = self.env.boards.random_columns(int(self.rng.integers(1 << 62)))
        is_random = self.rng.random(GAME_COUNT) < explore
        columns = np.where(is_random, random_moves, worth.argmax(axis=1))
        for game, history in enumerate(self.histories):
            history.append((self.current_planes[game], float(worth[game].max()), bool(is_random[game])))
        self.current_planes, rewards, over, _, _ = self.env.step(columns)
        for game in np.flatnonzero(over):
            self._store(self.histories[game], float(rewards[game]))
            self.histories[game] = []
            self.games += 1
        if self.replay.count > 4 * BATCH_SIZE:
            self._learn(rate)

    def _store(self, history: list[tuple[np.ndarray, float, bool]], end: float) -> None:
        """Store each position with its value, a mixture of the later result and the network's estimates (TD(lambda)).

        At an exploratory move the mixture is cut off.
        """
        target = end
        for planes, estimate, explored in reversed(history):
            target = estimate if explored else LAMBDA * target + (1 - LAMBDA) * estimate
            self.replay.add(planes, target)

    def _learn(self, rate: float) -> None:
        planes, targets = self.replay.draw(self.rng)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        loss = nn.functional.mse_loss(self.network(planes), targets)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def choose(self, position: Position) -> int:
        return int(columns_worth(self.network, Boards.from_positions([position]), discs=2).argmax())


def train(minutes: float, cores: int, seed: int) -> tuple[Learner, list[tuple[float, Measurement]]]:
    """Learn until each core has used this processor time, so that other work on the machine does not change the
    training."""
    learner, curve, started = Learner(seed), [], time.process_time()
    budget, done = minutes * 60 * cores, 0.0
    curve.append((0.0, measure(learner.choose, name="learner")))
    report(curve[0], learner.games)
    while done < 1:
        explore = LAST_EXPLORATION + (FIRST_EXPLORATION - LAST_EXPLORATION) * max(0.0, 1 - 3 * done)
        learner.step(explore, rate=2e-3 * (1.05 - done))
        done = (time.process_time() - started) / budget
        if done >= len(curve) * MEASURE_INTERVAL_SHARE:
            curve.append((done * minutes, measure(learner.choose, name="learner")))
            report(curve[-1], learner.games)
    return learner, curve


def report(point: tuple[float, Measurement], games: int) -> None:
    minutes, found = point[0], point[1].all
    shares = f"perfect {found.perfect.value:.1%}, good {found.good.value:.1%}"
    print(f"{minutes:5.1f} min  {games:7,} games  {shares}", flush=True)


def play(learner: Learner, other: str, games: int, seed: int) -> float:
    """The points per game; a draw is half a point. Openings of up to six random discs are played from both sides."""
    opponent, rng, points = load_player(other, seed), random.Random(seed), 0.0
    for number in range(games):
        if number % 2 == 0:
            opening = random_opening(rng)
        position, side = opening, Side(number % 2)
        while position.outcome is None:
            mine = position.side_to_move is side
            position = position.drop(learner.choose(position) if mine else opponent.choose(position, Clock()).column)
        winner = position.outcome.winner
        points += 0.5 if winner is None else float(winner is side)
    return points / games


def random_opening(rng: random.Random) -> Position:
    position, discs = Position.start(), rng.randrange(7)
    while position.outcome is None and position.ply < discs:
        position = position.drop(rng.choice(position.legal_columns))
    return position if position.outcome is None else random_opening(rng)


def main() -> None:
    parser = argparse.ArgumentParser(description="Learn Connect Four by playing it.")
    parser.add_argument("--minutes", type=float, default=10, help="of learning, on each core")
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--games", type=int, default=400, help="against random and against greedy, at the end")
    parser.add_argument("--curve", type=Path, help="a picture of how far from perfect it was all the while, SVG")
    parser.add_argument("--save", type=Path, help="keep what was learned in this file")
    options = parser.parse_args()
    torch.set_num_threads(options.cores)
    learner, curve = train(options.minutes, options.cores, options.seed)
    if options.save:
        torch.save(learner.network.state_dict(), options.save)
    if options.curve:
        options.curve.write_text(draw_curve(curve, "Learning by playing", "minutes"), encoding="utf-8")
    for other in ("random", "greedy"):
        print(f"against {other}: {play(learner, other, options.games, options.seed):.1%} of {options.games} games")


if __name__ == "__main__":
    main()
