"""Makes full garbage collections rare in a program that holds many matches or connections."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from server.operations.intervals import INTERVALS

COLLECT_AFTER: Final = (2_000, 1_000_000_000, 1_000_000_000)
"""The number of new objects after which the garbage collector examines them. It never examines older objects by itself,
because all matches and connections in memory consist of them, and because everything stops during an examination.
"""


@contextmanager
def rare_collections() -> Iterator[None]:
    """Exempt the objects loaded so far from garbage collections, and leave full collections to `Swept`. The context
    lasts as long as the process.

    A full collection walks all matches in memory and stops every match while it runs. Neither choices nor matches that
    leave memory leave reference cycles.
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
    """Collects everything once a certain number of matches and connections have left memory."""

    def __init__(self, after: int = INTERVALS.collect_after) -> None:
        self._gone, self._after = 0, after

    def look(self, gone: int) -> None:
        """Collect if enough have left memory; `gone`: the number that have left since the program began."""
        if gone - self._gone >= self._after:
            self._gone = gone
            gc.collect()
