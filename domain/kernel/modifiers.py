"""Modifiers with their parts, so that a player can see why, for example, three dice were rolled."""

from collections.abc import Iterable

from msgspec import Struct


class Part(Struct, frozen=True, array_like=True):
    """One reason for a number: the rule behind it, its value and, if the rule alone is not clear, a word."""

    rule: str
    value: int
    why: str = ""


Parts = tuple[Part, ...]


def total(parts: Iterable[Part]) -> int:
    """The sum of the parts."""
    return sum(part.value for part in parts)
