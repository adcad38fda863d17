"""Files given to a command, read no further than the largest valid file: `/dev/zero` has no end."""

from pathlib import Path
from typing import Final

from server.cli.errors import Amiss
from server.cli.words import word

OF_CARDS: Final = 8 << 20
"""The largest number of bytes of a card set, an army, a map or a scenario."""
OF_EVENTS: Final = 1 << 30
"""The largest number of bytes of the file of a whole event."""
CHUNK: Final = 1 << 20
"""The number of bytes read at once: Python reserves the memory for as many bytes as a read may return."""


def read_bytes(path: Path, most: int = OF_CARDS) -> bytes:
    """A file's content. Raises `Misconfigured` for a file that is longer than allowed, or cannot be read."""
    parts, length = [], 0
    try:
        with path.open("rb") as file:
            while part := file.read(CHUNK):
                parts.append(part)
                length += len(part)
                if length > most:
                    raise Amiss(word("{name} is longer than {most} bytes; such a file never is.", name=path, most=most))
    except OSError as wrong:
        raise Amiss(word("{name} cannot be read: {why}.", name=path, why=wrong.strerror)) from wrong
    return b"".join(parts)
