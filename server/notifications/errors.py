"""The errors of this room.

server.errors.ServerError
+- NoticeRefused      the client's: a channel that this server lacks, a wrong address, or too many requests
"""

from server.errors import ServerError


class NoticeRefused(ServerError):
    """The person cannot be notified in this way."""

    code = "notice-refused"
