"""Alpha-beta returns the value of plain minimax, in any game, with far fewer nodes."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from connectk.players.minimax import WIN_VALUE, search
from connectk.watch import Report, Stop, StopFlag

Board = tuple[str, ...]
TIC_TAC_TOE_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class TicTacToe:
    def moves(self, board: str) -> Sequence[int]:
        return [cell for cell in (4, 0, 2, 6, 8, 1, 3, 5, 7) if board[cell] == "."]

    def play(self, board: str, cell: int) -> str:
        mark = "xo"[board.count("x") - board.count("o")]
        return board[:cell] + mark + board[cell + 1 :]

    def result(self, board: str) -> int | None:
        if any(board[a] != "." and board[a] == board[b] == board[c] for a, b, c in TIC_TAC_TOE_LINES):
            return -1
        return None if "." in board else 0


class Nim:
    """A player takes any number from one heap. The player who takes the last one wins."""

    def moves(self, heaps: tuple[int, ...]) -> Sequence[tuple[int, int]]:
        return [(heap, taken) for heap, size in enumerate(heaps) for taken in range(1, size + 1)]

    def play(self, heaps: tuple[int, ...], move: tuple[int, int]) -> tuple[int, ...]:
        heap, taken = move
        return (*heaps[:heap], heaps[heap] - taken, *heaps[heap + 1 :])

    def result(self, heaps: tuple[int, ...]) -> int | None:
        return None if any(heaps) else -1


class RandomTree:
    """A game with random values. A state is the path that leads to it."""

    def __init__(self, seed: int, branches: int, ends: float) -> None:
        self.seed, self.branches, self.ends = seed, branches, ends

    def moves(self, path: tuple[int, ...]) -> Sequence[int]:
        return range(self.branches)

    def play(self, path: tuple[int, ...], move: int) -> tuple[int, ...]:
        return (*path, move)

    def result(self, path: tuple[int, ...]) -> int | None:
        ends = path and self._number(1, path) % 1000 < 1000 * self.ends
        return self._number(2, path) % 3 - 1 if ends else None

    def evaluate(self, path: tuple[int, ...]) -> float:
        return self._number(3, path) % 41 - 20

    def _number(self, salt: int, path: tuple[int, ...]) -> int:
        """A number that looks random and depends only on the state, because Python hashes whole numbers alike in every
        run."""
        return hash((salt, self.seed, path, salt)) // 64


def plain_minimax(tree: RandomTree, path: tuple[int, ...], depth: int, played: int = 0) -> tuple[float, int]:
    """The value of a state and the number of visited nodes, when every node is visited."""
    result = tree.result(path)
    if result is not None:
        return result * (WIN_VALUE - played), 1
    if depth == 0:
        return tree.evaluate(path), 1
    below = [plain_minimax(tree, tree.play(path, move), depth - 1, played + 1) for move in tree.moves(path)]
    return max(-value for value, _ in below), 1 + sum(nodes for _, nodes in below)


@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5, 6])
def test_random_trees_have_the_value_of_plain_minimax(depth: int):
    """On random trees, alpha-beta returns the value of plain minimax at odd and even depths."""
    for seed in range(15):
        tree = RandomTree(seed, branches=3 + seed % 2, ends=0.1 * (seed % 3))
        assert search(tree, (), depth, tree.evaluate).value == plain_minimax(tree, (), depth)[0]


def test_random_trees_take_far_fewer_nodes():
    """At depth 6 with 4 branches, alpha-beta visits less than a third of the nodes."""
    trees = [RandomTree(seed, branches=4, ends=0.0) for seed in range(5)]
    pruned = sum(search(tree, (), 6, tree.evaluate).nodes for tree in trees)
    assert pruned < sum(plain_minimax(tree, (), 6)[1] for tree in trees) / 3


def test_the_line_leads_to_the_value():
    """The found line leads to a leaf with the value of the search."""
    for seed in range(20):
        tree = RandomTree(seed, branches=3, ends=0.1)
        found = search(tree, (), 5, tree.evaluate)
        sign = (-1) ** len(found.line)
        result = tree.result(found.line)
        leaf = tree.evaluate(found.line) if result is None else result * (WIN_VALUE - len(found.line))
        assert found.value == sign * leaf


def test_tic_tac_toe_is_a_draw():
    """A search of nine moves finds that tic-tac-toe is a draw."""
    found = search(TicTacToe(), ".........", depth=9)
    assert found.value == 0
    assert found.nodes < 60_000  # of 549,946


def test_tic_tac_toe_takes_the_win_before_the_block():
    """If the player to move can both win and block, it wins."""
    found = search(TicTacToe(), "xx.oo....", depth=5)
    assert found.line == (2,)
    assert found.distance == 1


def test_tic_tac_toe_holds_out_as_long_as_it_can():
    """A losing player chooses the later loss: o blocks one of two threats."""
    found = search(TicTacToe(), "x.x.o.x.o", depth=5)
    assert found.value < 0
    assert found.line[0] in (1, 3)
    assert found.distance == 2


@pytest.mark.parametrize("heaps", [(1, 2, 3), (1, 1, 2), (2, 2), (3, 4), (1, 3, 3), (2, 4, 1)])
def test_nim_is_won_when_the_heaps_do_not_balance(heaps: tuple[int, ...]):
    """Nim's theorem: the side to move wins unless the heaps' binary sum is zero."""
    balance = 0
    for heap in heaps:
        balance ^= heap
    assert (search(Nim(), heaps, depth=sum(heaps)).value > 0) == (balance != 0)


def test_an_infinite_evaluation_is_less_than_a_win():
    """A real win is worth more than any value of an evaluation."""
    found = search(Nim(), (1, 1), depth=1, evaluate=lambda heaps: float("inf"))
    assert found.distance is None


@pytest.mark.parametrize("kind", ["called", "event", "flag"])
@pytest.mark.parametrize("progress", [None, lambda report: None])
def test_a_stopped_search_answers_with_the_best_so_far(kind: str, progress):
    """A search that is stopped at once, by any kind of stop, still returns a legal move."""
    event, flag = threading.Event(), StopFlag()
    event.set()
    flag.set()
    stops: dict[str, Stop] = {"called": lambda: True, "event": event, "flag": flag}
    found = search(TicTacToe(), ".........", depth=9, stop=stops[kind], progress=progress)
    assert found.line == (4,)
    assert not found.complete


def test_a_stop_that_is_never_set_changes_nothing():
    assert search(TicTacToe(), ".........", 4, stop=threading.Event()) == search(TicTacToe(), ".........", 4)


def test_progress_reports_the_nodes(monkeypatch):
    monkeypatch.setattr("connectk.watch.PROGRESS_INTERVAL_SECONDS", 0.0)
    reports: list[Report] = []
    found = search(TicTacToe(), ".........", depth=4, progress=reports.append)
    assert found == search(TicTacToe(), ".........", depth=4)
    nodes = [report.nodes for report in reports]
    assert nodes == sorted(nodes)
    assert 1 == nodes[0] < nodes[-1] <= found.nodes
