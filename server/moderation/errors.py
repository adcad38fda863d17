"""The errors of this room.

server.errors.ServerError
+- SafetyRefused      the client's: nobody to block, one report too many, or an impossible act of the staff
+- Sanctioned         the client's: the staff keeps the person from this for a while, or for good
"""

from server.errors import ServerError


class SafetyRefused(ServerError):
    """The act is not possible; nothing has changed."""

    code = "safety-refused"


class Sanctioned(ServerError):
    """The staff keeps the person from this; the account says why."""

    code = "sanctioned"
