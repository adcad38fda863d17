"""The health of a store: whether it accepts commits, how many it has made, and how long its log is."""

import traceback
from bisect import bisect_left
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

GROUP_BOUNDS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
"""The sizes of groups that are counted separately."""


class Pulse(Struct, frozen=True):
    """The health of a store: why it accepts nothing at present (empty if it does), waiting commits, and bytes of files.

    `groups` counts transactions by their number of commits: up to each of `GROUP_BOUNDS`, and more.
    """

    refuses: str = ""
    waiting: int = 0
    commits: int = 0
    groups: tuple[int, ...] = (0,) * (len(GROUP_BOUNDS) + 1)
    database_bytes: int = 0
    log_bytes: int = 0


class Health:
    """A store's notes on its health: why it accepts nothing until a restart (`failed`), and its last refusal."""

    def __init__(self, failed: str = "") -> None:
        self.failed, self.refused = failed, ""
        self._groups = [0] * (len(GROUP_BOUNDS) + 1)
        self._commits = 0
        self._on_failure: list[Callable[[str], None]] = []

    def count(self, commits: int) -> None:
        """Count a durable transaction by its number of commits."""
        self.refused = ""
        self._commits += commits
        self._groups[bisect_left(GROUP_BOUNDS, commits)] += 1

    def refuse(self, why: str) -> None:
        """Note why a write or read has just failed; "" once one succeeds again."""
        self.refused = why

    def fail(self, why: str) -> None:
        """Note that nothing can be trusted any more, and tell every listener once."""
        if self.failed:
            return
        self.failed = why
        for told in self._on_failure:
            told(why)

    def fail_by(self, wrong: BaseException, where: str) -> None:
        """Note an unexpected error that has ended the writing thread: its type and place, never its message.

        The message may hold the values that were to be written.
        """
        frames = traceback.extract_tb(wrong.__traceback__)
        place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
        self.fail(f"{where}: the writer ended by {type(wrong).__name__}{place}; nothing more is taken until a restart")

    def on_failure(self, failed: Callable[[str], None]) -> None:
        """Add a listener for failures; it is also told of an earlier failure."""
        self._on_failure.append(failed)
        if self.failed:
            failed(self.failed)

    def pulse(self, waiting: int, database_bytes: int = 0, log_bytes: int = 0) -> Pulse:
        """The health of the store at this moment."""
        return Pulse(
            self.failed or self.refused, waiting, self._commits, tuple(self._groups), database_bytes, log_bytes
        )
