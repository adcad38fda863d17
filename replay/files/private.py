"""Files that hold secrets: only their owner can read them, whatever the umask is and even if they existed before."""

import os
import stat
from pathlib import Path
from typing import Final

OWNER_ONLY: Final = 0o600


def make_private(path: Path) -> None:
    """Make an empty file that only its owner can read and write; an existing file is emptied and restricted.

    Anything other than a plain file, such as a pipe, is left as it is. Raises `OSError`.
    """
    descriptor = os.open(path, os.O_CREAT | os.O_WRONLY, OWNER_ONLY)
    try:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.fchmod(descriptor, OWNER_ONLY)
            os.ftruncate(descriptor, 0)
    finally:
        os.close(descriptor)


def write_private(path: Path, data: bytes) -> None:
    """Write a file that only its owner may read. Raises `OSError`."""
    make_private(path)
    path.write_bytes(data)
