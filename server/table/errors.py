"""The errors of this package.

server.errors.ServerError
+- CannotSit          the client's: the seat is taken or was never open
+- GrantRefused       the client's: only seats share their view, and only with few viewers
+- ChatRefused        the client's: a line that is empty, too long, too fast, or of somebody without a voice
+- BotStuck           ours: neither a bot nor chance finds a choice that is accepted
"""

from server.errors import ServerError


class CannotSit(ServerError):
    """The seat cannot be taken."""

    code = "cannot-sit"


class GrantRefused(ServerError):
    """The seat's view cannot be shared."""

    code = "grant-refused"


class ChatRefused(ServerError):
    """The line of chat was refused."""

    code = "chat-refused"


class BotStuck(ServerError):
    """No choice for a bot's seat is accepted."""

    code = "bot-stuck"
