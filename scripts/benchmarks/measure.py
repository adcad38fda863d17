"""Figures: a value, the raw limit beside it, and the floor it must not fall below."""

import json
import time
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct
from msgspec.structs import asdict

LESS = frozenset({"µs", "ms", "s", "kB"})
"""Units of which less is better."""
LOOP = 300_000
"""Turns of the loop that shows how fast the machine is at the moment: they take about 16 ms on an idle machine."""


class Figure(Struct, frozen=True):
    """A measured value, higher is better unless `unit` is a time; `floor` is 0 if nothing is promised.

    `raw` is the bare library's figure for the same work in the same run; `ratio` is the value divided by `raw`. `floor`
    is met today and guards against a slowdown; if there is a raw limit, the floor is a ratio to it, so that it holds
    on any machine. `goal` is a target, which may not be reached yet: `scripts.benchmarks.goals` gives the reason.
    """

    name: str
    value: float
    unit: str
    raw_name: str = ""
    raw: float = 0.0
    floor: float = 0.0
    floor_of: str = "value"
    goal: float = 0.0
    goal_of: str = "value"

    @property
    def ratio(self) -> float:
        """The value as a part of the raw limit; for times, how many times the raw limit it takes."""
        return self.value / self.raw if self.raw else 0.0

    @property
    def is_less_better(self) -> bool:
        """Whether the floor is an upper limit, as for times and memory."""
        return self.unit in LESS

    @property
    def is_met(self) -> bool:
        """Whether the floor is met; a time must stay under it."""
        return self._keeps(self.floor, self.floor_of)

    @property
    def is_open(self) -> bool:
        """Whether there is a goal that is not reached."""
        return not self._keeps(self.goal, self.goal_of)

    def _keeps(self, bound: float, of: str) -> bool:
        measured = self.ratio if of == "ratio" else self.value
        return not bound or (measured <= bound if self.is_less_better else measured >= bound)

    def _bound(self, bound: float, of: str) -> str:
        times = "times the bare limit" if self.is_less_better else "of the bare limit"
        return f"{'≤' if self.is_less_better else '≥'} {_number(bound)} {times if of == 'ratio' else self.unit}"

    def lines(self) -> list[str]:
        """The figure in words."""
        told = [f"  {self.name:<50}{_number(self.value):>12} {self.unit}"]
        if self.raw:
            told.append(f"    beside: {self.raw_name:<40}{_number(self.raw):>12} {self.unit}   ratio {self.ratio:.2f}")
        if self.floor:
            told.append(f"    floor: {self._bound(self.floor, self.floor_of)}: {'met' if self.is_met else 'NOT MET'}")
        if self.goal:
            told.append(f"    goal: {self._bound(self.goal, self.goal_of)}: {'open' if self.is_open else 'reached'}")
        return told

    def row(self) -> str:
        """The figure as a row of a table."""
        bare = f"{self.raw_name}: {_number(self.raw)} {self.unit} (ratio {self.ratio:.2f})" if self.raw else ""
        bounds, standing = [], []
        if self.floor:
            bounds.append(self._bound(self.floor, self.floor_of))
            standing.append("met" if self.is_met else "**not met**")
        if self.goal:
            bounds.append(f"goal {self._bound(self.goal, self.goal_of)}")
            standing.append("goal open" if self.is_open else "goal reached")
        measured = f"{_number(self.value)} {self.unit}"
        return f"| {self.name} | {measured} | {bare} | {'; '.join(bounds)} | {', '.join(standing)} |"

    def goal_told(self) -> str:
        """The goal and the value, in words."""
        measured = f"{self.ratio:.2f} of it" if self.goal_of == "ratio" else f"{_number(self.value)} {self.unit}"
        return f"{self.name}: {self._bound(self.goal, self.goal_of)}, measured {measured}"


def _number(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"


class Strength(Struct, frozen=True):
    """The number of matches that a bot played at a budget, the share it won, and its 95 % interval (Wilson)."""

    budget_ms: float
    matches: int
    share: float
    low: float
    high: float

    def line(self) -> str:
        """The strength as a row of a table under `HEAD`."""
        return f"  {self.budget_ms:>10,g} {self.matches:>8} {self.share:>7.0%}   {self.low:.0%} to {self.high:.0%}"


HEAD = f"  {'budget, ms':>10} {'matches':>8} {'won':>7}   95 of 100"


class Report(Struct, frozen=True):
    """The figures of one benchmark, with a description."""

    title: str
    about: str
    figures: tuple[Figure, ...]
    strengths: tuple[Strength, ...] = ()

    def text(self) -> str:
        """The figures as text."""
        told = [self.title, f"  {self.about}", *(line for f in self.figures for line in f.lines())]
        return "\n".join([*told, HEAD, *(one.line() for one in self.strengths)] if self.strengths else told)

    def markdown(self) -> str:
        """A section of a page."""
        rows = [f.row() for f in self.figures]
        head = "| Figure | Measured | Bare limit of the machine | Floor and goal | |\n|---|--:|---|--:|---|"
        return "\n".join([f"### `{self.title}`", "", f"{self.about[:1].upper()}{self.about[1:]}.", "", head, *rows, ""])

    def json(self) -> str:
        """The figures as one line of JSON."""
        rows = [{**asdict(f), "ratio": round(f.ratio, 4), "met": f.is_met, "open": f.is_open} for f in self.figures]
        told = {"benchmark": self.title, "about": self.about, "figures": rows}
        return json.dumps(told | ({"strengths": [asdict(one) for one in self.strengths]} if self.strengths else {}))


def cpu_s(work: Callable[[], object], *, rounds: int = 5) -> float:
    """The least processor time, in seconds, that the work takes in any of some rounds; other programs do not count."""
    best = float("inf")
    for _ in range(rounds):
        begun = time.process_time()
        work()
        best = min(best, time.process_time() - begun)
    return best


def wall_s(work: Callable[[], object]) -> float:
    """The time on the clock, in seconds, that the work takes once."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def loops_s(times: int) -> list[float]:
    """Seconds that a fixed loop takes, measured several times: it takes longer while others use the machine's cores."""
    return [wall_s(_loop) for _ in range(times)]


def _loop() -> None:
    total = 0
    for number in range(LOOP):
        total += number * number % 7


def percentile(values: Iterable[float], part: float) -> float:
    """The value below which `part` (0 to 1) of the values lie. Raises `ValueError` for no values."""
    ordered: Sequence[float] = sorted(values)
    if not ordered:
        raise ValueError("no values were measured")
    return ordered[min(len(ordered) - 1, int(part * len(ordered)))]
