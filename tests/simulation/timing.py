"""Game clocks in a run: the time controls of its matches, and the check that no seat loses unused time."""

import random
from collections import Counter
from collections.abc import Iterable
from typing import Literal

from domain.kernel import (
    ClocksSet,
    DecisionsOpened,
    Event,
    MatchEnded,
    MatchPaused,
    OfferAccepted,
    PositionSet,
    TimeControl,
    TimeRanOut,
)
from domain.kernel.table import DAY_MS
from server.table.clocks import SLEW

DECISION = tuple(TimeControl("decision", ms) for ms in (1_000, 4_000, 15_000))
BANK = tuple(TimeControl("bank", ms, more) for ms, more in ((3_000, 0), (10_000, 1_000), (60_000, 5_000)))
SLOW = (TimeControl("days", 5_000), TimeControl("days", 20_000, vacation_ms=2 * DAY_MS))
THEN: tuple[Literal["default", "random", "forfeit"], ...] = ("default", "default", "random", "random", "forfeit")
LEAST = 1 / (1 + 1 / SLEW)
"""How much of a second of the server's clock has passed in truth at least: it may be drawn to the wall clock's."""
ROUNDING_S = 0.002


def is_timed(seed: int) -> bool:
    """Whether the matches of a run may have clocks; chance of its own, so that the other runs stay what they are."""
    return random.Random(f"clocks of {seed}").random() >= 0.5


def control_of(rng: random.Random) -> TimeControl:
    """A time control whose limits run out now and then; at times none."""
    control = rng.choice((*DECISION, *BANK, *SLOW, TimeControl()))
    if control.kind == "none":
        return control
    return TimeControl(
        control.kind, control.limit_ms, control.increment_ms, rng.choice(THEN), vacation_ms=control.vacation_ms
    )


def judge_times(told: Iterable[tuple[Event, float]], *, is_one_clock: bool = True) -> Counter[str]:
    """Hold a record to its limits, given its events and when each was ruled, in virtual seconds; what there was of it.

    A seat whose time ran out had all of it: since its last decision was opened, or of a bank since its first. After a
    takeback the seats stand as at the line that was gone back to: those that agreed with the time that they had there,
    the others with what they have used up since, too. Not held to without `is_one_clock`: two servers of a database
    that started before and after the wall clock was set differ.
    """
    control = TimeControl()
    opened: dict[int, float] = {}
    marks: list[tuple[float, dict[int, float]]] = []
    agreed: tuple[int, ...] = ()
    found: Counter[str] = Counter()
    for event, at in told:
        match event:
            case ClocksSet(control=given):
                control = given
                found[f"clocks: {control.kind}"] += 1
            case DecisionsOpened(asked=asked):
                for one in asked:
                    opened[one.seat] = opened.get(one.seat, at) if control.kind == "bank" else at
            case TimeRanOut(seat, number, then):
                had, limit = at - opened[seat], control.limit_ms / 1000
                if is_one_clock:
                    assert had >= limit * LEAST - ROUNDING_S, f"decision {number} ran out after {had:.3f} of {limit} s"
                found[f"time-outs: {then}"] += 1
            case MatchPaused():
                found["pauses"] += 1
            case OfferAccepted(agreed=seats):
                agreed = seats
            case PositionSet(line=line) if line:
                stood, before = marks[line - 1]
                opened.update(
                    {seat: at - (stood - begun) if seat in agreed else begun for seat, begun in before.items()}
                )
                found["taken back"] += 1
            case MatchEnded(result=result) if result.reason == "out of time":
                found["lost by time"] += 1
        marks.append((at, dict(opened)))
    return found
