"""Dice that had to show something: their owner, their chance, and whether they did."""

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from typing import Any, Final

from msgspec import Struct

from domain.kernel import DiceRolled, Event

ODD: Final = 2.0
"""The number of standard deviations from which on dice are reported as against the odds."""
FEW: Final = 2
"""Fewer dice are no surprise, whatever they show."""


class Try(Struct, frozen=True):
    """A die of a seat, how likely it was to show what it had to, and whether it did."""

    seat: int
    chance: float
    did: bool


def needed(events: Iterable[Event]) -> Iterator[Try]:
    """By the needs that a roll states; a roll that names no seat, or no need, yields nothing."""
    for event in events:
        if not isinstance(event, DiceRolled) or event.seat is None or len(event.needs) != len(event.dice):
            continue
        for face, need in zip(event.dice, event.needs, strict=True):
            yield Try(event.seat, min(1.0, max(0.0, (event.sides + 1 - need) / event.sides)), face >= need)


def with_odds(cues: Sequence[dict[str, Any]], tries: Sequence[Try]) -> list[dict[str, Any]]:
    """The cues of a roll; one against the odds says how many of its dice did what they had to, of how many, and how
    many were expected.
    """
    found = against_odds(tries)
    if not found:
        return [*cues]
    return [{**cue, "odds": list(found)} if cue["k"] == "roll" else cue for cue in cues]


def against_odds(tries: Sequence[Try]) -> tuple[int, int, float] | None:
    """How many dice did what they had to, of how many, and how many were to be expected; None where that was likely."""
    expected = sum(one.chance for one in tries)
    spread = sqrt(sum(one.chance * (1 - one.chance) for one in tries))
    did = sum(one.did for one in tries)
    if len(tries) < FEW or not spread or abs(did - expected) < ODD * spread:
        return None
    return did, len(tries), round(expected, 1)
