"""How a store does: whether it takes something, how many commits it has made, how long its log is."""

import traceback
from bisect import bisect_left
from collections.abc import Callable
from pathlib import Path
from typing import Final

from msgspec import Struct

GROUP_BOUNDS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
"""Sizes of groups that are counted apart."""


class Pulse(Struct, frozen=True):
    """How a store does: why it takes nothing at the moment (empty: it does), commits that wait, bytes of files.

    `groups` counts transactions by how many commits each held: up to each of `GROUP_BOUNDS`, and more.
    """

    refuses: str = ""
    waiting: int = 0
    commits: int = 0
    groups: tuple[int, ...] = (0,) * (len(GROUP_BOUNDS) + 1)
    database_bytes: int = 0
    log_bytes: int = 0


class Health:
    """A store's notes on itself: why it takes nothing until a restart (`failed`), and why it did not lately."""

    def __init__(self, failed: str = "") -> None:
        self.failed, self.refused = failed, ""
        self._groups = [0] * (len(GROUP_BOUNDS) + 1)
        self._commits = 0
        self._on_failure: list[Callable[[str], None]] = []

    def count(self, commits: int) -> None:
        """A transaction of so many commits has lasted."""
        self.refused = ""
        self._commits += commits
        self._groups[bisect_left(GROUP_BOUNDS, commits)] += 1

    def refuse(self, why: str) -> None:
        """Something could not be written or read lately; "" once it could again."""
        self.refused = why

    def fail(self, why: str) -> None:
        """Nothing is trusted any more: every listener is told, once."""
        if self.failed:
            return
        self.failed = why
        for told in self._on_failure:
            told(why)

    def fail_by(self, wrong: BaseException, where: str) -> None:
        """The thread that writes has ended by an error that nobody foresaw: say which and where, never its words.

        They may hold the values that were to be written.
        """
        frames = traceback.extract_tb(wrong.__traceback__)
        place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
        self.fail(f"{where}: the writer ended by {type(wrong).__name__}{place}; nothing more is taken until a restart")

    def on_failure(self, failed: Callable[[str], None]) -> None:
        """Tell of a failure, also of one that has happened already."""
        self._on_failure.append(failed)
        if self.failed:
            failed(self.failed)

    def pulse(self, waiting: int, database_bytes: int = 0, log_bytes: int = 0) -> Pulse:
        """How the store does at this moment."""
        return Pulse(
            self.failed or self.refused, waiting, self._commits, tuple(self._groups), database_bytes, log_bytes
        )
