"""The errors of this room.

ServerError
+- Forfeit            the player's: its fault loses the match
"""

from server.errors import ServerError


class Forfeit(ServerError):
    """A player broke a rule, took too long, wrote too much or is gone: it loses the match; the message gives the
    reason.
    """

    code = "forfeit"
