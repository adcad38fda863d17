"""What can go wrong where bots think.

ServerError
+- NoWorld  no world could be drawn in which a view is true
"""

from server.errors import ServerError


class NoWorld(ServerError):
    """Our fault: the game's `resample` leaves something open; the bot answers as its policy would."""
