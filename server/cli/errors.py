"""What can go wrong here.

server.errors.ServerError
+- Unclear            the player's: what was typed is no answer to the question
"""

from server.errors import ServerError


class Unclear(ServerError):
    """What was typed is no answer; it says what to type."""

    code = "unclear"
