"""Files given to a command, read no further than the largest valid file: `/dev/zero` has no end."""

from pathlib import Path
from typing import Final

from server.cli.errors import Amiss
from server.cli.words import word

OF_CARDS: Final = 8 << 20
"""The largest number of bytes of a card set, an army, a map or a scenario."""
OF_EVENTS: Final = 1 << 30
"""The largest number of bytes of the file of a whole event."""


def read_bytes(path: Path, most: int = OF_CARDS) -> bytes:
    """A file's content. Raises `Misconfigured` for a file that is longer than allowed, or cannot be read."""
    try:
        with path.open("rb") as file:
            data = file.read(most + 1)
    except OSError as wrong:
        raise Amiss(word("{name} cannot be read: {why}.", name=path, why=wrong.strerror)) from wrong
    if len(data) > most:
        raise Amiss(word("{name} is longer than {most} bytes; such a file never is.", name=path, most=most))
    return data
