"""The web client's files as they are sent: code and styles without what only their readers need.

Comments, indentation and the spaces around signs go; names and everything that is said stay, so a stack still reads.
It is done when a file is first asked for: there is no build, and a changed file needs a restart alone.
"""

from functools import cache
from importlib.resources import files
from pathlib import PurePosixPath
from typing import Final

from rcssmin import cssmin
from rjsmin import jsmin


def code(text: str) -> str:
    """A module without what may be left out: statements end with semicolons, so no line need end."""
    return str(jsmin(text)).replace(";}", "}").replace("}\n", "}")


SHORTENED: Final = {".js": code, ".css": cssmin}


@cache
def sent(path: PurePosixPath) -> bytes:
    """A file of the client, by its path below `server/web`. Raises `OSError` where there is none."""
    body = files("server").joinpath("web", *path.parts).read_bytes()
    shortened = SHORTENED.get(path.suffix)
    return body if shortened is None else str(shortened(body.decode())).encode()
