"""Room on the disk that is kept back, and given up on a full disk, so that the log can be moved into the file."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

RESERVE_BYTES: Final = 16 << 20
"""As long as the log mostly gets: so much the file may grow when the log is moved."""


def reserve_of(database: Path) -> Path:
    """The file beside a database that keeps the room."""
    return database.with_name(database.name + ".reserve")


class DiskReserve:
    """A file beside the database that holds nothing; it is there while a server runs, once its log was moved."""

    def __init__(self, database: Path) -> None:
        self._folder = database.absolute().parent
        self._path = reserve_of(database)

    def keep(self) -> bool:
        """Keep room back where more than four times as much is free; whether it is kept back."""
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
        """Let go of the room; a folder that somebody made in its place stays, for it keeps nothing."""
        with suppress(OSError):
            self._path.unlink()

    def free_bytes(self) -> int:
        """How much is free on the disk."""
        found = os.statvfs(self._folder)
        return found.f_bavail * found.f_frsize

    def shortage(self, needed_bytes: int) -> str:
        """The disk that is full, and the bytes needed, for a sentence."""
        free, needed = self.free_bytes() // 1024, -(-needed_bytes // 1024)
        return f"{self._folder} has {free} KiB free, and about {needed} KiB are needed"


def _allocate(handle: int) -> None:
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(handle, 0, RESERVE_BYTES)
    else:  # macOS
        for _ in range(RESERVE_BYTES >> 16):
            os.write(handle, bytes(1 << 16))
