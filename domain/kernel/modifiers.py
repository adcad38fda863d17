"""Modifiers with their parts, so that a player can be told why three dice were rolled."""

from collections.abc import Iterable

from msgspec import Struct


class Part(Struct, frozen=True, array_like=True):
    """One reason for a number: the rule that gives it, its value and, where the rule alone is not plain, a word."""

    rule: str
    value: int
    why: str = ""


Parts = tuple[Part, ...]


def total(parts: Iterable[Part]) -> int:
    """The sum of the parts."""
    return sum(part.value for part in parts)
