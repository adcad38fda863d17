"""Everything the server can complain of.

ServerError
+- BadMessage         the client's: a frame that is no message of the protocol; `code` and what to do
+- NotAdmitted        the client's: no such match, or not with this token; one answer for both
+- CannotSit          the client's: the seat is taken or was never open
+- CannotCreate       the client's: game, options or seats that cannot be played
+- Misconfigured      the operator's: a flag, a port or a file
"""

from typing import ClassVar


class ServerError(Exception):
    """The root of the server's errors; `code` is stable."""

    code: ClassVar[str] = "error"


class BadMessage(ServerError):
    """A frame that is no message of the protocol."""

    code = "bad-message"


class NotAdmitted(ServerError):
    """No such match, or not with this token: which of the two is not told."""

    code = "not-admitted"


class CannotSit(ServerError):
    """The seat cannot be taken."""

    code = "cannot-sit"


class CannotCreate(ServerError):
    """The match cannot be created."""

    code = "cannot-create"


class Misconfigured(ServerError):
    """A flag, a port or a file of the operator's is wrong."""

    code = "misconfigured"
