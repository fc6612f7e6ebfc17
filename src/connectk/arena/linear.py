"""The linear algebra for ratings, in plain Python because NumPy is an optional extra."""

from __future__ import annotations

from collections.abc import Sequence

Matrix = list[list[float]]


def zeros(size: int) -> Matrix:
    return [[0.0] * size for _ in range(size)]


def product(one: Matrix, other: Matrix) -> Matrix:
    columns = list(zip(*other, strict=True))
    return [[sum(a * b for a, b in zip(row, column, strict=True)) for column in columns] for row in one]


def solve_equations(matrix: Matrix, values: Sequence[float]) -> list[float]:
    """Solve linear equations by Gaussian elimination with partial pivoting."""
    size = len(matrix)
    rows = [[*row, value] for row, value in zip(matrix, values, strict=True)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        own = rows[i]
        for row in rows[i + 1 :]:
            if share := row[i] / own[i]:
                row[i:] = [value - share * mine for value, mine in zip(row[i:], own[i:], strict=True)]
    steps = [0.0] * size
    for i in reversed(range(size)):
        steps[i] = (rows[i][size] - sum(rows[i][j] * steps[j] for j in range(i + 1, size))) / rows[i][i]
    return steps


def inverse(matrix: Matrix) -> Matrix:
    """The inverse of a matrix, computed by Gauss-Jordan elimination with partial pivoting."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(rows[r][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [value / rows[i][i] for value in rows[i]]
        for r in range(size):
            if r != i and rows[r][i]:
                rows[r] = [value - rows[r][i] * own for value, own in zip(rows[r], rows[i], strict=True)]
    return [row[size:] for row in rows]
