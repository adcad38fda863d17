"""Everything the server can complain of.

ServerError
+- BadMessage         the client's: a frame that is no message of the protocol; `code` and what to do
+- NotAdmitted        the client's: no such match, or not with this token; one answer for both
+- CannotSit          the client's: the seat is taken or was never open
+- CannotCreate       the client's: game, options or seats that cannot be played
+- GrantRefused       the client's: only seats share their view, with few
+- ChatRefused        the client's: a line that is empty, too long, too fast, or of somebody without a voice
+- HookRefused        the client's: the seat's holder cannot be told at this address
+- TooOften           the client's: matches are created faster than its address may
+- ServerFull         nobody's: no place is left, seats come first
+- Unclear            the player's: what was typed is no answer to the question
+- Misconfigured      the operator's: a flag, a port or a file
+- BotStuck           ours: neither a bot nor chance finds a choice that is accepted
"""

import traceback
from pathlib import Path
from typing import ClassVar


class ServerError(Exception):
    """The root of the server's errors; `code` is stable."""

    code: ClassVar[str] = "error"


class BadMessage(ServerError):
    """A frame that is no message of the protocol."""

    code = "bad-message"


class NotAdmitted(ServerError):
    """No such match, or not with this token: which of the two is not told."""

    code = "not-admitted"


class CannotSit(ServerError):
    """The seat cannot be taken."""

    code = "cannot-sit"


class CannotCreate(ServerError):
    """The match cannot be created."""

    code = "cannot-create"


class GrantRefused(ServerError):
    """The seat's view cannot be shared."""

    code = "grant-refused"


class HookRefused(ServerError):
    """The seat's holder cannot be told at this address."""

    code = "hook-refused"


class ChatRefused(ServerError):
    """The line was not said."""

    code = "chat-refused"


class TooOften(ServerError):
    """Matches are created from this address faster than the server allows."""

    code = "too-often"


class ServerFull(ServerError):
    """No place is left; seats come first. The connection is closed with 4013."""

    code = "server-full"


class Unclear(ServerError):
    """What was typed is no answer; it says what to type."""

    code = "unclear"


class Misconfigured(ServerError):
    """A flag, a port or a file of the operator's is wrong."""

    code = "misconfigured"


class BotStuck(ServerError):
    """A bot's seat has no choice that is accepted."""

    code = "bot-stuck"


def place_of(wrong: BaseException) -> str:
    """What failed and where, for a log: the error's kind, file and line, none of its words, which may be secret."""
    frames = traceback.extract_tb(wrong.__traceback__)
    last = frames[-1] if frames else None
    return f"{type(wrong).__name__} at {Path(last.filename).name}:{last.lineno}" if last else type(wrong).__name__
