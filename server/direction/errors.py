"""The errors of this room.

server.errors.ServerError
+- DirectionRefused   the client's: it is no director, points at things that its viewers do not see, or is too fast
+- CommentaryRefused  the client's: a part of a commentary does not fit, or has no room
"""

from server.errors import ServerError


class DirectionRefused(ServerError):
    """The direction was not given to anybody."""

    code = "direction-refused"


class CommentaryRefused(ServerError):
    """The part of a commentary was not stored."""

    code = "commentary-refused"
