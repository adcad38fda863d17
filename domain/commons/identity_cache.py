"""Values that are derived once from a value that many rules use, such as the index of a card set."""

from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")
M = TypeVar("M")

MOST: Final = 64
"""The number of values for which a result is kept."""


def once_of(make: Callable[[T], M]) -> Callable[[T], M]:
    """A function that calls `make` once for each object and keeps the result; equal objects count as different.

    Comparing two card sets would take too long for a rule; comparing their identities is fast.
    """
    kept: dict[int, tuple[T, M]] = {}

    def made(value: T) -> M:
        found = kept.get(id(value))
        if found is not None and found[0] is value:
            return found[1]
        result = make(value)
        if len(kept) > MOST:
            kept.popitem()  # the newest, so that values in long use stay
        kept[id(value)] = (value, result)
        return result

    return made
