"""Everything the record can complain of.

RecordError
+- NoSuchMatch        the caller's: the store does not know the match
+- MatchExists        the caller's: the match is in the store already
+- RecordInvalid      the caller's: a line, an opening or a file does not follow RECORD; names the place
+- KeyInvalid         the caller's: a server key cannot be read, or others may read it
+- ScenarioInvalid    the caller's: a scenario file cannot be read; names file, table and key
+- RulesOutdated      the caller's: the match was played under other rules; go on with `Referee.adopt_rules`
+- CannotBranch       the caller's: no match can branch off there, or not for these eyes
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

    def __init__(self, why: str, seq: int = 0, expected: str = "") -> None:
        said = f"{why}; expected {expected}" if expected else why
        super().__init__(f"line {seq}: {said}" if seq else said)
        self.why = why
        self.seq = seq
        self.expected = expected


class KeyInvalid(RecordError):
    """A file of the server's keys is not what it must be."""


class ScenarioInvalid(RecordError):
    """A scenario file cannot be read, or its position is none; the message names the place and what is allowed."""


class RulesOutdated(RecordError):
    """The match was played under other rules than the program has."""


class CannotBranch(RecordError):
    """No match can branch off there, or not for these eyes; the message says what can."""


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
