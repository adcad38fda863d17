"""What many matches come to: results, lengths, dice and whether they are fair, rules used."""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from domain.kernel import BranchOpened, Chosen, DiceRolled, Event, MatchCreated, MatchEnded, SeatTaken


@dataclass
class Tally:
    """Counts over matches of one game. `faces` are public dice by number of sides, then by face.

    Of matches that branch off others only the dice count: how they end follows from what was played before them.
    """

    matches: int = 0
    branches: int = 0
    lines: list[int] = field(default_factory=list)
    choices: list[int] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)
    played: Counter[str] = field(default_factory=Counter)
    seats: Counter[int] = field(default_factory=Counter)
    faces: dict[int, Counter[int]] = field(default_factory=dict)
    rules: Counter[str] = field(default_factory=Counter)

    def add(self, events: Iterable[Event]) -> None:
        """Count a match."""
        events = list(events)
        if any(isinstance(event, BranchOpened) for event in events[1:2]):
            self.branches += 1
            for event in events:
                if isinstance(event, DiceRolled):
                    self.faces.setdefault(event.sides, Counter()).update(event.dice)
            return
        names: dict[int, str] = {}
        lines = choices = 0
        self.matches += 1
        for event in events:
            lines += 1
            rule = getattr(event, "rule", "")
            if rule:
                self.rules[rule] += 1
            match event:
                case Chosen():
                    choices += 1
                case SeatTaken(seat, name):
                    names[seat] = name
                case MatchCreated(seats=seats):
                    names = dict(enumerate(seats))
                case DiceRolled(sides=sides, dice=dice):
                    self.faces.setdefault(sides, Counter()).update(dice)
                case MatchEnded(result):
                    self.endings[result.reason] += 1
                    self.played.update(names.values())
                    if result.winner is not None:
                        self.won[names[result.winner]] += 1
                        self.seats[result.winner] += 1
        self.lines.append(lines)
        self.choices.append(choices)


class Fairness(Struct, frozen=True):
    """A chi-square test of even dice: how many, the statistic, and the chance of one as large with fair dice."""

    sides: int
    dice: int
    chi_square: float
    p: float


def fairness(sides: int, faces: Counter[int]) -> Fairness:
    """Pearson's test of `faces` against even dice (Pearson 1900)."""
    total = sum(faces.values())
    even = total / sides if sides else 0.0
    chi = sum((faces[face] - even) ** 2 / even for face in range(1, sides + 1)) if even else 0.0
    return Fairness(sides, total, chi, chi_square_tail(chi, sides - 1))


def chi_square_tail(chi: float, freedom: int) -> float:
    """The chance that a chi-square variable exceeds `chi` (Abramowitz and Stegun 26.4.4 and 26.4.5), 0 to 1."""
    if freedom < 1 or chi <= 0:
        return 1.0
    half = chi / 2
    if freedom % 2 == 0:
        term = total = math.exp(-half)
        for i in range(1, freedom // 2):
            term *= half / i
            total += term
        return min(1.0, total)
    total = math.erfc(math.sqrt(half))
    term = math.exp(-half) * math.sqrt(half) / math.gamma(1.5)
    for i in range(1, (freedom - 1) // 2 + 1):
        total += term
        term *= half / (i + 0.5)
    return min(1.0, total)


def quartiles(values: Sequence[int]) -> tuple[int, int, int]:
    """The least, the median and the most of some numbers; noughts for none."""
    if not values:
        return (0, 0, 0)
    ordered = sorted(values)
    return ordered[0], ordered[(len(ordered) - 1) // 2], ordered[-1]
