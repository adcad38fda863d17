"""Shows whether another server serves a database file of this machine, by a lock that ends with its process."""

import fcntl
import os
from pathlib import Path
from typing import Final

SUFFIX: Final = ".serving"


class Serving:
    """The lock of this process on a database that it serves. `is_alone`: whether no other process serves the database.

    The lock is held until `close` or the process ends.
    """

    def __init__(self, database: Path) -> None:
        self._file: int | None = None
        self.is_alone = True
        place = database.with_name(database.name + SUFFIX)
        try:
            self._file = os.open(place, os.O_CREAT | os.O_RDWR | os.O_CLOEXEC, 0o600)
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.is_alone = False
        except OSError:
            return  # the folder is read-only or the disk has no locks, which the store reports

    def close(self) -> None:
        """Release the lock, because this process no longer serves the database."""
        if self._file is not None:
            os.close(self._file)
            self._file = None
