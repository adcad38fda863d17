"""Dice that needed a certain result: their owner, their chance, and whether they succeeded."""

from collections.abc import Iterable, Iterator, Sequence
from math import sqrt
from typing import Any, Final

from msgspec import Struct

from domain.kernel import DiceRolled, Event

ODD: Final = 2.0
"""The number of standard deviations at which dice are reported as against the odds."""
FEW: Final = 2
"""The fewest dice that are reported; fewer are no surprise, whatever they show."""


class Try(Struct, frozen=True):
    """A die of a seat, its chance of the result that it needed, and whether it succeeded."""

    seat: int
    chance: float
    did: bool


def needed(events: Iterable[Event]) -> Iterator[Try]:
    """The tries of a roll, by the needs that it states; a roll without a seat or a need has none."""
    for event in events:
        if not isinstance(event, DiceRolled) or event.seat is None or len(event.needs) != len(event.dice):
            continue
        for face, need in zip(event.dice, event.needs, strict=True):
            yield Try(event.seat, min(1.0, max(0.0, (event.sides + 1 - need) / event.sides)), face >= need)


def with_odds(cues: Sequence[dict[str, Any]], tries: Sequence[Try]) -> list[dict[str, Any]]:
    """The cues of a roll. Against the odds, they give the number of successes, of dice, and of expected successes."""
    found = against_odds(tries)
    if not found:
        return [*cues]
    return [{**cue, "odds": list(found)} if cue["k"] == "roll" else cue for cue in cues]


def against_odds(tries: Sequence[Try]) -> tuple[int, int, float] | None:
    """The number of dice that succeeded, of all dice, and of expected successes; None if the result was likely."""
    expected = sum(one.chance for one in tries)
    spread = sqrt(sum(one.chance * (1 - one.chance) for one in tries))
    did = sum(one.did for one in tries)
    if len(tries) < FEW or not spread or abs(did - expected) < ODD * spread:
        return None
    return did, len(tries), round(expected, 1)
