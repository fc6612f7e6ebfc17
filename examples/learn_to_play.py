"""A small agent that learns Connect Four by playing: TD(lambda) in PyTorch on the vector environment.

    pip install 'connectk[gymnasium]' torch
    python examples/learn_to_play.py                 # learns for ten minutes on two cores, then plays 400 games each
    python examples/learn_to_play.py --minutes 2 --curve curve.svg

The network sees a board, the discs of the side to move first, and says what it expects at the end: 1 for a win of that
side, -1 for a loss. It chooses by trying every column with `Boards`: a game that ends there needs no guess. It plays
256 games at once against an opponent that is itself most of the time, and now and then `greedy` or `random`. When a
game ends, every position in it learns from what came after: mostly the end itself, and a part what the network thought
on the way. Each position is learned as it is or in the mirror. In earnest it looks two discs ahead.
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
from connectk.envs.plot import draw_curve
from connectk.players import Clock, load_player
from connectk.rules import Position, Side

GAMES, BATCH, REMEMBERED = 256, 512, 60_000
LAMBDA, EXPLORE_FIRST, EXPLORE_LAST = 0.7, 0.3, 0.08
MEASURED_EVERY = 1 / 8  # of the whole time


class Network(nn.Module):
    """Looks along every line of four, across, upright and in squares for the slanting ones, and thinks about those."""

    def __init__(self) -> None:
        super().__init__()
        self.across, self.upright = nn.Conv2d(2, 24, (1, 4)), nn.Conv2d(2, 24, (4, 1))
        self.slanting = nn.Conv2d(2, 48, 4)
        lines = 24 * 6 * 4 + 24 * 3 * 7 + 48 * 3 * 4
        self.thinking = nn.Sequential(nn.Linear(lines + 2 * 6 * 7, 128), nn.ReLU(), nn.Linear(128, 32), nn.ReLU())
        self.saying = nn.Sequential(nn.Linear(32, 1), nn.Tanh())

    def forward(self, planes: torch.Tensor) -> torch.Tensor:
        lines = [torch.relu(look(planes)).flatten(1) for look in (self.across, self.upright, self.slanting)]
        return self.saying(self.thinking(torch.cat([*lines, planes.flatten(1)], dim=1)))[:, 0]


@torch.no_grad()
def values(network: nn.Module, boards: Boards) -> np.ndarray:
    """What each board is worth to the side to move."""
    return network(torch.from_numpy(boards.planes(dtype="float32"))).numpy()


def columns_worth(network: nn.Module, boards: Boards, discs: int = 1) -> np.ndarray:
    """What each column is worth, so many discs ahead; far below a loss where no disc fits."""
    legal = boards.legal
    games, columns = np.nonzero(legal)
    after = boards.select(games)
    after.drop(columns)
    worth = np.where(after.outcome == boards.side_to_move[games], 1.0, 0.0)
    goes_on = np.flatnonzero(after.outcome == OPEN)
    if len(goes_on):
        left = after.select(goes_on)
        worth[goes_on] = -(columns_worth(network, left, discs - 1).max(axis=1) if discs > 1 else values(network, left))
    table = np.full(legal.shape, -9.0)
    table[games, columns] = worth
    return table


class Opponent:
    """Itself for most discs, and now and then another, so that it meets more than its own habits."""

    def __init__(self, network: nn.Module) -> None:
        self.network, self.greedy = network, opponent_named("greedy")

    def __call__(self, boards: Boards, seed: int) -> np.ndarray:
        mood = np.random.default_rng(seed).random(len(boards))
        columns = boards.random_columns(seed)
        itself, greedy = np.flatnonzero(mood > 0.45), np.flatnonzero(mood < 0.25)
        if len(itself):
            columns[itself] = columns_worth(self.network, boards.select(itself)).argmax(axis=1)
        if len(greedy):
            columns[greedy] = self.greedy(boards.select(greedy), seed)
        return columns


class Memory:
    """What was seen and what came of it; the oldest is forgotten."""

    def __init__(self) -> None:
        self.planes = np.zeros((REMEMBERED, 2, 6, 7), np.uint8)
        self.targets = np.zeros(REMEMBERED, np.float32)
        self.count = 0

    def keep(self, planes: np.ndarray, target: float) -> None:
        place = self.count % REMEMBERED
        self.planes[place], self.targets[place] = planes, target
        self.count += 1

    def draw(self, lots: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
        """Some of it, half of them in the mirror."""
        chosen = lots.integers(min(self.count, REMEMBERED), size=BATCH)
        planes, mirrored = self.planes[chosen], lots.random(BATCH) < 0.5
        planes[mirrored] = planes[mirrored][..., ::-1]
        return torch.from_numpy(planes).float(), torch.from_numpy(self.targets[chosen])


class Learner:
    """Plays, remembers and learns."""

    def __init__(self, seed: int) -> None:
        torch.manual_seed(seed)
        self.lots = np.random.default_rng(seed)
        self.network = Network()
        self.optimizer = torch.optim.Adam(self.network.parameters())
        self.memory, self.games = Memory(), 0
        self.env = ConnectKVectorEnv(GAMES, opponent=Opponent(self.network))
        self.seen, _ = self.env.reset(seed=seed)
        self.stories: list[list[tuple[np.ndarray, float, bool]]] = [[] for _ in range(GAMES)]  # of the games under way

    def step(self, explore: float, rate: float) -> None:
        """One disc in every game, and one lesson."""
        worth = columns_worth(self.network, self.env.boards)
        anywhere = self.env.boards.random_columns(int(self.lots.integers(1 << 62)))
        tries = self.lots.random(GAMES) < explore
        columns = np.where(tries, anywhere, worth.argmax(axis=1))
        for game, story in enumerate(self.stories):
            story.append((self.seen[game], float(worth[game].max()), bool(tries[game])))
        self.seen, rewards, over, _, _ = self.env.step(columns)
        for game in np.flatnonzero(over):
            self._remember(self.stories[game], float(rewards[game]))
            self.stories[game] = []
            self.games += 1
        if self.memory.count > 4 * BATCH:
            self._learn(rate)

    def _remember(self, story: list[tuple[np.ndarray, float, bool]], end: float) -> None:
        """A position is worth what came after it, and in part what was thought of it; after a try, only that."""
        target = end
        for planes, thought, tried in reversed(story):
            target = thought if tried else LAMBDA * target + (1 - LAMBDA) * thought
            self.memory.keep(planes, target)

    def _learn(self, rate: float) -> None:
        planes, targets = self.memory.draw(self.lots)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        loss = nn.functional.mse_loss(self.network(planes), targets)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()

    def choose(self, position: Position) -> int:
        return int(columns_worth(self.network, Boards.from_positions([position]), discs=2).argmax())


def train(minutes: float, cores: int, seed: int) -> tuple[Learner, list[tuple[float, Measurement]]]:
    """Learn for so much processor time: minutes on each core, however busy the machine is with other things."""
    learner, curve, began = Learner(seed), [], time.process_time()
    budget, done = minutes * 60 * cores, 0.0
    curve.append((0.0, measure(learner.choose, name="learner")))
    report(curve[0], learner.games)
    while done < 1:
        explore = EXPLORE_LAST + (EXPLORE_FIRST - EXPLORE_LAST) * max(0.0, 1 - 3 * done)
        learner.step(explore, rate=2e-3 * (1.05 - done))
        done = (time.process_time() - began) / budget
        if done >= len(curve) * MEASURED_EVERY:
            curve.append((done * minutes, measure(learner.choose, name="learner")))
            report(curve[-1], learner.games)
    return learner, curve


def report(point: tuple[float, Measurement], games: int) -> None:
    minutes, found = point[0], point[1].all
    shares = f"perfect {found.perfect.value:.1%}, good {found.good.value:.1%}"
    print(f"{minutes:5.1f} min  {games:7,} games  {shares}", flush=True)


def play(learner: Learner, other: str, games: int, seed: int) -> float:
    """Points a game, half for a draw; each opening, of up to six random discs, is played from both sides."""
    opponent, lots, points = load_player(other, seed), random.Random(seed), 0.0
    for number in range(games):
        if number % 2 == 0:
            opening = random_opening(lots)
        position, side = opening, Side(number % 2)
        while position.outcome is None:
            mine = position.side_to_move is side
            position = position.drop(learner.choose(position) if mine else opponent.choose(position, Clock()).column)
        winner = position.outcome.winner
        points += 0.5 if winner is None else float(winner is side)
    return points / games


def random_opening(lots: random.Random) -> Position:
    position, discs = Position.start(), lots.randrange(7)
    while position.outcome is None and position.ply < discs:
        position = position.drop(lots.choice(position.legal_columns))
    return position if position.outcome is None else random_opening(lots)


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
