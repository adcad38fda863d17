"""The errors of this package.

server.errors.ServerError
+- BadMessage         the client's: a frame that is no message of the protocol; `code` and what to do
+- NotAdmitted        the client's: there is no such match, or the token does not open it; the answer is the same
+- BeyondHead         the client's: it names a line that the record does not have
+- PastAsked          nobody's: an act's outcome is in the record, which has to be read first
"""

from server.errors import ServerError


class BadMessage(ServerError):
    """A frame that is no message of the protocol; `id` is its sender's name for it, if it could be read."""

    code = "bad-message"

    def __init__(self, why: str, name: str = "") -> None:
        super().__init__(why)
        self.id = name


class NotAdmitted(ServerError):
    """There is no such match, or the token does not open it; the answer does not say which."""

    code = "not-admitted"


class BeyondHead(ServerError):
    """A message names a line that the record does not have."""

    code = "beyond-head"


class PastAsked(ServerError):
    """Nothing else forbids the act; its outcome is in the record, which is then read and folded in a thread."""
