"""A lock between writers of a database and a checkpoint, which moves its log into the file (docs/record.md 6).

SQLite before 3.51.3 can lose a commit, and corrupt the file, if one connection moves the log while another commits,
even in another process. Therefore all writers take turns by a lock on the folder: shared to commit, exclusive to move
the log.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Final

from replay.store.errors import StoreFailed
from replay.store.sqlite.schema import WAITS

PAUSE_S: Final = 0.001


class CheckpointLock:
    """The turns of one connection. Raises `StoreFailed` if the folder cannot be opened."""

    def __init__(self, database: Path, turn_s: float = WAITS.turn_s) -> None:
        """`turn_s`: how long to wait for a turn."""
        self._what, self._turn_s = str(database), turn_s
        try:
            self._folder = os.open(database.absolute().parent, os.O_RDONLY | os.O_CLOEXEC)
        except OSError as wrong:
            raise StoreFailed(f"{database.parent} cannot be opened: {wrong.strerror}") from wrong

    def committing(self) -> AbstractContextManager[None]:
        """A turn in which nobody moves the log. Raises `StoreFailed` if the wait takes too long."""
        return self._turn(fcntl.LOCK_SH)

    def moving(self) -> AbstractContextManager[None]:
        """A turn in which nobody commits. Raises `StoreFailed` if the wait takes too long."""
        return self._turn(fcntl.LOCK_EX)

    def begin(self) -> bool:
        """Take a turn to commit if nobody moves the log at this moment; `end` it afterwards."""
        try:
            fcntl.flock(self._folder, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def take(self) -> None:
        """Take a turn to commit; `end` it afterwards. Raises `StoreFailed` if the wait takes too long."""
        self._take(fcntl.LOCK_SH)

    def take_alone(self) -> None:
        """Take a turn in which nobody else commits, possibly in place of a turn to commit; as `take`."""
        self._take(fcntl.LOCK_EX)

    def end(self) -> None:
        """End the turn."""
        fcntl.flock(self._folder, fcntl.LOCK_UN)

    @contextmanager
    def _turn(self, kind: int) -> Iterator[None]:
        self._take(kind)
        try:
            yield
        finally:
            self.end()

    def _take(self, kind: int) -> None:
        until = time.monotonic() + self._turn_s
        while True:
            try:
                fcntl.flock(self._folder, kind | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() > until:
                    raise StoreFailed(f"{self._what}: another program has kept the log to itself") from None
                time.sleep(PAUSE_S)

    def close(self) -> None:
        """Take no more turns; may be called twice."""
        if self._folder >= 0:
            os.close(self._folder)
            self._folder = -1
