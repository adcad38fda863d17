"""Garbage collections of a program that holds many matches or connections: rarely of everything."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from server.operations.intervals import INTERVALS

COLLECT_AFTER: Final = (2_000, 1_000_000_000, 1_000_000_000)
"""The number of new objects after which the garbage collector looks at them; it never looks at older ones by itself:
these are as many as the matches and connections in memory have, and everything stops meanwhile.
"""


@contextmanager
def rare_collections() -> Iterator[None]:
    """Exempt the objects loaded so far from garbage collections, and leave whole collections to `Swept`; for a whole
    process.

    A whole collection walks all matches in memory and stops every one of them meanwhile. Neither choices nor matches
    that leave memory leave cycles behind.
    """
    former = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)
    try:
        yield
    finally:
        gc.set_threshold(*former)
        gc.unfreeze()


class Swept:
    """Collects everything once a number of matches and connections have left memory."""

    def __init__(self, after: int = INTERVALS.collect_after) -> None:
        self._gone, self._after = 0, after

    def look(self, gone: int) -> None:
        """Collect, if it is time; `gone`: the number that have left since the program began."""
        if gone - self._gone >= self._after:
            self._gone = gone
            gc.collect()
