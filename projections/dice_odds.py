"""Dice that had to show something: of whom, how likely they were to, and whether they did."""

from collections.abc import Iterable, Iterator

from msgspec import Struct

from domain.kernel import DiceRolled, Event


class Try(Struct, frozen=True):
    """A die of a seat, how likely it was to show what it had to, and whether it did."""

    seat: int
    chance: float
    did: bool


def needed(events: Iterable[Event]) -> Iterator[Try]:
    """By what a roll says that its dice need; one that names no seat, or nothing that it needs, says nothing."""
    for event in events:
        if not isinstance(event, DiceRolled) or event.seat is None or len(event.needs) != len(event.dice):
            continue
        for face, need in zip(event.dice, event.needs, strict=True):
            yield Try(event.seat, min(1.0, max(0.0, (event.sides + 1 - need) / event.sides)), face >= need)
