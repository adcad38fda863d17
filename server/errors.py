"""The errors of the server.

ServerError
+- Misconfigured      the operator's: a flag, a port or a file

Each room shows its own branch: webhooks/errors.py, wire/errors.py, direction/errors.py, table/errors.py,
people/errors.py, matchmaking/errors.py, lobby/errors.py, cli/errors.py.
"""

import traceback
from pathlib import Path
from typing import ClassVar


class ServerError(Exception):
    """The root of the server's errors; `code` is stable."""

    code: ClassVar[str] = "error"


class Misconfigured(ServerError):
    """A flag, a port or a file of the operator's is wrong."""

    code = "misconfigured"


def place_of(wrong: BaseException) -> str:
    """An error's kind, file and line, for a log. Its words are left out, for they may be secret."""
    frames = traceback.extract_tb(wrong.__traceback__)
    last = frames[-1] if frames else None
    return f"{type(wrong).__name__} at {Path(last.filename).name}:{last.lineno}" if last else type(wrong).__name__
