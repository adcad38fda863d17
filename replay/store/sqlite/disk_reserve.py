"""A reserve of disk space that is given up when the disk is full, so that the log can be moved into the file."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

RESERVE_BYTES: Final = 16 << 20
"""The usual greatest length of the log: the file may grow by as much when the log is moved."""


def reserve_of(database: Path) -> Path:
    """The file beside a database that holds the reserve."""
    return database.with_name(database.name + ".reserve")


class DiskReserve:
    """A file without content beside the database; it exists while a server runs, after its log was first moved."""

    def __init__(self, database: Path) -> None:
        self._folder = database.absolute().parent
        self._path = reserve_of(database)

    def keep(self) -> bool:
        """Make the reserve if more than four times as much is free; returns whether there is a reserve."""
        try:
            if self._path.is_file() and self._path.stat().st_size >= RESERVE_BYTES:
                return True
            if self.free_bytes() < 4 * RESERVE_BYTES:
                return False
            handle = os.open(self._path, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
            try:
                _allocate(handle)
            finally:
                os.close(handle)
        except OSError:
            self.give_up()
            return False
        return True

    def give_up(self) -> None:
        """Remove the reserve; a folder in its place stays, because it takes no space."""
        with suppress(OSError):
            self._path.unlink()

    def free_bytes(self) -> int:
        """The free bytes on the disk."""
        found = os.statvfs(self._folder)
        return found.f_bavail * found.f_frsize

    def shortage(self, needed_bytes: int) -> str:
        """The full disk and the bytes needed, as words for a sentence."""
        free, needed = self.free_bytes() // 1024, -(-needed_bytes // 1024)
        return f"{self._folder} has {free} KiB free, and about {needed} KiB are needed"


def _allocate(handle: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(handle, 0, RESERVE_BYTES)
    else:  # macOS
        for _ in range(RESERVE_BYTES >> 16):
            os.write(handle, bytes(1 << 16))
