"""Solves one position with the workers of a pool. The first plies are a tree in this process; its leaves are tasks.

A task asks whether the score of a leaf reaches a target, and searches a limited number of nodes. If that is not enough,
the leaf is split into the positions after each drop. The next task is the leaf that seems to need the least work to
answer the question about the root (proof numbers, by Victor Allis). Positions that are reached in several ways, and
their mirror images, are one node.

Workers keep their tables between tasks. What took a worker much work goes to the others with their next tasks. All that
a task returns are bounds of scores, which are true whatever happens to other tasks, so a lost task costs only time.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from math import inf
from typing import NamedTuple

from connectk import _native
from connectk.cluster import Pool, Task
from connectk.errors import PoisonTask, PoolLost
from connectk.rules import Position, Variant
from connectk.solver.bitboards import bitboards_of
from connectk.solver.checkpoint import (
    SAVED_POSITION_BYTES,
    Bits,
    Checkpoint,
    KnownBounds,
    SavedSearch,
    saved_position_limit,
)
from connectk.solver.long_search import SearchClock, SearchStatus, StatusCallback, column_bounds, joined_bounds
from connectk.solver.solution import Found, Goal, win_score
from connectk.solver.solver import Solver, table_bytes
from connectk.watch import Stop, Watch

FIRST_TASK_NODES = 200_000
MIN_TASK_NODES, MAX_TASK_NODES = 50_000, 1 << 30
TASK_SECONDS = 3.0  # the target duration of a task that finds no answer
LEAVES_PER_WORKER = 8  # at the beginning, so that all workers have work
KNOWN_POSITIONS_MB = 64  # the table in this process, which collects what the workers have found
MAX_RETURNED_POSITIONS = 1 << 13  # by a task: those that took the most work
SHARED_POSITIONS = 1 << 14  # of those that others have found lately, sent with a task


class Leaf(NamedTuple):
    """A task: is the score of this board at least `target`?"""

    variant: Variant
    own: int
    everyone: int
    target: int
    max_nodes: int


class LeafAnswer(NamedTuple):
    """The result of a task: bounds of the score, equal to those known before if the nodes were not enough. `positions`
    are what the worker has found with much work and has not returned before."""

    lower: int
    upper: int
    nodes: int
    seconds: float
    positions: bytes


class Node:
    """A position of the tree, with bounds of its score for the side to move. `children` is None for a leaf."""

    __slots__ = ("children", "is_waiting", "lower", "position", "upper")

    def __init__(self, position: Position, lower: int, upper: int) -> None:
        self.position, self.lower, self.upper = position, lower, upper
        self.children: list[Node] | None = None
        self.is_waiting = False  # whether a task is under way


class ProofNumbers(NamedTuple):
    """How many leaves at least must be answered to prove that a node reaches its target, and to disprove it, and
    whether some leaf below has no task yet."""

    proof: float
    disproof: float
    has_task: bool


class SplitSearch:
    """A search of one position by the workers of a pool. With a checkpoint it continues where another run ended."""

    def __init__(
        self,
        position: Position,
        pool: Pool,
        *,
        goal: Goal = "score",
        table_mb: float | None = None,
        checkpoint: Checkpoint | None = None,
        progress: StatusCallback | None = None,
    ) -> None:
        self.position = position
        self._pool, self._goal, self._table_mb = pool, goal, table_mb
        self._checkpoint, self._progress = checkpoint, progress
        self._known = Solver(position.variant, table_mb=KNOWN_POSITIONS_MB, book=False)
        saved = checkpoint.load() if checkpoint else SavedSearch()
        self._known.load_positions(saved.positions)
        self._recent: deque[bytes] = deque([saved.positions[: SHARED_POSITIONS * SAVED_POSITION_BYTES]])
        self._saved_nodes = saved.split
        self._nodes: dict[Bits, Node] = {}
        self._clock = SearchClock(saved.nodes, saved.seconds)
        self._searched = self._tasks = 0  # nodes and tasks of this run
        self._task_nodes = FIRST_TASK_NODES
        self._proof: dict[int, ProofNumbers] = {}
        self._root = self._node_of(position)

    def solve(self, stop: Stop | None = None) -> Found:
        """The score or the result of the position; if the search is stopped, its bounds."""
        started = time.monotonic()
        watch = Watch(stop)
        try:
            while (target := self._next_target()) is not None and not watch.should_stop():
                self._answer(target, watch)
        finally:
            if self._checkpoint is not None:
                self._checkpoint.save(self._found_so_far())
        found = Found(self._root.lower, self._root.upper, self._searched, "search", time.monotonic() - started)
        if self._goal == "result":
            return found._replace(lower=sign(found.lower), upper=sign(found.upper), goal="result")
        return found

    def status(self) -> SearchStatus:
        """What is known now."""
        columns = column_bounds(self.position, self._known)
        for column in self.position.legal_columns:
            node = self._nodes.get(key_of(self.position.drop(column)))
            known = columns[column]
            if node is not None and known is not None:
                tighter = max(known[0], -node.upper), min(known[1], -node.lower)
                columns = (*columns[:column], tighter, *columns[column + 1 :])
        lower, upper = joined_bounds((self._root.lower, self._root.upper), columns)
        saved, error = None, None
        if self._checkpoint is not None:
            saved, error = self._checkpoint.seconds_since_save, self._checkpoint.error
        clock, table = self._clock, self._known
        return SearchStatus(
            lower,
            upper,
            columns,
            clock.nodes,
            clock.nodes_per_second,
            clock.seconds,
            table.table_fill,
            table.table_bytes,
            saved,
            error,
            self._tasks,
        )

    def _next_target(self) -> int | None:
        """The next question about the root: first who wins, then outwards from a draw. None once all is answered."""
        lower, upper = self._root.lower, self._root.upper
        if self._goal == "result":
            lower, upper = max(lower, -1), min(upper, 1)
        if lower >= upper:
            return None
        if lower < 0 <= upper:
            return 0
        return lower + 1 if lower >= 0 else upper

    def _answer(self, target: int, watch: Watch) -> None:
        """Run tasks until it is known whether the root's score is at least `target`."""
        self._prove(target)
        while not self._is_answered(target) and self._leaf_count() < LEAVES_PER_WORKER * self._pool.workers:
            if not self._split_all():
                break
            self._prove(target)
        try:
            for task, answer in self._pool.run(self._tasks_for(target), watch):
                node, its_target = task.note
                self._take(node, its_target, answer)
                self._prove(target)
                if self._is_answered(target):
                    break
        except (PoolLost, PoisonTask) as error:
            place = str(self._checkpoint.path) if self._checkpoint else ""
            raise PoolLost(getattr(error, "address", ""), place, is_kept=bool(place)) from error
        for node in self._nodes.values():
            node.is_waiting = False  # tasks that still run are abandoned

    def _take(self, node: Node, target: int, answer: LeafAnswer) -> None:
        """Use the result of a task."""
        node.is_waiting = False
        node.lower, node.upper = max(node.lower, answer.lower), min(node.upper, answer.upper)
        self._searched, self._tasks = self._searched + answer.nodes, self._tasks + 1
        self._clock.update(self._searched)
        self._known.load_positions(answer.positions)
        self._recent.append(answer.positions)
        while len(self._recent) > 1 and sum(map(len, self._recent)) > SHARED_POSITIONS * SAVED_POSITION_BYTES:
            self._recent.popleft()
        if answer.lower < target <= answer.upper:  # the nodes were not enough
            if node.children is None:
                self._split(node)
            fitting = round(answer.nodes / max(answer.seconds, 1e-3) * TASK_SECONDS)
            self._task_nodes = max(MIN_TASK_NODES, min(fitting, 2 * self._task_nodes, MAX_TASK_NODES))
        if self._checkpoint is not None:
            self._checkpoint.save_if_due(self._found_so_far)
        if self._progress is not None:
            self._progress(self.status())

    def _found_so_far(self) -> SavedSearch:
        split = {bits: KnownBounds(n.lower, n.upper, n.children is not None) for bits, n in self._nodes.items()}
        positions = self._known.save_positions(saved_position_limit(self._known.table_bytes))
        return SavedSearch(self._clock.nodes, self._clock.seconds, split, positions)

    def _tasks_for(self, target: int) -> Iterator[Task | None]:
        while not self._is_answered(target):
            node, its_target = self._best_leaf(target)
            if node is None:
                yield None
                continue
            node.is_waiting = True
            own, everyone = bitboards_of(node.position)
            leaf = Leaf(node.position.variant, own, everyone, its_target, self._task_nodes)
            self._prove(target)
            yield Task(answer_leaf, (leaf, self._table_mb, b"".join(self._recent)), (node, its_target))

    def _is_answered(self, target: int) -> bool:
        return self._root.lower >= target or self._root.upper < target

    def _leaf_count(self) -> int:
        return sum(node.children is None and node.lower < node.upper for node in self._nodes.values())

    def _best_leaf(self, target: int) -> tuple[Node | None, int]:
        """The leaf without a task that seems to need the least work, and the target for it."""
        node = self._root
        if not self._proof[id(node)].has_task:
            return None, target
        while node.children is not None:
            target = 1 - target
            open_children = [child for child in node.children if self._proof[id(child)].has_task]
            node = min(open_children, key=lambda child: self._proof[id(child)].disproof)
        return node, target

    def _prove(self, target: int) -> None:
        """Update the bounds of all nodes from their children, and the proof numbers for a question about the root."""
        self._proof = {}
        self._prove_node(self._root, target)

    def _prove_node(self, node: Node, target: int) -> ProofNumbers:
        known = self._proof.get(id(node))
        if known is None:
            known = self._proof[id(node)] = self._proof_numbers(node, target)
        return known

    def _proof_numbers(self, node: Node, target: int) -> ProofNumbers:
        children = node.children
        if children is not None and node.lower < target <= node.upper:
            below = [self._prove_node(child, 1 - target) for child in children]
            node.lower = max(node.lower, max(-child.upper for child in children))
            node.upper = min(node.upper, max(-child.lower for child in children))
        if node.lower >= target:
            return ProofNumbers(0, inf, False)
        if node.upper < target:
            return ProofNumbers(inf, 0, False)
        if children is None:
            return ProofNumbers(1, 1, not node.is_waiting)
        proof, disproof = min(numbers.disproof for numbers in below), sum(numbers.proof for numbers in below)
        return ProofNumbers(proof, disproof, any(numbers.has_task for numbers in below))

    def _split_all(self) -> bool:
        """Split every open leaf. Returns False if there is none."""
        leaves = [node for node in self._nodes.values() if node.children is None and node.lower < node.upper]
        for node in leaves:
            self._split(node)
        return bool(leaves)

    def _split(self, node: Node) -> None:
        """Make the positions after each drop the children of a leaf, the middle columns first."""
        middle = (node.position.variant.width - 1) / 2
        columns = sorted(node.position.legal_columns, key=lambda column: abs(column - middle))
        children = {id(child): child for child in (self._node_of(node.position.drop(column)) for column in columns)}
        node.children = list(children.values())

    def _node_of(self, position: Position) -> Node:
        key = key_of(position)
        node = self._nodes.get(key)
        if node is None:
            lower, upper = self._known.recorded_bounds(position)
            highest = win_score(position.variant, position.ply + 1)
            node = Node(position, max(lower, -highest), min(upper, highest))
            self._nodes[key] = node
            saved = self._saved_nodes.get(key)
            if saved is not None:
                node.lower, node.upper = max(node.lower, saved.lower), min(node.upper, saved.upper)
                if saved.is_split:
                    self._split(node)
        return node


def key_of(position: Position) -> Bits:
    """The same for a position and its mirror image."""
    return min(bitboards_of(position), bitboards_of(position.mirrored()))


def sign(score: int) -> int:
    return (score > 0) - (score < 0)


_worker = threading.local()  # each thread of a worker has a solver


def answer_leaf(leaf: Leaf, table_mb: float | None, positions: bytes) -> LeafAnswer:
    """Runs in a worker: searches for the answer to a task. The table is kept for the next task on the same board."""
    key = leaf.variant, table_mb
    if getattr(_worker, "key", None) != key:
        shape = leaf.variant.width, leaf.variant.height, leaf.variant.run
        _worker.key, _worker.returned = key, set()
        _worker.core = _native.Solver(*shape, table_bytes(table_mb))
    core: _native.Solver = _worker.core
    core.load_positions(positions)
    found = core.solve_window(leaf.own, leaf.everyone, leaf.target - 1, leaf.target, max_nodes=leaf.max_nodes)
    return LeafAnswer(found.lower, found.upper, found.nodes, found.seconds, _new_positions(core))


def _new_positions(core: _native.Solver) -> bytes:
    """The saved positions that this worker has not returned yet."""
    saved, size = core.save_positions(MAX_RETURNED_POSITIONS), SAVED_POSITION_BYTES
    found = [saved[i : i + size] for i in range(0, len(saved), size)]
    returned, _worker.returned = _worker.returned, set(found)
    return b"".join(one for one in found if one not in returned)
