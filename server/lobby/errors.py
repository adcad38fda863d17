"""The errors of this package.

server.errors.ServerError
+- CannotCreate       the client's: game, options or seats that cannot be played
+- CannotJudge        the client's: the match is not over, or its secrets are not open; ours: too many wait
+- CannotHint         ours: too many wait for hints, or none was found; the client's: they are asked for too fast
+- CannotStudy        the client's: there is no such lesson, or it goes no further
+- TooOften           the client's: its address creates matches too fast
+- ServerFull         nobody's: no place is left; seats have priority
"""

from server.errors import ServerError


class CannotCreate(ServerError):
    """The match cannot be created."""

    code = "cannot-create"


class CannotJudge(ServerError):
    """The match cannot be analysed for this client, or not now."""

    code = "cannot-judge"


class CannotHint(ServerError):
    """No hint can be given now."""

    code = "cannot-hint"


class CannotStudy(ServerError):
    """There is no such lesson, or it goes no further."""

    code = "cannot-study"


class TooOften(ServerError):
    """Matches are created from this address faster than the server allows."""

    code = "too-often"


class ServerFull(ServerError):
    """No place is left, because seats have priority. The connection is closed with 4013."""

    code = "server-full"
