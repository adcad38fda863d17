"""The errors of this package.

server.errors.ServerError
+- WatchOnly          the client's: the request needs a server on which people play
+- OriginRefused      the client's: no origin shows this match; `refusal` is the origin's code
+- OriginAway         nobody's: no origin can be reached
+- HeadUnknown        nobody's: a client names a line that is not here, and no origin says whether it exists
+- OriginBroken       the origin's: from a line on, it did not send the record of the match
+- UnknownGame        ours: this relay lacks the game of the match, or its rules
+- RelayFull          nobody's: more lines or matches than memory may hold
"""

from server.errors import ServerError


class WatchOnly(ServerError):
    """The request needs a server where people play, because a relay only shows matches."""

    code = "watch-only"


class OriginRefused(ServerError):
    """No origin shows this match to spectators; `refusal` is the origin's own code."""

    code = "not-admitted"

    def __init__(self, refusal: str, why: str) -> None:
        super().__init__(why)
        self.refusal = refusal


class OriginAway(ServerError):
    """No origin can be reached; the lines shown so far remain."""

    code = "origin-away"


class HeadUnknown(ServerError):
    """A client names a line that the relay does not hold, and no origin said whether the record has it."""

    code = "try-again"


class OriginBroken(ServerError):
    """The origin sent something that is not the record of the match; `seq` is the line that shows it."""

    code = "origin-broken"

    def __init__(self, seq: int, why: str) -> None:
        super().__init__(f"line {seq}: {why}")
        self.seq = seq


class UnknownGame(ServerError):
    """The match's game is unknown to this relay."""

    code = "unknown-game"


class RelayFull(ServerError):
    """No place is left in memory. The connection is closed with 4013."""

    code = "relay-full"
