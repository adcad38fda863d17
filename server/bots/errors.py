"""The errors of bots that look ahead.

ServerError
+- NoWorld  no world that fits a view could be drawn
+- Hung     a bot that looks ahead gave no answer in time
"""

from server.errors import ServerError


class NoWorld(ServerError):
    """Our fault: the game's `resample` leaves something open; the bot then answers by its policy."""


class Hung(ServerError):
    """Our fault: a bot does not finish; the game's own bot then answers in its place."""
