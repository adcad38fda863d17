"""The errors of this room.

server.errors.ServerError
+- CannotPair      the client's: terms by which nobody can play, a search or an invitation that is over
"""

from server.errors import ServerError


class CannotPair(ServerError):
    """Nobody can be found or invited on these terms."""

    code = "cannot-pair"
