"""The errors of this room.

server.errors.ServerError
+- HookRefused        the client's: the seat's holder cannot be notified at this address
"""

from server.errors import ServerError


class HookRefused(ServerError):
    """The seat's holder cannot be notified at this address."""

    code = "hook-refused"
