"""Turning points and luck: where a side's chances changed most, and how the dice fell against expectation."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import sqrt
from typing import Final

from msgspec import Struct

from projections.dice_odds import Try
from server.analysis.simulation import Estimate

TURNS: Final = 5
"""The largest number of turning points that are named."""
CLEAR: Final = 3.0
"""A change counts if it exceeds this many standard errors: with 2, chance alone would produce one in two dozen."""


class Turning(Struct, frozen=True):
    """Between two lines a seat's share changed by `change`, whose standard error is `error`; of two seats, the first is
    named.

    `seat`: the seat of the change; of several, the one whose share changed most.
    """

    before: int
    line: int
    change: float
    error: float
    label: str
    seat: int = 0


class Luck(Struct, frozen=True):
    """Dice of a seat that needed certain faces: their number, how many succeeded, how many were expected to, and the
    spread.

    `spread`: the standard deviation of `successes`; in 95 matches of 100 the successes are within two spreads of the
    expected number.
    """

    seat: int
    dice: int
    successes: int
    expected: float
    spread: float

    @property
    def surplus(self) -> float:
        """The number of spreads by which the result exceeds the expected one; less than 0 if it falls short."""
        return (self.successes - self.expected) / self.spread if self.spread else 0.0


def turnings(points: Sequence[Estimate]) -> list[Turning]:
    """The greatest changes between neighbouring points that the samples prove, in descending order."""
    found = [_turning(one, other) for one, other in pairwise(points)]
    clear = [turn for turn in found if abs(turn.change) > CLEAR * turn.error]
    return sorted(clear, key=lambda turn: -abs(turn.change))[:TURNS]


def _turning(one: Estimate, other: Estimate) -> Turning:
    changes = [other.share(seat) - one.share(seat) for seat in range(len(one.won))]
    seat = max(range(len(changes)), key=lambda seat: round(abs(changes[seat]), 9))
    error = sqrt(_variance(one, seat) + _variance(other, seat))
    return Turning(one.line, other.line, changes[seat], error, one.label, seat)


def _variance(point: Estimate, seat: int) -> float:
    """The error of the mean of these samples (Agresti and Coull: two more results of each kind avoid certainty)."""
    samples = point.samples + 4
    share = (point.share(seat) * point.samples + 2) / samples
    return share * (1 - share) / samples


def luck(tries: Iterable[Try], seats: int) -> list[Luck]:
    """The luck of each seat with its dice."""
    dice, successes = [0] * seats, [0] * seats
    expected, variance = [0.0] * seats, [0.0] * seats
    for one in tries:
        dice[one.seat] += 1
        successes[one.seat] += one.did
        expected[one.seat] += one.chance
        variance[one.seat] += one.chance * (1 - one.chance)
    return [Luck(seat, dice[seat], successes[seat], expected[seat], sqrt(variance[seat])) for seat in range(seats)]
