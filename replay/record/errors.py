"""The errors of this room.

replay.errors.RecordError
+- KeyInvalid         the caller's: a server key cannot be read, or others may read it
+- RulesOutdated      the caller's: the match was played under other rules; continue with `Referee.adopt_rules`
+- ChainSpent         ours: the key chain has no draw left before the next one was announced

domain.kernel.Refusal
+- NotSigned          the player's: the seat signs its choices, and this one has no valid signature
+- NotAcknowledged    the player's: the line acknowledged is not the line this record has
+- SeatRefused        the player's: the seat cannot be taken, or its share of chance cannot
+- RulesNewer         ours: the match continued under newer rules than this program has
"""

from domain.kernel import Refusal
from replay.errors import RecordError


class KeyInvalid(RecordError):
    """A file of the server's keys is invalid."""


class RulesOutdated(RecordError):
    """The match was played under other rules than the program has."""


class ChainSpent(RecordError):
    """The key chain has no draw left: a new anchor is due."""


class NotSigned(Refusal):
    """The seat has a key, so its choices must be signed with it."""

    code = "not-signed"


class NotAcknowledged(Refusal):
    """The sender has seen another record than this one."""

    code = "other-record"


class SeatRefused(Refusal):
    """The seat cannot be taken, or its share of chance cannot."""

    code = "seat-refused"


class RulesNewer(Refusal):
    """The match has continued under newer rules than the program's: a server of a later version must continue it."""

    code = "try-again"
