"""The errors of thinking bots.

ServerError
+- NoWorld  no world could be drawn that fits a view
+- Hung     a bot that looks ahead gave no answer in time
"""

from server.errors import ServerError


class NoWorld(ServerError):
    """Our fault: the game's `resample` leaves something open; the bot answers by its policy."""


class Hung(ServerError):
    """Our fault: a bot does not finish; the game's own bot answers in its place."""
