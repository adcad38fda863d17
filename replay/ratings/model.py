"""The model of `ratings.v1`: the Plackett-Luce model with the update of Weng and Lin (JMLR 12, 2011, algorithm 4).

It uses only the four operations and the square root of IEEE 754 doubles, in a fixed order, and every machine rounds
these alike. It computes the exponential function from them, because those of C libraries differ in the last digit.
"""

import math
from collections.abc import Sequence
from typing import Final

VERSION: Final = "ratings.v1"
UNIT: Final = 1000
"""Ratings and deviations are whole thousandths of a point after each result."""
MEAN: Final = 1500.0
DEVIATION: Final = 250.0
"""The first rating and deviation of a player without results."""
BETA: Final = 125.0
"""How much a player's performance varies from match to match: half of the first deviation, as in the paper."""
KAPPA: Final = 0.0001
"""The least share of the variance that remains after one result, as in the paper."""
DRIFT: Final = 25.0
"""The daily growth of the variance, in points squared, because players change; it stops at the first variance."""
DAY_MS: Final = 86_400_000

_LOG2_E: Final = 1.4426950408889634
_LN2_HIGH: Final = 0.6931471803691238
"""The first 33 bits of ln 2, so that a product with a small whole number is exact."""
_LN2_LOW: Final = 1.9082149292705877e-10
_BETA_SQUARED: Final = BETA * BETA
_MOST_VARIANCE: Final = DEVIATION * DEVIATION

Member = tuple[float, float]
"""The rating and the deviation of a player, in points."""
Side = Sequence[Member]


def exponential(x: float) -> float:
    """e to the power of `x`, from -700 to 700, with the same digits on every machine: Taylor's series near zero."""
    twos = math.floor(x * _LOG2_E + 0.5)
    r = (x - twos * _LN2_HIGH) - twos * _LN2_LOW
    # 1/13! to 1/0!, by Horner's method; written out, it takes a third of the time of a loop.
    front = (((1.0 / 6227020800.0 * r + 1.0 / 479001600.0) * r + 1.0 / 39916800.0) * r + 1.0 / 3628800.0) * r
    middle = ((((front + 1.0 / 362880.0) * r + 1.0 / 40320.0) * r + 1.0 / 5040.0) * r + 1.0 / 720.0) * r
    series = (((((middle + 1.0 / 120.0) * r + 1.0 / 24.0) * r + 1.0 / 6.0) * r + 0.5) * r + 1.0) * r + 1.0
    return math.ldexp(series, twos)


def thousandths(points: float) -> int:
    """Points as whole thousandths; halves are rounded up."""
    return math.floor(points * UNIT + 0.5)


def drifted(deviation: float, days: int) -> float:
    """The deviation after a number of days without a result."""
    return math.sqrt(min(_MOST_VARIANCE, deviation * deviation + DRIFT * days))


def updated(sides: Sequence[Side], places: Sequence[int]) -> list[list[Member]]:
    """The ratings and deviations after a match, in the order of the sides; `places` count from 1, equal if tied.

    The strength of a side is the average of its members', because the rules deal a side the same forces however many
    players share them. With one player on each side this is the paper's update.
    """
    counts = [len(side) for side in sides]
    means = [sum([mean for mean, _ in side]) / n for side, n in zip(sides, counts, strict=True)]
    variances = [sum([d * d for _, d in side]) / (n * n) for side, n in zip(sides, counts, strict=True)]
    c_squared = sum([variance + _BETA_SQUARED for variance in variances])
    c = math.sqrt(c_squared)
    best = max(means)
    powers = [exponential((mean - best) / c) for mean in means]
    # For each side q: the sum over the sides with no better place than q, and the number of sides with the same place.
    totals = [
        sum([power for power, place in zip(powers, places, strict=True) if place >= place_q]) for place_q in places
    ]
    made = []
    for i, side in enumerate(sides):
        omega = delta = 0.0
        for q, place_q in enumerate(places):
            if place_q <= places[i]:
                share, tied = powers[i] / totals[q], places.count(place_q)
                omega += ((1.0 if q == i else 0.0) - share) / tied
                delta += share * (1.0 - share) / tied
        shrink = math.sqrt(variances[i]) / c * delta / c_squared
        made.append([_member(member, counts[i], omega / c, shrink) for member in side])
    return made


def _member(member: Member, count: int, step: float, shrink: float) -> Member:
    """One player of a side of `count`, whose rating moves by `step` for each point of variance."""
    mean, deviation = member
    variance = deviation * deviation
    left = 1.0 - variance / (count * count) * shrink
    return mean + variance / count * step, deviation * math.sqrt(max(left, KAPPA))


def updated_two(first: Member, second: Member, score: float) -> tuple[Member, Member]:
    """As `updated`, digit for digit, for two sides of one player each: most matches, in a third of the time.

    `score` is that of the first side: 1 won, 0.5 drawn, 0 lost.
    """
    (mean_1, deviation_1), (mean_2, deviation_2) = first, second
    variance_1, variance_2 = deviation_1 * deviation_1, deviation_2 * deviation_2
    c_squared = (variance_1 + _BETA_SQUARED) + (variance_2 + _BETA_SQUARED)
    c = math.sqrt(c_squared)
    power_1 = 1.0 if mean_1 >= mean_2 else exponential((mean_1 - mean_2) / c)
    power_2 = 1.0 if mean_2 >= mean_1 else exponential((mean_2 - mean_1) / c)
    total = power_1 + power_2
    share_1, share_2 = power_1 / total, power_2 / total
    delta_1, delta_2 = share_1 * (1.0 - share_1), share_2 * (1.0 - share_2)
    if score == 1.0:
        omega_1, omega_2 = 1.0 - share_1, -share_2
    elif score == 0.0:
        omega_1, omega_2 = -share_1, 1.0 - share_2
    else:
        omega_1, omega_2 = (1.0 - share_1) / 2 - share_1 / 2, (1.0 - share_2) / 2 - share_2 / 2
    left_1 = 1.0 - variance_1 * (math.sqrt(variance_1) / c * delta_1 / c_squared)
    left_2 = 1.0 - variance_2 * (math.sqrt(variance_2) / c * delta_2 / c_squared)
    return (
        (mean_1 + variance_1 * (omega_1 / c), deviation_1 * math.sqrt(left_1 if left_1 > KAPPA else KAPPA)),
        (mean_2 + variance_2 * (omega_2 / c), deviation_2 * math.sqrt(left_2 if left_2 > KAPPA else KAPPA)),
    )
