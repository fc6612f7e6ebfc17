"""The linear algebra for ratings, in plain Python because NumPy is an optional extra."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from operator import mul

Matrix = list[list[float]]


def cholesky(matrix: Matrix) -> Matrix:
    """The lower triangle L of a symmetric, positive definite matrix L Lᵀ. Its rows end at the diagonal."""
    lower: Matrix = []
    for line in matrix:
        row: list[float] = []
        for value, above in zip(line, lower, strict=False):
            row.append((value - _dot(row, above)) / above[-1])
        row.append(math.sqrt(line[len(row)] - _dot(row, row)))
        lower.append(row)
    return lower


def solve_from(lower: Matrix, values: Sequence[float]) -> list[float]:
    """Solve the equations of the matrix L Lᵀ."""
    found: list[float] = []
    for row, value in zip(lower, values, strict=True):
        found.append((value - _dot(row, found)) / row[-1])
    for place in reversed(range(len(found))):
        row = lower[place]
        found[place] /= row[-1]
        for i in range(place):
            found[i] -= row[i] * found[place]
    return found


def inverse_from(lower: Matrix) -> Matrix:
    """The inverse of the matrix L Lᵀ. Only the rows up to the diagonal are computed, because the matrix is
    symmetric."""
    size = len(lower)
    columns = _columns_of_inverse(lower)
    found = [[0.0] * size for _ in range(size)]
    for i, column in enumerate(columns):
        for j, other in enumerate(columns[: i + 1]):
            found[i][j] = found[j][i] = _dot(column, other[i - j :])
    return found


def _columns_of_inverse(lower: Matrix) -> Matrix:
    """The columns of the inverse of L, each from its diagonal downwards."""
    columns: Matrix = []
    for i in range(len(lower)):
        column: list[float] = []
        for row in lower[i:]:
            own = (1.0 if not column else 0.0) - _dot(row[i:], column)
            column.append(own / row[-1])
        columns.append(column)
    return columns


def _dot(one: Sequence[float], other: Sequence[float]) -> float:
    """The sum of the products of two vectors. The longer vector is cut to the length of the other."""
    products: Iterable[float] = map(mul, one, other)
    return sum(products)
