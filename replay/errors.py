"""Everything the record can complain of.

RecordError
+- NoSuchMatch        the caller's: the store does not know the match
+- MatchExists        the caller's: the match is in the store already
+- RecordInvalid      the caller's: a line, an opening or a file does not follow RECORD; names the place
+- RulesOutdated      the caller's: the match was played under other rules; go on with `Referee.adopt_rules`
+- StoreFailed        ours: the disk or the database failed; nothing more is taken

domain.kernel.Refusal
+- NotSigned          the player's: the seat signs its choices, and this one is not signed or not rightly
+- NotAcknowledged    the player's: the line acknowledged is not the line this record has
+- SeatRefused        the player's: the seat cannot be taken, or its share of chance cannot
"""

from domain.kernel import Refusal


class RecordError(Exception):
    """The root of the record's errors."""


class NoSuchMatch(RecordError):
    """The store does not know the match."""


class MatchExists(RecordError):
    """The match is in the store already."""


class RecordInvalid(RecordError):
    """A line or an opening is not what RECORD says; `seq` is the line, 0 where there is none."""

    def __init__(self, why: str, seq: int = 0) -> None:
        super().__init__(f"line {seq}: {why}" if seq else why)
        self.why = why
        self.seq = seq


class RulesOutdated(RecordError):
    """The match was played under other rules than the program has."""


class StoreFailed(RecordError):
    """The disk or the database failed."""


class NotSigned(Refusal):
    """The seat has a key, so its choices must be signed with it."""

    code = "not-signed"


class NotAcknowledged(Refusal):
    """The sender has seen another record than this one."""

    code = "other-record"


class SeatRefused(Refusal):
    """The seat cannot be taken, or its share of chance cannot."""

    code = "seat-refused"
