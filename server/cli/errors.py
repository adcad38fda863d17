"""The errors of this room.

server.errors.ServerError
+- Amiss              the operator's (a `Misconfigured`), as a command says it, in its language
+- Unclear            the player's: the typed text is no answer to the question
"""

from server.errors import Misconfigured, ServerError


class Amiss(Misconfigured):
    """A flag, a file or a match given to a command is wrong; the message is in the command's language already."""

    code = "amiss"


class Unclear(ServerError):
    """The typed text is no answer; the error says what to type."""

    code = "unclear"
