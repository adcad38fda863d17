"""The average result of an attack's dice: the kills and disrupts that shields leave, and their cost."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate
from typing import Final

from msgspec import Struct

from domain.joan_of_arc.cards.dice import FACES, FACES_OF_A_DIE, Colour, Dice, Face

Counts = tuple[int, int, int, int]
"""The number of dice of each of `KINDS`."""
KINDS: Final[tuple[Colour, ...]] = ("black", "red", "yellow", "white")
NO_DICE: Final[Counts] = (0, 0, 0, 0)
RARE: Final = 2e-4
"""Results less likely than this are ignored."""
KEPT: Final = 20_000
"""The number of rolls that are remembered."""
Hits = tuple[int, int]
"""The number of kills, and the number of disrupts."""


def counts(dice: Dice | None) -> Counts:
    """The number of dice of each of `KINDS`; no dice for None."""
    return NO_DICE if dice is None else (dice.black, dice.red, dice.yellow, dice.white)


def plus(one: Counts, other: Counts) -> Counts:
    """The dice of both pools together."""
    return (one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3])


def chance(colour: Colour, *faces: Face) -> float:
    """The chance that a die shows one of these faces."""
    return sum(FACES[colour].count(face) for face in faces) / FACES_OF_A_DIE


@cache
def expected(dice: Counts, kill: float, disrupt: float) -> float:
    """The average value of a roll without any defence."""
    each = (kill * chance(kind, Face.KILL) + disrupt * chance(kind, Face.DISRUPT) for kind in KINDS)
    return sum(number * worth for number, worth in zip(dice, each, strict=True))


def _one_less(dice: Counts) -> tuple[Counts, Colour]:
    at = next(at for at, number in enumerate(dice) if number)
    left = (dice[0] - (at == 0), dice[1] - (at == 1), dice[2] - (at == 2), dice[3] - (at == 3))
    return left, KINDS[at]


@cache
def hits(dice: Counts) -> dict[Hits, float]:
    """The chance of this many kills and disrupts in an attack roll."""
    if dice == NO_DICE:
        return {(0, 0): 1.0}
    rest, kind = _one_less(dice)
    kill, disrupt = chance(kind, Face.KILL), chance(kind, Face.DISRUPT)
    found: defaultdict[Hits, float] = defaultdict(float)
    for (kills, disrupts), likely in hits(rest).items():
        found[kills + 1, disrupts] += likely * kill
        found[kills, disrupts + 1] += likely * disrupt
        found[kills, disrupts] += likely * (1 - kill - disrupt)
    return {each: likely for each, likely in found.items() if likely > RARE / 20}


@cache
def shields(dice: Counts) -> tuple[float, ...]:
    """The chance of each number of shields in a defence roll."""
    if dice == NO_DICE:
        return (1.0,)
    rest, kind = _one_less(dice)
    shown, before = chance(kind, Face.SHIELD), shields(rest)
    return tuple(
        (before[at] * (1 - shown) if at < len(before) else 0.0) + (before[at - 1] * shown if at else 0.0)
        for at in range(len(before) + 1)
    )


class Left(Struct, frozen=True):
    """The remaining results of an attack roll after shields: kills, disrupts and their joint probability; the average
    pushes.
    """

    hits: tuple[tuple[int, int, float], ...]
    pushes: float


@lru_cache(KEPT)
def left_over(attack: Counts, defence: Counts, sure: int, copies: int) -> Left:
    """`sure`: shields in addition to the dice, below 0 if some are taken away; `copies`: the number of enemies for
    which a gigantic die counts, 0 if there is no gigantic die.
    """
    found: Counter[Hits] = Counter()
    spare = 0.0
    stopped = shields(defence)
    for (kills, disrupts), likely in _with_giant(hits(attack), copies).items():
        for number, shown in enumerate(stopped):
            both = likely * shown
            if both > RARE:
                stop = max(number + sure, 0)
                k = max(kills - stop, 0)
                d = disrupts - max(stop - kills, 0)
                spare += both * max(-d, 0)
                found[k, max(d, 0)] += both  # type: ignore[assignment]  # likelihoods are counted like numbers
    pushes = sum(number * chance(kind, Face.PUSH) for number, kind in zip(attack, KINDS, strict=True))
    trampled = copies * chance("gigantic", Face.TRAMPLE, Face.PUSH)
    return Left(tuple((k, d, p) for (k, d), p in found.items()), max(pushes - spare, 0.0) + trampled)


def _with_giant(found: dict[Hits, float], copies: int) -> dict[Hits, float]:
    """The remaining results with a gigantic die, each result of which counts once for each enemy (JA-378)."""
    if not copies:
        return found
    kill, disrupt = chance("gigantic", Face.KILL), chance("gigantic", Face.DISRUPT)
    mixed: defaultdict[Hits, float] = defaultdict(float)
    for (kills, disrupts), likely in found.items():
        mixed[kills + copies, disrupts] += likely * kill
        mixed[kills, disrupts + copies] += likely * disrupt
        mixed[kills, disrupts] += likely * (1 - kill - disrupt)
    return mixed


class Target(Struct, frozen=True):
    """Units to which results are allocated: the cost of each number of kills, and of each number of disrupts. The
    cheapest unit is hit first, and each unit is hit once before any unit is hit again (JA-128). `most`: the number of
    results that the units can take; this number empties their area.
    """

    kills: tuple[float, ...]
    disrupts: tuple[float, ...]
    most: int

    def loss(self, kills: int, disrupts: int) -> float:
        """The cost of this many kills and disrupts."""
        first = min(kills, self.most)
        last = min(kills + disrupts, self.most)
        return self.kills[first] + self.disrupts[last] - self.disrupts[first]

    def losses(self, left: Left) -> tuple[float, float]:
        """The average cost of the remaining results, and the chance that they are enough for all units."""
        cost = enough = 0.0
        most, kills_, disrupts_ = self.most, self.kills, self.disrupts
        needed = most - left.pushes
        for kills, disrupts, likely in left.hits:
            first, last = kills, kills + disrupts
            if last >= needed:
                enough += likely
            if last > most:
                last = most
                first = min(first, most)
            cost += likely * (kills_[first] + disrupts_[last] - disrupts_[first])
        return cost, enough


def target(units: Sequence[tuple[float, float, int]]) -> Target:
    """A target made up of units.

    Each unit is given by the costs of a kill and of a disrupt, and by its remaining HPs.
    """
    once = sorted(units)
    slots = (*once, *(unit for unit in once for _ in range(unit[2] - 1)))
    kills = accumulate((unit[0] for unit in slots), initial=0.0)
    disrupts = accumulate((unit[1] for unit in slots), initial=0.0)
    return Target(tuple(kills), tuple(disrupts), len(slots))
