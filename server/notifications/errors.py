"""The errors of this room.

server.errors.ServerError
+- NoticeRefused      the client's: this server does not tell so, the address cannot be, or it is asked too often
"""

from server.errors import ServerError


class NoticeRefused(ServerError):
    """The person cannot be told so."""

    code = "notice-refused"
