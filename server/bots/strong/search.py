"""Finds the best of several choices by trying all of them in the same worlds with the same dice."""

import time
from collections.abc import Callable, Iterator
from math import log2, sqrt
from operator import mul
from typing import Final

from msgspec import Struct

from domain.kernel import AnyForm, Asked, Below, Choice
from server.bots.mixing import mixture, pick, turned
from server.bots.strong.proposals import different, proposals
from server.bots.strong.trials import Trials

SUGGESTED: Final = 4
"""The number of worlds in which the policy is asked for its choice, and of trials that measure how long a trial
takes.
"""
ASKING: Final = 0.1
"""The part of a budget after which the policy is not asked about further worlds."""
PROBING: Final = 0.25
"""The part of a budget after which no more trials are made to measure how long a trial takes; these trials also
count.
"""
ROWS: Final = 6
"""The number of answers of each player that are compared when two players choose at once."""
CHOOSING: Final = 0.6
"""The part of a budget for finding the best rival of the policy's choice; the remaining part compares these two."""
CELL: Final = 4
"""The minimum number of trials for each pair of compared answers."""
EACH: Final = 10
"""The minimum average number of trials per choice; with a small budget, few choices are therefore tried."""
TWO: Final = 12
"""With at least this many trials, a choice other than the policy's is always tried."""
LEAST: Final = 8
"""The number of trials of another choice before it can be preferred to the policy's choice."""
SURE: Final = 0.7
"""The number of standard errors by which another choice must be better than the policy's to be preferred."""
DOUBT: Final = 19.0
"""The minimum advantage per square of that error. On average, a choice other than a good bot's is about 0.03 worse,
with a deviation of 0.04, and a few trials must not make it look better (Bayes: 0.03 / 0.04 ** 2).
"""
VAGUE: Final = 0.02
"""The sum added to the squares of differences, because a few differences that agree by chance prove nothing."""


class Budget(Struct, frozen=True):
    """The limit of a search: this many ms, or, if `trials` is set, this many trials, which gives the same result for a
    seed.
    """

    ms: float = 300.0
    trials: int = 0


class Weighed(Struct, frozen=True):
    """A choice, the mean share of its trials, and the number of trials; `weight`: how often to make this choice.

    If both players choose at once, the mean is taken against the other player's answers, mixed as that player would mix
    them.
    `error`: the standard error of the share.
    """

    choice: Choice
    share: float
    trials: int
    weight: float
    error: float = 0.0


class Meter:
    """The part of a budget that has been spent, from 0 to 1."""

    def __init__(self, budget: Budget, trials: Trials, clock: Callable[[], float] = time.perf_counter) -> None:
        self._budget, self._trials, self._clock, self._begun = budget, trials, clock, clock()

    @property
    def spent(self) -> float:
        """The part of the budget that has been spent; above 1 if the budget was not enough."""
        if self._budget.trials:
            return self._trials.played / self._budget.trials
        return (self._clock() - self._begun) * 1000 / self._budget.ms


class ChoiceSearch:
    """Weighs choices for one decision. `most`: the largest number of choices that are tried."""

    def __init__(self, trials: Trials, asked: Asked, form: AnyForm, meter: Meter, most: int, below: Below) -> None:
        self._trials, self._asked, self._form, self._meter = trials, asked, form, meter
        self._most, self._below = most, below
        self._probed: list[float] = []

    def weighed(self, beside: tuple[Choice, ...] = ()) -> list[Weighed]:
        """The choices that were tried, the best first; more than one has a weight if both players choose at once.

        `beside`: choices that are always tried.
        """
        suggested = [*beside, *self._suggested()]
        affordable = self._affordable(suggested[0])
        others = self._trials.others(0)
        rows = min(ROWS, int(sqrt(affordable / CELL)))
        if len(others) == 1 and rows > 1:
            theirs = different((self._trials.suggested(number, others[0]) for number in range(2 * rows)), rows)
            if all(self._trials.is_known(choice, others[0], SUGGESTED) for choice in theirs):
                return self._against(proposals(self._form, suggested, rows, self._below), others[0], theirs)
        most = max(1 + len(beside), 1 + (affordable >= TWO), min(self._most, affordable // EACH))
        suggested += self._trials.promising(most) if most > 1 else ()
        return self._halved(proposals(self._form, suggested, most, self._below)[:most])

    def _suggested(self) -> Iterator[Choice]:
        """The policy's choices in some worlds, as many as the budget allows."""
        for number in range(SUGGESTED):
            if number and self._meter.spent > ASKING:
                return
            yield self._trials.suggested(number)

    def _affordable(self, choice: Choice) -> int:
        """The number of trials that the remaining budget allows, estimated from the first trials, which also count."""
        before = self._meter.spent
        while len(self._probed) < SUGGESTED and (not self._probed or self._meter.spent < PROBING):
            self._probed.append(self._trials.share(choice, len(self._probed)))
        spent = self._meter.spent
        return max(0, int((1 - spent) / (spent - before) * len(self._probed))) if spent > before else 0

    def _halved(self, choices: list[Choice]) -> list[Weighed]:
        """Sequential halving: try all choices in some worlds, then the better half in more worlds, until one is left.

        The best choice is then compared with the first, the policy's, in fresh worlds, because the best of many was
        also lucky.
        """
        if len(choices) == 1:
            return [Weighed(choices[0], _mean(self._probed), len(self._probed), 1.0, _error(self._probed))]
        shares: list[list[float]] = [[] for _ in choices]
        rivals, world = list(range(1, len(choices))), 0
        rounds = int(log2(len(rivals)))
        for number in range(rounds):
            world = self._tried(choices, [0, *rivals], shares, world, CHOOSING * (number + 1) / rounds)
            rivals = sorted(rivals, key=lambda at: -_mean(shares[at]))[: max(1, len(rivals) // 2)]
        fresh: list[list[float]] = [[] for _ in choices]
        self._tried(choices, [0, rivals[0]], fresh, world, 1.0)
        return _ranked(choices, shares, rivals[0], fresh)

    def _tried(
        self, choices: list[Choice], alive: list[int], shares: list[list[float]], world: int, until: float
    ) -> int:
        """Try the choices in one world after another until this much is spent; returns the number of the next world."""
        while True:
            for at in alive:
                is_known = at == 0 and world < len(self._probed)
                shares[at].append(self._probed[world] if is_known else self._trials.share(choices[at], world))
            world += 1
            if self._meter.spent >= until:
                return world

    def _against(self, choices: list[Choice], other: Asked, theirs: list[Choice]) -> list[Weighed]:
        """When both players choose at once, compare all pairs of answers, and find the mixture that cannot be
        exploited.
        """
        sums = [[0.0] * len(theirs) for _ in choices]
        worlds: list[list[list[float]]] = [[] for _ in choices]
        world = 0
        while True:
            for row, kept, choice in zip(sums, worlds, choices, strict=True):
                kept.append([self._trials.share(choice, world, {other.number: answer}) for answer in theirs])
                row[:] = [cell + share for cell, share in zip(row, kept[-1], strict=True)]
            world += 1
            if self._meter.spent >= 1:
                break
        means = [[cell / world for cell in row] for row in sums]
        weights, their_weights = mixture(means), mixture(turned(means))
        found = []
        for choice, kept, weight in zip(choices, worlds, weights, strict=True):
            values = [sum(map(mul, their_weights, shares)) for shares in kept]
            found.append(Weighed(choice, _mean(values), world * len(theirs), weight, _error(values)))
        return sorted(found, key=lambda one: -one.weight)


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _error(values: list[float]) -> float:
    """The standard error of the mean."""
    if len(values) < 2:
        return 1.0
    mean = _mean(values)
    return sqrt((VAGUE + sum((value - mean) ** 2 for value in values)) / (len(values) - 1) / len(values))


def _ranked(choices: list[Choice], shares: list[list[float]], rival: int, fresh: list[list[float]]) -> list[Weighed]:
    """All choices, the preferred one first: the policy's choice, unless its rival was certainly better."""
    apart = [its - usual for its, usual in zip(fresh[rival], fresh[0], strict=True)]
    error = _error(apart)
    is_better = len(apart) >= LEAST and _mean(apart) > max(SURE * error, DOUBT * error**2)
    best = rival if is_better else 0
    everything = [before + after for before, after in zip(shares, fresh, strict=True)]
    rest = sorted((at for at in range(len(choices)) if at != best), key=lambda at: -_mean(everything[at]))
    return [
        Weighed(choices[at], _mean(everything[at]), len(everything[at]), float(at == best), _error(everything[at]))
        for at in (best, *rest)
    ]


def drawn(found: list[Weighed], below: Below) -> Choice:
    """A random choice, drawn by the choices' weights."""
    return found[pick([one.weight for one in found], below)].choice
