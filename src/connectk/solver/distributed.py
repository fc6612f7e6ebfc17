"""Solves many positions with the workers of a pool. The solver here has the same method `answers` as `SolverPool`."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from connectk.cluster import Pool, Task
from connectk.cluster.job import ChunkSizer, timed
from connectk.solver.batch_solver import CoreBoard, SolverPool
from connectk.solver.solution import Found, Goal
from connectk.watch import Watch

FIRST_TASK_QUESTIONS = 16  # the number of questions in the first task


class DistributedSolver:
    """Sends questions to workers in tasks of some seconds. If questions arrive slowly, it sends smaller tasks without
    waiting for more questions."""

    def __init__(self, pool: Pool, goal: Goal, table_mb: float | None = None, book: bool = True) -> None:
        self._pool, self._goal, self._table_mb, self._book = pool, goal, table_mb, book
        self._sizes = ChunkSizer()

    def answers(self, questions: Iterator[CoreBoard | None], watch: Watch, total: int | None = None) -> Iterator[Found]:
        """Yields one answer for each question, in order. A None in `questions` means that the next question is not
        ready yet; it gets no answer."""
        early: dict[int, list[Found]] = {}
        due = done = nodes = 0
        for task, (answers, seconds) in self._pool.run(self._tasks(questions), watch):
            self._sizes.learn("positions", len(answers), seconds)
            early[task.note] = answers
            while due in early:
                yield from (ready := early.pop(due))
                due, done, nodes = due + 1, done + len(ready), nodes + sum(found.nodes for found in ready)
            watch.report(done, total, nodes)

    def _tasks(self, questions: Iterator[CoreBoard | None]) -> Iterator[Task | None]:
        number, some = 0, list[CoreBoard]()
        for question in questions:
            if question is not None:
                some.append(question)
            enough = self._sizes.units("positions", FIRST_TASK_QUESTIONS, inf, 1)
            if len(some) >= enough or (some and question is None):
                yield self._task(some, number)
                number, some = number + 1, []
            elif question is None:
                yield None
        if some:
            yield self._task(some, number)

    def _task(self, some: list[CoreBoard], number: int) -> Task:
        return Task(timed, (answer_all, (some, self._goal, self._table_mb, self._book)), number)


def answer_all(some: list[CoreBoard], goal: Goal, table_mb: float | None, book: bool) -> list[Found]:
    """Runs in a worker: answers some questions. It uses only one thread, because there are many workers."""
    return list(SolverPool(goal, 1, table_mb, book).answers(iter(some), Watch()))
