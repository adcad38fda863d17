"""Mixtures for games in which both sides choose at once; an opponent who knows the method gains nothing."""

from collections.abc import Sequence
from typing import Final

from domain.kernel import Below

PIVOTS: Final = 2000
"""A limit above the number of steps that the simplex method takes on a round's matrix; a few dozen steps are usual."""
TINY: Final = 1e-9
"""Smaller numbers in the simplex method count as 0."""

Matrix = list[list[float]]


def mixture(matrix: Matrix) -> list[float]:
    """The row player's best mixture in a zero-sum matrix game: an opponent who knows the mixture wins no more than the
    game's value.

    Uses the simplex method on the column player's linear programme, whose dual is the mixture (Dantzig 1951). Bland's
    rule prevents cycles.
    """
    rows, columns = len(matrix), len(matrix[0])
    lift = 1.0 - min(map(min, matrix))
    table = [
        [*(cell + lift for cell in row), *(float(other == number) for other in range(rows)), 1.0]
        for number, row in enumerate(matrix)
    ]
    goal = [-1.0] * columns + [0.0] * (rows + 1)
    basis = list(range(columns, columns + rows))
    for _ in range(PIVOTS):
        entering = next((number for number, cell in enumerate(goal[:-1]) if cell < -TINY), None)
        if entering is None:
            break
        ratios = [
            (row[-1] / row[entering], basis[number], number) for number, row in enumerate(table) if row[entering] > TINY
        ]
        leaving = min(ratios)[2]
        _pivot(table, goal, leaving, entering)
        basis[leaving] = entering
    weights = [max(0.0, cell) for cell in goal[columns:-1]]
    return [weight / sum(weights) for weight in weights]


def turned(matrix: Matrix) -> Matrix:
    """The matrix as the column player sees it: this player's gain is the row player's loss."""
    return [[-cell for cell in column] for column in zip(*matrix, strict=True)]


def _pivot(table: Matrix, goal: list[float], leaving: int, entering: int) -> None:
    """Make one step of the simplex method: the variable of a column replaces that of a row."""
    by = table[leaving][entering]
    pivot = table[leaving] = [cell / by for cell in table[leaving]]
    for row in (*(row for number, row in enumerate(table) if number != leaving), goal):
        factor = row[entering]
        if factor:
            row[:] = [cell - factor * other for cell, other in zip(row, pivot, strict=True)]


def pick(weights: Sequence[float], below: Below) -> int:
    """A random index; each index has a chance in proportion to its weight."""
    at = below(1_000_000) / 1_000_000 * sum(weights)
    for number, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return number
    return max(range(len(weights)), key=lambda number: weights[number])
