"""The errors of this room.

server.errors.ServerError
+- DirectionRefused   the client's: it does not direct, points at what its viewers do not see, or goes too fast
+- CommentaryRefused  the client's: a part of a commentary that does not fit, or has no room
"""

from server.errors import ServerError


class DirectionRefused(ServerError):
    """The direction was not given to anybody."""

    code = "direction-refused"


class CommentaryRefused(ServerError):
    """The part of a commentary was not stored."""

    code = "commentary-refused"
