"""Statistics of matches: results, lengths, the fairness of dice, and rules used."""

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

from domain.kernel import (
    BranchOpened,
    Chosen,
    DiceRolled,
    Event,
    MatchBegun,
    MatchEnded,
    Part,
    ScenarioOpened,
    SeatTaken,
)
from domain.kernel.history import seats_in
from projections.face import Face
from projections.redaction import SPECTATOR
from replay.playback.seek import Replay
from replay.record.seat_proof import VOID


class Count(Struct, frozen=True):
    """The statistics of one match, from the facts that everybody at the table saw. Seats count from 0.

    `winners` and `reason` say how it ended, and `winner` names a sole winner; they are None while it continues.
    `sides`: by seat, the side played, as {what: which}; `kinds`: by seat, person or bot; `branch`: it begins in a
    position of another match or of a scenario; `dice`: how often (sides, face) was rolled; `cited`: how often each
    rule was cited.
    """

    game: str
    rules: str
    lines: int
    choices: tuple[int, ...]
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    sides: tuple[dict[str, str], ...]
    begun: int | None
    ended: int | None
    winner: int | None
    reason: str | None
    dice: dict[tuple[int, int], int]
    cited: dict[str, int]
    branch: bool = False
    winners: tuple[int, ...] = ()


def rows_cited(event: Event) -> Iterator[str]:
    """The ledger rows that an event and its parts name, such as a bonus on a roll."""
    own = getattr(event, "rule", "")
    if own:
        yield own
    yield from (part.rule for part in getattr(event, "parts", ()) if isinstance(part, Part) and part.rule != own)


def count_match(replay: Replay[Any]) -> Count:
    """Count a match up to its last line so far. Raises `RecordInvalid`."""
    game, events = replay.game, replay.seen_all(SPECTATOR)
    seats = seats_in(events)
    kinds, choices = [""] * seats, [0] * seats
    dice: Counter[tuple[int, int]] = Counter()
    rules: Counter[str] = Counter()
    begun = ended = None
    for seq, event in enumerate(events, 1):
        rules.update(rows_cited(event))
        match event:
            case Chosen(seat):
                choices[seat] += 1
            case DiceRolled(sides=sides, dice=faces):
                dice.update((sides, face) for face in faces)
            case SeatTaken(seat, kind=kind):
                kinds[seat] = kind
            case MatchBegun():
                begun = seq
            case MatchEnded():
                ended = seq
    view = replay.at(replay.end, SPECTATOR)
    result = view.result
    return Count(
        game.name,
        game.rules,
        len(events),
        tuple(choices),
        view.players,
        tuple(kinds),
        sides_of(replay.face, view),
        begun,
        ended,
        None if result is None else result.winner,
        None if result is None else result.reason,
        dict(dice),
        dict(rules),
        any(isinstance(event, BranchOpened | ScenarioOpened) for event in events[1:2]),
        () if result is None else result.won,
    )


def sides_of(face: Face[Any], view: Any) -> tuple[dict[str, str], ...]:
    """By seat, the faction or deck that is played, as far as the view shows it."""
    told = face.sides(view)
    return (*told, *({} for _ in range(len(view.players) - len(told))))


@dataclass
class Tally:
    """Counts over matches of one game. `faces` are public dice by number of sides, then by face.

    `won` and `played` are by player; `sides` is by (what, which), as [won, played]. Only the dice of branches count,
    because their results follow from the play before them.
    """

    matches: int = 0
    branches: int = 0
    lines: list[int] = field(default_factory=list)
    choices: list[int] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)
    played: Counter[str] = field(default_factory=Counter)
    seats: Counter[int] = field(default_factory=Counter)
    sides: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    faces: dict[int, Counter[int]] = field(default_factory=dict)
    rules: Counter[str] = field(default_factory=Counter)

    def add(self, count: Count) -> None:
        """Add a match that has begun; winners and armies count only if it has ended and is not void."""
        for (sides, face), number in count.dice.items():
            self.faces.setdefault(sides, Counter())[face] += number
        if count.branch:
            self.branches += 1
            return
        if count.begun is None:
            return
        self.matches += 1
        self.lines.append(count.lines)
        self.choices.append(sum(count.choices))
        self.rules.update(count.cited)
        if count.reason is None:
            return
        self.endings[count.reason] += 1
        if count.reason.startswith(VOID):
            return
        for seat, name in enumerate(count.names):
            won = seat in count.winners
            self.played[name or f"seat {seat + 1}"] += 1
            self.won[name or f"seat {seat + 1}"] += won
            self.seats[seat] += won
            for side in count.sides[seat].items():
                wins = self.sides.setdefault(side, [0, 0])
                wins[0] += won
                wins[1] += 1


class Fairness(Struct, frozen=True):
    """A chi-square test of dice: their number, the statistic, and the chance that fair dice reach at least as much."""

    sides: int
    dice: int
    chi_square: float
    p: float


def fairness(sides: int, faces: Counter[int]) -> Fairness:
    """Pearson's test of `faces` against fair dice (Pearson 1900)."""
    total = sum(faces.values())
    even = total / sides if sides else 0.0
    chi = sum((faces[face] - even) ** 2 / even for face in range(1, sides + 1)) if even else 0.0
    return Fairness(sides, total, chi, chi_square_tail(chi, sides - 1))


def chi_square_tail(chi: float, freedom: int) -> float:
    """The probability that a chi-square variable exceeds `chi` (Abramowitz and Stegun 26.4.4 and 26.4.5), 0 to 1."""
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
    """The minimum, the median and the maximum of some numbers; zeros if there are none."""
    if not values:
        return (0, 0, 0)
    ordered = sorted(values)
    return ordered[0], ordered[(len(ordered) - 1) // 2], ordered[-1]
