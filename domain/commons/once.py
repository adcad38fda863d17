"""Values derived once from a value that many rules ask about, such as the index of a card set."""

from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")
M = TypeVar("M")

MOST: Final = 64
"""Values of which something is kept."""


def once_of(make: Callable[[T], M]) -> Callable[[T], M]:
    """`make`, called once for each object while it is kept; equal objects are different ones.

    Comparing two card sets takes longer than a rule may; that they are one object is seen at once.
    """
    kept: dict[int, tuple[T, M]] = {}

    def made(value: T) -> M:
        found = kept.get(id(value))
        if found is not None and found[0] is value:
            return found[1]
        result = make(value)
        if len(kept) > MOST:
            kept.popitem()  # the latest: values in long use stay
        kept[id(value)] = (value, result)
        return result

    return made
