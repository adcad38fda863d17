"""What can go wrong here.

server.errors.ServerError
+- BadMessage         the client's: a frame that is no message of the protocol; `code` and what to do
+- NotAdmitted        the client's: no such match, or not with this token; one answer for both
+- PastAsked          nobody's: an act's outcome is in the record, which has to be read first
"""

from server.errors import ServerError


class BadMessage(ServerError):
    """A frame that is no message of the protocol."""

    code = "bad-message"


class NotAdmitted(ServerError):
    """No such match, or not with this token: which of the two is not told."""

    code = "not-admitted"


class PastAsked(ServerError):
    """Everything else allows the act; what it comes to is in the record, which is read and folded in a thread."""
